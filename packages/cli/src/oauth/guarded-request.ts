/** @module One HTTP request for `oauth metadata` and the proxies: https and public addresses, or this machine when the given address says so. */
import {
  checkOauthUrl,
  createHttpClient,
  type HttpClient,
  hostedPolicy,
  isLoopbackHost,
  type NetworkPolicy,
} from "@fettle/mcp";
import { asUsageError } from "../connection/failure.ts";

/** Runs `work` with a client that reaches what this address may lead to, and nothing else. */
export async function withGuardedClient<T>(
  address: string,
  work: (http: HttpClient, url: URL) => Promise<T>,
): Promise<T> {
  const url = checkedUrl(address);
  const http = createHttpClient({ policy: policyFor(url) });
  try {
    return await work(http, url);
  } finally {
    http.close();
  }
}

function checkedUrl(address: string): URL {
  try {
    return checkOauthUrl(address);
  } catch (error) {
    throw asUsageError(error);
  }
}

function policyFor(url: URL): NetworkPolicy {
  if (!isLoopbackHost(url.hostname)) return hostedPolicy;
  return { ...hostedPolicy, exceptions: ["127.0.0.0/8", "::1/128"] };
}
