/** @module Calibrations and scorecards, as a person reads them. */
import type { Calibration, CalibrationMeasure, RunScorecard } from "@fettle/contract/visitors";
import { lines, style, type Text, text } from "../../../output/text.ts";

const labels: Record<CalibrationMeasure, string> = {
  turns: "Turns",
  toolMix: "Tools called",
  errorRate: "Failed calls",
  goalCompletion: "Goal reached",
  abandonment: "Given up",
};

const shown = (value: number | null) => (value === null ? "-" : value.toFixed(2));

interface Distance {
  error: number | null;
  low: number | null;
  high: number | null;
  chance: number | null;
}

const errorText = ({ error, low, high, chance }: Distance) =>
  error === null
    ? "cannot be compared"
    : `${shown(error)} (${shown(low)} to ${shown(high)}; chance alone gives ${shown(chance)})`;

export function calibrationText(calibration: Calibration): Text {
  const { id, status, error, report, personaDriver, environmentName, source } = calibration;
  const whose = source.kind === "shipped" ? `the ${source.set} set` : source.name;
  const head = text`${style.bold(`Calibration ${id}`)} of the persona driver ${style.bold(personaDriver)} by ${whose}, in ${environmentName}`;
  if (!report) {
    const { sessionsPlayed, sessionsTotal } = calibration;
    return lines([
      head,
      error
        ? text`${status}: ${error}`
        : text`${status}: ${sessionsPlayed} of ${sessionsTotal} sessions are played`,
    ]);
  }
  const { overall, measures, sessions } = report;
  const broken = calibration.sessionsBroken;
  return lines([
    head,
    text`Error ${style.bold(errorText(overall))}, from 0 (the same) to 1 (nothing in common), over ${sessions} sessions${broken > 0 ? `, ${broken} broke off` : ""}`,
    text``,
    ...measures.map((measure) => {
      const { id: name, real, simulated } = measure;
      const values = real === null ? "" : `real ${shown(real)}, simulated ${shown(simulated)}`;
      return text`  ${labels[name].padEnd(14)}${errorText(measure)} ${style.dim(values)}`;
    }),
  ]);
}

export function scorecardText({
  runId,
  criteria,
  sessionsGraded,
  sessionsTotal,
  calibration,
}: RunScorecard): Text {
  return lines([
    text`${style.bold(`Scorecard of ${runId}`)}: ${sessionsGraded} of ${sessionsTotal} sessions are graded`,
    ...criteria.map(({ label, id, kind, passRate, passCount, failCount, failedGradingCount }) => {
      const rate = passRate === null ? "not graded" : `${Math.round(passRate * 100)}%`;
      const broken = failedGradingCount > 0 ? `, ${failedGradingCount} could not be checked` : "";
      return text`  ${label ?? id} ${style.dim(kind)}: ${rate} (${passCount} passed, ${failCount} failed${broken})`;
    }),
    text``,
    calibration === null
      ? text`Not calibrated: nobody has measured how far these visitors lie from real ones`
      : text`Calibrated: these visitors lie ${errorText(calibration)} from real ones ${style.dim(`(${calibration.id}, ${calibration.sessions} sessions)`)}`,
  ]);
}
