/** @module Plays a calibration: session after session, each written as it ends, so that a successor repeats none of them. */
import { idOf, swarmLimits } from "@fettle/contract";
import { calibrate, defaultAgentLimits } from "@fettle/evals";
import { z } from "zod";
import { announceInProject } from "../../accounts/announce.ts";
import { createRunServers } from "../../eval-runs/run-servers.ts";
import { defineJob, type JobCall } from "../../jobs/define.ts";
import { openModel } from "../../models/open-model.ts";
import type { FrozenCalibration } from "./frozen.ts";
import { driverOf, playVisitor } from "./play-visitor.ts";
import * as store from "./store.ts";

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  calibrationId: idOf<"calibration">(),
  userId: idOf<"user">(),
});
type Input = z.output<typeof input>;

const attempts = 5;

export const playCalibrationJob = defineJob({
  name: "calibrations.play",
  input,
  retry: { attempts, delayMs: 500 },
  timeoutMs: swarmLimits.calibrationMs,
  takesLong: true,
  run: playCalibration,
});

async function playCalibration(call: JobCall<Input>): Promise<void> {
  const { app, input: asked, signal } = call;
  const row = await store.findCalibration(app.db, asked.projectId, asked.calibrationId);
  const frozen = row && store.frozenOf(row);
  if (row?.status !== "running" || !frozen) return;
  try {
    await playAll(call, frozen, new Set(store.playedOf(row).map(({ id }) => id)));
    await settle(call, frozen);
  } catch (error) {
    // Whoever comes next goes on, as long as somebody comes.
    if (signal.aborted && call.claim < attempts) throw error;
    await end(call, error instanceof Error ? error.message : String(error));
  }
}

async function playAll(
  call: JobCall<Input>,
  { place, sessions, now }: FrozenCalibration,
  done: ReadonlySet<string>,
): Promise<void> {
  const { app, input: asked, signal } = call;
  const { projectId, organizationId, userId, calibrationId } = asked;
  const source = { kind: "calibration", id: calibrationId };
  const model = await openModel(app, { organizationId, projectId, name: place.model, source });
  const driver = driverOf(place, model);
  const { callMs } = defaultAgentLimits;
  const servers = createRunServers(app, { projectId, userId, target: place.target, callMs });
  try {
    for (const visitor of sessions.filter(({ id }) => !done.has(id))) {
      signal.throwIfAborted();
      const persona = driver(visitor);
      const seen = await playVisitor({ visitor, persona, place, model, servers, now, signal }).then(
        (simulated) => ({ simulated, error: null }),
        (error: unknown) => {
          signal.throwIfAborted();
          const message = error instanceof Error ? error.message : String(error);
          return { simulated: null, error: servers.hide(message) };
        },
      );
      await app.db.transaction(async (tx) => {
        await call.requireLease(tx);
        await store.addPlayed(tx, calibrationId, { id: visitor.id, ...seen });
        await announceInProject(app, tx, projectId, "calibrations");
      });
    }
  } finally {
    await servers.close();
  }
}

async function settle(call: JobCall<Input>, { sessions }: FrozenCalibration): Promise<void> {
  const { app, input: asked } = call;
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
    return end(call, why ? `${message} The first failed: ${why}` : message);
  }
  const report = calibrate(pairs);
  await call.finish(async (tx) => {
    const ended = { status: "completed", error: null, report, endedAt: new Date(app.now()) } as const;
    await store.endCalibration(tx, asked.calibrationId, ended);
    await announceInProject(app, tx, asked.projectId, "calibrations");
  });
}

async function end({ app, input: asked, finish }: JobCall<Input>, message: string): Promise<void> {
  await finish(async (tx) => {
    const ended = { status: "failed", error: message, report: null, endedAt: new Date(app.now()) } as const;
    await store.endCalibration(tx, asked.calibrationId, ended);
    await announceInProject(app, tx, asked.projectId, "calibrations");
  });
}
