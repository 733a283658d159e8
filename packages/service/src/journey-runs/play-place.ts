/** @module The visitors of one place, one after the other: claimed, played, written, graded. */
import { limits } from "@fettle/contract";
import {
  defaultAgentLimits,
  type Model,
  nextWords,
  type Persona,
  type PlayedSession,
  playSession,
  type ServerLink,
  startDeadline,
  type Trace,
  tokensOf,
  toolErrorsOf,
} from "@fettle/evals";
import { and, eq } from "drizzle-orm";
import type { App } from "../app.ts";
import { createRunServers, type RunServers } from "../eval-runs/run-servers.ts";
import { keepSnapshot, snapshotOf } from "../eval-runs/surface.ts";
import type { JobCall } from "../jobs/define.ts";
import { forgiveJob } from "../jobs/store.ts";
import type { SpendDial } from "../models/ledger.ts";
import { openModel } from "../models/open-model.ts";
import { journeyAttempts, journeyRunTools } from "../tables/journey-runs.ts";
import { assistantOf } from "./assistant.ts";
import { type FrozenJourney, type FrozenPlace, sourceOf } from "./frozen.ts";
import { claimGrading, gradeSession } from "./grade.ts";
import { tell } from "./live.ts";
import { modelPersona } from "./model-persona.ts";
import { failureOf, type Outcome, outcomeOf, rateLimited } from "./outcome.ts";
import type { PlayInput } from "./play-run.ts";
import type { Purse } from "./purse.ts";
import * as store from "./store.ts";

export interface Stage {
  call: JobCall<PlayInput>;
  app: App;
  run: store.RunRow;
  frozen: FrozenJourney;
  purse: Purse;
  /** Nothing more may be spent: no further visitor comes, anywhere. */
  isSpent: boolean;
  /** Places of which it is written what their servers offer. */
  readonly known: Set<number>;
  written(): void;
}

export const openStage = (
  call: JobCall<PlayInput>,
  rest: Pick<Stage, "run" | "frozen" | "purse" | "written">,
): Stage => ({ call, app: call.app, isSpent: false, known: new Set(), ...rest });

export async function visitPlace(stage: Stage, targetIndex: number): Promise<void> {
  const { call, app, run, frozen } = stage;
  const { projectId, userId } = call.input;
  const place = frozen.places[targetIndex]!;
  const { callMs } = defaultAgentLimits;
  const servers = createRunServers(app, { projectId, userId, target: place.target, callMs });
  try {
    const isHere = and(eq(journeyAttempts.targetIndex, targetIndex), store.inState("pending"));
    for (const attempt of await store.listAttempts(app.db, [run.id], { also: isHere })) {
      if (stage.isSpent || call.signal.aborted) return;
      if (!(await claim(stage, attempt))) continue;
      const { stops } = await visit(stage, place, servers, attempt);
      if (stops === "all") stage.isSpent = true;
      if (stops !== "place") continue;
      const ended = { to: "rate_limited", error: rateLimited, endedAt: new Date(app.now()) } as const;
      await store.finalize(app.db, run.id, "pending", { ...ended, targetIndex });
      return;
    }
  } finally {
    await servers.close();
  }
}

/** Only while the job is ours: of two workers that believe in a run, one has it. */
async function claim({ call, app, run, written }: Stage, { id, targetName, index }: store.AttemptRow) {
  const isOurs = await app.db.transaction(async (tx) => {
    await call.requireLease(tx);
    const now = await store.lockRun(tx, run.id);
    if (now?.status !== "running") return false;
    return store.moveAttempt(tx, id, "running", { startedAt: new Date(app.now()) });
  });
  if (!isOurs) return false;
  written();
  await tell(app, run, "session_start", { targetName, index }, id);
  return true;
}

interface Visited extends Outcome {
  trace?: Trace;
  played?: PlayedSession;
}

