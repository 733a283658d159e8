/** @module From flags, environment and files to a client of the API: checked before anything is sent, and said who asks whom. */
import { type ApiClient, createClient } from "@fettle/contract/client";
import { limits } from "@fettle/contract/core";
import { operationalError, signInHint, usageError } from "../cli-error.ts";
import { authFile } from "../files/home.ts";
import type { Call } from "../program/command.ts";
import { version } from "../version.ts";
import { freshAccessToken } from "./access-token.ts";
import { parseApiHeaders } from "./api-headers.ts";
import { type Credential, resolveCredential } from "./credential.ts";
import { type Deployment, resolveDeployment } from "./deployment.ts";
import { redactKey } from "./redact-key.ts";
import { sayWait } from "./say-wait.ts";
import { readStoredLogin, unreadableLogin } from "./stored-login.ts";

export const defaultTimeoutMs = limits.request.ms.fallback;

export type HostedCall = Pick<Call, "credentials" | "global" | "world" | "print">;

export interface ReachedDeployment {
  client: ApiClient;
  apiUrl: string;
  credential: Exclude<Credential, { kind: "none" }>;
  /** Says on stderr who asks whom for what; to be called before the first request, and only once. */
  announce(scope: string): void;
}

/** Everything wrong with the flags is exit 2; having no credential at all is exit 1. No request is made here. */
export async function reachDeployment(call: HostedCall): Promise<ReachedDeployment> {
  const { env, now } = call.world;
  const headers = parseApiHeaders(call.credentials.apiHeader, env.FETTLE_API_HEADERS);
  const login = await readStoredLogin(authFile(call.world));
  const credential = resolveCredential({
    flag: call.credentials.apiKey,
    env: env.FETTLE_API_KEY,
    login,
    now: now(),
  });
  const { apiUrl } = checkedDeployment(call, credential);
  if (credential.kind === "none") {
    const why = await unreadableLogin(authFile(call.world));
    throw operationalError(why ? `You are not signed in: ${why}` : "You are not signed in.", {
      hint: signInHint,
    });
  }
  if (credential.error) {
    throw credential.kind === "api-key"
      ? usageError(credential.error)
      : operationalError(credential.error, { hint: signInHint });
  }
  const timeoutMs = call.global.timeout ?? defaultTimeoutMs;
  const onWait = sayWait(call.print);
  const proof =
    credential.kind === "api-key"
      ? { key: credential.key }
      : {
          token: () => freshAccessToken({ authFile: authFile(call.world), headers, timeoutMs, onWait, now }),
        };
  return {
    client: createClient({
      baseUrl: apiUrl,
      headers,
      timeoutMs,
      onWait,
      userAgent: `fettle-cli/${version}`,
      ...proof,
    }),
    apiUrl,
    credential,
    announce: (scope) => call.print.note(`${nameOf(credential)} · ${scope} · ${apiUrl}`),
  };
}

export function checkedDeployment(call: HostedCall, credential: Credential): Deployment {
  const deployment = resolveDeployment({
    flag: call.credentials.apiUrl,
    env: call.world.env.FETTLE_API_URL,
    credential,
  });
  if (deployment.error) throw usageError(deployment.error);
  return deployment;
}

function nameOf(credential: ReachedDeployment["credential"]): string {
  return credential.kind === "api-key" ? redactKey(credential.key) : (credential.login.email ?? "oauth");
}
