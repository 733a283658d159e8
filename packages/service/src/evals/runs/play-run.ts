/** @module Plays a run: a job takes its repetitions in order, a few at a time, and writes each as it settles. A successor plays what is missing. */
import { setTimeout as delay } from "node:timers/promises";
import {
  ApiError,
  idOf,
  limits,
  type OrganizationId,
  type ProjectId,
  type UserId,
} from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { type Model, type PlayedIteration, playCase, startDeadline } from "@fettle/evals";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob, type JobCall } from "../../core/jobs/define.ts";
import { createRunServers, type RunServers } from "../../environments/targets/run-servers.ts";
import { openModel } from "../../models/open-model.ts";
import { createTeller } from "../../people/accounts/announce.ts";
import { endRun, finishRun, takeUpRun } from "../../runs/life/life.ts";
import { caseByKey, type FrozenCase, type FrozenRun } from "./frozen.ts";
import { endUnsettled, listUnsettled, type Unsettled } from "./iteration-store.ts";
import { evalRunKind } from "./kind.ts";
import { placeOfKeys } from "./launched-keys.ts";
import { toSettled } from "./settled.ts";
import * as store from "./store.ts";
import { captureSurface, type Surface } from "./surface.ts";
import { createWriter } from "./writer.ts";

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  runId: idOf<"evalRun">(),
  userId: idOf<"user">(),
});
type Input = z.output<typeof input>;

export const playRunJob = defineJob({
  name: "evals.play-run",
  input,
  // Deaths of workers without any progress between them; each settled repetition starts the count anew.
  retry: { attempts: 6, delayMs: 500 },
  // The run has a deadline of its own, which ends it properly.
  timeoutMs: 2 * limits.evals.runMs,
  takesLong: true,
  run: playRun,
});

/** Repetitions whose names are held at a time; everything else of them is read and written as they are played. */
const chunk = 200;

async function playRun(call: JobCall<Input>): Promise<void> {
  const { app, input: asked, finish, signal } = call;
  const { projectId, runId } = asked;
  const begun = await takeUpRun(call, evalRunKind, runId, ({ startedAt }) => ({
    startedAt: startedAt ?? new Date(app.now()),
  }));
  const held = begun && (await store.findSnapshot(app.db, runId));
  if (!begun || !held) return;
  const { snapshot, sealedModelKeys } = held;
  const leftMs =
    must(begun.startedAt, "the start of a run that was taken up").getTime() +
    snapshot.budgets.runMs.value -
    app.now();
  const deadline = startDeadline(Math.max(0, leftMs), signal, "The run");
  const { target, budgets } = snapshot;
  const servers = createRunServers(app, {
    projectId,
    userId: asked.userId,
    target,
    callMs: budgets.callMs.value,
    withComputer: true,
  });
  try {
    const opened = await openSurface(app, begun, servers, deadline.signal);
    if ("failure" in opened) {
      signal.throwIfAborted();
      await finish(async (tx) => {
        if (deadline.isOver) return void (await endRun(app, tx, evalRunKind, begun, { end: "timedOut" }));
        const error = opened.failure;
        await endUnsettled(tx, runId, { running: "setup_failed", pending: "setup_failed", error });
        const told = { stopReason: "setup_failed", error } as const;
        await endRun(app, tx, evalRunKind, begun, { end: "completed", told });
      });
      return;
    }
    const keys =
      sealedModelKeys === null
        ? undefined
        : (JSON.parse(app.vault.open(sealedModelKeys, placeOfKeys(runId)).reveal()) as Record<
            string,
            string
          >);
    const spent = await playAll(call, begun, snapshot, servers, opened.surface, keys, deadline.signal);
    signal.throwIfAborted();
    const { drift, warnings } = opened.surface;
    const told = {
      toolSurfaceDrift: drift,
      warnings: [...begun.warnings, ...warnings],
      ...(spent && { stopReason: "spend_limit" as const }),
    };
    const end = deadline.isOver ? "timedOut" : "completed";
    await finishRun(call, evalRunKind, begun, { end, told });
  } finally {
    deadline.release();
    await servers.close();
  }
}

