/**
 * @module The days that findings over visitors are made of. A window is written down when somebody asks, and every night when
 * something came: which sessions were there, and how new the newest was. Until then it is nobody's.
 */
import { createHash } from "node:crypto";
import { limits, type ScenarioId } from "@fettle/contract/core";
import type { InsightScope } from "@fettle/contract/insights";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import { stillThere } from "../../../core/db/changed-meanwhile.ts";
import type { Transaction } from "../../../core/db/pool.ts";
import { defineJob } from "../../../core/jobs/define.ts";
import { type Asked, mineCompleted, restartPending } from "../../../insights/asking.ts";
import { findInsights, isOutdated } from "../../../insights/store.ts";
import { findProject } from "../../../people/projects/store.ts";
import type { ScenarioRow } from "../store.ts";
import * as store from "./window-store.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Whole days (UTC), today among them, so that whoever asks on the same day means the same window. */
export function daysOf(now: number): store.Days {
  const endAt = (Math.floor(now / dayMs) + 1) * dayMs;
  return { startAt: new Date(endAt - limits.userTesting.windowMs), endAt: new Date(endAt) };
}

export function scopeOf(scenarioId: ScenarioId, { startAt, endAt }: store.Days): InsightScope {
  const days = { windowStartAt: startAt.getTime(), windowEndAt: endAt.getTime() };
  const hash = createHash("sha256").update(JSON.stringify([scenarioId, ...Object.values(days)]));
  const id = `uw_${hash.digest("hex").slice(0, 16)}`;
  return { kind: "user_testing_window", id, scenarioId, ...days };
}

export async function askedOf(app: App, scenario: ScenarioRow, days: store.Days): Promise<Asked> {
  const { id, projectId, name } = scenario;
  const project = await findProject(app.db, projectId);
  return {
    scope: scopeOf(id, days),
    projectId,
    // A scenario goes with its project.
    organizationId: stillThere(project).organizationId,
    family: { kind: "scenario", id, label: name },
  };
}

/** Whether sessions or ratings came since it was written down. */
export function isStale(window: store.Watermarks | undefined, now: store.Watermarks): boolean {
  const isAfter = (one: Date | null, other: Date | null | undefined) =>
    one !== null && (other == null || one.getTime() > other.getTime());
  return (
    now.sessionCount > 0 &&
    (isAfter(now.usedUntil, window?.usedUntil) || isAfter(now.ratedUntil, window?.ratedUntil))
  );
}

/** Writes it down as it is now, unless that is what it says already. `isEmpty`: nobody was there. */
export async function freeze(
  app: App,
  tx: Transaction,
  { id: scenarioId }: Pick<ScenarioRow, "id">,
  days: store.Days,
): Promise<{ isEmpty: boolean; isNew: boolean }> {
  const now = await store.readWatermarks(tx, scenarioId, days);
  if (now.sessionCount === 0) return { isEmpty: true, isNew: false };
  const { id } = scopeOf(scenarioId, days);
  const latest = await store.findLatest(tx, scenarioId);
  if (latest?.id === id && !isStale(latest, now)) return { isEmpty: false, isNew: false };
  const sessionIds = await store.listSessionIds(tx, scenarioId, days);
  await store.saveWindow(tx, { id, scenarioId, ...days, ...now, sessionIds, frozenAt: new Date(app.now()) });
  return { isEmpty: false, isNew: true };
}

/** Looks at what came since the last window, and with newer rules at what was, for free, unless the operator has said otherwise. */
export async function mineWhatCame(app: App, scenario: ScenarioRow): Promise<void> {
  if (app.config.insights.when !== "automatic") return;
  const days = daysOf(app.now());
  const asked = await askedOf(app, scenario, days);
  await app.db.transaction(async (tx) => {
    const latest = await store.findLatest(tx, scenario.id);
    if (isStale(latest, await store.readWatermarks(tx, scenario.id, days))) {
      if ((await freeze(app, tx, scenario, days)).isNew) await mineCompleted(app, tx, asked);
      return;
    }
    const before = latest && (await askedOf(app, scenario, latest));
    const row = before && (await findInsights(tx, before.scope));
    if (row && isOutdated(row)) await mineCompleted(app, tx, before);
  });
}

/** Before something that was said is erased: whoever has read it and writes findings right now starts again without it. */
export async function restartMining(app: App, tx: Transaction, scenario: ScenarioRow): Promise<void> {
  for (const window of await store.listPending(tx, scenario.id)) {
    await restartPending(app, tx, await askedOf(app, scenario, window));
  }
}

export async function mineAllThatCame(app: App): Promise<void> {
  for (const scenario of await store.listVisited(app.db)) await mineWhatCame(app, scenario);
}

export const mineWindowsJob = defineJob({
  name: "user-testing.mine-windows",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 60_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "0 2 * * *", input: {} },
  run: ({ app }) => mineAllThatCame(app),
});
