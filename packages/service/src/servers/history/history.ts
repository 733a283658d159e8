/** @module Reading what was done with servers, and how long it is kept. */

import { type HistoryEntryId, idOf, type Page, type ProjectId, type ServerId } from "@fettle/contract/core";
import type {
  HistoryComparison,
  HistoryRetention,
  HistoryRetentionUpdateRequest,
  ServerHistoryEntry,
  ServerHistoryQuery,
  ServerVerdicts,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import { cutPage, readCursor } from "../../core/routing/page.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import * as store from "./store.ts";
import { compareEntries, toEntry, verdictsOf } from "./told.ts";

export async function listHistory(
  app: App,
  serverId: ServerId,
  { cursor, limit, kind, outcome }: ServerHistoryQuery,
): Promise<Page<ServerHistoryEntry>> {
  const before = cursor === undefined ? undefined : afterEntry(cursor);
  await app.history.settle();
  const rows = await store.listEntries(app.db, { serverId, kind, outcome, before }, limit + 1);
  const { shown, next } = cutPage(rows, limit, (last) => last.id);
  return {
    items: shown.map(toEntry),
    ...next,
  };
}

/** A place in the order of ids: whether it is still anybody's does not matter. */
function afterEntry(cursor: string): HistoryEntryId {
  return idOf<"historyEntry">().parse(readCursor(cursor, ["id"])[0]);
}

export async function compareHistory(
  app: App,
  after: store.HistoryDetailRow,
  beforeId: HistoryEntryId | undefined,
): Promise<HistoryComparison> {
  if (beforeId === undefined) return compareEntries(await store.findEarlier(app.db, after), after);
  const before = await store.findEntry(app.db, after.serverId, beforeId);
  if (before) return compareEntries(before, after);
  throw missing(
    "There is no such entry in this server's history.",
    "Old entries are removed; the project's retention says when.",
    { path: "query.with" },
  );
}

export async function listVerdicts(
  app: App,
  projectId: ProjectId,
  serverId: ServerId | undefined,
): Promise<ServerVerdicts[]> {
  await app.history.settle();
  return verdictsOf(await store.listVerdicts(app.db, projectId, serverId));
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
