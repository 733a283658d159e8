/** @module What a readiness run is as a kind of run: its table, its words, and what becomes of one at its end. */
import type { ReadinessReport } from "@fettle/checks";
import { ApiError } from "@fettle/contract/core";
import type { ReadinessObservations } from "@fettle/contract/servers";
import { readinessRuns } from "../../core/tables/readiness.ts";
import type { Ending, RunKind } from "../../runs/life/kind.ts";
import { columns, type RunRow, type RunValues } from "./store.ts";

type OwnEnding =
  | { end: "completed"; report: ReadinessReport; observations: ReadinessObservations }
  | { end: "failed"; reason: "server_deleted"; message: string };

export const readinessRunKind: RunKind<RunRow, RunValues, OwnEnding> = {
  name: "readiness",
  watchdog: "readiness.end-abandoned",
  table: readinessRuns,
  columns,
  part: "readiness-runs",
  open: { waiting: "pending", running: "running" },
  verdict: ({ now }, _tx, run, ending) => {
    const updatedAt = new Date(now());
    return { ...endOf(run, ending, updatedAt), updatedAt };
  },
  refusal: ({ id }) =>
    new ApiError("CONFLICT", "The run has ended already.", { code: "RUN_ENDED", runId: id }),
  deletes: () => [],
};

function endOf(run: RunRow, ending: Ending<OwnEnding>, at: Date): Partial<RunValues> {
  if (ending.end === "completed") {
    const { report, observations } = ending;
    const { overallStatus, lanes, stages, authMode, capabilities, policySnapshotDate, engineVersion } =
      report;
    return {
      status: "completed",
      terminalReason: "graded",
      overallStatus,
      lanes,
      stages,
      authMode,
      capabilities,
      policySnapshotDate,
      engineVersion,
      llmObservations: observations,
      report: JSON.stringify(report),
    };
  }
  if (ending.end === "canceled") {
    const llmObservations = unfinished(run, "cancelled");
    return { status: "cancelled", terminalReason: "cancelled", llmObservations, cancelRequestedAt: at };
  }
  const { reason, message } = ending.end === "failed" ? ending : givenUp;
  const llmObservations = unfinished(run, "no_evidence");
  return { status: "failed", terminalReason: reason, errorMessage: message, llmObservations };
}

const givenUp = {
  reason: "attempts_exhausted",
  message: "The run was taken up as often as it may be, and never came to its end.",
} as const;

/** What a model was to do and never did. */
function unfinished({ llmObservations }: RunRow, reason: "cancelled" | "no_evidence"): ReadinessObservations {
  return llmObservations.status === "pending" ? { status: "invalid-output", reason } : llmObservations;
}
