/** @module The SQL of servers' history. Every read goes along an index that ends with the id, so none depends on how much there is. */
import type { HistoryEntryId, ProjectId, ServerId } from "@fettle/contract/core";
import {
  type HistoryKind,
  type HistoryOutcome,
  type HistoryRetention,
  type HistoryRetentionUpdateRequest,
  serverHistoryLimits,
  verdictKinds,
} from "@fettle/contract/servers";
import { and, desc, eq, getTableColumns, lt, ne, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { projects } from "../../core/tables/projects.ts";
import { serverHistory } from "../../core/tables/server-history.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";

type EntryColumns = typeof serverHistory.$inferSelect;
/** What is long. */
type Contents =
  | "parameters"
  | "withheld"
  | "result"
  | "isResultCut"
  | "recording"
  | "messagesLeftOut"
  | "callDigest";

export type HistoryRow = Omit<EntryColumns, Contents> & { createdByName: string | null };
export type HistoryDetailRow = EntryColumns & { createdByName: string | null };

const createdByName = users.name;
const all = { ...getTableColumns(serverHistory), createdByName };
const { parameters, withheld, result, isResultCut, recording, messagesLeftOut, callDigest, ...brief } = all;
const itsMaker = eq(users.id, serverHistory.createdBy);

export async function insertEntry(db: Querier, values: typeof serverHistory.$inferInsert): Promise<void> {
  await db.insert(serverHistory).values(values);
}

export async function listEntries(
  db: Querier,
  asked: {
    serverId: ServerId;
    kind?: HistoryKind | undefined;
    outcome?: HistoryOutcome | undefined;
    before?: HistoryEntryId | undefined;
  },
  limit: number,
): Promise<HistoryRow[]> {
  const { serverId, kind, outcome, before } = asked;
  return db
    .select(brief)
    .from(serverHistory)
    .leftJoin(users, itsMaker)
    .where(
      and(
        eq(serverHistory.serverId, serverId),
        kind && eq(serverHistory.kind, kind),
        outcome && eq(serverHistory.outcome, outcome),
        before && lt(serverHistory.id, before),
      ),
    )
    .orderBy(desc(serverHistory.id))
    .limit(limit);
}

export async function findEntry(
  db: Querier,
  serverId: ServerId,
  id: HistoryEntryId,
): Promise<HistoryDetailRow | undefined> {
  const [row] = await db
    .select(all)
    .from(serverHistory)
    .leftJoin(users, itsMaker)
    .where(and(eq(serverHistory.id, id), eq(serverHistory.serverId, serverId)));
  return row;
}

/** The last one before it that said the same. */
export async function findEarlier(
  db: Querier,
  { serverId, callDigest: digest, id }: Pick<HistoryDetailRow, "serverId" | "callDigest" | "id">,
): Promise<HistoryDetailRow | undefined> {
  if (digest === null) return undefined;
  const [row] = await db
    .select(all)
    .from(serverHistory)
    .leftJoin(users, itsMaker)
    .where(
      and(
        eq(serverHistory.serverId, serverId),
        eq(serverHistory.callDigest, digest),
        lt(serverHistory.id, id),
      ),
    )
    .orderBy(desc(serverHistory.id))
    .limit(1);
  return row;
}

/** How many are looked through for one that has a verdict. */
const lookedThrough = 10;

/** What came of the same kind of check before, newest first, and what the server is called. */
export async function listResultsBefore(
  db: Querier,
  { serverId, kind, id }: Pick<HistoryRow, "serverId" | "kind" | "id">,
): Promise<{ name: string; results: (string | null)[] }> {
  const rows = await db
    .select({ result })
    .from(serverHistory)
    .where(
      and(
        eq(serverHistory.serverId, serverId),
        eq(serverHistory.kind, kind),
        lt(serverHistory.id, id),
        ne(serverHistory.outcome, "stopped"),
      ),
    )
    .orderBy(desc(serverHistory.id))
    .limit(lookedThrough);
  const [server] = await db.select({ name: servers.name }).from(servers).where(eq(servers.id, serverId));
  return { name: server?.name ?? serverId, results: rows.map(({ result }) => result) };
}

/** The latest of each kind of check, of one server or of all: one step into the index for each. */
export async function listVerdicts(
  db: Querier,
  projectId: ProjectId,
  serverId: ServerId | undefined,
): Promise<HistoryRow[]> {
  const kinds = sql.param(verdictKinds);
  const latest = db.$with("latest").as(
    db
      .select({ entryId: sql<HistoryEntryId>`newest.id`.as("entry_id") })
      .from(servers)
      .innerJoin(sql`unnest(${kinds}::text[]) as wanted(kind)`, sql`true`)
      .innerJoin(
        sql`lateral (select id from ${serverHistory} as entry
          where entry.server_id = ${servers.id} and entry.kind = wanted.kind
            and entry.outcome <> 'stopped' order by entry.id desc limit 1) as newest`,
        sql`true`,
      )
      .where(and(eq(servers.projectId, projectId), liveServer, serverId && eq(servers.id, serverId))),
  );
  return db
    .with(latest)
    .select(brief)
    .from(latest)
    .innerJoin(serverHistory, eq(serverHistory.id, latest.entryId))
    .leftJoin(users, itsMaker)
    .orderBy(serverHistory.serverId, serverHistory.kind);
}

const usual = serverHistoryLimits;

export async function readRetention(db: Querier, projectId: ProjectId): Promise<HistoryRetention> {
  const [row] = await db
    .select({ days: projects.historyDays, entries: projects.historyEntries, runDays: projects.runDays })
    .from(projects)
    .where(eq(projects.id, projectId));
  return {
    days: row?.days ?? usual.days.fallback,
    entriesPerServer: row?.entries ?? usual.entries.fallback,
    runDays: row?.runDays ?? null,
  };
}

export async function writeRetention(
  db: Querier,
  projectId: ProjectId,
  { days, entriesPerServer, runDays }: HistoryRetentionUpdateRequest,
): Promise<void> {
  const change = {
    ...(days !== undefined && { historyDays: days }),
    ...(entriesPerServer !== undefined && { historyEntries: entriesPerServer }),
    ...(runDays !== undefined && { runDays }),
  };
  await db.update(projects).set(change).where(eq(projects.id, projectId));
}

export interface PrunedServer {
  id: ServerId;
  isDeleted: boolean;
  days: number;
  entries: number;
}

/** Servers that have any history, in the order of their ids, after one of them. */
export async function listPruned(db: Querier, after: string, limit: number): Promise<PrunedServer[]> {
  return db
    .select({
      id: servers.id,
      isDeleted: sql<boolean>`${servers.deletedAt} is not null`,
      days: sql<number>`coalesce(${projects.historyDays}, ${usual.days.fallback}::int)`,
      entries: sql<number>`coalesce(${projects.historyEntries}, ${usual.entries.fallback}::int)`,
    })
    .from(servers)
    .innerJoin(projects, eq(projects.id, servers.projectId))
    .where(
      and(
        sql`${servers.id} > ${after}`,
        sql`exists (select 1 from ${serverHistory} as entry where entry.server_id = ${servers.id})`,
      ),
    )
    .orderBy(servers.id)
    .limit(limit);
}

/** The newest entry that is one too many; it and all before it go. */
export async function findFirstBeyond(
  db: Querier,
  serverId: ServerId,
  kept: number,
): Promise<HistoryEntryId | undefined> {
  const [row] = await db
    .select({ id: serverHistory.id })
    .from(serverHistory)
    .where(eq(serverHistory.serverId, serverId))
    .orderBy(desc(serverHistory.id))
    .offset(kept)
    .limit(1);
  return row?.id;
}

/** The oldest entries of a server that are from before a moment or not newer than one of them; returns how many went. */
export async function deleteOldest(
  db: Querier,
  serverId: ServerId,
  { before, upTo, most }: { before: Date; upTo?: HistoryEntryId | undefined; most: number },
): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from server_history where id in (
      select id from (
        select id, at from server_history where server_id = ${serverId} order by id limit ${most}
      ) as oldest
      where at < ${before.toISOString()}::timestamptz or id <= ${upTo ?? ""}
    )`);
  return rowCount ?? 0;
}
