/** @module Asking a token endpoint: code, refresh and client credentials, authenticated the way the server advertises. */
import { McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import type { HttpClient } from "../guard/client.ts";
import { checkOauthUrl } from "../guard/policy.ts";
import { parseJsonWithin } from "../messages/json-text.ts";
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import { type AssertionKey, clientAssertion, clientAssertionType } from "./client-assertion.ts";
import { knownTokenType } from "./token-type.ts";

export interface OauthClient {
  clientId: string;
  clientSecret?: string;
  /** Proves the client instead of a secret. */
  key?: AssertionKey;
  /** How it was registered to authenticate; otherwise what the server advertises decides. */
  authentication?: ClientAuthentication;
}

export interface TokenSet {
  accessToken: string;
  tokenType: string;
  /** Epoch milliseconds. */
  expiresAt?: number;
  refreshToken?: string;
  scope?: string;
}

export interface TokenRequest {
  http: HttpClient;
  /** Authorization-server metadata; names the endpoint and how it authenticates clients. */
  server: JsonObject;
  client: OauthClient;
  /** RFC 8707: what the token is for. */
  resource: string;
  scope?: string;
  signal?: AbortSignal | undefined;
  suppliedFrom?: AddressZone | undefined;
  now?: () => number;
  /** Told of what it sends that nobody may see, made for this request. */
  conceal?: ((value: string) => void) | undefined;
}

export type ClientAuthentication = "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";

export function refreshTokens(request: TokenRequest & { refreshToken: string }): Promise<TokenSet> {
  return askForTokens(request, { grant_type: "refresh_token", refresh_token: request.refreshToken });
}

export function clientCredentials(request: TokenRequest): Promise<TokenSet> {
  if (request.client.clientSecret === undefined && !request.client.key) {
    throw new McpError("OAUTH", "The client-credentials grant needs a client secret.");
  }
  return askForTokens(request, { grant_type: "client_credentials" });
}

/** Trades an authorization code; the verifier proves that whoever asked for it is the one who got it. */
export function exchangeCode(
  request: TokenRequest & { code: string; redirectUri: string; codeVerifier: string },
): Promise<TokenSet> {
  return askForTokens(request, {
    grant_type: "authorization_code",
    code: request.code,
    redirect_uri: request.redirectUri,
    code_verifier: request.codeVerifier,
  });
}

/** A secret goes by Basic unless only the body is advertised; without a secret the client merely names itself. */
export function chooseAuthentication(server: JsonObject, client: OauthClient): ClientAuthentication {
  if (client.key) return "private_key_jwt";
  if (client.clientSecret === undefined) return "none";
  if (client.authentication !== undefined) return client.authentication;
  const advertised = server.token_endpoint_auth_methods_supported;
  if (!Array.isArray(advertised) || advertised.includes("client_secret_basic")) return "client_secret_basic";
  return advertised.includes("client_secret_post") ? "client_secret_post" : "none";
}

async function askForTokens(request: TokenRequest, grant: Record<string, string>): Promise<TokenSet> {
  return readTokenAnswer(await requestTokens(request, grant), request.now);
}

/** What a token endpoint answered, before anyone believes it. Holds secrets. */
export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  /** Empty when the answer is no JSON object. */
  body: JsonObject;
  text: string;
}

/** Sends exactly this grant, authenticated as the server advertises; the answer is handed over whatever it is. */
export async function requestTokens(
  request: TokenRequest,
  grant: Record<string, string>,
): Promise<TokenAnswer> {
  const { server, resource, scope } = request;
  if (typeof server.token_endpoint !== "string") {
    throw new McpError("OAUTH", "The authorization server's metadata names no token_endpoint.");
  }
  return postAsClient(request, server.token_endpoint, {
    ...grant,
    resource,
    ...(scope !== undefined && { scope }),
  });
}

/** Posts a form to an endpoint of the authorization server, authenticated as the client. */
export async function postAsClient(
  request: Omit<TokenRequest, "resource" | "scope">,
  endpoint: string,
  fields: Record<string, string>,
): Promise<TokenAnswer> {
  const { server, client } = request;
  const method = chooseAuthentication(server, client);
  const form = new URLSearchParams(fields);
  if (method !== "client_secret_basic") form.set("client_id", client.clientId);
  if (method === "client_secret_post") form.set("client_secret", client.clientSecret ?? "");
  if (client.key) {
    const audience = typeof server.issuer === "string" ? server.issuer : endpoint;
    const assertion = clientAssertion(client.clientId, audience, client.key);
    request.conceal?.(assertion);
    form.set("client_assertion_type", clientAssertionType);
    form.set("client_assertion", assertion);
  }
  const response = await request.http.request({
    method: "POST",
    url: checkOauthUrl(endpoint),
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(method === "client_secret_basic" && { authorization: basicCredentials(client) }),
    },
    body: form.toString(),
    signal: request.signal,
    maxBodyBytes: 256 * 1024,
    // A redirect would carry the secret somewhere else.
    redirect: "manual",
    suppliedFrom: request.suppliedFrom,
  });
  const text = await response.text();
  const parsed = parseJsonWithin(text, { jsonDepth: 16, jsonElements: 5_000 });
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  return { status: response.status, headers: response.headers, body, text };
}

export function readTokenAnswer(answer: TokenAnswer, now: () => number = Date.now): TokenSet {
  const { status, body, text } = answer;
  if (status < 200 || status > 299) throw tokenFailure(status, body, text);
  if (typeof body.access_token !== "string" || body.access_token === "") {
    throw new McpError("OAUTH", "The token endpoint's answer holds no access_token.");
  }
  return {
    accessToken: body.access_token,
    tokenType: knownTokenType(body.token_type),
    ...(typeof body.expires_in === "number" && { expiresAt: now() + body.expires_in * 1_000 }),
    ...(typeof body.refresh_token === "string" && { refreshToken: body.refresh_token }),
    ...(typeof body.scope === "string" && { scope: body.scope }),
  };
}

function tokenFailure(status: number, body: JsonObject, text: string): McpError {
  const error = typeof body.error === "string" ? body.error : undefined;
  const description = typeof body.error_description === "string" ? body.error_description : undefined;
  return new McpError("OAUTH", `The token endpoint refused: ${description ?? error ?? `status ${status}`}.`, {
    hint:
      error === "invalid_grant"
        ? "The grant is spent, expired or revoked; sign in again."
        : "Check the client id and secret.",
    details: { status, ...(error === undefined ? { excerpt: excerptOf(text) } : { oauthError: error }) },
  });
}

/** RFC 6749 2.3.1: both parts are form-encoded before they are joined. */
export function basicCredentials(client: OauthClient): string {
  const encode = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  const pair = `${encode(client.clientId)}:${encode(client.clientSecret ?? "")}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}
