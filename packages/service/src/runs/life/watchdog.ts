/** @module Ends the runs that nobody will finish: their job is over without them, or whoever reports them has gone silent. */
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob, type JobDefinition } from "../../core/jobs/define.ts";
import type { RunHead, RunKind } from "./kind.ts";
import { endRun, stopJob } from "./life.ts";
import { listLost } from "./store.ts";

export function endLostRunsJob(kind: RunKind): JobDefinition<object> {
  return defineJob({
    name: kind.watchdog,
    input: z.object({}),
    retry: { attempts: 3, delayMs: 1_000 },
    timeoutMs: 60_000,
    schedule: { cron: "* * * * *", input: {} },
    run: ({ app }) => endLostRuns(app, kind),
  });
}

export async function endLostRuns<Row extends RunHead, Values extends object, Own>(
  app: App,
  kind: RunKind<Row, Values, Own>,
): Promise<void> {
  for (const id of await listLost(app.db, kind, app.now())) {
    const ended = await app.db.transaction((tx) => endRun(app, tx, kind, { id }, { end: "lost" }));
    if (ended) await stopJob(app, ended);
  }
  await kind.upkeep?.(app);
}
