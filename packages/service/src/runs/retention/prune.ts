/** @module Deletes runs that are older than their project keeps them, and what servers offered that no run names any more. */
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import type { RunKind } from "../life/kind.ts";
import { giveBack } from "./give-back.ts";
import { deleteRuns, deleteUnusedSnapshots, listPruned, lockOld, type PrunedProject } from "./store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const projectsAtOnce = 200;
/** In one transaction, without their iterations: those are given back afterwards. */
const runsAtOnce = 20;
const snapshotsAtOnce = 200;

export async function pruneRuns(app: App, kinds: readonly RunKind[], signal?: AbortSignal): Promise<void> {
  for (let after = ""; ; ) {
    const found = await listPruned(app.db, after, projectsAtOnce);
    for (const project of found)
      for (const kind of kinds) if (kind.deletes) await pruneKind(app, project, kind, signal);
    if (found.length < projectsAtOnce) break;
    after = found.at(-1)?.id ?? "";
  }
  await giveBack(app, signal);
  const forget = () => app.db.transaction((tx) => deleteUnusedSnapshots(tx, snapshotsAtOnce));
  while ((await forget()) === snapshotsAtOnce) signal?.throwIfAborted();
}

async function pruneKind(
  app: App,
  { id: projectId, days }: PrunedProject,
  kind: RunKind,
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(app.now() - days * dayMs);
  const some = () =>
    app.db.transaction(async (tx) => {
      const ids = await lockOld(tx, kind, { projectId, before, most: runsAtOnce });
      if (ids.length === 0) return 0;
      await deleteRuns(tx, kind, ids);
      await announceInProject(app, tx, projectId, kind.part);
      return ids.length;
    });
  while ((await some()) === runsAtOnce) signal?.throwIfAborted();
}

export const pruneRunsJob = (kinds: readonly RunKind[]) =>
  defineJob({
    name: "runs.prune",
    input: z.object({}),
    retry: { attempts: 3, delayMs: 60_000 },
    timeoutMs: 10 * 60_000,
    schedule: { cron: "37 * * * *", input: {} },
    run: ({ app, signal }) => pruneRuns(app, kinds, signal),
  });
