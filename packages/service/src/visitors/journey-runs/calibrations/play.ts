/** @module Plays a calibration: session after session, each written as it ends, so that a successor repeats none of them. */
import { idOf } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import { calibrate, defaultAgentLimits } from "@fettle/evals";
import { z } from "zod";
import { defineJob, type JobCall } from "../../../core/jobs/define.ts";
import { forgiveJob } from "../../../core/jobs/store.ts";
import { createRunServers, type RunServers } from "../../../environments/targets/run-servers.ts";
import { openModel } from "../../../models/open-model.ts";
import { announceInProject } from "../../../people/accounts/announce.ts";
import { finishRun, sourceOf, takeUpRun } from "../../../runs/life/life.ts";
import { failureOf } from "../outcome.ts";
import { createRunBudget } from "../run-budget.ts";
import { spentUsd } from "../store.ts";
import type { FrozenCalibration, PlayedAgain } from "./frozen.ts";
import { calibrationKind } from "./kind.ts";
import { BrokenOff, driverOf, playVisitor } from "./play-visitor.ts";
import * as store from "./store.ts";

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  calibrationId: idOf<"calibration">(),
  userId: idOf<"user">(),
});
type Input = z.output<typeof input>;

export const playCalibrationJob = defineJob({
  name: "calibrations.play",
  input,
  // Deaths of workers without any session played between them.
  retry: { attempts: 5, delayMs: 500 },
  timeoutMs: swarmLimits.calibrationMs,
  takesLong: true,
  run: playCalibration,
});

async function playCalibration(call: JobCall<Input>): Promise<void> {
  const { input: asked, signal } = call;
  const row = await takeUpRun(call, calibrationKind, asked.calibrationId);
  const frozen = row && store.frozenOf(row);
  if (!row || !frozen) return;
  try {
    await playAll(call, frozen, new Set(store.playedOf(row).map(({ id }) => id)));
    await settle(call, frozen);
  } catch (error) {
    // Whoever comes next goes on; where nobody comes, the watchdog ends it.
    if (signal.aborted) throw error;
    const message = error instanceof Error ? error.message : String(error);
    await finishRun(call, calibrationKind, row, { end: "failed", error: message });
  }
}

async function playAll(
  call: JobCall<Input>,
  { place, sessions, now, spendLimitUsd }: FrozenCalibration,
  done: ReadonlySet<string>,
): Promise<void> {
  const { app, input: asked, signal } = call;
  const { projectId, organizationId, userId, calibrationId } = asked;
  const source = sourceOf(calibrationKind, { id: calibrationId });
  await app.models.settlements.flush();
  const { dial } = createRunBudget(spendLimitUsd, await spentUsd(app.db, source)).forSession();
  const model = await openModel(app, { organizationId, projectId, name: place.model, source, dial });
  const driver = driverOf(place, model);
  const { callMs } = defaultAgentLimits;
  const servers = createRunServers(app, { projectId, userId, target: place.target, callMs });
  const write = (played: readonly PlayedAgain[]) =>
    app.db.transaction(async (tx) => {
      await call.requireLease(tx);
      await store.addPlayed(tx, calibrationId, played);
      await tx.execute(forgiveJob(call));
      await announceInProject(app, tx, projectId, "calibrations");
    });
  const waiting = sessions.filter(({ id }) => !done.has(id));
  try {
    await requireTheirTools(servers, sessions, signal);
    for (const [at, visitor] of waiting.entries()) {
      signal.throwIfAborted();
      const persona = driver(visitor);
      const broken = await playVisitor({ visitor, persona, place, model, servers, now, signal }).then(
        (simulated) => write([{ id: visitor.id, simulated, error: null }]),
        (error: unknown) => {
          signal.throwIfAborted();
          return error instanceof BrokenOff ? error : new BrokenOff(failureOf(error));
        },
      );
      if (!broken) continue;
      // A limit of the provider, or of what may be spent, is the same for all who come after.
      const isLast = broken.stops !== "nobody";
      const error = servers.hide(broken.message);
      const lost = isLast ? waiting.slice(at) : [visitor];
      await write(lost.map(({ id }) => ({ id, simulated: null, error })));
      if (isLast) return;
    }
  } finally {
    await servers.close();
  }
}

/** Where nothing is offered that the visitors used, a figure would compare them with other work. */
async function requireTheirTools(
  servers: RunServers,
  sessions: FrozenCalibration["sessions"],
  signal: AbortSignal,
): Promise<void> {
  const used = new Set(sessions.flatMap(({ facts }) => Object.keys(facts.tools)));
  // What cannot be reached is said of each session.
  const opened = await servers.connect(0, signal).catch(() => undefined);
  if (!opened || used.size === 0) return;
  const offered = opened.links.flatMap(({ tools }) => tools.map(({ name }) => name));
  await opened.close();
  if (offered.some((name) => used.has(name))) return;
  const some = [...used].slice(0, 5).join(", ");
  throw new Error(`This environment offers none of the tools that the recorded visitors used (${some}).`);
}

async function settle(call: JobCall<Input>, { sessions }: FrozenCalibration): Promise<void> {
  const { app, input: asked } = call;
  const run = { id: asked.calibrationId };
  const row = await store.findCalibration(app.db, asked.projectId, asked.calibrationId);
  const played = new Map(row ? store.playedOf(row).map((one) => [one.id, one]) : []);
  const pairs = sessions.flatMap(({ id, facts }) => {
    const simulated = played.get(id)?.simulated;
    return simulated ? [{ real: facts, simulated }] : [];
  });
  const { min } = swarmLimits.calibrationSessions;
  if (pairs.length < min) {
    const why = [...played.values()].find(({ error }) => error !== null)?.error;
    const message = `Only ${pairs.length} of ${sessions.length} sessions could be played; a figure takes ${min}.`;
    const error = why ? `${message} The first failed: ${why}` : message;
    return finishRun(call, calibrationKind, run, { end: "failed", error });
  }
  await finishRun(call, calibrationKind, run, { end: "completed", report: calibrate(pairs) });
}
