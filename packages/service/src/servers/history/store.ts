/** @module The SQL of servers' history. Every read goes along an index that ends with the id, so none depends on how much there is. */
import type { HistoryEntryId, ProjectId, ServerId } from "@fettle/contract/core";
import {
  type HistoryKind,
  type HistoryOutcome,
  type HistoryRetention,
  type HistoryRetentionUpdateRequest,
  serverHistoryLimits,
} from "@fettle/contract/servers";
import { and, desc, eq, getTableColumns, lt, ne, sql } from "drizzle-orm";
import type { Pool } from "pg";
import { placeById } from "../../core/db/keyset.ts";
import type { Querier } from "../../core/db/pool.ts";
import { storableJson } from "../../core/db/storable.ts";
import { users } from "../../core/tables/accounts.ts";
import { projects } from "../../core/tables/projects.ts";
import { serverHistory, serverVerdicts } from "../../core/tables/server-history.ts";
import { liveServer, servers } from "../../core/tables/servers.ts";

export type EntryColumns = typeof serverHistory.$inferSelect;
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
const place = placeById(serverHistory.id);
const itsMaker = eq(users.id, serverHistory.createdBy);

export async function insertEntry(db: Querier, values: typeof serverHistory.$inferInsert): Promise<void> {
  await db.insert(serverHistory).values(values);
}

/**
 * Many at once. Of what was deleted meanwhile nothing is written: no entry of a server that is gone, no name of a person who is. An entry
 * that is there already stays as it is, so that one whose answer was lost can be written again.
 */
export async function insertEntries(
  pool: Pick<Pool, "query">,
  entries: readonly EntryColumns[],
): Promise<void> {
  const column = <Value>(of: (entry: EntryColumns) => Value) => entries.map(of);
  await pool.query({
    name: "insert_history_entries",
    text: `
      INSERT INTO server_history (
        id, server_id, kind, outcome, code, subject, summary, created_by, at, duration_ms, call_id,
        parameters, withheld, call_digest, result, is_result_cut, recording, messages_left_out)
      SELECT new.id, server.id, new.kind, new.outcome, new.code, new.subject, new.summary, maker.id, new.at,
             new.duration_ms, new.call_id, new.parameters,
             ARRAY(SELECT jsonb_array_elements_text(new.withheld)), new.call_digest, new.result,
             new.is_result_cut, new.recording, new.messages_left_out
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                  $9::timestamptz[], $10::int[], $11::text[], $12::text[], $13::jsonb[], $14::text[], $15::text[],
                  $16::bool[], $17::text[], $18::int[])
        AS new (id, server_id, kind, outcome, code, subject, summary, created_by, at, duration_ms, call_id,
                parameters, withheld, call_digest, result, is_result_cut, recording, messages_left_out)
      JOIN servers AS server ON server.id = new.server_id AND server.deleted_at IS NULL
      LEFT JOIN users AS maker ON maker.id = new.created_by
      ON CONFLICT (id) DO NOTHING`,
    values: [
      column(({ id }) => id),
      column(({ serverId }) => serverId),
      column(({ kind }) => kind),
      column(({ outcome }) => outcome),
      column(({ code }) => code),
      column(({ subject }) => subject),
      column(({ summary }) => summary),
      column(({ createdBy }) => createdBy),
      column(({ at }) => at.toISOString()),
      column(({ durationMs }) => durationMs),
      column(({ callId }) => callId),
      column(({ parameters }) => parameters),
      column(({ withheld }) => storableJson(withheld)),
      column(({ callDigest }) => callDigest),
      column(({ result }) => result),
      column(({ isResultCut }) => isResultCut),
      column(({ recording }) => recording),
      column(({ messagesLeftOut }) => messagesLeftOut),
    ],
  });
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
        before && lt(place, before),
      ),
    )
    .orderBy(desc(place))
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
    .where(and(eq(serverHistory.serverId, serverId), eq(serverHistory.callDigest, digest), lt(place, id)))
    .orderBy(desc(place))
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
        lt(place, id),
        ne(serverHistory.outcome, "stopped"),
      ),
    )
    .orderBy(desc(place))
    .limit(lookedThrough);
  const [server] = await db.select({ name: servers.name }).from(servers).where(eq(servers.id, serverId));
  return { name: server?.name ?? serverId, results: rows.map(({ result }) => result) };
}

/** The latest of each kind of check, of one server or of all. Which they are is kept in `server_verdicts`. */
export async function listVerdicts(
  db: Querier,
  projectId: ProjectId,
  serverId: ServerId | undefined,
): Promise<HistoryRow[]> {
  return db
    .select(brief)
    .from(servers)
    .innerJoin(serverVerdicts, eq(serverVerdicts.serverId, servers.id))
    .innerJoin(serverHistory, eq(serverHistory.id, serverVerdicts.entryId))
    .leftJoin(users, itsMaker)
    .where(and(eq(servers.projectId, projectId), liveServer, serverId && eq(servers.id, serverId)))
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
    .orderBy(desc(place))
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
        select id, at from server_history where server_id = ${serverId} order by ${place} limit ${most}
      ) as oldest
      where at < ${before.toISOString()}::timestamptz or id collate "C" <= ${upTo ?? ""}
    )`);
  return rowCount ?? 0;
}
