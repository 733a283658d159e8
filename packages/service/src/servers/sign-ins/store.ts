/** @module The SQL of watched sign-ins. */
import type { ProjectId, ServerId, UserId } from "@fettle/contract/core";
import { and, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { serverSignIns } from "../../core/tables/server-sign-ins.ts";
import { servers } from "../../core/tables/servers.ts";

export type SignInRow = typeof serverSignIns.$inferSelect;
export type SignInKey = Pick<SignInRow, "serverId" | "userId">;

const isThe = ({ serverId, userId }: SignInKey) =>
  and(eq(serverSignIns.serverId, serverId), eq(serverSignIns.userId, userId));

const isFree = (now: Date) => or(isNull(serverSignIns.busyUntil), lte(serverSignIns.busyUntil, now));

const oneFurther = sql`${serverSignIns.revision} + 1`;

export async function findSignIn(db: Querier, key: SignInKey): Promise<SignInRow | undefined> {
  const [row] = await db.select().from(serverSignIns).where(isThe(key));
  return row;
}

/** A new one in the place of whatever was there; undefined while somebody is at it. */
export async function beginSignIn(
  db: Querier,
  values: Omit<SignInRow, "revision" | "stateHash"> & { busyUntil: Date },
  now: Date,
): Promise<SignInRow | undefined> {
  const [row] = await db
    .insert(serverSignIns)
    .values({ ...values, revision: 1 })
    .onConflictDoUpdate({
      target: [serverSignIns.serverId, serverSignIns.userId],
      set: { ...values, stateHash: null, revision: oneFurther },
      setWhere: isFree(now),
    })
    .returning();
  return row;
}

/** Takes the right to take it further; undefined when somebody else has, or it was over before. */
export async function claimSignIn(
  db: Querier,
  key: SignInKey,
  revision: number,
  { now, busyUntil }: { now: Date; busyUntil: Date },
): Promise<SignInRow | undefined> {
  const [row] = await db
    .update(serverSignIns)
    .set({ busyUntil, revision: oneFurther, updatedAt: now })
    .where(
      and(isThe(key), eq(serverSignIns.revision, revision), gt(serverSignIns.expiresAt, now), isFree(now)),
    )
    .returning();
  return row;
}

/** The same by the `state` that came back with the browser, which works once and for the one who set out. */
export async function claimByState(
  db: Querier,
  { userId, stateHash }: { userId: UserId; stateHash: string },
  { now, busyUntil }: { now: Date; busyUntil: Date },
): Promise<SignInRow | undefined> {
  const [row] = await db
    .update(serverSignIns)
    .set({ busyUntil, stateHash: null, revision: oneFurther, updatedAt: now })
    .where(
      and(
        eq(serverSignIns.stateHash, stateHash),
        eq(serverSignIns.userId, userId),
        gt(serverSignIns.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

/** What came of the claim; false when somebody has begun anew meanwhile. */
export async function settleSignIn(
  db: Querier,
  { revision, ...key }: SignInKey & { revision: number },
  change: { sealed: string; stateHash: string | null; updatedAt: Date },
): Promise<boolean> {
  const settled = await db
    .update(serverSignIns)
    .set({ ...change, busyUntil: null })
    .where(and(isThe(key), eq(serverSignIns.revision, revision)))
    .returning({ revision: serverSignIns.revision });
  return settled.length > 0;
}

export async function projectOf(db: Querier, serverId: ServerId): Promise<ProjectId | undefined> {
  const [row] = await db.select({ id: servers.projectId }).from(servers).where(eq(servers.id, serverId));
  return row?.id;
}
