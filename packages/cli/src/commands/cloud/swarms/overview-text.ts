/** @module Runs at a glance, and what was found in a wave, as people read them. */
import type { SwarmOverview, WaveInsights } from "@fettle/contract/visitors";
import { envelopeText } from "../../../output/envelope-text.ts";
import { lines, style, type Text, text } from "../../../output/text.ts";

const percent = (rate: number | null) => (rate === null ? "not graded" : `${Math.round(rate * 100)}%`);

export function overviewText({ runs, runsConsidered, goalCompletion }: SwarmOverview): Text {
  if (runs.length === 0) return text`No journey was launched yet.`;
  const { passRate, passedCount, gradedCount } = goalCompletion;
  return lines([
    text`${style.bold(`${runsConsidered} runs`)} Goals reached: ${percent(passRate)} ${style.dim(`(${passedCount} of ${gradedCount} graded sessions)`)}`,
    ...runs.flatMap(
      ({ runId, journeyName, personaName, status, summary, goalCompletion: goal, findings }) => [
        text``,
        text`${style.bold(journeyName)} by ${personaName}: ${status} ${style.dim(runId)}`,
        text`  ${summary.succeeded} of ${summary.total} sessions played${goal ? `, goal reached in ${goal.passedCount} of ${goal.gradedCount}` : ""}`,
        ...findings.map(
          ({ label, criterionId, failCount, sessionsGraded, runStreak }) =>
            text`  ${style.red("✗")} ${label ?? criterionId}: missed in ${failCount} of ${sessionsGraded}${runStreak > 1 ? `, for ${runStreak} runs` : ""}`,
        ),
      ],
    ),
  ]);
}

export function waveText({ insights, baseline, discovery }: WaveInsights): Text {
  const { targets } = insights.runHealth ?? { targets: [] };
  return lines([
    envelopeText(insights),
    ...(targets.length > 0 ? [text``, text`${style.bold("How the launches went")}`] : []),
    ...targets.map(
      ({ subjectLabel, attempted, succeeded, failed, rateLimited }) =>
        text`  ${subjectLabel}: ${succeeded} of ${attempted} played, ${failed} failed, ${rateLimited} met a provider's limit`,
    ),
    ...(baseline
      ? [
          text``,
          text`Since wave ${baseline.waveId}: ${baseline.newFindingIds.length} new, ${baseline.recurringFindingIds.length} again, ${baseline.goneFindingIds.length} gone`,
        ]
      : []),
    ...(discovery && discovery.paths.length > 0
      ? [text``, text`${style.bold("Ways that sessions took")}`]
      : []),
    ...(discovery?.paths ?? []).map(
      ({ journeyName, path, sessions, ofSessions, failedCalls, goalRate }) =>
        text`  ${journeyName}: ${path ?? "no tool"} ${style.dim(`(${sessions} of ${ofSessions} sessions, ${failedCalls} failed calls, goal ${percent(goalRate)})`)}`,
    ),
  ]);
}
