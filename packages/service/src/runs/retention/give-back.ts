/** @module Deletes what deleted runs have left, in bounded pieces, each for itself: a process that dies in the middle loses one of them. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { deletedRuns } from "../../core/tables/deleted-runs.ts";
import { evalIterations } from "../../core/tables/eval-runs.ts";
import { journeyAttempts } from "../../core/tables/journey-runs.ts";

/** With what was said in each. */
const rowsAtOnce = 500;

const tables = { eval_iterations: evalIterations, journey_attempts: journeyAttempts };

/** Until nothing is left; several processes share the runs. */
export async function giveBack(app: Pick<App, "db">, signal?: AbortSignal): Promise<void> {
  while (await giveSome(app)) signal?.throwIfAborted();
}

/** Whether there was a run. */
export function giveSome({ db }: Pick<App, "db">): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [gone] = await tx
      .select()
      .from(deletedRuns)
      .orderBy(deletedRuns.deletedAt)
      .limit(1)
      .for("update", { skipLocked: true });
    if (!gone) return false;
    const table = tables[gone.parts];
    const { rowCount } = await tx.execute(sql`
      delete from ${table} where id = any(array(
        select id from ${table} where run_id = ${gone.runId} order by ordinal limit ${rowsAtOnce}
      ))`);
    if ((rowCount ?? 0) < rowsAtOnce) {
      await tx.delete(deletedRuns).where(sql`${deletedRuns.runId} = ${gone.runId}`);
    }
    return true;
  });
}

export const giveBackJob = defineJob({
  name: "runs.give-back",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app, signal }) => giveBack(app, signal),
});
