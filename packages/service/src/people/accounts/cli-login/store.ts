/** @module The SQL of command lines: those that ask to sign in, and those that are. */
import type { UserId } from "@fettle/contract/core";
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { cliAuthorizations, cliSessions, cliTokens } from "../../../core/tables/accounts.ts";

export type AuthorizationRow = typeof cliAuthorizations.$inferSelect;

export async function insertAuthorization(
  db: Querier,
  asked: typeof cliAuthorizations.$inferInsert,
): Promise<void> {
  await db.insert(cliAuthorizations).values(asked);
}

export async function findAuthorization(
  db: Querier,
  id: string,
  now: Date,
): Promise<AuthorizationRow | undefined> {
  const [row] = await db
    .select()
    .from(cliAuthorizations)
    .where(and(eq(cliAuthorizations.id, id), gt(cliAuthorizations.expiresAt, now)));
  return row;
}

/** Deleting is the taking: of two answers to one request, one gets the row. */
export async function takeAuthorization(
  db: Querier,
  id: string,
  now: Date,
): Promise<AuthorizationRow | undefined> {
  const [row] = await db
    .delete(cliAuthorizations)
    .where(and(eq(cliAuthorizations.id, id), gt(cliAuthorizations.expiresAt, now)))
    .returning();
  return row;
}

/** Requests nobody answered, approvals whose code nobody came for, sessions nobody refreshed. */
export async function deleteLapsedLogins(db: Querier, now: Date): Promise<void> {
  await db.delete(cliAuthorizations).where(lt(cliAuthorizations.expiresAt, now));
  await db.delete(cliSessions).where(and(isNull(cliSessions.codeUsedAt), lt(cliSessions.codeExpiresAt, now)));
  await db.delete(cliSessions).where(lt(cliSessions.expiresAt, now));
}

export async function insertSession(db: Querier, session: typeof cliSessions.$inferInsert): Promise<void> {
  await db.insert(cliSessions).values(session);
}

// Whoever changes a session or its tokens locks the session first, so that what is presented twice at once is judged in
// turn, and nobody waits for somebody who waits for them.

export async function lockSessionByCode(tx: Querier, codeHash: string) {
  const [row] = await tx.select().from(cliSessions).where(eq(cliSessions.codeHash, codeHash)).for("update");
  return row;
}

/** The token is read after the lock is held: read with it, it could be as it was before the wait. */
export async function lockSessionByToken(tx: Querier, tokenHash: string) {
  const owner = tx
    .select({ id: cliTokens.sessionId })
    .from(cliTokens)
    .where(eq(cliTokens.tokenHash, tokenHash));
  await tx
    .select({ id: cliSessions.id })
    .from(cliSessions)
    .where(inArray(cliSessions.id, owner))
    .for("update");
  const [token] = await tx
    .select({
      kind: cliTokens.kind,
      usedAt: cliTokens.usedAt,
      expiresAt: cliTokens.expiresAt,
      sessionId: cliTokens.sessionId,
      userId: cliSessions.userId,
    })
    .from(cliTokens)
    .innerJoin(cliSessions, eq(cliSessions.id, cliTokens.sessionId))
    .where(eq(cliTokens.tokenHash, tokenHash));
  return token;
}

export async function markCodeUsed(tx: Querier, sessionId: string, at: Date): Promise<void> {
  await tx.update(cliSessions).set({ codeUsedAt: at, lastUsedAt: at }).where(eq(cliSessions.id, sessionId));
}

export async function markTokenUsed(tx: Querier, tokenHash: string, at: Date): Promise<void> {
  await tx.update(cliTokens).set({ usedAt: at }).where(eq(cliTokens.tokenHash, tokenHash));
}

export async function insertTokens(tx: Querier, tokens: (typeof cliTokens.$inferInsert)[]): Promise<void> {
  await tx.insert(cliTokens).values(tokens);
}

export async function deleteLapsedTokens(tx: Querier, sessionId: string, now: Date): Promise<void> {
  await tx.delete(cliTokens).where(and(eq(cliTokens.sessionId, sessionId), lt(cliTokens.expiresAt, now)));
}

export async function extendSession(
  tx: Querier,
  sessionId: string,
  lastUsedAt: Date,
  expiresAt: Date,
): Promise<void> {
  await tx.update(cliSessions).set({ lastUsedAt, expiresAt }).where(eq(cliSessions.id, sessionId));
}

/** Its tokens go with it. */
export async function deleteSession(db: Querier, sessionId: string): Promise<void> {
  await db.delete(cliSessions).where(eq(cliSessions.id, sessionId));
}

export async function deleteOwnSession(db: Querier, userId: UserId, sessionId: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(cliSessions)
    .where(and(eq(cliSessions.id, sessionId), eq(cliSessions.userId, userId)));
  return rowCount === 1;
}

export async function deleteSessionsOf(db: Querier, userId: UserId): Promise<number> {
  const { rowCount } = await db.delete(cliSessions).where(eq(cliSessions.userId, userId));
  return rowCount ?? 0;
}

/** An approval whose code was not fetched yet is no device. */
export async function listSessions(db: Querier, userId: UserId, now: Date) {
  return db
    .select({
      id: cliSessions.id,
      deviceName: cliSessions.deviceName,
      createdAt: cliSessions.createdAt,
      lastUsedAt: cliSessions.lastUsedAt,
      expiresAt: cliSessions.expiresAt,
    })
    .from(cliSessions)
    .where(
      and(eq(cliSessions.userId, userId), isNotNull(cliSessions.codeUsedAt), gt(cliSessions.expiresAt, now)),
    )
    .orderBy(desc(cliSessions.lastUsedAt));
}
