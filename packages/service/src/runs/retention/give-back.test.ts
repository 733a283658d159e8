/** What large runs leave when they are deleted: gone for everybody at once, and given back in pieces that survive a kill. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { runKinds } from "../../start/run-kinds.ts";
import { failedRun } from "../../testing/eval-suite.ts";
import { type KillableWorkers, killableWorkers } from "../../testing/killable-workers.ts";
import { makeProject } from "../../testing/people.ts";
import { giveBack, giveBackJob, giveSome } from "./give-back.ts";
import { pruneRuns } from "./prune.ts";

const many = 30_000;

const stack = new AsyncDisposableStack();
let workers: KillableWorkers;
beforeAll(async () => {
  workers = await killableWorkers(stack, 100);
});
afterAll(() => stack.disposeAsync());

const query = async (text: string, values: unknown[] = []) =>
  (await workers.bench.service.app.pool.query(text, values)).rows;
const owner = { person: "owner" } as const;

/** A run that has ended, with so many iterations and a trace for every tenth. */
async function ended(iterations: number): Promise<{ suiteId: string; runId: string }> {
  const { bench } = workers;
  const suiteId = await bench.suite([{ id: "one", steps: [] }]);
  const { runId } = await failedRun(bench.world, bench.service.app, suiteId);
  await query("delete from eval_iterations where run_id = $1", [runId]);
  await query(
    `insert into eval_iterations (id, run_id, ordinal, case_key, title, iteration_number, status, result)
     select $1 || n, $1, n, 'one', 'One', n, 'completed', 'passed' from generate_series(1, $2::int) as n`,
    [runId, iterations],
  );
  await query(
    `insert into eval_iteration_traces (iteration_id, trace, bytes, created_at) select id, '{}', 2, now() from eval_iterations
     where run_id = $1 and ordinal % 10 = 0`,
    [runId],
  );
  return { suiteId, runId };
}

const left = async (runId: string): Promise<number> =>
  (await query("select count(*)::int as n from eval_iterations where run_id = $1", [runId]))[0].n;
const tracesLeft = async (runId: string): Promise<number> =>
  (
    await query("select count(*)::int as n from eval_iteration_traces where iteration_id like $1 || '%'", [
      runId,
    ])
  )[0].n;
const waiting = async (): Promise<string[]> =>
  (await query("select run_id from deleted_runs order by run_id")).map(({ run_id }) => run_id);

it("a run of tens of thousands of iterations is gone at once, and given back by whoever takes up what a killed worker left", async () => {
  const { bench } = workers;
  const { runId } = await ended(many);
  const path = `/eval-runs/${runId}`;
  expect((await bench.call("GET", path)).status).toBe(200);
  expect((await bench.call("DELETE", path, undefined, owner)).body).toMatchObject({
    id: runId,
    deleted: true,
  });
  expect((await bench.call("GET", path)).status).toBe(404);
  expect((await bench.call("GET", `${path}/iterations`)).status).toBe(404);
  expect((await bench.call("GET", "/eval-runs")).body.items).toEqual([]);
  expect(await left(runId), "the request deleted none of them").toBe(many);
  expect(await waiting()).toEqual([runId]);

  const first = await workers.startWorker();
  await bench.service.app.jobs.enqueue(giveBackJob, {}, {});
  await expect.poll(() => left(runId), { timeout: 60_000, interval: 5 }).toBeLessThan(many);
  await first.kill();
  const atKill = await left(runId);
  expect(atKill, "it was killed in the middle").toBeGreaterThan(0);
  expect(await waiting()).toEqual([runId]);

  await workers.startWorker();
  await expect.poll(() => left(runId), { timeout: 240_000 }).toBe(0);
  await expect.poll(waiting).toEqual([]);
  expect(await tracesLeft(runId)).toBe(0);
}, 400_000);

it("each piece is small", async () => {
  const { app } = workers.bench.service;
  const { runId } = await ended(1_100);
  await workers.bench.call("DELETE", `/eval-runs/${runId}`, undefined, owner);
  const seen = [];
  do seen.push(await left(runId));
  while (await giveSome(app));
  expect(seen).toEqual([1_100, 600, 100, 0]);
});

it("a run that is held does not hold up another", async () => {
  const { app } = workers.bench.service;
  const [one, other] = [await ended(10), await ended(10)];
  for (const { runId } of [one, other])
    await workers.bench.call("DELETE", `/eval-runs/${runId}`, undefined, owner);
  await app.db.transaction(async (tx) => {
    await tx.execute(`select from deleted_runs where run_id = '${one.runId}' for update`);
    await giveBack(app);
    expect([await left(one.runId), await left(other.runId)]).toEqual([10, 0]);
  });
  await giveBack(app);
  expect(await left(one.runId)).toBe(0);
});

it.each<[what: string, remove: (run: { suiteId: string; runId: string }) => Promise<unknown>]>([
  ["its suite", ({ suiteId }) => workers.bench.call("DELETE", `/eval-suites/${suiteId}`, undefined, owner)],
  [
    "its project",
    async ({ suiteId, runId }) => {
      const { app } = workers.bench.service;
      const projectId = await makeProject(app.db, workers.bench.world.organizationId);
      await query("update eval_suites set project_id = $1 where id = $2", [projectId, suiteId]);
      await query("update eval_runs set project_id = $1 where id = $2", [projectId, runId]);
      await query("delete from projects where id = $1", [projectId]);
    },
  ],
  [
    "its age",
    async ({ runId }) => {
      const { app } = workers.bench.service;
      await query("update eval_runs set created_at = now() - interval '9 days' where id = $1", [runId]);
      await query("update projects set run_days = 7 where id = $1", [workers.bench.world.projectId]);
      // Its time is over before it gives back all.
      const kinds = runKinds.map(({ kind }) => kind);
      await expect(pruneRuns(app, kinds, AbortSignal.abort())).rejects.toThrow();
      await query("update projects set run_days = null where id = $1", [workers.bench.world.projectId]);
    },
  ],
])("what goes with %s is given back in the same way", async (_, remove) => {
  const run = await ended(1_100);
  await remove(run);
  expect(await query("select id from eval_runs where id = $1", [run.runId])).toEqual([]);
  expect(await left(run.runId)).toBeGreaterThan(0);
  await giveBack(workers.bench.service.app);
  expect([await left(run.runId), await tracesLeft(run.runId), await waiting()]).toEqual([0, 0, []]);
});
