/** @module The SQL of people, their passwords, their browser sessions and their one-time links. */
import type { DeviceId, UserId } from "@fettle/contract/core";
import { and, desc, eq, gt, lt, ne, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { oneRow } from "../../../core/db/one-row.ts";
import type { Querier } from "../../../core/db/pool.ts";
import {
  identities,
  passwords,
  rememberedDevices,
  sessions,
  signInLinks,
  users,
} from "../../../core/tables/accounts.ts";

export interface Person {
  id: UserId;
  name: string;
  email: string;
  hasPassword: boolean;
  createdAt: Date;
  updatedAt: Date;
}

const personColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  hasPassword: sql<boolean>`${passwords.userId} is not null`,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
};

export async function findPerson(db: Querier, userId: UserId): Promise<Person | undefined> {
  const [row] = await db
    .select(personColumns)
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.id, userId));
  return row;
}

export async function findPersonByEmail(db: Querier, email: string): Promise<Person | undefined> {
  const [row] = await db
    .select(personColumns)
    .from(users)
    .leftJoin(passwords, eq(passwords.userId, users.id))
    .where(eq(users.email, email));
  return row;
}

/** False when the address has an account already. */
export async function insertPerson(
  db: Querier,
  person: { id: UserId; name: string; email: string; at: Date },
): Promise<boolean> {
  const { at, ...columns } = person;
  const { rowCount } = await db
    .insert(users)
    .values({ ...columns, createdAt: at, updatedAt: at })
    .onConflictDoNothing({ target: users.email });
  return rowCount === 1;
}

export async function renamePerson(db: Querier, userId: UserId, name: string, at: Date): Promise<void> {
  await db.update(users).set({ name, updatedAt: at }).where(eq(users.id, userId));
}

export async function findPasswordHash(db: Querier, userId: UserId): Promise<string | undefined> {
  const [row] = await db.select({ hash: passwords.hash }).from(passwords).where(eq(passwords.userId, userId));
  return row?.hash;
}

export async function savePasswordHash(db: Querier, userId: UserId, hash: string, at: Date): Promise<void> {
  await db
    .insert(passwords)
    .values({ userId, hash, updatedAt: at })
    .onConflictDoUpdate({ target: passwords.userId, set: { hash, updatedAt: at } });
}

export async function findPersonByIdentity(
  db: Querier,
  issuer: string,
  subject: string,
): Promise<{ userId: UserId } | undefined> {
  const [row] = await db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return row;
}

/** False when the identity is already somebody's. */
export async function insertIdentity(
  db: Querier,
  identity: { issuer: string; subject: string; userId: UserId; createdAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.insert(identities).values(identity).onConflictDoNothing();
  return rowCount === 1;
}

export async function insertSession(db: Querier, session: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(session);
}

export interface SessionRow {
  id: string;
  userId: UserId;
  lastUsedAt: Date;
}

/** Prepared and outside of Drizzle: every request of a page runs it. */
export async function findSession(
  pool: Pick<Pool, "query">,
  tokenHash: string,
  now: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await pool.query<SessionRow>({
    name: "find_session",
    text: `
      SELECT id, user_id AS "userId", last_used_at AS "lastUsedAt"
      FROM sessions WHERE token_hash = $1 AND expires_at > $2`,
    values: [tokenHash, now],
  });
  return rows[0];
}

/** Which of these sessions hold; they count as used now, once their last use is older than `staleBefore`. */
export async function findLiveSessions(
  pool: Pick<Pool, "query">,
  { ids, now, staleBefore }: { ids: string[]; now: Date; staleBefore: Date },
): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: "find_live_sessions",
    text: `
      WITH live AS (SELECT id, last_used_at FROM sessions WHERE id = ANY($1::text[]) AND expires_at > $2),
      touched AS (
        UPDATE sessions SET last_used_at = $2 FROM live
        WHERE sessions.id = live.id AND live.last_used_at < $3
      )
      SELECT id FROM live`,
    values: [ids, now, staleBefore],
  });
  return new Set(rows.map(({ id }) => id));
}

