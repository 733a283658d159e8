/** @module Binds the operations on servers' history and saved calls; no rules here. */

import type { HistoryEntryId, SavedCallId, ServerId, UserId } from "@fettle/contract/core";
import { type Bindings, bindResource, type Call } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findSavedServer } from "../live/store.ts";
import { theServer } from "../saved/routes.ts";
import * as history from "./history.ts";
import { rerunEntry, runSavedCall } from "./run-again.ts";
import { findCall } from "./saved-call-store.ts";
import * as calls from "./saved-calls.ts";
import { findEntry, readRetention } from "./store.ts";
import { toDetail } from "./told.ts";

type Asked = Parameters<typeof theServer>[0];

export const theEntry = async (call: Asked & { params: { entryId: HistoryEntryId } }) => {
  const server = await theServer(call);
  if (!server) return undefined;
  await call.app.history.settle();
  const entry = await findEntry(call.app.db, server.id, call.params.entryId);
  if (entry) return { server, entry };
  throw notFound("historyEntry");
};

export const theCall = async (call: Asked & { params: { callId: SavedCallId } }) => {
  const server = await theServer(call);
  if (!server) return undefined;
  const row = await findCall(call.app.db, server.id, call.params.callId);
  if (row) return { server, row };
  throw notFound("savedCall");
};

/** As the caller reaches it. */
async function reached(
  { app, project, caller }: Pick<Call<never>, "app"> & Asked & { caller: { userId: UserId } },
  id: ServerId,
) {
  const server = await findSavedServer(app.db, { projectId: project.id, id, userId: caller.userId });
  if (server) return server;
  throw notFound("server");
}

export const serverHistoryBindings = {
  listServerHistory: bindResource(theServer, ({ app, query }, server) =>
    history.listHistory(app, server.id, query),
  ),
  getServerHistoryEntry: bindResource(theEntry, (_, { server, entry }) => toDetail(entry, server.name)),
  compareServerHistory: bindResource(theEntry, ({ app, query }, { entry }) =>
    history.compareHistory(app, entry, query.with),
  ),
  rerunServerHistoryEntry: bindResource(theEntry, async (call, { server, entry }) =>
    rerunEntry(call, await reached(call, server.id), entry),
  ),
  listServerVerdicts: async ({ app, project, query }) => ({
    items: await history.listVerdicts(app, project.id, query.serverId),
  }),
  getHistoryRetention: ({ app, project }) => readRetention(app.db, project.id),
  updateHistoryRetention: ({ app, project, body }) => history.updateRetention(app, project.id, body),

  listSavedCalls: bindResource(theServer, async ({ app }, server) => ({
    items: await calls.listCalls(app, server),
  })),
  createSavedCall: bindResource(theServer, ({ app, db, caller, body }, server) =>
    calls.createCall(app, db, server, caller.userId, body),
  ),
  getSavedCall: bindResource(theCall, (_, { row }) => calls.toCall(row)),
  updateSavedCall: bindResource(theCall, ({ app, db, caller, body }, { server, row }) =>
    calls.updateCall(app, db, server, row, caller.userId, body),
  ),
  deleteSavedCall: bindResource(theCall, ({ app, db, query }, { server, row }) =>
    calls.deleteCall(app, db, server, row, query.expectedUpdatedAt),
  ),
  runSavedCall: bindResource(theCall, async (call, { server, row }) =>
    runSavedCall(call, await reached(call, server.id), row),
  ),
} satisfies Partial<Bindings>;
