/** @module Browser sessions: begun at sign-in with a fresh token, read on every request, ended at once. */
import type { IncomingHttpHeaders } from "node:http";
import { limits, type UserId } from "@fettle/contract/core";
import type { App } from "../../../core/app.ts";
import { newId } from "../../../core/id.ts";
import { recordSignIn } from "../../audit/record.ts";
import { announce } from "../announce.ts";
import { hashToken, mintToken, recogniseToken } from "../tokens.ts";
import { makeCookie, readCookie } from "./cookies.ts";
import { rememberDevice } from "./remembered-devices.ts";
import * as store from "./store.ts";

const lifetime = limits.accounts.browserSessionMs;
/** How stale "last used" may get; a write on every read would cost more than the read. */
const touchAfter = 5 * 60 * 1000;

/** The part of a request that a session is made from. */
export interface Visitor {
  ip: string;
  headers: IncomingHttpHeaders;
}

export interface BrowserSession {
  sessionId: string;
  userId: UserId;
}

/**
 * Signs a browser in and returns the cookies to set. A session the browser already had ends: a token that was known before
 * sign-in must not be worth anything after it.
 */
export async function startSession(app: App, userId: UserId, visitor: Visitor): Promise<string[]> {
  const { token, hash } = mintToken("session");
  const now = new Date(app.now());
  const held = readCookie(app.config, "session", visitor.headers);
  const device = await app.db.transaction(async (tx) => {
    if (held) await store.deleteSessionByHash(tx, hashToken(held));
    const remembered = await rememberDevice(app, tx, userId, visitor.headers);
    await store.insertSession(tx, {
      id: newId("session", app.now()),
      userId,
      tokenHash: hash,
      deviceId: remembered.deviceId,
      ipAddress: visitor.ip,
      userAgent: visitor.headers["user-agent"]?.slice(0, 300) ?? null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(app.now() + lifetime),
    });
    await recordSignIn(app, tx, { userId, ipAddress: visitor.ip });
    await announce(app, tx, `account:${userId}`);
    return remembered;
  });
  return [makeCookie(app.config, "session", token, lifetime / 1000), device.cookie];
}

/** Whose browser this is, or null when the cookie is missing, forged, lapsed or its session ended. */
export async function readSession(
  app: App,
  headers: Pick<IncomingHttpHeaders, "cookie">,
): Promise<BrowserSession | null> {
  const token = readCookie(app.config, "session", headers);
  if (!token || recogniseToken(token) !== "session") return null;
  const now = new Date(app.now());
  const session = await store.findSession(app.pool, hashToken(token), now);
  if (!session) return null;
  if (now.getTime() - session.lastUsedAt.getTime() > touchAfter) {
    await store.touchSession(app.db, session.id, now);
  }
  return { sessionId: session.id, userId: session.userId };
}

/** Which of these sessions have not ended; one statement, however many there are. */
export async function liveSessions(app: Pick<App, "pool" | "now">, ids: string[]): Promise<Set<string>> {
  const now = app.now();
  return store.findLiveSessions(app.pool, {
    ids,
    now: new Date(now),
    staleBefore: new Date(now - touchAfter),
  });
}

/** The browser stays remembered: its owner signs out today and wants in tomorrow, whatever strangers try meanwhile. */
export async function endSession(app: App, session: BrowserSession): Promise<void> {
  await app.db.transaction(async (tx) => {
    await store.deleteSession(tx, session.userId, session.sessionId);
    await announce(app, tx, `account:${session.userId}`);
  });
}
