import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startReceiver } from "../../testing/notices/receiver.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type World } from "../../testing/world.ts";
import { checkScheduled } from "./schedule.ts";

const minute = 60_000;
const day = 24 * 60;
let now = Date.now();
let service: TestService;
let world: World;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = stack.use(await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" }, now: () => now }));
  world = await makeWorld(service.app.db);
});
afterAll(() => stack.disposeAsync());

const call = (method: string, path: string, body?: object, person: "member" | "owner" = "member") =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
  });
let count = 0;
async function scheduled(url: string, over: object = {}) {
  const made = await call("POST", "/servers", { name: `shop ${++count}`, transportType: "http", url });
  const path = `/servers/${made.body.id}/conformance-schedule`;
  const set = await call("PATCH", path, {
    enabled: true,
    intervalMinutes: day,
    suites: ["protocol"],
    ...over,
  });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  return { path, id: made.body.id as string, set: set.body };
}
const runsOf = async (id: string) => (await call("GET", `/conformance-runs?serverId=${id}`)).body.items;

it("checks a server once for each window, as whoever set it, from the moment they chose", async () => {
  const { path, id, set } = await scheduled("http://127.0.0.1:9/mcp", { firstRunAt: now + 90 * minute });
  expect(set).toMatchObject({
    enabled: true,
    intervalMinutes: day,
    nextRunAt: now + 90 * minute,
    state: "ok",
  });
  await checkScheduled(service.app);
  expect(await runsOf(id)).toEqual([]);
  now += 91 * minute;
  await Promise.all([1, 2, 3].map(() => checkScheduled(service.app)));
  const [run, ...others] = await runsOf(id);
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    requestedSuites: ["protocol"],
    actorLabel: "schedule",
    verification: "hosted",
  });
  expect((await call("GET", path)).body).toMatchObject({
    lastRunId: run.id,
    nextRunAt: set.nextRunAt + day * minute,
  });
  now += 10 * day * minute;
  await checkScheduled(service.app);
  expect(await runsOf(id)).toHaveLength(2);
  expect((await call("PATCH", path, { enabled: false })).body).toMatchObject({
    enabled: false,
    nextRunAt: null,
  });
  now += 2 * day * minute;
  await checkScheduled(service.app);
  expect(await runsOf(id)).toHaveLength(2);
});

it("of a server that is deleted is paused", async () => {
  const { id } = await scheduled("http://127.0.0.1:9/mcp");
  await call("DELETE", `/servers/${id}`);
  now += day * minute + 1;
  await checkScheduled(service.app);
  const { rows } = await service.app.pool.query(
    "select state from conformance_schedules where server_id = $1",
    [id],
  );
  expect(rows).toEqual([{ state: "paused" }]);
});

it("says what it cannot do before anything is written", async () => {
  const { path } = await scheduled("http://127.0.0.1:9/mcp");
  const before = (await call("GET", path)).body;
  const refused: [body: object, code: string][] = [
    [{ enabled: true, suites: ["oauth"] }, "SUITE_NOT_HOSTED"],
    [{ enabled: true, firstRunAt: now - 1 }, "FIRST_RUN_OUT_OF_RANGE"],
  ];
  for (const [body, code] of refused) {
    const answer = await call("PATCH", path, body);
    expect([answer.status, answer.body.details]).toMatchObject([400, { code }]);
  }
  expect((await call("GET", path)).body).toEqual(before);
});

it("tells a webhook when a night's verdict is another than the night before's", async () => {
  await service.app.work();
  await using receiver = await startReceiver();
  await call("POST", "/webhooks", { name: "CI", url: receiver.url, events: ["verdict.turned"] }, "owner");
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  const { id } = await scheduled(shop.url);
  const night = async (nights: number) => {
    now += day * minute + 1;
    await checkScheduled(service.app);
    await vi.waitFor(
      async () => {
        const runs = await runsOf(id);
        expect(runs.filter(({ status }: { status: string }) => status === "completed")).toHaveLength(nights);
      },
      { timeout: 60_000, interval: 200 },
    );
    return (await runsOf(id))[0].outcome;
  };
  const outcome = await night(1);
  // As if it had come out the other way.
  const other = outcome === "passed" ? "failed" : "passed";
  await service.app.pool.query(
    `update conformance_reports set tally = jsonb_set(tally, '{outcome}', to_jsonb($1::text))
     where run_id in (select id from conformance_runs where server_id = $2)`,
    [other, id],
  );
  await night(2);
  const [turned] = await receiver.take("verdict.turned");
  expect(turned!.payload.data).toMatchObject({
    server: { id },
    turned: [{ suite: "protocol", from: other, to: outcome }],
  });
});
