/** @module Cancels a run, and says how many of its sessions never began. */
import type { JourneyRunCanceled } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { cancelRun as cancel } from "../../runs/life/life.ts";
import { journeyRunKind } from "./kind.ts";
import { countShutDown, type RunRow } from "./store.ts";

export async function cancelRun(app: App, run: RunRow): Promise<JourneyRunCanceled> {
  const { isNew } = await cancel(app, journeyRunKind, run);
  const finalized = isNew ? await countShutDown(app.db, run.id) : 0;
  return { canceled: true, alreadyCanceled: !isNew, finalized };
}
