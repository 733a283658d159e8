/** @module A call made again, from the history or from what was saved; what came of it is compared with what came before. */
import { ApiError, type HistoryEntryId, type SavedCallId } from "@fettle/contract/core";
import type { RanAgain } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import type { SignedInCaller } from "../../core/routing/bind.ts";
import { WrittenJson } from "../../core/routing/written-json.ts";
import { ask } from "../live/ask.ts";
import type { SavedServer } from "../live/store.ts";
import { askedFor, type KeptToCall, parametersFor, requireCall, unattended } from "./repeat-call.ts";
import { lastOf, type SavedCallRow, updateCall } from "./saved-call-store.ts";
import { findEntry, type HistoryDetailRow } from "./store.ts";
import { compareEntries, toDetail, wasTask } from "./told.ts";

interface Asking {
  app: App;
  caller: SignedInCaller;
  request: { signal: AbortSignal };
  body: { parameters?: Record<string, unknown> | undefined };
}

export async function rerunEntry(
  asking: Asking,
  server: SavedServer,
  entry: HistoryDetailRow,
): Promise<RanAgain> {
  const made = await makeCall(asking, server, requireCall(entry), { asTask: wasTask(entry) });
  return { entry: toDetail(made, server.name), comparison: compareEntries(entry, made) };
}

export async function runSavedCall(
  asking: Asking,
  server: SavedServer,
  row: SavedCallRow,
): Promise<RanAgain> {
  const last = row.lastEntryId && (await findEntry(asking.app.db, server.id, row.lastEntryId));
  const made = await makeCall(asking, server, row, { callId: row.id, asTask: !!last && wasTask(last) });
  await updateCall(asking.app.db, row.id, lastOf(made));
  return { entry: toDetail(made, server.name), comparison: compareEntries(lastEntryOf(row), made) };
}

/** The entry of the last time, which the history may have forgotten. */
function lastEntryOf(row: SavedCallRow): HistoryDetailRow | undefined {
  const { lastEntryId, lastOutcome, lastAt } = row;
  if (!lastEntryId || !lastOutcome || !lastAt) return undefined;
  const { serverId, kind, subject, parameters, withheld } = row;
  return {
    ...{ id: lastEntryId, serverId, kind, subject, parameters, withheld },
    outcome: lastOutcome,
    at: lastAt,
    code: null,
    summary: row.lastSummary ?? "",
    durationMs: row.lastDurationMs ?? 0,
    callId: row.id,
    result: row.lastResult,
    isResultCut: row.isLastCut,
    ...{ createdBy: null, createdByName: null, runId: null, callDigest: null },
    ...{ recording: null, messagesLeftOut: 0 },
  };
}

/** A call that fails is an outcome, not an error: it is in the history like any other. */
async function makeCall(
  asking: Asking,
  server: SavedServer,
  call: KeptToCall,
  { callId, asTask }: { callId?: SavedCallId; asTask: boolean },
): Promise<HistoryDetailRow> {
  const parameters = parametersFor(call, asking.body.parameters);
  let kept: { id: HistoryEntryId } | undefined;
  // Whoever reads the entry needs no more of the answer: a long one is not waited for.
  const enough = new AbortController();
  const signal = AbortSignal.any([asking.request.signal, enough.signal]);
  const one = {
    app: asking.app,
    caller: asking.caller,
    request: { signal },
    ...(callId && { callId }),
    ...(asTask && { attending: unattended }),
    kept: (entry: { id: HistoryEntryId }) => {
      kept = entry;
    },
  };
  try {
    const { name, input } = askedFor(call, parameters, asTask);
    // Named and filled in by the kind of the call.
    const answer = await ask(one, server, name, input as never);
    if (answer instanceof WrittenJson) enough.abort();
  } catch (error) {
    if (!kept) throw error;
  }
  await asking.app.history.settle();
  const row = kept && (await findEntry(asking.app.db, server.id, kept.id));
  if (row) return row;
  throw new ApiError("UNAVAILABLE", "The call was made, and could not be written down.", {
    reason: "HISTORY_NOT_WRITTEN",
    hint: "Whether it had an effect is the server's to say; look there before you make it again.",
  });
}
