/** @module The life of a run, tried on a small kind made for it: what a launch sets aside, and who may take a run up. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { defineJob, LeaseLost } from "../../core/jobs/define.ts";
import { readinessRuns } from "../../core/tables/readiness.ts";
import { type HoldForLaunch, holderOf, readDay, setCapUsd } from "../../models/budget.ts";
import type { RunRow, RunValues } from "../../servers/readiness/store.ts";
import { columns } from "../../servers/readiness/store.ts";
import { type TestApp, testApp } from "../../testing/app.ts";
import { makeWorld, type World } from "../../testing/world.ts";
import type { RunKind } from "./kind.ts";
import { endRun, launchRun, takeUpRun } from "./life.ts";
import { findRun } from "./store.ts";

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await testApp();
  world = await makeWorld(app.db);
  await setCapUsd(app, world.organizationId, 10);
});
afterAll(() => app.stop());

const idleJob = defineJob({
  name: "test.idle",
  input: z.object({}),
  retry: { attempts: 1, delayMs: 1 },
  timeoutMs: 1_000,
  run: async () => {},
});

/** It borrows a table. `isOver`: what its verdict says. */
const small: RunKind<RunRow, RunValues, { end: "asked"; isOver: boolean }> = {
  name: "small",
  watchdog: "test.end-small",
  table: readinessRuns,
  columns,
  part: "readiness-runs",
  open: { waiting: "pending", running: "running" },
  spendsAs: "small",
  verdict: (_app, _tx, _run, ending) => {
    verdicts += 1;
    return ending.end === "asked" && !ending.isOver ? undefined : { status: "completed" };
  },
};
let verdicts = 0;

async function launch(tx: Transaction, hold: HoldForLaunch, usd: number) {
  const now = new Date();
  const id = newId("readinessRun");
  const values = {
    id,
    projectId: world.projectId,
    serverUrl: "https://shop.example/mcp",
    readinessKind: "claude",
    includeLlmObservations: false,
    llmObservations: { status: "pending" },
    createdBy: world.people.owner.userId,
    createdAt: now,
    updatedAt: now,
  } as const;
  const run = await launchRun(app, tx, small, { values, job: idleJob, input: {}, estimate: { hold, usd } });
  return run && { ...run, id };
}

const count = async (table: string) =>
  Number((await app.pool.query(`select count(*) from ${table}`)).rows[0].count);
const heldUsd = async () => (await readDay(app, world.organizationId)).heldUsd;

it("a launch sets aside what it may cost, and its end gives it back", async () => {
  const hold = await holderOf(app, world.organizationId);
  const run = (await app.db.transaction((tx) => launch(tx, hold, 4)))!;
  expect(await heldUsd()).toBe(4);
  const end = (isOver: boolean) =>
    app.db.transaction((tx) => endRun(app, tx, small, run, { end: "asked", isOver }));
  expect(await end(false), "it is not over").toBeUndefined();
  expect([(await findRun(app.db, small, run.id))?.status, await heldUsd()]).toEqual(["pending", 4]);
  expect(await end(true)).toMatchObject({ status: "completed" });
  expect(await heldUsd()).toBe(0);
});

it("a launch that the day has not enough left for leaves no run, no job, and nothing set aside", async () => {
  const hold = await holderOf(app, world.organizationId);
  const before = [await count("readiness_runs"), await count("jobs"), await heldUsd()];
  await expect(app.db.transaction((tx) => launch(tx, hold, 11))).rejects.toMatchObject({
    code: "RATE_LIMITED",
  });
  expect([await count("readiness_runs"), await count("jobs"), await heldUsd()]).toEqual(before);
});

it("only who holds its job takes a run up, and what it changes is written with that", async () => {
  const hold = await holderOf(app, world.organizationId);
  const run = (await app.db.transaction((tx) => launch(tx, hold, 1)))!;
  let changes = 0;
  const change = () => {
    changes += 1;
    return { attemptCount: 7 };
  };
  const lost = { app, requireLease: () => Promise.reject(new LeaseLost(run.jobId!)) };
  await expect(takeUpRun(lost, small, run.id, change)).rejects.toThrow(LeaseLost);
  expect((await findRun(app.db, small, run.id))?.status).toBe("pending");
  const held = { app, requireLease: async () => {} };
  expect(await takeUpRun(held, small, run.id, change)).toMatchObject({ status: "running", attemptCount: 7 });
  await app.db.transaction((tx) => endRun(app, tx, small, run, { end: "lost" }));
  expect(await takeUpRun(held, small, run.id, change)).toBeUndefined();
  expect(changes, "nothing is asked of a run that has ended").toBe(1);
});

it("of twenty ends at once, and of those that come later, one asks for a verdict: what a verdict does is done once", async () => {
  const hold = await holderOf(app, world.organizationId);
  const run = (await app.db.transaction((tx) => launch(tx, hold, 1)))!;
  verdicts = 0;
  const end = () => app.db.transaction((tx) => endRun(app, tx, small, run, { end: "canceled" }));
  await Promise.all(Array.from({ length: 20 }, end));
  await end();
  expect(verdicts).toBe(1);
});
