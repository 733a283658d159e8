/** @module Removes what a project does not want to keep any longer, and what is left of deleted servers. */
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { deleteOfDeletedServers } from "./saved-call-store.ts";
import * as store from "./store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const serversAtOnce = 200;
const entriesAtOnce = 1_000;

export async function pruneHistory(
  { db, now }: Pick<App, "db" | "now">,
  signal?: AbortSignal,
): Promise<void> {
  for (let after = ""; ; ) {
    const pruned = await store.listPruned(db, after, serversAtOnce);
    for (const { id, isDeleted, days, entries } of pruned) {
      const before = new Date(isDeleted ? now() + dayMs : now() - days * dayMs);
      const upTo = isDeleted ? undefined : await store.findFirstBeyond(db, id, entries);
      const wanted = { before, upTo, most: entriesAtOnce };
      while ((await store.deleteOldest(db, id, wanted)) === entriesAtOnce) signal?.throwIfAborted();
    }
    const last = pruned.at(-1);
    if (last === undefined || pruned.length < serversAtOnce) break;
    after = last.id;
  }
  await deleteOfDeletedServers(db);
}

export const pruneHistoryJob = defineJob({
  name: "server-history.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "11 * * * *", input: {} },
  run: ({ app, signal }) => pruneHistory(app, signal),
});
