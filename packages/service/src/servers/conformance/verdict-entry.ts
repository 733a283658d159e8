/** @module A run that has ended, as an entry of its server's history; the report stays with the run. */

import type { Tally } from "../../core/tables/conformance.ts";
import { type HistoryDraft, noCall, noRecording } from "../live/history-draft.ts";
import type { RunRow } from "./store.ts";

const outcomes = { passed: "ok", failed: "failed", incomplete: "partial" } as const;

export function verdictEntry(
  { status, requestedSuites, createdAt, durationMs }: RunRow,
  { outcome, score, couldNotRunIds: _ids, ...counts }: Tally,
): HistoryDraft {
  return {
    ...noCall,
    kind: "conformance",
    outcome: status === "cancelled" ? "stopped" : outcomes[outcome],
    code: outcome,
    subject: requestedSuites.join(", "),
    summary: `${counts.passed} of ${counts.applicable} checks passed, ${counts.failed} failed`,
    at: createdAt.getTime(),
    durationMs: durationMs ?? 0,
    result: JSON.stringify({ outcome, score, ...counts }),
    isResultCut: false,
    ...noRecording,
  };
}