/** A server that is just starting deserves another try; one that stays away shows nothing about the suite. */
async function openSurface(
  app: App,
  run: store.RunRow,
  servers: RunServers,
  signal: AbortSignal,
): Promise<{ surface: Surface } | { failure: string }> {
  for (let pauseMs = 500; ; pauseMs *= 4) {
    try {
      await using opened = await servers.connect(0, signal);
      return { surface: await captureSurface(app, run, opened.links) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (signal.aborted || pauseMs > 2_000) return { failure: servers.hide(message) };
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Whether it ended because nothing more may be spent. */
async function playAll(
  call: JobCall<Input>,
  run: store.RunRow,
  frozen: FrozenRun,
  servers: RunServers,
  surface: Surface,
  keys: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const { app, id, claim, input: asked } = call;
  const cases = caseByKey(frozen);
  const models = openModels(app, asked, keys);
  const written = createTeller(app, asked.projectId, "eval-runs");
  const writer = createWriter({ db: app.db, now: app.now, written }, { id, claim });
  const next = unsettledOf(app, run);
  let spent = false;

  const play = async (player: number) => {
    while (!signal.aborted && !spent) {
      const iteration = await next();
      if (!iteration) return;
      const one = must(cases.get(iteration.caseKey), "the case of each iteration");
      writer.begin(iteration.id);
      const startedAt = new Date(app.now());
      const played = await playOne(one, iteration, { frozen, run, servers, models, player, signal });
      // Not ours to say any more: cancelled, or another worker plays it again.
      call.signal.throwIfAborted();
      spent ||= played.trace?.turns.at(-1)?.stop === "spend_limit";
      await writer.settle(toSettled(iteration, one, played, { startedAt, surface, hide: servers.hide }));
    }
  };
  try {
    const players = Array.from({ length: frozen.concurrency }, (_, player) => play(player));
    const outcomes = await Promise.allSettled(players);
    // Before anything is thrown: what was played is paid for, and the job may still be ours.
    const flushed = writer.flush();
    await flushed.catch(() => undefined);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    await flushed;
  } finally {
    writer.close();
  }
  return spent;
}

interface Stage {
  frozen: FrozenRun;
  run: store.RunRow;
  servers: RunServers;
  models: (name: string) => Promise<Model>;
  player: number;
  signal: AbortSignal;
}

/** As a conversation in this mode has it. */
const readOnly = { mode: "readOnly", hidesBlocked: true } as const;

async function playOne(
  { item, grading, advanced }: FrozenCase,
  { model }: Unsettled,
  { frozen, run, servers, models, player, signal }: Stage,
): Promise<PlayedIteration> {
  const { target, budgets, concurrency } = frozen;
  const deadline = startDeadline(budgets.iterationMs.value, signal, "The repetition");
  try {
    return await playCase(item, {
      model: await models(must(model, "the model of an iteration that runs")),
      connect: (opening) => servers.connect(player, opening),
      serverOf: (call) => namedIn(target.servers, call),
      // An empty one is a case's own: the suite's is not told either.
      system: (advanced?.system ?? target.system) || undefined,
      temperature: advanced?.temperature ?? target.temperature ?? undefined,
      toolChoice: advanced?.toolChoice,
      policy: advanced?.toolMode === "read_only" ? readOnly : undefined,
      limits: {
        steps: budgets.steps.value,
        turnMs: budgets.turnMs.value,
        callMs: budgets.callMs.value,
        parallelCalls: Math.max(1, Math.floor(limits.evals.concurrentCallsPerServer / concurrency)),
      },
      grading,
      signal: deadline.signal,
      now: run.createdAt.getTime(),
    });
  } catch (error) {
    // Of a model that can no longer be had: nothing was tested.
    if (!(error instanceof ApiError)) throw error;
    return {
      status: "setup_failed",
      result: null,
      error: error.message,
      owner: "infrastructure",
      durationMs: 0,
    };
  } finally {
    deadline.release();
  }
}

function openModels(
  app: App,
  {
    organizationId,
    projectId,
    runId,
  }: { organizationId: OrganizationId; projectId: ProjectId; runId: Input["runId"]; userId: UserId },
  oneTimeKeys: Record<string, string> | undefined,
) {
  const open = new Map<string, Promise<Model>>();
  return (name: string): Promise<Model> => {
    const wanted = { organizationId, projectId, name, source: { kind: "evalRun", id: runId } };
    const model = open.get(name) ?? openModel(app, { ...wanted, ...(oneTimeKeys && { oneTimeKeys }) });
    open.set(name, model);
    return model;
  };
}

/** Hands out what has not settled, one by one, to players who ask at the same time. */
function unsettledOf(app: App, { id }: store.RunRow): () => Promise<Unsettled | undefined> {
  let waiting: Unsettled[] = [];
  let last = -1;
  let reading: Promise<void> | undefined;
  return async () => {
    while (waiting.length === 0) {
      const before = last;
      reading ??= listUnsettled(app.db, id, last, chunk).then((rows) => {
        waiting = rows;
        last = rows.at(-1)?.ordinal ?? last;
        reading = undefined;
      });
      await reading;
      if (waiting.length === 0 && last === before) return undefined;
    }
    return waiting.shift();
  };
}

/** An id wins, and the name is only shown then. Files may spell a name otherwise than it was saved. */
function namedIn(
  servers: FrozenRun["target"]["servers"],
  { serverId, serverName }: { serverId?: string | undefined; serverName: string },
): string {
  const spelled = serverName.toLowerCase();
  const server =
    servers.find(({ id }) => id === serverId) ??
    servers.find(({ name }) => name === serverName) ??
    servers.find(({ name }) => name.toLowerCase() === spelled);
  return server?.name ?? serverName;
}
