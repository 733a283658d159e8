/** @module The state of a project's swarms at a glance. Whatever the project holds, so many of its latest runs are looked at, by what was counted of each. */
import type { ProjectId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { type SwarmOverview, type SwarmOverviewRun, swarmLimits } from "@fettle/contract/visitors";
import { inArray } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { journeys } from "../../core/tables/swarms.ts";
import { displayStatus } from "./run-states.ts";
import * as store from "./store.ts";
import { type RunTally, summaryOf, talliesOf } from "./tally.ts";

const dayMs = 86_400_000;

export async function readOverview(app: App, projectId: ProjectId): Promise<SwarmOverview> {
  const { db } = app;
  const runs = await store.listRuns(db, { projectId, limit: swarmLimits.overviewRuns });
  const tallies = await talliesOf(db, runs);
  const counted = runs.map((run) => ({ run, tally: must(tallies.get(run.id), "a tally for each run") }));
  const archived = await listArchived(app, runs);
  const byJourney = Map.groupBy(counted, ({ run }) => run.journeyId);
  return {
    runs: counted.map(({ run, tally }) => ({
      runId: run.id,
      journeyId: run.journeyId,
      journeyName: run.journeyName,
      journeyArchived: archived.has(run.journeyId),
      personaName: run.persona.name,
      waveId: run.waveId,
      status: run.status,
      displayStatus: displayStatus(run),
      canceled: run.canceled,
      summary: summaryOf(run.sessionsTotal, tally.states),
      goalCompletion: tally.goal,
      findings: findingsOf(run, must(byJourney.get(run.journeyId), "the runs of each journey")),
      targets: tally.targets.map((target) => ({
        ...target,
        modelId: target.model,
        ...(target.kind === "environment" && { environmentName: target.name }),
      })),
      createdAt: run.createdAt.getTime(),
    })),
    runsConsidered: runs.length,
    goalCompletion: rollUp(app.now(), counted),
  };
}

interface Counted {
  run: store.RunRow;
  tally: RunTally;
}

async function listArchived({ db }: App, runs: readonly store.RunRow[]): Promise<Set<string>> {
  const ids = [...new Set(runs.map(({ journeyId }) => journeyId))];
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: journeys.id, archivedAt: journeys.archivedAt })
    .from(journeys)
    .where(inArray(journeys.id, ids));
  return new Set(rows.flatMap(({ id, archivedAt }) => (archivedAt ? [id] : [])));
}

/** Of the latest run of each journey: which criteria were missed, and for how many runs. */
function findingsOf(run: store.RunRow, ofJourney: readonly Counted[]): SwarmOverviewRun["findings"] {
  const [latest] = ofJourney;
  if (latest?.run.id !== run.id) return [];
  const { missed, gradings } = latest.tally;
  return missed.flatMap(({ criterionId, label, kind, failCount, brokenCount }) => {
    if (failCount === 0) return [];
    return {
      criterionId,
      label,
      kind,
      failCount,
      pendingCount: gradings.pending,
      failedGradingCount: gradings.broken + brokenCount,
      sessionsGraded: gradings.graded,
      runStreak: streakOf(criterionId, ofJourney),
    };
  });
}

/** One run after the other, from the latest back; a run that graded nothing says neither. */
function streakOf(criterionId: string, ofJourney: readonly Counted[]): number {
  let streak = 0;
  for (const { tally } of ofJourney) {
    if (tally.gradings.graded === 0) continue;
    const own = tally.missed.find((one) => one.criterionId === criterionId);
    if (!own || own.failCount === 0) return streak;
    streak += 1;
  }
  return streak;
}

type Rollup = SwarmOverview["goalCompletion"];

/** Nothing graded is no rate, which is not a rate of 0. */
function rollUp(now: number, counted: readonly Counted[]): Rollup {
  const graded = counted.flatMap(({ run, tally: { goal } }) =>
    goal && goal.gradedCount > 0 ? [{ ...goal, createdAt: run.createdAt.getTime() }] : [],
  );
  const firstDay = dayStart(now) - (swarmLimits.trendDays - 1) * dayMs;
  const byDay = Map.groupBy(graded, ({ createdAt }) => dayStart(createdAt));
  return {
    ...rateOf(graded),
    runsWithGrades: graded.length,
    trend: [...byDay]
      .filter(([dayStartMs]) => dayStartMs >= firstDay)
      .toSorted(([one], [other]) => one - other)
      .map(([dayStartMs, some]) => {
        const { gradedCount, passedCount } = rateOf(some);
        return { dayStartMs, gradedCount, passedCount, passRate: passedCount / gradedCount };
      }),
  };
}

const dayStart = (at: number) => at - (at % dayMs);

function rateOf(goals: readonly { gradedCount: number; passedCount: number }[]) {
  const gradedCount = goals.reduce((sum, one) => sum + one.gradedCount, 0);
  const passedCount = goals.reduce((sum, one) => sum + one.passedCount, 0);
  return { gradedCount, passedCount, passRate: gradedCount === 0 ? null : passedCount / gradedCount };
}
