/** @module Runs and sessions as they are answered. */
import type { Page } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type {
  AttemptState,
  JourneyRun,
  JourneyRunDetail,
  JourneyRunSession,
  JourneyRunSessionDetail,
} from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { cutPage, readCursor, readPlace, writeCursor } from "../../core/routing/page.ts";
import type { JourneyRow } from "../swarms/shared-sql.ts";
import { revisionOf } from "./frozen.ts";
import { displayStatus } from "./run-states.ts";
import * as store from "./store.ts";
import { talliesOf } from "./tally.ts";

interface Asked {
  cursor?: string | undefined;
  limit: number;
}

export async function listRuns(
  app: App,
  { projectId, id: journeyId }: JourneyRow,
  { cursor, limit }: Asked,
): Promise<Page<JourneyRun>> {
  const before = readPlace<"journeyRun">(cursor);
  const rows = await store.listRuns(app.db, { projectId, journeyId, before, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
  return { items: await toRuns(app, shown), ...next };
}

/** With what has become of their sessions. */
export async function toRuns({ db }: App, rows: readonly store.RunRow[]): Promise<JourneyRun[]> {
  const tallies = await talliesOf(db, rows);
  return rows.map((row) => {
    const { id, projectId, journeyId, journeyName, waveId, status, error, canceled, stale, persona } = row;
    const { states, goal, costUsd, totalTokens } = must(tallies.get(id), "a tally for each run");
    return {
      id,
      projectId,
      journeyId,
      journeyName,
      waveId,
      status,
      displayStatus: displayStatus(row),
      error,
      canceled,
      stale,
      persona,
      sessionsTotal: row.sessionsTotal,
      counts: states,
      goalCompletion: row.hasJudge ? (goal ?? ungraded) : null,
      costUsd,
      totalTokens,
      createdAt: row.createdAt.getTime(),
      startedAt: row.startedAt?.getTime() ?? null,
      completedAt: row.completedAt?.getTime() ?? null,
    };
  });
}

/** Nothing graded is no score, which is not a score of 0. */
const ungraded = {
  gradedCount: 0,
  passedCount: 0,
  avgScore: null,
  pendingCount: 0,
  failedCount: 0,
};

function countsOf(attempts: readonly store.AttemptRow[]): Record<AttemptState, number> {
  const counts = { pending: 0, running: 0, succeeded: 0, failed: 0, rate_limited: 0 };
  for (const { state } of attempts) counts[state] += 1;
  return counts;
}

export async function readRun(app: App, row: store.RunRow): Promise<JourneyRunDetail> {
  const attempts = await store.listAttempts(app.db, [row.id]);
  const frozen = stillThere(await store.readFrozen(app.db, row.id));
  const [run] = await toRuns(app, [row]);
  const { goal, sessionsPerTarget, maxTurns, rubric, judge, spendLimitUsd } = frozen;
  return {
    ...must(run, "the run of its own row"),
    // Of the same moment as the sessions below, one of which may have ended before the run was counted.
    counts: countsOf(attempts),
    goal,
    sessionsPerTarget,
    maxTurns,
    rubric,
    judge,
    spendLimitUsd,
    attempts: attempts.map(toSession),
    targetSummaries: frozen.places.map((place, at) => ({
      targetId: place.target.id,
      kind: place.target.kind,
      name: place.target.name,
      model: place.model,
      modelClass: place.modelClass,
      personaDriver: place.driver,
      environmentRevision: revisionOf(place),
      counts: countsOf(attempts.filter(({ targetIndex }) => targetIndex === at)),
    })),
  };
}

export async function listSessions(
  app: App,
  { id }: store.RunRow,
  { cursor, limit }: Asked,
): Promise<Page<JourneyRunSession>> {
  const after = cursor === undefined ? -1 : Number(readCursor(cursor, ["count"])[0]);
  const rows = await store.listAttempts(app.db, [id], { after, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, ({ ordinal }) => writeCursor(ordinal));
  return { items: shown.map(toSession), ...next };
}

function toSession(row: store.AttemptRow): JourneyRunSession {
  const { id, runId, ordinal, index, targetId, targetName, state, error, end } = row;
  const { turns, toolCalls, toolErrors, totalTokens, costUsd, grading, goal } = row;
  return {
    id,
    runId,
    ordinal,
    index,
    targetId,
    targetName,
    state,
    error,
    end,
    turns,
    toolCalls,
    toolErrors,
    totalTokens,
    costUsd,
    startedAt: row.startedAt?.getTime() ?? null,
    endedAt: row.endedAt?.getTime() ?? null,
    grading,
    goal,
  };
}

export async function readSession(
  app: App,
  run: store.RunRow,
  row: store.AttemptRow,
): Promise<JourneyRunSessionDetail> {
  const kept = (await store.readTraces(app.db, [row.id])).get(row.id);
  const frozen = await store.readFrozen(app.db, run.id);
  return {
    ...toSession(row),
    personaDriver: frozen?.places[row.targetIndex]?.driver ?? run.personaDriver,
    farewell: kept?.farewell ?? null,
    messages: (kept?.trace.messages ?? []).map((message) => ({ ...message })),
    warnings: kept?.trace.warnings ?? [],
  };
}