async function visit(
  stage: Stage,
  place: FrozenPlace,
  servers: RunServers,
  attempt: store.AttemptRow,
): Promise<Outcome> {
  const { app, call, run, frozen, purse } = stage;
  const { dial, spent } = purse.forSession();
  const seen = await playOne(stage, place, servers, attempt, dial);
  const { trace, played, state, stops } = seen;
  const error = call.signal.aborted ? "session_aborted" : seen.error;
  const isOver = state === "succeeded" && !call.signal.aborted;
  const grades = isOver ? claimGrading(frozen) : { grading: null, goal: null };
  const kept = trace && servers.hide(trace);
  // Not held to the lease: what was played is told, and only what is still under way can end.
  await app.db.transaction(async (tx) => {
    const isWritten = await store.moveAttempt(tx, attempt.id, isOver ? "succeeded" : orFailed(state), {
      error: error === null ? null : storable(servers.hide(error)),
      end: played?.end ?? null,
      turns: played?.turns.length ?? null,
      toolCalls: trace?.toolCalls.length ?? null,
      toolErrors: trace ? toolErrorsOf(trace).length : null,
      totalTokens: tokensOf(trace),
      costUsd: place.modelClass === "rules" ? 0 : spent(),
      endedAt: new Date(app.now()),
      ...grades,
    });
    if (isWritten && kept) await store.saveTrace(tx, attempt.id, kept, played?.farewell ?? null);
    if (isWritten) await tx.execute(forgiveJob(call));
  });
  stage.written();
  await tell(app, run, "session_end", { state: isOver ? "succeeded" : orFailed(state), error }, attempt.id);
  if (kept && isOver) await completeGrading(stage, { ...attempt, ...grades }, kept, dial);
  return { state, error, stops };
}

const orFailed = (state: Outcome["state"]) => (state === "succeeded" ? "failed" : state);

async function playOne(
  stage: Stage,
  place: FrozenPlace,
  servers: RunServers,
  attempt: store.AttemptRow,
  dial: SpendDial,
): Promise<Visited> {
  const { app, call, run, frozen } = stage;
  const { model: name, driver } = place;
  const deadline = startDeadline(limits.evals.iterationMs, call.signal, "The session");
  let trace: Trace | undefined;
  try {
    const model = await openFor(stage, name, dial);
    await using opened = await servers.connect(attempt.targetIndex, deadline.signal);
    await keepTools(stage, place, attempt.targetIndex, opened.links);
    const agent = assistantOf(place, model, opened.links, run.createdAt.getTime());
    trace = agent.trace;
    const { persona, goal, maxTurns } = frozen;
    const speaks: Persona =
      driver === "rules"
        ? (played) => nextWords({ persona, goal, played })
        : modelPersona(model, { persona, goal, maxTurns });
    const played = await playSession({
      agent,
      persona: speaks,
      maxTurns,
      signal: deadline.signal,
      onTurn: (turn) => tell(app, run, "turn", servers.hide(turn), attempt.id),
    });
    return { ...outcomeOf(played, trace), trace, played };
  } catch (error) {
    return { ...failureOf(error), ...(trace && { trace }) };
  } finally {
    deadline.release();
  }
}

function openFor({ app, call, run }: Stage, name: string, dial: SpendDial): Promise<Model> {
  const { organizationId, projectId } = call.input;
  return openModel(app, { organizationId, projectId, name, source: sourceOf(run.id), dial });
}

/** The first content of each server stands for the place: findings name it later. */
async function keepTools(
  { app, run, known }: Stage,
  { target }: FrozenPlace,
  targetIndex: number,
  links: readonly ServerLink[],
): Promise<void> {
  if (known.has(targetIndex)) return;
  await app.db.transaction(async (tx) => {
    for (const link of links) {
      const server = target.servers.find(({ name }) => name === link.name);
      if (!server) continue;
      const hash = await keepSnapshot(tx, run.projectId, snapshotOf(link), new Date(app.now()));
      await tx
        .insert(journeyRunTools)
        .values({ runId: run.id, targetIndex, serverId: server.id, serverName: server.name, hash })
        .onConflictDoNothing();
    }
  });
  known.add(targetIndex);
}

async function completeGrading(
  stage: Stage,
  claimed: store.AttemptRow,
  trace: Trace,
  dial: SpendDial,
): Promise<void> {
  const { app, call, frozen } = stage;
  if (claimed.grading === null && claimed.goal === null) return;
  const openJudge = (name: string) => openFor(stage, name, dial);
  const grades = await gradeSession(frozen, claimed, trace, openJudge, call.signal);
  await store.completeGrading(app.db, claimed, grades);
  stage.written();
}

/** What a worker before this one played and could not grade any more. */
export async function gradeLeft(stage: Stage): Promise<void> {
  const { app, run, purse } = stage;
  for (const attempt of await store.listUngraded(app.db, run.id)) {
    const kept = (await store.readTraces(app.db, [attempt.id])).get(attempt.id);
    if (kept) await completeGrading(stage, attempt, kept.trace, purse.forSession().dial);
  }
}

/** PostgreSQL keeps neither the zero character nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}
