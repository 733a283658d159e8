/** @module Stops a run: what has settled stays, the rest is cancelled, and what is under way is told to let go. */
import { ApiError } from "@fettle/contract";
import type { App } from "../app.ts";
import { closeRun } from "./close.ts";
import * as store from "./store.ts";

export async function cancelRun(app: App, run: store.RunRow): Promise<store.RunRow> {
  const closed = await app.db.transaction((tx) => closeRun(app, tx, run, "cancelled"));
  const row = closed ?? (await store.findRun(app.db, run.projectId, run.id)) ?? run;
  if (row.status !== "cancelled") {
    throw new ApiError("CONFLICT", `The run has ended: it is ${row.status}.`, {
      code: "RUN_ENDED",
      status: row.status,
    });
  }
  if (closed?.jobId) await app.jobs.cancel(closed.jobId);
  return row;
}
