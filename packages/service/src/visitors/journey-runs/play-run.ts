/**
 * @module Plays a run: a few places at once, their visitors one after the other, each written as it begins and as it ends. A successor
 * goes on where a worker died or stopped: with sessions that have not begun, and with those that were under way (`kept-steps.ts`).
 */
import { idOf, limits } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import { z } from "zod";
import { defineJob, type JobCall } from "../../core/jobs/define.ts";
import { forgiveJob } from "../../core/jobs/store.ts";
import { createTeller } from "../../people/accounts/announce.ts";
import { endRun, sourceOf, takeUpRun } from "../../runs/life/life.ts";
import { updateOpenRun } from "../../runs/life/store.ts";
import type { FrozenJourney } from "./frozen.ts";
import { journeyRunKind } from "./kind.ts";
import { spendCapExceeded } from "./outcome.ts";
import { gradeLeft, openStage, type Stage, visitPlace } from "./play-place.ts";
import { createRunBudget } from "./run-budget.ts";
import * as store from "./store.ts";

const input = z.object({
  projectId: idOf<"project">(),
  organizationId: idOf<"organization">(),
  runId: idOf<"journeyRun">(),
  userId: idOf<"user">(),
});
export type PlayInput = z.output<typeof input>;

export const playRunJob = defineJob({
  name: "journeys.play-run",
  input,
  // Deaths of workers without any session played between them.
  retry: { attempts: 6, delayMs: 500 },
  timeoutMs: 2 * limits.evals.runMs,
  takesLong: true,
  run: playRun,
});

async function playRun(call: JobCall<PlayInput>): Promise<void> {
  const { app, input: asked, signal } = call;
  const run = await begin(call);
  const frozen = run && (await store.readFrozen(app.db, run.id));
  if (!run || !frozen) return;
  const beat = setInterval(() => {
    updateOpenRun(app.db, journeyRunKind, run.id, { heartbeatAt: new Date(app.now()) }).catch(
      (error: unknown) => call.log.warn("a run's heartbeat could not be written", { error }),
    );
  }, swarmLimits.beatMs);
  try {
    await app.models.settlements.flush();
    const purse = createRunBudget(
      frozen.spendLimitUsd,
      await store.spentUsd(app.db, sourceOf(journeyRunKind, run)),
    );
    const written = createTeller(app, asked.projectId, "journey-runs");
    const stage = openStage(call, { run, frozen, purse, written });
    await gradeLeft(stage);
    await visitAll(stage, frozen);
    signal.throwIfAborted();
    await call.finish(async (tx) => {
      const endedAt = new Date(app.now());
      if (stage.isSpent) await store.finalize(tx, run.id, "pending", { error: spendCapExceeded, endedAt });
      await endRun(app, tx, journeyRunKind, run, { end: "settled" });
    });
  } finally {
    clearInterval(beat);
  }
}

/** Whoever played it before is gone; what it was in the middle of waits again. */
function begin(call: JobCall<PlayInput>) {
  return takeUpRun(call, journeyRunKind, call.input.runId, async ({ id, startedAt }, tx) => {
    const now = new Date(call.app.now());
    // Without what it was that took workers down, the rest can be played.
    if (await store.takeBack(tx, id, now)) await tx.execute(forgiveJob(call));
    return { startedAt: startedAt ?? now, heartbeatAt: now };
  });
}

async function visitAll(stage: Stage, { places }: FrozenJourney): Promise<void> {
  const waiting = [...places.keys()];
  const visit = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await visitPlace(stage, next);
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: swarmLimits.targetsAtOnce }, visit));
  for (const lane of lanes) if (lane.status === "rejected") throw lane.reason;
}
