/** @module The other ends of a readiness run: somebody asks it to stop, or nobody will finish it. */
import { ApiError, type ReadinessObservations } from "@fettle/contract";
import { z } from "zod";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import type { Transaction } from "../db/pool.ts";
import { defineJob } from "../jobs/define.ts";
import * as store from "./store.ts";

export function isEnded({ status }: Pick<store.RunRow, "status">): boolean {
  return status !== "pending" && status !== "running";
}

/** Says that the request was taken. A run that is being worked on ends when its worker has let go. */
export async function requestCancel(app: App, run: store.RunRow) {
  const asked = await app.db.transaction(async (tx) => {
    const now = new Date(app.now());
    const row = await store.updateOpenRun(tx, run.id, { cancelRequestedAt: now, updatedAt: now });
    // Nobody works on it yet, and nobody will.
    if (row?.status === "pending") await endCancelled(app, tx, row);
    return row;
  });
  if (!asked) {
    throw new ApiError("CONFLICT", "The run has ended already.", { code: "RUN_ENDED", runId: run.id });
  }
  if (asked.jobId) await app.jobs.cancel(asked.jobId);
  return { runId: run.id, projectId: run.projectId, status: "cancelled" as const };
}

export async function endCancelled(app: App, tx: Transaction, run: store.RunRow): Promise<void> {
  await store.updateOpenRun(tx, run.id, {
    status: "cancelled",
    terminalReason: "cancelled",
    llmObservations: unfinished(run, "cancelled"),
    updatedAt: new Date(app.now()),
  });
  await announceInProject(app, tx, run.projectId, "readiness-runs");
}

export async function endFailed(
  app: App,
  tx: Transaction,
  run: store.RunRow,
  failure: { reason: "server_deleted" | "attempts_exhausted"; message: string },
): Promise<void> {
  await store.updateOpenRun(tx, run.id, {
    status: "failed",
    terminalReason: failure.reason,
    errorMessage: failure.message,
    llmObservations: unfinished(run, "no_evidence"),
    updatedAt: new Date(app.now()),
  });
  await announceInProject(app, tx, run.projectId, "readiness-runs");
}

/** What a model was to do and never did. */
function unfinished(
  { llmObservations }: store.RunRow,
  reason: "cancelled" | "no_evidence",
): ReadinessObservations {
  return llmObservations.status === "pending" ? { status: "invalid-output", reason } : llmObservations;
}

export const endAbandonedReadinessJob = defineJob({
  name: "readiness.end-abandoned",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => endAbandoned(app),
});

export async function endAbandoned(app: App): Promise<void> {
  for (const run of await store.listAbandoned(app.db)) {
    await app.db.transaction((tx) =>
      run.cancelRequestedAt
        ? endCancelled(app, tx, run)
        : endFailed(app, tx, run, {
            reason: "attempts_exhausted",
            message: "The run was taken up as often as it may be, and never came to its end.",
          }),
    );
  }
}
