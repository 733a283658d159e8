import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase } from "../../testing/eval-suite.ts";
import { launchScheduled } from "./scheduled.ts";

const minute = 60_000;
let now = Date.now();
let bench: EvalBench;
let stub: EvalStub;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env, now: () => now });
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const one = askCase("one", "How many copies of book 7?", "stock");
async function scheduled(over: Parameters<EvalBench["suite"]>[1] = {}) {
  const suiteId = await bench.suite([one], over);
  const asked = { enabled: true, intervalMinutes: 60 };
  const { status } = await bench.call("PATCH", `/eval-suites/${suiteId}/schedule`, asked);
  expect(status).toBe(200);
  return suiteId;
}
const runs = async (suiteId: string) => (await bench.call("GET", `/eval-suites/${suiteId}/runs`)).body.items;
const schedule = async (suiteId: string) =>
  (await bench.call("GET", `/eval-suites/${suiteId}`)).body.schedule;
const tick = () => launchScheduled(bench.service.app);

it("runs a suite once for each window, as whoever set it; windows that were missed are gone", async () => {
  const suiteId = await scheduled();
  await tick();
  expect(await runs(suiteId)).toEqual([]);
  now += 61 * minute;
  // Several processes look at the same moment.
  await Promise.all([tick(), tick(), tick()]);
  expect(await runs(suiteId)).toMatchObject([
    { source: "schedule", attribution: { surface: "schedule", userId: bench.world.people.member.userId } },
  ]);
  now += 10 * 60 * minute;
  await tick();
  expect(await runs(suiteId)).toHaveLength(2);
  const { nextRunAt, state } = await schedule(suiteId);
  expect(nextRunAt).toBeGreaterThan(now);
  expect(nextRunAt).toBeLessThanOrEqual(now + 60 * minute);
  expect(state).toBe("ok");
});

it("that cannot start says why, goes on, and is called failing after five windows in a row", async () => {
  const suiteId = await scheduled({ model: "openai/none" });
  for (let window = 1; window <= 5; window++) {
    now += 61 * minute;
    await tick();
    expect(await schedule(suiteId)).toMatchObject({
      enabled: true,
      state: window < 5 ? "ok" : "failing",
      lastError: expect.stringContaining("openai/none"),
    });
  }
  await bench.service.app.pool.query("update eval_suites set model = 'fettle/rules-1' where id = $1", [
    suiteId,
  ]);
  now += 61 * minute;
  await tick();
  expect(await schedule(suiteId)).toMatchObject({ state: "ok", lastError: null });
});

it("of somebody who lost the right to run it is paused", async () => {
  const suiteId = await scheduled();
  const { userId } = bench.world.people.editor;
  await bench.service.app.pool.query("update eval_schedules set set_by = $1 where suite_id = $2", [
    userId,
    suiteId,
  ]);
  await bench.service.app.pool.query("delete from project_members where user_id = $1", [userId]);
  now += 61 * minute;
  await tick();
  expect(await schedule(suiteId)).toMatchObject({ state: "paused", lastError: expect.any(String) });
  now += 61 * minute;
  await tick();
  expect(await runs(suiteId)).toEqual([]);
});

it("does not run what a case only approximates, since nobody is there to approve it", async () => {
  const suiteId = await scheduled();
  await bench.service.app.pool.query(
    `update eval_cases set definition = jsonb_set(definition::jsonb, '{import}', '{"status":"approximated"}')
     where suite_id = $1`,
    [suiteId],
  );
  now += 61 * minute;
  await tick();
  expect(await runs(suiteId)).toEqual([]);
  expect(await schedule(suiteId)).toMatchObject({
    state: "ok",
    lastError: expect.stringContaining("approximation"),
  });
});
