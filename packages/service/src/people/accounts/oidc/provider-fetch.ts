/**
 * @module Asks the OpenID provider, through the guarded client: any visitor can start a sign-in, so an answer without end or without
 * haste would be anybody's way to our memory and sockets.
 */
import { type AddressZone, createHttpClient, localPolicy } from "@fettle/mcp";
import type { CustomFetch } from "openid-client";

/** Discovery documents, key sets and tokens have a few kilobytes; the largest key sets about fifty. */
const longestAnswer = 512 * 1024;

/**
 * The operator chose the issuer, which may be on a private network. The addresses in its discovery document were chosen by whoever
 * answers there: a provider on the open internet cannot send us to machines of our own, unless the operator listed them.
 */
export function createProviderFetch(timeoutMs: number, exceptions: readonly string[]): CustomFetch {
  const client = createHttpClient({
    policy: { ...localPolicy, exceptions },
    timeouts: { connectMs: timeoutMs, firstByteMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    maxBodyBytes: longestAnswer,
  });
  let issuerZone: AddressZone | undefined;
  return async (url, { method, headers, body, signal }) => {
    const isDiscovery = new URL(url).pathname.includes("/.well-known/");
    const response = await client.request({
      method,
      url,
      headers,
      // The library sends forms and nothing else.
      ...(body != null && { body: String(body) }),
      redirect: "manual",
      suppliedFrom: isDiscovery ? undefined : issuerZone,
      signal,
    });
    const text = await response.text();
    if (isDiscovery) issuerZone = response.zone;
    const { status, statusText } = response;
    const isBodiless = status === 204 || status === 205 || status === 304;
    return new Response(isBodiless ? null : text, { status, statusText, headers: response.headers });
  };
}