export async function touchSession(db: Querier, sessionId: string, at: Date): Promise<void> {
  await db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.id, sessionId));
}

export async function listSessions(db: Querier, userId: UserId, now: Date) {
  return db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      ipAddress: sessions.ipAddress,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastUsedAt));
}

export async function deleteSession(db: Querier, userId: UserId, sessionId: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
  return rowCount === 1;
}

/** Also forgets the browser it was in. */
export async function revokeSession(db: Querier, userId: UserId, sessionId: string): Promise<boolean> {
  const [ended] = await db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
    .returning({ deviceId: sessions.deviceId });
  if (ended?.deviceId) await db.delete(rememberedDevices).where(eq(rememberedDevices.id, ended.deviceId));
  return ended !== undefined;
}

export async function deleteSessionByHash(db: Querier, tokenHash: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
}

export async function deleteSignInLinks(db: Querier, userId: UserId): Promise<void> {
  await db.delete(signInLinks).where(eq(signInLinks.userId, userId));
}

/** Ends every session of a person but one, if one is to be kept, and forgets the browsers. */
export async function deleteSessions(db: Querier, userId: UserId, keptId = ""): Promise<number> {
  const { rowCount } = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, keptId)));
  const kept = db.select({ id: sessions.deviceId }).from(sessions).where(eq(sessions.id, keptId));
  await db
    .delete(rememberedDevices)
    .where(
      and(eq(rememberedDevices.userId, userId), sql`${rememberedDevices.id} is distinct from (${kept})`),
    );
  return rowCount ?? 0;
}

/** For everyone who has signed in with the browser. */
export async function renewDeviceToken(db: Querier, fromHash: string, toHash: string): Promise<void> {
  await db
    .update(rememberedDevices)
    .set({ tokenHash: toHash })
    .where(eq(rememberedDevices.tokenHash, fromHash));
}

/** Returns the id it has: the one it had, when this person has signed in with it before. */
export async function saveDevice(
  db: Querier,
  device: typeof rememberedDevices.$inferInsert,
): Promise<DeviceId> {
  return oneRow(
    await db
      .insert(rememberedDevices)
      .values(device)
      .onConflictDoUpdate({
        target: [rememberedDevices.tokenHash, rememberedDevices.userId],
        set: { expiresAt: device.expiresAt },
      })
      .returning({ id: rememberedDevices.id }),
  ).id;
}

export async function findDevice(
  db: Querier,
  tokenHash: string,
  email: string,
  now: Date,
): Promise<DeviceId | undefined> {
  const [row] = await db
    .select({ id: rememberedDevices.id })
    .from(rememberedDevices)
    .innerJoin(users, eq(users.id, rememberedDevices.userId))
    .where(
      and(
        eq(rememberedDevices.tokenHash, tokenHash),
        gt(rememberedDevices.expiresAt, now),
        eq(users.email, email),
      ),
    );
  return row?.id;
}

export async function insertSignInLink(db: Querier, link: typeof signInLinks.$inferInsert): Promise<void> {
  await db.insert(signInLinks).values(link);
}

/** Deleting is the taking: of two uses at once, one gets the row. */
export async function takeSignInLink(
  db: Querier,
  tokenHash: string,
  now: Date,
): Promise<{ userId: UserId } | undefined> {
  const [row] = await db
    .delete(signInLinks)
    .where(and(eq(signInLinks.tokenHash, tokenHash), gt(signInLinks.expiresAt, now)))
    .returning({ userId: signInLinks.userId });
  return row;
}

export async function deleteLapsedSessions(db: Querier, now: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(signInLinks).where(lt(signInLinks.expiresAt, now));
  await db.delete(rememberedDevices).where(lt(rememberedDevices.expiresAt, now));
}
