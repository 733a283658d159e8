/** @module Keeps the engine tidy: computers that nobody uses are stopped, and what killed processes or deleted rows left behind is removed. */
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { z } from "zod";
import type { App } from "../../core/app.ts";
import { defineJob } from "../../core/jobs/define.ts";
import { removeOtherBases } from "../engine/base-image.ts";
import { type Engine, ownerOf } from "../engine/engine.ts";
import { LimitMet, requireRoom } from "../engine/exec-limits.ts";
import { findHeld, forgetGone } from "../engine/holder.ts";
import { builtTag } from "../images/build-image.ts";
import { listBases, listBuilding, listKept } from "../images/build-store.ts";
import { removeLostServers } from "../servers/server-sandboxes.ts";
import { isOlder } from "./computers.ts";
import * as store from "./store.ts";

export const sweepSandboxesJob = defineJob({
  name: "sandboxes.sweep",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 1_000 },
  timeoutMs: 5 * 60_000,
  schedule: { cron: "* * * * *", input: {} },
  run: ({ app }) => sweepSandboxes(app),
});

export async function sweepSandboxes(app: App): Promise<void> {
  // While it does not answer, which is said when it is looked for, there is nothing to tidy up.
  const engine = await app.sandboxes.engine().catch(() => undefined);
  if (!engine) return;
  await store.leaveDeletedImages(app.db);
  await stopFull(app, engine);
  await stopIdle(app, engine);
  await removeStrayContainers(app, engine);
  await removeLostServers(app, engine);
  await forgetGone(app);
  await removeStrayImages(app, engine);
}

async function stopIdle(app: App, engine: Engine): Promise<void> {
  const before = new Date(app.now() - app.config.sandbox.idleMs);
  for (const row of await store.listIdle(app.db, before)) {
    if ((await store.markAsleep(app.db, row, before)) && row.containerId !== null) {
      await engine.containers.stop(row.containerId);
    }
  }
}

/** What runs on after a command has ended is looked at here. */
async function stopFull(app: App, engine: Engine): Promise<void> {
  for (const row of await store.listRunning(app.db)) {
    if (row.containerId === null) continue;
    try {
      await requireRoom(engine, row.containerId, app.config.sandbox.limits.diskBytes);
    } catch (error) {
      if (!(error instanceof LimitMet)) throw error;
      await store.updateGeneration(app.db, row, { status: "failed", error: error.message });
      await engine.containers.stop(row.containerId, 0);
    }
  }
}

/** Of builds that are not under way, of computers that have another by now, and of conversations whose process was killed. */
async function removeStrayContainers(app: App, engine: Engine): Promise<void> {
  const found = await engine.containers.list({});
  // Read after the engine was: what has begun in between is not in the list.
  const building = new Set<string>(await listBuilding(app.db));
  const computers = await store.mapComputers(app.db);
  const isHeld = await findHeld(app);
  /** What was made after this may be about to be written down. */
  const young = app.now() - sandboxLimits.strayMs;
  for (const container of found) {
    const { id, labels, createdAt } = container;
    const build = ownerOf(container, "build");
    const computer = ownerOf(container, "computer");
    const row = computer === undefined ? undefined : computers.get(computer);
    const isOfRun = ownerOf(container, "run") !== undefined;
    const isStray =
      (isOfRun && (!isHeld(container) || createdAt < app.now() - sandboxLimits.conversationMs)) ||
      (build !== undefined && !building.has(build)) ||
      (computer !== undefined &&
        (!row || isOlder(labels, row) || (row.containerId !== id && createdAt < young)));
    if (isStray) await engine.containers.remove(id);
  }
}

async function removeStrayImages(app: App, engine: Engine): Promise<void> {
  const tags = await engine.images.listTags();
  const kept = new Set(
    (await listKept(app.db)).map(({ projectId, contentHash }) => builtTag(projectId, contentHash)),
  );
  for (const tag of tags) {
    if (tag.includes("/fettle-build/") && !kept.has(tag)) await engine.images.remove(tag);
  }
  await removeOtherBases(engine, async () => {
    const computers = await store.mapComputers(app.db);
    return [...(await listBases(app.db)), ...[...computers.values()].map(({ base }) => base)];
  });
}
