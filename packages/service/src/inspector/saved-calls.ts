/** @module Calls made again from the person's own files, and saved there. */

import { ApiError, type SavedCallId } from "@fettle/contract/core";
import type {
  RanAgain,
  SavedCall,
  SavedCallCreateRequest,
  SavedCallUpdateRequest,
} from "@fettle/contract/servers";
import { newId } from "../core/id.ts";
import { nextUpdate } from "../core/routing/as-read.ts";
import { notFound } from "../core/routing/not-found.ts";
import {
  askedFor,
  type KeptToCall,
  parametersFor,
  requestedCall,
  requireCall,
  sharedCall,
  unattended,
} from "../servers/history/repeat-call.ts";
import type { HistoryDetailRow, HistoryRow } from "../servers/history/store.ts";
import { compareEntries, parametersOf, toDetail, wasTask } from "../servers/history/told.ts";
import type { LocalApp } from "./operations.ts";
import type { LocalServer } from "./saved-servers.ts";

export async function createCall(
  app: LocalApp,
  server: LocalServer,
  request: SavedCallCreateRequest,
): Promise<SavedCall> {
  const { name, entryId } = request;
  const entry = entryId === undefined ? undefined : await app.history.find(server.id, entryId);
  if (entryId !== undefined && !entry) {
    throw notFound("historyEntry", {
      path: "body.entryId",
    });
  }
  const called = entry ? requireCall(entry) : requestedCall(request);
  const now = Date.now();
  const call = await app.calls.add({
    id: newId("savedCall"),
    serverId: server.id,
    name,
    ...shownCall(called),
    last: entry ? lastOf(entry) : null,
    createdBy: null,
    updatedBy: null,
    createdAt: now,
    updatedAt: now,
  });
  app.changed("history");
  return call;
}

export async function updateCall(
  app: LocalApp,
  saved: SavedCall,
  { name, parameters, expectedUpdatedAt }: SavedCallUpdateRequest,
): Promise<SavedCall> {
  const said = parameters && shownCall(requestedCall({ ...saved, parameters }));
  const call = await app.calls.replace({
    ...saved,
    ...(name !== undefined && { name }),
    ...said,
    updatedAt: nextUpdate(
      Date,
      { updatedAt: new Date(saved.updatedAt) },
      expectedUpdatedAt,
      sharedCall,
    ).getTime(),
  });
  app.changed("history");
  return call;
}

export async function rerun(
  app: LocalApp,
  server: LocalServer,
  entry: HistoryDetailRow,
  parameters: Record<string, unknown> | undefined,
  signal: AbortSignal,
): Promise<RanAgain> {
  const made = await makeCall(app, server, requireCall(entry), {
    parameters,
    signal,
    asTask: wasTask(entry),
  });
  return { entry: toDetail(made, server.name), comparison: compareEntries(entry, made) };
}

export async function runSaved(
  app: LocalApp,
  server: LocalServer,
  saved: SavedCall,
  parameters: Record<string, unknown> | undefined,
  signal: AbortSignal,
): Promise<RanAgain> {
  const before = saved.last && (await app.history.find(server.id, idOfEntry(saved.last.entryId)));
  const call = { ...saved, parameters: JSON.stringify(saved.parameters) };
  // An id of ours, read back from our own file.
  const callId = saved.id as SavedCallId;
  const asTask = !!before && wasTask(before);
  const made = await makeCall(app, server, call, { parameters, signal, callId, asTask });
  await app.calls.replace({ ...saved, last: lastOf(made) });
  return { entry: toDetail(made, server.name), comparison: compareEntries(before ?? undefined, made) };
}

/** A call that fails is an outcome, not an error: it is in the history like any other. */
async function makeCall(
  app: LocalApp,
  server: LocalServer,
  call: KeptToCall,
  how: {
    parameters: Record<string, unknown> | undefined;
    signal: AbortSignal;
    asTask: boolean;
    callId?: SavedCallId;
  },
): Promise<HistoryDetailRow> {
  const { name, input } = askedFor(call, parametersFor(call, how.parameters), how.asTask);
  let kept: HistoryRow | undefined;
  try {
    await app.asking.ask(server, name, input, {
      signal: how.signal,
      ...(how.callId && { callId: how.callId }),
      ...(how.asTask && { attending: unattended }),
      kept: (entry) => {
        kept = entry;
      },
    });
  } catch (error) {
    if (!kept) throw error;
  }
  app.changed("history");
  const row = kept && (await app.history.find(server.id, kept.id));
  if (row) return row;
  throw new ApiError("UNAVAILABLE", "The call was made, and could not be written down.", {
    reason: "HISTORY_NOT_WRITTEN",
  });
}

const idOfEntry = (text: string) => text as HistoryRow["id"];

function shownCall(call: KeptToCall) {
  const { kind, subject, withheld } = call;
  return { kind, subject, withheld, parameters: parametersOf(call) ?? {} };
}

function lastOf({ id, outcome, summary, at, durationMs }: HistoryRow) {
  return { entryId: id, outcome, summary, at: at.getTime(), durationMs };
}
