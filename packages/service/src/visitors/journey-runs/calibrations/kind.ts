/** @module What a calibration is as a kind of run: it has its figures, it cannot have them, somebody canceled it, or whoever played it is gone. */
import { ApiError } from "@fettle/contract/core";
import { and, sql } from "drizzle-orm";
import { calibrations } from "../../../core/tables/calibrations.ts";
import { isJobOver } from "../../../core/tables/jobs.ts";
import type { RunKind } from "../../../runs/life/kind.ts";
import type { CalibrationRow, CalibrationValues } from "./store.ts";

type OwnEnding =
  | { end: "completed"; report: NonNullable<CalibrationRow["report"]> }
  | { end: "failed"; error: string };

export const calibrationKind: RunKind<CalibrationRow, CalibrationValues, OwnEnding> = {
  name: "calibration",
  watchdog: "calibrations.end-lost",
  table: calibrations,
  part: "calibrations",
  open: { waiting: "running", running: "running" },
  spendsAs: "calibration",
  // During an upgrade a process of the version before names no job; its key leads to it. To go with the next version.
  lost: () =>
    and(
      isJobOver,
      sql`not exists (
        select from jobs of_before
        where of_before.name = 'calibrations.play' and of_before.singleton_key = ${calibrations.id}
          and of_before.state in ('waiting', 'running')
      )`,
    ),
  verdict: ({ now }, _tx, _row, ending) => {
    // What visitors said is kept in one place only.
    const over = { frozen: null, endedAt: new Date(now()) };
    if (ending.end === "completed") return { ...over, status: "completed", report: ending.report };
    if (ending.end === "canceled") return { ...over, status: "canceled", error: "canceled" };
    const error = ending.end === "failed" ? ending.error : lost;
    return { ...over, status: "failed", error };
  },
  isCanceled: ({ status }) => status === "canceled",
  refusal: ({ status }) =>
    new ApiError("CONFLICT", `The calibration has ended: it is ${status}.`, {
      code: "CALIBRATION_ENDED",
      status,
    }),
};

const lost = "Whatever played it died again and again. Calibrate anew.";
