/** @module Runs and sessions as they are answered. */
import type { Page } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type {
  AttemptState,
  JourneyRun,
  JourneyRunAttempt,
  JourneyRunDetail,
  JourneyRunSession,
  JourneyRunSessionDetail,
} from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { cutPage, readCursor, readPlace, writeCursor } from "../../core/routing/page.ts";
import type { JourneyRow } from "../swarms/shared-sql.ts";
import { type FrozenJourney, hostOf, revisionOf } from "./frozen.ts";
import { displayStatus } from "./run-states.ts";
import * as store from "./store.ts";
import { summaryOf, talliesOf } from "./tally.ts";

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
    const { states, goal, costUsd, totalTokens, targets } = must(tallies.get(id), "a tally for each run");
    return {
      id,
      projectId,
      journeyId,
      journeyName,
      waveId,
      status,
      displayStatus: displayStatus(row),
      ...(error !== null && { error }),
      canceled,
      stale,
      persona: { ...persona, personaId: persona.id },
      summary: summaryOf(row.sessionsTotal, states),
      targets: targets.map(({ hostId, hostName, targetId, model }) => ({
        hostId,
        hostName,
        targetId,
        modelId: model,
      })),
      sessionsTotal: row.sessionsTotal,
      counts: states,
      goalCompletion: row.hasJudge ? (goal ?? ungraded) : null,
      costUsd,
      totalTokens,
      createdAt: row.createdAt.getTime(),
      startedAt: row.startedAt?.getTime() ?? null,
      completedAt: row.completedAt?.getTime() ?? null,
      ...(row.heartbeatAt && { lastHeartbeatAt: row.heartbeatAt.getTime() }),
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
  // Of the same moment as the sessions below, one of which may have ended before the run was counted.
  const counts = countsOf(attempts);
  return {
    ...must(run, "the run of its own row"),
    counts,
    summary: summaryOf(row.sessionsTotal, counts),
    goal,
    sessionsPerTarget,
    maxTurns,
    rubric,
    judge,
    spendLimitUsd,
    attempts: attempts.map((attempt) => toAttempt(attempt, frozen)),
    targetSummaries: frozen.places.map((place, at) => {
      const own = attempts.filter(({ targetIndex }) => targetIndex === at);
      const counts = countsOf(own);
      return {
        targetId: place.target.id,
        kind: place.target.kind,
        name: place.target.name,
        hostId: hostOf(place).hostId,
        model: place.model,
        modelClass: place.modelClass,
        personaDriver: place.driver,
        environmentRevision: revisionOf(place),
        ...summaryOf(own.length, counts),
        counts,
      };
    }),
  };
}

export async function listSessions(
  app: App,
  run: store.RunRow,
  { cursor, limit }: Asked,
): Promise<Page<JourneyRunSession>> {
  const after = cursor === undefined ? -1 : Number(readCursor(cursor, ["count"])[0]);
  const rows = await store.listAttempts(app.db, [run.id], { after, limit: limit + 1 });
  const { shown, next } = cutPage(rows, limit, ({ ordinal }) => writeCursor(ordinal));
  return { items: await toSessions(app, run, shown), ...next };
}

async function toSessions(
  { db }: App,
  run: store.RunRow,
  rows: readonly store.AttemptRow[],
): Promise<JourneyRunSession[]> {
  const frozen = stillThere(await store.readFrozen(db, run.id));
  const ids = rows.map(({ id }) => id);
  const said = await store.countMessages(db, ids);
  return rows.map((row) => {
    const { messages = 0, first } = said.get(row.id) ?? {};
    const told = tell(row, frozen);
    return {
      ...told,
      chatSessionId: row.id,
      projectId: run.projectId,
      journeyId: run.journeyId,
      personaId: run.persona.id,
      personaLabel: run.persona.name,
      status: row.state === "pending" ? null : "active",
      outcome: row.state,
      readiness: row.grading?.status ?? null,
      goalScore: row.goal?.score ?? null,
      messageCount: messages,
      ...(first && { preview: first }),
      modelId: placeOf(row, frozen).model,
      lastActivityAt: told.endedAt ?? told.startedAt,
    };
  });
}

/** A stop has a code of its own, what a provider or a server said has none. */
function stopOf(error: string | null) {
  const [, errorCode = null, said] = /^([a-z]+(?:_[a-z]+)+)(?:: (.*))?$/s.exec(error ?? "") ?? [];
  return { errorCode, errorMessage: said ?? error };
}

function toAttempt(row: store.AttemptRow, frozen: FrozenJourney): JourneyRunAttempt {
  return {
    ...tell(row, frozen),
    chatSessionId: row.startedAt === null ? null : row.id,
    sessionIndex: row.index,
    status: row.state,
    ...stopOf(row.error),
  };
}

const placeOf = ({ targetIndex }: store.AttemptRow, { places }: FrozenJourney) =>
  must(places[targetIndex], "a place for each session");

function tell(row: store.AttemptRow, frozen: FrozenJourney) {
  const { id, runId, ordinal, index, targetId, targetName, state, error, end } = row;
  const { turns, toolCalls, toolErrors, totalTokens, costUsd, grading, goal } = row;
  return {
    id,
    hostId: hostOf(placeOf(row, frozen)).hostId,
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
  const frozen = stillThere(await store.readFrozen(app.db, run.id));
  const [session] = await toSessions(app, run, [row]);
  return {
    ...must(session, "the session of its own row"),
    personaDriver: placeOf(row, frozen).driver,
    farewell: kept?.farewell ?? null,
    messages: (kept?.trace.messages ?? []).map((message) => ({ ...message })),
    warnings: kept?.trace.warnings ?? [],
  };
}
