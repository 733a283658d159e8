/** @module Stored credentials at work: bound to one issuer and one resource, refreshed when spent, and withheld when either changes. */
import { McpError } from "../failure.ts";
import type { HttpClient } from "../guard/client.ts";
import type { AuthorizationDemand, Authorize } from "../session/link.ts";
import { findGuardian } from "./guardian.ts";
import { clientCredentials, type OauthClient, refreshTokens, type TokenSet } from "./tokens.ts";

/** What is kept for one server. `issuer` and `resource` are pinned at the first use and checked at every later one. */
export interface StoredCredential {
  issuer?: string;
  resource?: string;
  client: OauthClient;
  tokens?: Partial<TokenSet>;
  /** How new tokens are had. */
  grant: "refresh_token" | "client_credentials";
  scope?: string;
}

export interface CredentialOptions {
  http(): Promise<HttpClient>;
  serverUrl: string;
  protocolVersion: string;
  credential: StoredCredential;
  /** Keep what was learnt: new tokens, the pinned issuer and resource. */
  save?(credential: StoredCredential): Promise<void>;
  signal?: AbortSignal | undefined;
}

/** Credentials are looked up by both, so that a token of one server never reaches another. */
export function credentialKey(credential: { issuer: string; resource: string }): string {
  return JSON.stringify([credential.issuer, credential.resource]);
}

/** An access token is used until a minute before it expires. */
export function isFresh(tokens: Partial<TokenSet> | undefined, now = Date.now()): boolean {
  if (tokens?.accessToken === undefined) return false;
  return tokens.expiresAt === undefined || tokens.expiresAt - now > 60_000;
}

/** Answers a server's 401 with a new token from the stored credential. */
export function authorizeWith(options: CredentialOptions): Authorize {
  let { credential } = options;
  return async (demand: AuthorizationDemand) => {
    const http = await options.http();
    const { serverUrl, protocolVersion, signal } = options;
    const guard = await findGuardian(http, demand, {
      serverUrl,
      protocolVersion,
      signal,
      pinnedIssuer: credential.issuer,
    });
    refuseChange("authorization server", credential.issuer, guard.issuer);
    refuseChange("resource", credential.resource, guard.resource);
    const scope = credential.scope ?? (credential.grant === "client_credentials" ? guard.scope : undefined);
    const request = {
      http,
      server: guard.metadata,
      client: credential.client,
      resource: guard.resource,
      signal: options.signal,
      suppliedFrom: guard.zone,
      ...(scope !== undefined && { scope }),
    };
    const refreshToken = credential.tokens?.refreshToken;
    if (credential.grant === "refresh_token" && refreshToken === undefined) return undefined;
    const tokens =
      credential.grant === "client_credentials"
        ? await clientCredentials(request)
        : await refreshTokens({ ...request, refreshToken: refreshToken ?? "" });
    credential = {
      ...credential,
      issuer: guard.issuer,
      resource: guard.resource,
      // A server that does not rotate sends no new refresh token: the old one stays good.
      tokens: { ...(refreshToken !== undefined && { refreshToken }), ...tokens },
    };
    await options.save?.(credential);
    return { authorization: `Bearer ${tokens.accessToken}` };
  };
}

/** A server that suddenly names another issuer gets nothing: neither tokens nor the client's secret. */
function refuseChange(what: string, pinned: string | undefined, now: string): void {
  if (pinned === undefined || pinned === now) return;
  throw new McpError("OAUTH", `The ${what} changed from ${pinned} to ${now}; nothing was sent.`, {
    hint: "If the change is right, sign in again; if not, the server or its metadata was tampered with.",
    details: { pinned, now, changed: what },
  });
}
