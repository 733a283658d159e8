/** @module The visitors of one place, one after the other: claimed, played, written, graded. */
import { limits } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
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
import type { App } from "../../core/app.ts";
import { outageOf } from "../../core/db/outage.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { type JobCall, LeaseLost } from "../../core/jobs/define.ts";
import { forgiveJob, lockHeld } from "../../core/jobs/store.ts";
import { journeyAttempts, journeyRunTools } from "../../core/tables/journey-runs.ts";
import { createRunServers, type RunServers } from "../../environments/targets/run-servers.ts";
import { keepSnapshot, snapshotOf } from "../../environments/targets/tool-snapshots.ts";
import type { SpendDial } from "../../models/ledger.ts";
import { openModel } from "../../models/open-model.ts";
import { sourceOf } from "../../runs/life/life.ts";
import { lockRun } from "../../runs/life/store.ts";
import { assistantOf } from "./assistant.ts";
import type { FrozenJourney, FrozenPlace } from "./frozen.ts";
import { claimGrading, gradeSession } from "./grade.ts";
import { type KeptSteps, openSteps } from "./kept-steps.ts";
import { journeyRunKind } from "./kind.ts";
import { tell } from "./live.ts";
import { modelPersona } from "./model-persona.ts";
import { failureOf, type Outcome, outcomeOf, rateLimited } from "./outcome.ts";
import type { PlayInput } from "./play-run.ts";
import type { Purse } from "./run-budget.ts";
import { forgetSteps } from "./step-store.ts";
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
  const place = must(frozen.places[targetIndex], "the place of each frozen target");
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
async function claim({ call, app, run, written }: Stage, attempt: store.AttemptRow) {
  const { id, targetName, index, startedAt } = attempt;
  const isOurs = await app.db.transaction(async (tx) => {
    await call.requireLease(tx);
    const now = await lockRun(tx, journeyRunKind, run.id);
    if (now?.status !== "running") return false;
    return store.moveAttempt(tx, id, "running", { startedAt: startedAt ?? new Date(app.now()) });
  });
  if (!isOurs) return false;
  written();
  if (!startedAt) await tell(app, run, "session_start", { targetName, index }, { sessionId: id });
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
  // What costs nothing is played again from its start.
  using steps = await stepsOf(stage, attempt, "session", servers.hide, place.modelClass !== "rules");
  const seen = await playOne(stage, place, servers, attempt, dial, steps);
  if (steps?.broken) throw steps.broken;
  const { trace, played, state, stops } = seen;
  const isOver = state === "succeeded";
  const isCutOff = !isOver && call.signal.aborted;
  if (isCutOff && (await handOver(stage, attempt))) return { state, error: null, stops: "nobody" };
  const error = isCutOff ? "session_aborted" : seen.error;
  const grades = isOver ? claimGrading(frozen) : { grading: null, goal: null };
  const kept = trace && servers.hide(trace);
  await app.db.transaction(async (tx) => {
    await requireSession(stage, tx);
    const isWritten = await store.moveAttempt(tx, attempt.id, isOver ? "succeeded" : orFailed(state), {
      error: error === null ? null : servers.hide(error),
      end: played?.end ?? null,
      turns: played?.turns.length ?? null,
      toolCalls: trace?.toolCalls.length ?? null,
      toolErrors: trace ? toolErrorsOf(trace).length : null,
      totalTokens: tokensOf(trace),
      costUsd: place.modelClass === "rules" ? 0 : (steps?.paidUsd ?? 0) + spent(),
      endedAt: new Date(app.now()),
      ...grades,
    });
    if (isWritten && kept) await store.saveTrace(tx, attempt.id, kept, played?.farewell ?? null);
    if (isWritten) await forgetSteps(tx, { attemptId: attempt.id, part: "session" });
    if (isWritten) await tx.execute(forgiveJob(call));
  });
  stage.written();
  await tell(
    app,
    run,
    "session_end",
    { state: isOver ? "succeeded" : orFailed(state), error },
    { sessionId: attempt.id },
  );
  if (kept && isOver) await completeGrading(stage, { ...attempt, ...grades }, kept, dial);
  return { state, error, stops };
}

