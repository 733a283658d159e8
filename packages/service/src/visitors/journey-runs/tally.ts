/** @module What became of a run's sessions, counted. It is kept with a run once nothing of it can change, so that a glance at many runs reads no session; until then it is counted anew. */
import type { JourneyRunId } from "@fettle/contract/core";
import type { AttemptState } from "@fettle/contract/visitors";
import type { Querier } from "../../core/db/pool.ts";
import type { RunRow } from "./store.ts";
import * as summary from "./summary-store.ts";

export interface RunTally {
  states: Record<AttemptState, number>;
  /** Null: no session is owed a grade of its goal. */
  goal: Omit<summary.GoalCount, "runId"> | null;
  gradings: Omit<summary.GradingCount, "runId">;
  /** Of each criterion that a session missed, or whose grader broke, in the order of the rubric. */
  missed: (Omit<summary.CriterionCount, "runId"> & { label: string | null; kind: string })[];
  /** Null where no session has told. */
  costUsd: number | null;
  totalTokens: number | null;
  targets: Omit<summary.PlaceRow, "runId" | "targetIndex">[];
}

/** One that an earlier version kept knows less of its targets. */
const isKept = (tally: unknown): tally is RunTally =>
  // Only `countRuns` makes what is kept.
  tally !== null && (tally as RunTally).targets.every((target) => target.hostId !== undefined);

export async function talliesOf(
  db: Querier,
  runs: readonly Pick<RunRow, "id" | "tally">[],
): Promise<ReadonlyMap<JourneyRunId, RunTally>> {
  const open = runs.flatMap(({ id, tally }) => (isKept(tally) ? [] : [id]));
  return new Map([
    ...runs.flatMap(({ id, tally }) => (isKept(tally) ? [[id, tally] as const] : [])),
    ...(await countRuns(db, open)),
  ]);
}

/** Counted for all at once, where their sessions are kept. */
export async function countRuns(
  db: Querier,
  ids: readonly JourneyRunId[],
): Promise<Map<JourneyRunId, RunTally>> {
  if (ids.length === 0) return new Map();
  const states = await summary.countStates(db, ids);
  const goals = byRun(await summary.countGoals(db, ids));
  const gradings = byRun(await summary.countGradings(db, ids));
  const missed = await summary.countMissed(db, ids);
  const criteria = await summary.listCriteria(db, ids);
  const taken = byRun(await summary.sumTaken(db, ids));
  const places = await summary.listPlaces(db, ids);
  return new Map(
    ids.map((id) => {
      const goal = goals.get(id);
      const counted = { pending: 0, running: 0, succeeded: 0, failed: 0, rate_limited: 0 };
      for (const { state, sessions } of ofRun(states, id)) counted[state] += sessions;
      const own = ofRun(missed, id);
      const tally: RunTally = {
        states: counted,
        goal: goal ? withoutRun(goal) : null,
        gradings: withoutRun(gradings.get(id) ?? { runId: id, graded: 0, pending: 0, broken: 0 }),
        missed: ofRun(criteria, id).flatMap(({ criterionId, label, kind }) => {
          const counts = own.find((one) => one.criterionId === criterionId);
          return counts ? [{ ...withoutRun(counts), label, kind }] : [];
        }),
        costUsd: taken.get(id)?.costUsd ?? null,
        totalTokens: taken.get(id)?.totalTokens ?? null,
        targets: ofRun(places, id).map(({ runId: _, targetIndex: __, ...target }) => target),
      };
      return [id, tally];
    }),
  );
}

const byRun = <Counted extends { runId: JourneyRunId }>(counted: readonly Counted[]) =>
  new Map(counted.map((one) => [one.runId, one]));
const ofRun = <Counted extends { runId: JourneyRunId }>(counted: readonly Counted[], id: JourneyRunId) =>
  counted.filter(({ runId }) => runId === id);

function withoutRun<Counted extends { runId: JourneyRunId }>({ runId: _, ...rest }: Counted) {
  return rest;
}

/** Sessions by how they ended; what has not ended is in the total alone. */
export const summaryOf = (total: number, states: Record<AttemptState, number>) => ({
  total,
  succeeded: states.succeeded,
  failed: states.failed,
  rateLimited: states.rate_limited,
});
