/** @module An entry of a server's history as it is told; where it is kept does not matter here. */
import { jsonChanges, parseExactNumbers } from "@fettle/contract/formats";
import {
  type HistoryComparison,
  type ServerHistoryDetail,
  type ServerHistoryEntry,
  type ServerVerdicts,
  serverHistoryLimits,
  type VerdictKind,
} from "@fettle/contract/servers";
import { isObject } from "@fettle/mcp";
import type { KeptMessage } from "../live/kept-calls.ts";
import type { HistoryDetailRow, HistoryRow } from "./store.ts";

export function toEntry(row: HistoryRow): ServerHistoryEntry {
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

export function toDetail(row: HistoryDetailRow, serverName: string): ServerHistoryDetail {
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

function messagesOf({ recording }: Pick<HistoryDetailRow, "recording">): KeptMessage[] {
  // Written by ourselves, from messages.
  return (recording === null ? [] : parseExactNumbers(recording)) as KeptMessage[];
}

/** Whether the server worked on it as a task, as its messages tell. */
export function wasTask(row: Pick<HistoryDetailRow, "recording">): boolean {
  return messagesOf(row).some(
    ([direction, , message]) =>
      direction === "send" && isObject(message) && String(message.method).startsWith("tasks/"),
  );
}

/** As they were kept: an object, with the digits of long numbers. */
export function parametersOf({ parameters }: { parameters: string | null }): Record<string, unknown> | null {
  return parameters === null ? null : (parseExactNumbers(parameters) as Record<string, unknown>);
}

export function compareEntries(
  before: HistoryDetailRow | undefined,
  after: HistoryDetailRow,
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

/** Of rows that are the latest of their kinds. */
export function verdictsOf(rows: readonly HistoryRow[]): ServerVerdicts[] {
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