const orFailed = (state: Outcome["state"]) => (state === "succeeded" ? "failed" : state);

function stepsOf(
  { call }: Stage,
  { id: attemptId }: store.AttemptRow,
  part: "session" | "judge",
  hide: RunServers["hide"],
  isPaid: boolean,
): Promise<KeptSteps> | undefined {
  return isPaid ? openSteps(call, { attemptId, part }, hide) : undefined;
}

/** The job is ours; or its run has ended, and nobody else will say what became of its sessions. */
async function requireSession({ call, run }: Stage, tx: Transaction): Promise<void> {
  const isHeld = await lockHeld(tx, call);
  const now = await lockRun(tx, journeyRunKind, run.id);
  if (!isHeld && now?.status === "running") throw new LeaseLost(call.id);
}

/** To whoever takes the run up next: it goes on where it was. False: the run has ended, and nobody will. */
async function handOver({ call, app, run, written }: Stage, { id }: store.AttemptRow): Promise<boolean> {
  const isOpen = await app.db.transaction(async (tx) => {
    const isHeld = await lockHeld(tx, call);
    if ((await lockRun(tx, journeyRunKind, run.id))?.status !== "running") return false;
    // Where another process has the run by now, it has this session too.
    if (isHeld) await store.moveAttempt(tx, id, "pending");
    return true;
  });
  if (isOpen) written();
  return isOpen;
}

async function playOne(
  stage: Stage,
  place: FrozenPlace,
  servers: RunServers,
  attempt: store.AttemptRow,
  dial: SpendDial,
  steps: KeptSteps | undefined,
): Promise<Visited> {
  const { app, call, run, frozen } = stage;
  const { model: name, driver } = place;
  const deadline = startDeadline(limits.evals.iterationMs, steps?.signal ?? call.signal, "The session");
  let trace: Trace | undefined;
  try {
    const live = await openFor(stage, name, dial);
    const model = steps?.model(live) ?? live;
    await using opened = await servers.connect(attempt.targetIndex, deadline.signal);
    await keepTools(stage, place, attempt.targetIndex, opened.links);
    const links = steps?.servers(opened.links) ?? opened.links;
    const agent = assistantOf(place, model, links, { now: run.createdAt.getTime(), clock: steps?.clock });
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
      onTurn: async (turn, isWhole) => {
        // What was told before, or is cut off and will be played again, is not told. Whoever takes over plays a whole one from what is kept.
        const isCutOff = call.signal.aborted && !isWhole;
        if (!steps?.isCatchingUp && !isCutOff)
          await tell(app, run, "turn", servers.hide(turn), { sessionId: attempt.id });
      },
    });
    return { ...outcomeOf(played, trace), trace, played };
  } catch (error) {
    // Nobody's fault here, and the session can still be played.
    if (outageOf(error)) throw error;
    return { ...failureOf(error), ...(trace && { trace }) };
  } finally {
    deadline.release();
  }
}

function openFor({ app, call, run }: Stage, name: string, dial: SpendDial): Promise<Model> {
  const { organizationId, projectId } = call.input;
  return openModel(app, { organizationId, projectId, name, source: sourceOf(journeyRunKind, run), dial });
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
  const isPaid = claimed.goal !== null && frozen.judge?.model !== null;
  using steps = await stepsOf(stage, claimed, "judge", (value) => value, isPaid);
  const openJudge = async (name: string) => {
    const live = await openFor(stage, name, dial);
    return steps?.model(live) ?? live;
  };
  const grades = await gradeSession(frozen, claimed, trace, openJudge, steps?.signal ?? call.signal);
  if (steps?.broken) throw steps.broken;
  await store.completeGrading(app.db, claimed, grades);
  if (steps) await forgetSteps(app.db, { attemptId: claimed.id, part: "judge" });
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
