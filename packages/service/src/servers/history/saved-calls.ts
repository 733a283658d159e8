/** @module The rules of saved calls: a name for everybody in the project, and no credential among the parameters. */

import { ApiError, type ExpectedUpdatedAt, type UserId } from "@fettle/contract/core";
import {
  type HistoryOutcome,
  type SavedCall,
  type SavedCallCreateRequest,
  type SavedCallUpdateRequest,
  serverHistoryLimits,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import type { ServerRow } from "../saved/store.ts";
import { requestedCall, requireCall, sharedCall } from "./repeat-call.ts";
import * as store from "./saved-call-store.ts";
import { findEntry } from "./store.ts";
import { parametersOf, personOf } from "./told.ts";

export async function listCalls(app: App, server: ServerRow): Promise<SavedCall[]> {
  return (await store.listCalls(app.db, server.id)).map(toCall);
}

export async function createCall(
  app: App,
  db: Querier,
  server: ServerRow,
  userId: UserId,
  request: SavedCallCreateRequest,
): Promise<SavedCall> {
  const entry = await entryOf(db, server, request);
  const called = entry ? requireCall(entry) : requestedCall(request);
  const id = newId("savedCall", app.now());
  const now = new Date(app.now());
  return refusingTakenName(request.name, () =>
    inTransaction(db, async (tx) => {
      if ((await store.countCalls(tx, server.id)) >= serverHistoryLimits.calls) {
        throw new ApiError("CONFLICT", `A server has at most ${serverHistoryLimits.calls} saved calls.`, {
          code: "TOO_MANY_SAVED_CALLS",
          hint: "Delete some that nobody makes any more.",
        });
      }
      await store.insertCall(tx, {
        id,
        serverId: server.id,
        name: request.name,
        ...called,
        ...(entry && store.lastOf(entry)),
        createdBy: userId,
        updatedBy: userId,
        createdAt: now,
        updatedAt: now,
      });
      return changed(app, tx, server, id);
    }),
  );
}

/** The entry that is to be saved, if one was named. */
async function entryOf(db: Querier, server: ServerRow, { entryId }: SavedCallCreateRequest) {
  if (entryId === undefined) return undefined;
  const entry = await findEntry(db, server.id, entryId);
  if (entry) return entry;
  throw notFound("historyEntry", {
    path: "body.entryId",
  });
}

export async function updateCall(
  app: App,
  db: Querier,
  server: ServerRow,
  row: store.SavedCallRow,
  userId: UserId,
  { name, parameters, expectedUpdatedAt }: SavedCallUpdateRequest,
): Promise<SavedCall> {
  const said =
    parameters && requestedCall({ name: row.name, kind: row.kind, subject: row.subject, parameters });
  return refusingTakenName(name ?? row.name, () =>
    inTransaction(db, async (tx) => {
      const before = await store.lockCall(tx, row.id);
      if (!before) throw notFound("savedCall");
      await store.updateCall(tx, row.id, {
        ...(name !== undefined && { name }),
        ...(said && { parameters: said.parameters, withheld: said.withheld }),
        updatedBy: userId,
        updatedAt: nextUpdate(app, before, expectedUpdatedAt, sharedCall),
      });
      return changed(app, tx, server, row.id);
    }),
  );
}

export async function deleteCall(
  app: App,
  db: Querier,
  server: ServerRow,
  row: store.SavedCallRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
) {
  await inTransaction(db, async (tx) => {
    requireAsRead(await store.lockCall(tx, row.id), expectedUpdatedAt, sharedCall);
    await store.deleteCall(tx, row.id);
    await announceInProject(app, tx, server.projectId, "saved-calls");
  });
  return { id: row.id, projectId: server.projectId, deleted: true as const };
}

async function changed(
  app: App,
  tx: Transaction,
  server: ServerRow,
  id: store.SavedCallRow["id"],
): Promise<SavedCall> {
  await announceInProject(app, tx, server.projectId, "saved-calls");
  const row = await store.findCall(tx, server.id, id);
  if (row) return toCall(row);
  throw notFound("savedCall");
}

export function toCall(row: store.SavedCallRow): SavedCall {
  const { id, serverId, name, kind, subject, withheld } = row;
  return {
    id,
    serverId,
    name,
    kind,
    subject,
    parameters: parametersOf(row) ?? {},
    withheld,
    last: row.lastEntryId && {
      entryId: row.lastEntryId,
      // Written together with the entry's id.
      outcome: row.lastOutcome as HistoryOutcome,
      summary: row.lastSummary ?? "",
      at: row.lastAt?.getTime() ?? 0,
      durationMs: row.lastDurationMs ?? 0,
    },
    createdBy: personOf(row.createdBy, row.createdByName),
    updatedBy: personOf(row.updatedBy, row.updatedByName),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

async function refusingTakenName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error, "saved_calls_name")) throw error;
    throw new ApiError("CONFLICT", `The server already has a saved call named ${JSON.stringify(name)}.`, {
      code: "NAME_TAKEN",
      name,
    });
  }
}
