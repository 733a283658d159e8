/**
 * The authorization code flow without a browser: register, authorize, follow the redirects, trade the code for tokens.
 * For tests that need tokens and are not about getting them.
 * @module
 */
import { createHash, randomBytes } from "node:crypto";

export interface SignedIn {
  accessToken: string;
  refreshToken: string;
  expiresIn: number;
  scope: string;
  clientId: string;
  tokenEndpoint: string;
}

const REDIRECT = "http://127.0.0.1/callback";

export async function signIn(issuer: string, resource: string, scope: string): Promise<SignedIn> {
  const metadata = await json(fetch(`${issuer}/.well-known/openid-configuration`));
  const client = await json(
    fetch(String(metadata.registration_endpoint), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: "samples sign-in",
        application_type: "native",
        redirect_uris: [REDIRECT],
        grant_types: ["authorization_code", "refresh_token"],
        token_endpoint_auth_method: "none",
      }),
    }),
  );
  const clientId = String(client.client_id);
  const verifier = randomBytes(32).toString("base64url");
  const authorize = new URL(String(metadata.authorization_endpoint));
  authorize.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    scope,
    resource,
    prompt: "consent",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const { searchParams } = await followToCallback(authorize, REDIRECT);
  const code = searchParams.get("code");
  if (!code) throw new Error(`The sign-in was refused: ${searchParams.get("error_description")}`);
  const tokenEndpoint = String(metadata.token_endpoint);
  const tokens = await json(
    fetch(tokenEndpoint, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code,
        client_id: clientId,
        redirect_uri: REDIRECT,
        code_verifier: verifier,
        resource,
      }),
    }),
  );
  return {
    accessToken: String(tokens.access_token),
    refreshToken: String(tokens.refresh_token),
    expiresIn: Number(tokens.expires_in),
    scope: String(tokens.scope),
    clientId,
    tokenEndpoint,
  };
}

/** Follows redirects, keeping cookies, until the address of the client's callback comes up, and returns that address. */
export async function followToCallback(start: URL, callback: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  while (!url.href.startsWith(callback)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";")[0]?.split("=") ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (!location) throw new Error(`The sign-in stopped at ${url.pathname} with status ${response.status}.`);
    url = new URL(location, url);
  }
  return url;
}

async function json(response: Promise<Response>): Promise<Record<string, unknown>> {
  const body = (await (await response).json()) as Record<string, unknown>;
  if (body.error) throw new Error(`${body.error}: ${body.error_description}`);
  return body;
}
