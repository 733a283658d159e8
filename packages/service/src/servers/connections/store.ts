/** @module The SQL of connection requests. */
import type { JobId, OrganizationId, ServerConnectionId, UserId } from "@fettle/contract/core";
import { and, desc, eq, getTableColumns, gt, inArray, lt, lte, notInArray } from "drizzle-orm";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Database, Querier, Transaction } from "../../core/db/pool.ts";
import { serverConnections } from "../../core/tables/server-connections.ts";
import { servers } from "../../core/tables/servers.ts";
import { openStatuses, type TransitionName, transitions } from "./transitions.ts";

export type RequestRow = typeof serverConnections.$inferSelect;
/** With what the saved server is called now, when there is one. */
export type ShownRow = RequestRow & { serverName: string | null; serverEnabled: boolean | null };

const isOpen = inArray(serverConnections.status, openStatuses);

const shown = {
  ...getTableColumns(serverConnections),
  serverName: servers.name,
  serverEnabled: servers.enabled,
};

function selectShown(db: Querier) {
  return db
    .select(shown)
    .from(serverConnections)
    .leftJoin(servers, eq(servers.id, serverConnections.serverId));
}

export async function findRequest(db: Querier, id: ServerConnectionId): Promise<ShownRow | undefined> {
  const [row] = await selectShown(db).where(eq(serverConnections.id, id));
  return row;
}

export async function findByHandoff(db: Querier, handoffHash: string): Promise<RequestRow | undefined> {
  const [row] = await db
    .select()
    .from(serverConnections)
    .where(eq(serverConnections.handoffHash, handoffHash));
  return row;
}

export async function listRequests(
  db: Querier,
  owner: { userId: UserId; organizationId: OrganizationId | null },
  options: { onlyOpen: boolean; limit: number },
): Promise<ShownRow[]> {
  return selectShown(db)
    .where(
      and(
        eq(serverConnections.userId, owner.userId),
        owner.organizationId === null
          ? undefined
          : eq(serverConnections.organizationId, owner.organizationId),
        options.onlyOpen ? isOpen : undefined,
      ),
    )
    .orderBy(desc(serverConnections.createdAt), desc(serverConnections.id))
    .limit(options.limit);
}

/** Runs `work` while nobody else makes a request for the account, so that counting and making are one. */
export function holdingAccount<T>(
  db: Database,
  userId: UserId,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await holdNameLock(tx, `server_connections/${userId}`);
    return work(tx);
  });
}

export async function listOpen(db: Querier, userId: UserId): Promise<RequestRow[]> {
  return db
    .select()
    .from(serverConnections)
    .where(and(eq(serverConnections.userId, userId), isOpen))
    .orderBy(serverConnections.createdAt);
}

export async function insertRequest(
  db: Querier,
  values: typeof serverConnections.$inferInsert,
): Promise<RequestRow> {
  return oneRow(await db.insert(serverConnections).values(values).returning());
}

export async function noteJob(db: Querier, id: ServerConnectionId, jobId: JobId): Promise<void> {
  await db.update(serverConnections).set({ jobId }).where(eq(serverConnections.id, id));
}

/**
 * One step of a request; undefined when it is not in a state that the step starts from, or its hour is over. A step to
 * an end takes the secrets away; the private link then only tells how it ended.
 */
export async function moveRequest(
  db: Querier,
  id: ServerConnectionId,
  name: TransitionName,
  change: Partial<Omit<typeof serverConnections.$inferInsert, "id" | "status" | "updatedAt">>,
  now: Date,
): Promise<RequestRow | undefined> {
  const { from, to } = transitions[name];
  const isEnd = !openStatuses.includes(to);
  const [row] = await db
    .update(serverConnections)
    .set({
      ...change,
      ...(isEnd && { sealed: null, stateHash: null, plan: null }),
      status: to,
      updatedAt: now,
    })
    .where(
      and(
        eq(serverConnections.id, id),
        inArray(serverConnections.status, [...from]),
        name === "expire" ? lte(serverConnections.expiresAt, now) : gt(serverConnections.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

/** The requests whose hour is over and that nobody has moved to `expired` yet. */
export async function listOverdue(db: Querier, now: Date, userId?: UserId): Promise<RequestRow[]> {
  return db
    .select()
    .from(serverConnections)
    .where(
      and(
        isOpen,
        lte(serverConnections.expiresAt, now),
        userId === undefined ? undefined : eq(serverConnections.userId, userId),
      ),
    );
}

/** Takes the one use of a `state`: of two answers with it, one gets the request. */
export async function takeState(
  db: Querier,
  owner: { userId: UserId },
  stateHash: string,
  now: Date,
): Promise<RequestRow | undefined> {
  const [row] = await db
    .update(serverConnections)
    .set({ stateHash: null, updatedAt: now })
    .where(
      and(
        eq(serverConnections.stateHash, stateHash),
        eq(serverConnections.userId, owner.userId),
        eq(serverConnections.status, "authorizing"),
        gt(serverConnections.expiresAt, now),
      ),
    )
    .returning();
  return row;
}

/** Keeps renewed tokens of a request that is still being validated. */
export async function reseal(db: Querier, id: ServerConnectionId, sealed: string): Promise<void> {
  await db
    .update(serverConnections)
    .set({ sealed })
    .where(and(eq(serverConnections.id, id), eq(serverConnections.status, "validating")));
}

/** Requests that ended long ago tell nobody anything. */
export async function forgetEnded(db: Querier, before: Date): Promise<void> {
  await db
    .delete(serverConnections)
    .where(and(notInArray(serverConnections.status, openStatuses), lt(serverConnections.updatedAt, before)));
}
