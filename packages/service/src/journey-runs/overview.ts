/** @module The state of a project's swarms at a glance. Whatever the project holds, so many of its latest runs are looked at, counted in the database. */
import { type ProjectId, type SwarmOverview, type SwarmOverviewRun, swarmLimits } from "@fettle/contract";
import { inArray } from "drizzle-orm";
import type { App } from "../app.ts";
import { journeys } from "../tables/swarms.ts";
import { displayStatus } from "./run-states.ts";
import * as store from "./store.ts";
import * as summary from "./summary-store.ts";

const dayMs = 86_400_000;

export async function readOverview(app: App, projectId: ProjectId): Promise<SwarmOverview> {
  const { db } = app;
  const runs = await store.listRuns(db, { projectId, limit: swarmLimits.overviewRuns });
  const ids = runs.map(({ id }) => id);
  const [states, goals, places, archived, findingsOf] = await Promise.all([
    summary.countStates(db, ids),
    summary.countGoals(db, ids),
    summary.listPlaces(db, ids),
    listArchived(app, runs),
    findingsReader(app, runs),
  ]);
  const goalsOf = new Map(goals.map(({ runId, ...counted }) => [runId, counted]));
  return {
    runs: runs.map((run) => {
      const own = states.filter(({ runId }) => runId === run.id);
      const sessions = (state: string) =>
        own.filter((one) => one.state === state).reduce((sum, one) => sum + one.sessions, 0);
      return {
        runId: run.id,
        journeyId: run.journeyId,
        journeyName: run.journeyName,
        journeyArchived: archived.has(run.journeyId),
        personaName: run.persona.name,
        waveId: run.waveId,
        status: displayStatus(run),
        summary: {
          total: run.sessionsTotal,
          succeeded: sessions("succeeded"),
          failed: sessions("failed"),
          rateLimited: sessions("rate_limited"),
        },
        goalCompletion: goalsOf.get(run.id) ?? null,
        findings: findingsOf(run),
        targets: places
          .filter(({ runId }) => runId === run.id)
          .map(({ targetId, kind, name, model }) => ({ targetId, kind, name, model })),
        createdAt: run.createdAt.getTime(),
      };
    }),
    runsConsidered: runs.length,
    goalCompletion: rollUp(app.now(), runs, goals),
  };
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
async function findingsReader({ db }: App, runs: readonly store.RunRow[]) {
  const ids = runs.map(({ id }) => id);
  const missed = await summary.countMissed(db, ids);
  const byJourney = Map.groupBy(runs, ({ journeyId }) => journeyId);
  const latest = [...byJourney.values()].map(([first]) => first!.id);
  const [gradings, criteria] = await Promise.all([
    summary.countGradings(db, ids),
    summary.listCriteria(db, latest),
  ]);
  return (run: store.RunRow): SwarmOverviewRun["findings"] => {
    const ofJourney = byJourney.get(run.journeyId) ?? [];
    if (ofJourney[0]?.id !== run.id) return [];
    const counted = gradings.find(({ runId }) => runId === run.id);
    return criteria
      .filter(({ runId }) => runId === run.id)
      .flatMap(({ criterionId, label, kind }) => {
        const own = missed.find((one) => one.runId === run.id && one.criterionId === criterionId);
        if (!own || own.failCount === 0) return [];
        return {
          criterionId,
          label,
          kind,
          failCount: own.failCount,
          pendingCount: counted?.pending ?? 0,
          failedGradingCount: (counted?.broken ?? 0) + own.brokenCount,
          sessionsGraded: counted?.graded ?? 0,
          runStreak: streakOf(criterionId, ofJourney, missed, gradings),
        };
      });
  };
}

/** One run after the other, from the latest back; a run that graded nothing says neither. */
function streakOf(
  criterionId: string,
  ofJourney: readonly store.RunRow[],
  missed: readonly summary.CriterionCount[],
  gradings: readonly summary.GradingCount[],
): number {
  let streak = 0;
  for (const { id } of ofJourney) {
    if ((gradings.find(({ runId }) => runId === id)?.graded ?? 0) === 0) continue;
    const own = missed.find((one) => one.runId === id && one.criterionId === criterionId);
    if (!own || own.failCount === 0) return streak;
    streak += 1;
  }
  return streak;
}

type Rollup = SwarmOverview["goalCompletion"];

/** Nothing graded is no rate, which is not a rate of 0. */
function rollUp(now: number, runs: readonly store.RunRow[], goals: readonly summary.GoalCount[]): Rollup {
  const graded = goals.filter(({ gradedCount }) => gradedCount > 0);
  const createdAt = new Map(runs.map((run) => [run.id, run.createdAt.getTime()]));
  const firstDay = dayStart(now) - (swarmLimits.trendDays - 1) * dayMs;
  const byDay = Map.groupBy(graded, ({ runId }) => dayStart(createdAt.get(runId)!));
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

function rateOf(goals: readonly summary.GoalCount[]) {
  const gradedCount = goals.reduce((sum, one) => sum + one.gradedCount, 0);
  const passedCount = goals.reduce((sum, one) => sum + one.passedCount, 0);
  return { gradedCount, passedCount, passRate: gradedCount === 0 ? null : passedCount / gradedCount };
}
