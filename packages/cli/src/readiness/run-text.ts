/** @module A readiness run at the service, and its report, for eyes. */
import type { ReadinessReportView, ReadinessRun } from "@fettle/contract/servers";
import { lines, style, type Text, text } from "../output/text.ts";
import { readinessText } from "./readiness-text.ts";

export function runText(run: ReadinessRun): Text {
  const { status, overallStatus, llmObservations, lanes, terminalReason, errorMessage, attemptCount } = run;
  const ended = errorMessage ?? (status === "completed" ? undefined : terminalReason);
  return lines([
    text`${style.bold(run.id)}  ${style.dim(run.serverUrl)}`,
    text`run           ${status}${ended ? text`: ${ended}` : ""}${attemptCount > 1 ? ` (attempt ${attemptCount})` : ""}`,
    text`grade         ${overallStatus ?? "none yet"}`,
    text`observations  ${llmObservations.status}`,
    ...lanes.map(
      ({ lane, status: grade, evaluated, notEvaluated, missingInputs }) =>
        text`  ${lane}: ${grade}, ${evaluated} of ${evaluated + notEvaluated} evaluated${missingInputs.length > 0 ? `; needs ${missingInputs.join(", ")}` : ""}`,
    ),
  ]);
}

export function reportText(report: ReadinessReportView): Text {
  const { status, returnedFindings, totalFindings, truncated } = report;
  const shown = readinessText({ ...report, overallStatus: status }, { width: Number.POSITIVE_INFINITY });
  return truncated
    ? lines([shown, style.dim(`${returnedFindings} of ${totalFindings} findings read; --limit reads more.`)])
    : shown;
}
