/** @module Ends runs that nobody will finish: their job is over, or they are long past their time. */
import { limits } from "@fettle/contract";
import { z } from "zod";
import type { App } from "../app.ts";
import { defineJob } from "../jobs/define.ts";
import { closeRun } from "./close.ts";
import { failedJudges } from "./judge/judge-run.ts";
import { listAbandoned, listUnfinishedReports, listUnjudged, setJudges } from "./store.ts";

export const endAbandonedRunsJob = defineJob({
  name: "evals.end-abandoned",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => endAbandonedRuns(app),
});

/** A worker ends its run by itself when its time is over; this is for those that have none. */
const graceMs = 60_000;

export async function endAbandonedRuns(app: App): Promise<void> {
  const late = new Date(app.now() - limits.evals.runMs - graceMs);
  for (const run of await listAbandoned(app.db, late)) {
    const error = "Whatever played the run has stopped for good.";
    await app.db.transaction((tx) =>
      run.isLate ? closeRun(app, tx, run, "timed_out") : closeRun(app, tx, run, "failed", { error }),
    );
    if (run.jobId) await app.jobs.cancel(run.jobId);
  }
  const forgotten = new Date(app.now() - limits.ingest.openMs);
  for (const run of await listUnfinishedReports(app.db, forgotten)) {
    await app.db.transaction((tx) => closeRun(app, tx, run, "timed_out"));
  }
  for (const { id, judges } of await listUnjudged(app.db)) {
    const told = failedJudges(
      judges,
      "judge_deadline_exceeded",
      "Whoever graded has stopped for good.",
      app.now(),
    );
    await setJudges(app.db, id, { judges: told, judgeJobId: null });
  }
}
