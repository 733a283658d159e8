/** @module Asking a person: the address their browser is sent to, and whether what comes back may be believed. */
import { createHash, randomBytes } from "node:crypto";
import { latestStateless } from "../eras/era.ts";
import { McpError } from "../failure.ts";
import { checkOauthUrl } from "../guard/policy.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";

export interface AuthorizationRequest {
  /** Where the browser goes. */
  url: string;
  /** Comes back with the answer; whoever does not know it has not asked. */
  state: string;
  /** Never leaves us until the code is traded. */
  codeVerifier: string;
}

/** Why this authorization server cannot be asked by a browser, or nothing. Before 2025-11-25 nobody had to advertise PKCE. */
export function authorizationFault(
  server: JsonObject,
  protocolVersion: string = latestStateless,
): string | undefined {
  if (typeof server.authorization_endpoint !== "string") return "it names no authorization_endpoint";
  if (typeof server.token_endpoint !== "string") return "it names no token_endpoint";
  if (!lists(server.response_types_supported, "code")) return "it does not offer the authorization code";
  // Absent means unsupported (MCP 2025-11-25): without PKCE a stolen code would be worth a token.
  const methods = server.code_challenge_methods_supported;
  if (methods === undefined && protocolVersion < "2025-11-25") return undefined;
  if (!Array.isArray(methods) || !methods.includes("S256")) return "it does not offer PKCE with S256";
  return undefined;
}

function lists(advertised: unknown, value: string): boolean {
  return !Array.isArray(advertised) || advertised.includes(value);
}

/** Proof that whoever redeems the code is whoever asked for it (RFC 7636), and a state that ties the answer to the question. */
export interface Pkce {
  codeVerifier: string;
  codeChallenge: string;
  state: string;
}

export function createPkce(): Pkce {
  const codeVerifier = randomBytes(32).toString("base64url");
  return {
    codeVerifier,
    codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    state: randomBytes(32).toString("base64url"),
  };
}

/**
 * Builds an authorization request (RFC 6749 4.1.1) with PKCE, state and the resource the token is for.
 *
 * @example
 * const { url, state, codeVerifier } = createAuthorizationRequest({ server, clientId, redirectUri, resource, scope });
 */
export function createAuthorizationRequest(request: {
  /** Authorization-server metadata. */
  server: JsonObject;
  clientId: string;
  redirectUri: string;
  resource: string;
  scope?: string | undefined;
  protocolVersion?: string | undefined;
  /** Made here unless given. */
  pkce?: Pkce;
}): AuthorizationRequest {
  const fault = authorizationFault(request.server, request.protocolVersion);
  if (fault !== undefined) throw new McpError("OAUTH", `The authorization server cannot be used: ${fault}.`);
  const { codeVerifier, codeChallenge, state } = request.pkce ?? createPkce();
  const url = checkOauthUrl(String(request.server.authorization_endpoint));
  const parameters = {
    response_type: "code",
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    state,
    resource: request.resource,
    ...(request.scope !== undefined && { scope: request.scope }),
    // OpenID Connect ignores the wish for a refresh token without it.
    ...(request.scope?.split(" ").includes("offline_access") && { prompt: "consent" }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, state, codeVerifier };
}

/**
 * What to ask for (SEP-2207): the given scopes, and a refresh token where the authorization server lists that as a scope.
 * Without any, the parameter is left out and the authorization server decides.
 */
export function scopeToAsk(server: JsonObject, given: string | undefined): string | undefined {
  const supported = Array.isArray(server.scopes_supported) ? server.scopes_supported.map(String) : [];
  const wanted = given ?? (supported.length > 0 ? supported.join(" ") : undefined);
  if (wanted === undefined || !supported.includes("offline_access")) return wanted;
  return wanted.split(" ").includes("offline_access") ? wanted : `${wanted} offline_access`;
}

/** RFC 9207: an answer of another issuer, or one that should name its issuer and does not, is a mix-up; nothing is sent. */
export function checkAnswerIssuer(server: JsonObject, issuer: string, iss: string | undefined): void {
  const isPromised = server.authorization_response_iss_parameter_supported === true;
  if (iss === issuer || (iss === undefined && !isPromised)) return;
  throw new McpError(
    "OAUTH",
    iss === undefined
      ? "The answer does not name its issuer, which the authorization server promises to do."
      : "The answer comes from another issuer than the one that was asked.",
    { details: { issuer, ...(iss !== undefined && { named: iss }) } },
  );
}
