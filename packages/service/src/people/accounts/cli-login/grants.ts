/** @module The second half of a command line's login: a code becomes tokens, a refresh token becomes new ones, either can be given back. */

import { createHash, timingSafeEqual } from "node:crypto";
import { limits, type UserId } from "@fettle/contract/core";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import type { Querier, Transaction } from "../../../core/db/pool.ts";
import { announce } from "../announce.ts";
import { hashToken, mintToken } from "../tokens.ts";
import { cliClientId } from "./authorization.ts";
import { namedRedirectUri } from "./redirect-uri.ts";
import * as store from "./store.ts";

/**
 * Two commands may refresh at the same moment with the same token. The second is refused, which makes it read the stored
 * login again; only later does a used token mean that somebody else has it.
 */
const raceAllowance = 10_000;

/** RFC 6749, 5.2. */
export interface OAuthError {
  error: "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type";
  error_description: string;
}

/** RFC 6749, 5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  refresh_token: string;
}

const value = z.string().min(1).max(limits.accounts.cliParameterLength);
const Grant = z.discriminatedUnion("grant_type", [
  z.object({
    grant_type: z.literal("authorization_code"),
    code: value,
    redirect_uri: value,
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
  }),
  z.object({ grant_type: z.literal("refresh_token"), refresh_token: value }),
]);

export function oauthError(error: OAuthError["error"], description: string): OAuthError {
  return { error, error_description: description };
}

/** The token endpoint; `form` is what came in, not yet believed. */
export async function exchangeGrant(
  app: App,
  form: Record<string, unknown>,
): Promise<TokenAnswer | OAuthError> {
  // Absent, it can only mean the one there is.
  if ((form.client_id ?? cliClientId) !== cliClientId)
    return oauthError("invalid_client", "The client_id is unknown.");
  if (form.grant_type !== "authorization_code" && form.grant_type !== "refresh_token") {
    return oauthError("unsupported_grant_type", "Use authorization_code or refresh_token.");
  }
  const grant = Grant.safeParse(form);
  if (!grant.success) {
    const names = grant.error.issues.map((issue) => issue.path.join("."));
    return oauthError("invalid_request", `Missing or malformed: ${names.join(", ")}.`);
  }
  return grant.data.grant_type === "authorization_code"
    ? exchangeCode(app, grant.data)
    : refreshTokens(app, grant.data.refresh_token);
}

/** A code is good for one try. Seen again it has been in two hands, so what came of it ends (RFC 6749, 4.1.2). */
async function exchangeCode(
  app: App,
  given: { code: string; redirect_uri: string; code_verifier: string },
): Promise<TokenAnswer | OAuthError> {
  const now = new Date(app.now());
  return app.db.transaction(async (tx) => {
    const session = await store.lockSessionByCode(tx, hashToken(given.code));
    if (!session) return oauthError("invalid_grant", "The code is unknown.");
    const isGood =
      session.codeUsedAt === null &&
      session.codeExpiresAt > now &&
      // Who goes by the configuration document says its address; the verifier proves the login either way.
      [session.redirectUri, namedRedirectUri].includes(given.redirect_uri) &&
      isVerifierOf(session.codeChallenge, given.code_verifier);
    if (!isGood) {
      await endSession(app, tx, { sessionId: session.id, userId: session.userId });
      return oauthError("invalid_grant", "The code was used, has expired, or belongs to another request.");
    }
    await store.markCodeUsed(tx, session.id, now);
    await announce(app, tx, `account:${session.userId}`);
    return issueTokens(tx, session.id, now);
  });
}

function isVerifierOf(challenge: string, verifier: string): boolean {
  const digest = createHash("sha256").update(verifier).digest();
  const expected = Buffer.from(challenge, "base64url");
  return expected.length === digest.length && timingSafeEqual(expected, digest);
}

/** Each refresh token works once. One that comes back later was copied: the session ends for whoever holds it. */
async function refreshTokens(app: App, refreshToken: string): Promise<TokenAnswer | OAuthError> {
  const now = new Date(app.now());
  const tokenHash = hashToken(refreshToken);
  return app.db.transaction(async (tx) => {
    const held = await store.lockSessionByToken(tx, tokenHash);
    if (held?.kind !== "refresh" || held.expiresAt <= now) {
      return oauthError("invalid_grant", "The refresh token is unknown, has expired or was revoked.");
    }
    if (held.usedAt) {
      const isTheft = now.getTime() - held.usedAt.getTime() > raceAllowance;
      if (isTheft) await endSession(app, tx, held);
      return oauthError("invalid_grant", "The refresh token was used already.");
    }
    await store.markTokenUsed(tx, tokenHash, now);
    await store.deleteLapsedTokens(tx, held.sessionId, now);
    await store.extendSession(
      tx,
      held.sessionId,
      now,
      new Date(now.getTime() + limits.accounts.cliSessionMs),
    );
    return issueTokens(tx, held.sessionId, now);
  });
}

async function issueTokens(tx: Querier, sessionId: string, now: Date): Promise<TokenAnswer> {
  const access = mintToken("cliAccess");
  const refresh = mintToken("cliRefresh");
  const after = (lifetime: number) => new Date(now.getTime() + lifetime);
  await store.insertTokens(tx, [
    { tokenHash: access.hash, sessionId, kind: "access", expiresAt: after(limits.accounts.cliAccessMs) },
    { tokenHash: refresh.hash, sessionId, kind: "refresh", expiresAt: after(limits.accounts.cliSessionMs) },
  ]);
  return {
    access_token: access.token.reveal(),
    token_type: "Bearer",
    expires_in: limits.accounts.cliAccessMs / 1000,
    refresh_token: refresh.token.reveal(),
  };
}

async function endSession(
  app: App,
  tx: Transaction,
  session: { sessionId: string; userId: UserId },
): Promise<void> {
  await store.deleteSession(tx, session.sessionId);
  await announce(app, tx, `account:${session.userId}`);
}

/** Ends the session either token belongs to; an unknown token is as revoked as it can be (RFC 7009, 2.2). */
export async function revokeToken(app: App, token: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    const held = await store.lockSessionByToken(tx, hashToken(token));
    if (held) await endSession(app, tx, held);
  });
}
