/** @module The ends of a calibration: it has its figures, it cannot have them, somebody cancelled it, or whoever played it is gone. */
import { ApiError, type Calibration } from "@fettle/contract";
import { announceInProject } from "../../accounts/announce.ts";
import type { App } from "../../app.ts";
import type { Transaction } from "../../db/pool.ts";
import { findActive } from "../../jobs/store.ts";
import { releaseHold } from "../../models/budget.ts";
import { organizationOf } from "../../projects/store.ts";
import { toCalibration } from "./calibrations.ts";
import { sourceOf } from "./frozen.ts";
import * as store from "./store.ts";

export type End = Pick<store.CalibrationRow, "status" | "error" | "report">;

export const calibrationJobName = "calibrations.play";

/** Undefined: it had ended before. */
export async function endCalibration(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<store.CalibrationRow, "id" | "projectId">,
  end: End,
): Promise<store.CalibrationRow | undefined> {
  const row = await store.endCalibration(tx, id, { ...end, endedAt: new Date(app.now()) });
  if (!row) return undefined;
  await announceInProject(app, tx, projectId, "calibrations");
  await releaseHold(tx, await organizationOf(tx, row), sourceOf(id));
  return row;
}

export async function cancelCalibration(app: App, row: store.CalibrationRow): Promise<Calibration> {
  const end = { status: "canceled", error: "canceled", report: null } as const;
  const ended = await app.db.transaction((tx) => endCalibration(app, tx, row, end));
  if (ended) {
    const jobId = await findActive(app.db, calibrationJobName, row.id);
    if (jobId) await app.jobs.cancel(jobId);
    return toCalibration(ended);
  }
  const now = (await store.findCalibration(app.db, row.projectId, row.id)) ?? row;
  if (now.status === "canceled") return toCalibration(now);
  throw new ApiError("CONFLICT", `The calibration has ended: it is ${now.status}.`, {
    code: "CALIBRATION_ENDED",
    status: now.status,
  });
}

/** The watchdog: ends what nobody plays any more, because every worker that took it up died. */
export async function endLostCalibrations(app: App): Promise<void> {
  const error = "Whatever played it died again and again. Calibrate anew.";
  for (const row of await store.listLost(app.db, calibrationJobName)) {
    await app.db.transaction((tx) => endCalibration(app, tx, row, { status: "failed", error, report: null }));
  }
}
