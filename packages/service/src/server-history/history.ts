/** @module Reading what was done with servers, and how long it is kept. */
import {
  ApiError,
  type HistoryComparison,
  type HistoryEntryId,
  type HistoryRetention,
  type HistoryRetentionUpdateRequest,
  idOf,
  jsonChanges,
  type Page,
  type ProjectId,
  parseExactNumbers,
  type ServerHistoryDetail,
  type ServerHistoryEntry,
  type ServerHistoryQuery,
  type ServerId,
  type ServerVerdicts,
  serverHistoryLimits,
  type VerdictKind,
} from "@fettle/contract";
import { isObject } from "@fettle/mcp";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { KeptMessage } from "../live/kept.ts";
import * as store from "./store.ts";

export async function listHistory(
  app: App,
  serverId: ServerId,
  { cursor, limit, kind, outcome }: ServerHistoryQuery,
): Promise<Page<ServerHistoryEntry>> {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  // One more than asked for tells whether there is another page.
  const rows = await store.listEntries(app.db, { serverId, kind, outcome, before }, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(toEntry),
    ...(rows.length > limit && last && { nextCursor: last.id }),
  };
}

/** A place in the order of ids: whether it is still anybody's does not matter. */
function readCursor(cursor: string): HistoryEntryId {
  if (/^\w{1,100}$/.test(cursor)) return idOf<"historyEntry">().parse(cursor);
  throw new ApiError("VALIDATION_ERROR", "This is not a cursor of this list.", {
    path: "query.cursor",
    code: "BAD_CURSOR",
  });
}

export function toEntry(row: store.HistoryRow): ServerHistoryEntry {
  const { id, serverId, kind, outcome, code, subject, summary, durationMs, callId, runId } = row;
  const by = personOf(row.createdBy, row.createdByName);
  return {
    id,
    serverId,
    kind,
    outcome,
    code,
    subject,
    summary,
    by,
    at: row.at.getTime(),
    durationMs,
    callId,
    runId,
  };
}

export function personOf(userId: string | null, name: string | null) {
  return userId === null || name === null ? null : { userId, name };
}

export function toDetail(row: store.HistoryDetailRow, serverName: string): ServerHistoryDetail {
  const { serverId, withheld, isResultCut, messagesLeftOut } = row;
  return {
    ...toEntry(row),
    parameters: parametersOf(row),
    withheld,
    result: row.result === null ? null : parseExactNumbers(row.result),
    isResultCut,
    recording: messagesOf(row).map(([direction, timestamp, message]) => ({
      serverId,
      serverName,
      direction,
      timestamp,
      message,
    })),
    messagesLeftOut,
  };
}

function messagesOf({ recording }: Pick<store.HistoryDetailRow, "recording">): KeptMessage[] {
  // Written by ourselves, from messages.
  return (recording === null ? [] : parseExactNumbers(recording)) as KeptMessage[];
}

/** Whether the server worked on it as a task, as its messages tell. */
export function wasTask(row: Pick<store.HistoryDetailRow, "recording">): boolean {
  return messagesOf(row).some(
    ([direction, , message]) =>
      direction === "send" && isObject(message) && String(message.method).startsWith("tasks/"),
  );
}

/** As they were kept: an object, with the digits of long numbers. */
export function parametersOf({ parameters }: { parameters: string | null }): Record<string, unknown> | null {
  return parameters === null ? null : (parseExactNumbers(parameters) as Record<string, unknown>);
}

export async function compareHistory(
  app: App,
  after: store.HistoryDetailRow,
  beforeId: HistoryEntryId | undefined,
): Promise<HistoryComparison> {
  if (beforeId === undefined) return compareEntries(await store.findEarlier(app.db, after), after);
  const before = await store.findEntry(app.db, after.serverId, beforeId);
  if (before) return compareEntries(before, after);
  throw new ApiError("NOT_FOUND", "There is no such entry in this server's history.", {
    path: "query.with",
    hint: "Old entries are removed; the project's retention says when.",
  });
}

export function compareEntries(
  before: store.HistoryDetailRow | undefined,
  after: store.HistoryDetailRow,
): HistoryComparison {
  const told = { before: before ? toEntry(before) : null, after: toEntry(after) };
  if (!before) return { ...told, isSame: false, changes: [], isCut: false };
  if (before.isResultCut || after.isResultCut) return { ...told, isSame: false, changes: [], isCut: true };
  const [left, right] = [before, after].map(({ result }) =>
    result === null ? null : parseExactNumbers(result),
  );
  const found = jsonChanges(left, right, serverHistoryLimits.changes);
  return { ...told, ...found, isSame: found.changes.length === 0 && before.outcome === after.outcome };
}

export async function listVerdicts(
  app: App,
  projectId: ProjectId,
  serverId: ServerId | undefined,
): Promise<ServerVerdicts[]> {
  const rows = await store.listVerdicts(app.db, projectId, serverId);
  const byServer = Map.groupBy(rows, (row) => row.serverId);
  return [...byServer].map(([id, latest]) => ({
    serverId: id,
    verdicts: latest.map((row) => {
      const { id: entryId, kind, outcome, code, summary, by, at, durationMs, runId } = toEntry(row);
      // Only verdicts were asked for.
      return { kind: kind as VerdictKind, entryId, outcome, code, summary, by, at, durationMs, runId };
    }),
  }));
}

export async function updateRetention(
  app: App,
  projectId: ProjectId,
  change: HistoryRetentionUpdateRequest,
): Promise<HistoryRetention> {
  return app.db.transaction(async (tx) => {
    await store.writeRetention(tx, projectId, change);
    await announceInProject(app, tx, projectId, "history-retention");
    return store.readRetention(tx, projectId);
  });
}
