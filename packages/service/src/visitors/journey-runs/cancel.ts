/** @module Cancels a run, and says how many of its sessions never began. */
import type { JourneyRunCanceled } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { cancelRun as cancel } from "../../runs/life/life.ts";
import { journeyRunKind } from "./kind.ts";
import { countShutDown, type RunRow } from "./store.ts";
import { countRuns } from "./tally.ts";

export async function cancelRun(app: App, run: RunRow): Promise<JourneyRunCanceled> {
  const { id, sessionsTotal } = run;
  const { isNew } = await cancel(app, journeyRunKind, run);
  const finalized = isNew ? await countShutDown(app.db, id) : 0;
  const sessionsGraded = (await countRuns(app.db, [id])).get(id)?.gradings.graded ?? 0;
  // As `journeyRunKind` stores it.
  const status = "failed";
  return { id, status, canceled: true, alreadyCanceled: !isNew, finalized, sessionsTotal, sessionsGraded };
}
