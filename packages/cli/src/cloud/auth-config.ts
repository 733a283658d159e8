/** @module How a deployment says that it can be signed in to, and the checks on what it says before anything is opened or sent. */
import { operationalError } from "../cli-error.ts";
import { type AuthRequest, sendAuthRequest } from "./auth-request.ts";

export interface AuthConfig {
  issuer: string;
  clientId: string;
  authStartUrl: URL;
  tokenEndpoint: URL;
  /** A loopback address; without a port, any free one may be used (RFC 8252, 7.3). */
  redirectUri: URL;
  revocationEndpoint?: URL;
}

export interface AuthConfigRequest {
  apiUrl: string;
  headers: Record<string, string>;
  timeoutMs: number;
  onWait?: AuthRequest["onWait"];
}

export async function fetchAuthConfig({
  apiUrl,
  headers,
  timeoutMs,
  onWait,
}: AuthConfigRequest): Promise<AuthConfig> {
  const { origin } = new URL(apiUrl);
  const answer = await sendAuthRequest({ url: `${origin}/api/cli/auth/config`, headers, timeoutMs, onWait });
  if (answer.status === 501) {
    throw operationalError(`${origin} does not offer a login for the command line.`, {
      hint: "Use an API key instead: --api-key or FETTLE_API_KEY.",
    });
  }
  if (answer.status !== 200) throw notOurs(origin, `it answered ${answer.status}`);
  return parseAuthConfig(answer.body, origin);
}

function parseAuthConfig(body: Record<string, unknown>, origin: string): AuthConfig {
  const text = (name: string) => {
    const value = body[name];
    if (typeof value !== "string" || value === "") throw notOurs(origin, `its login settings lack ${name}`);
    return value;
  };
  const address = (name: string) => safeAddress(text(name), name, origin);
  const redirectUri = URL.parse(text("redirectUri"));
  // Any other address would hand the code to somebody else.
  if (redirectUri?.protocol !== "http:" || !isLoopback(redirectUri)) {
    throw notOurs(origin, "its redirectUri is not a loopback address");
  }
  return {
    issuer: text("issuer"),
    clientId: text("clientId"),
    authStartUrl: address("authStartUrl"),
    tokenEndpoint: address("tokenEndpoint"),
    redirectUri,
    ...(body.revocationEndpoint !== undefined && { revocationEndpoint: address("revocationEndpoint") }),
  };
}

/** https anywhere; plain http on this machine, or where the person pointed us at it by name. */
function safeAddress(value: string, name: string, origin: string): URL {
  const url = URL.parse(value);
  const isSafe =
    url &&
    (url.protocol === "https:" || (url.protocol === "http:" && (isLoopback(url) || url.origin === origin)));
  if (!isSafe || url.username || url.password) throw notOurs(origin, `its ${name} is not a safe address`);
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function notOurs(origin: string, why: string) {
  return operationalError(`${origin} cannot be signed in to: ${why}.`, {
    hint: "Check --api-url: it should be the address of a Fettle service.",
  });
}
