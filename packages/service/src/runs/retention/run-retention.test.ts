/** @module Runs of every kind: deleted by a person, deleted by age, and what is left of them. */
import { getTableName } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pruneInsights } from "../../insights/prune.ts";
import { runKinds } from "../../start/run-kinds.ts";
import { askCase } from "../../testing/eval-suite.ts";
import { makeProject } from "../../testing/people.ts";
import { suiteReport } from "../../testing/suite-report.ts";
import { type JourneyBench, journeyBench } from "../../testing/swarms/journey-bench.ts";
import { isOpen } from "../life/kind.ts";
import { giveBack } from "./give-back.ts";
import { pruneRuns, pruneRunsJob } from "./prune.ts";

let bench: JourneyBench;
beforeAll(async () => {
  bench = await journeyBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const owner = { person: "owner" } as const;
const query = async (text: string, values: unknown[] = []) =>
  (await bench.service.app.db.$client.query(text, values)).rows;
const deleted = runKinds.map(({ kind }) => kind).filter(({ deletes }) => deletes);
const kindOf = (wanted: string) => deleted.find(({ name }) => name === wanted)!;
const kinds = deleted.map(({ name }) => name);
const paths: Record<string, string> = {
  eval: "/eval-runs",
  journey: "/journey-runs",
  conformance: "/conformance-runs",
  readiness: "/readiness-runs",
};
const pathOf = (kind: string, id: string) => `${paths[kind]}/${id}`;

const oneCase = () => bench.suite([askCase("stock", "How many copies of book 7?", "stock")]);

const launches: Record<string, () => Promise<string>> = {
  eval: async () => {
    const suiteId = await oneCase();
    return (await bench.call("POST", "/eval-runs", { suiteId }, owner)).body.runId;
  },
  journey: async () => {
    const journeyId = await bench.journey({ environmentIds: [await bench.environment()] });
    return (await bench.call("POST", `/journeys/${journeyId}/runs`, { waveId: "old" }, owner)).body.id;
  },
  conformance: async () => {
    const body = {
      schemaVersion: 1,
      target: { kind: "external", serverUrl: "https://mcp.example/mcp" },
      source: "cli",
      requestedSuites: ["protocol"],
      reports: { protocol: suiteReport({ passed: ["one"] }) },
    };
    return (await bench.call("POST", "/conformance-ingest/report", body, owner)).body.runId;
  },
  readiness: async () =>
    (await bench.call("POST", `/servers/${bench.server.id}/readiness-runs/claude`, {}, owner)).body.runId,
};

async function play(kind: string): Promise<string> {
  const id = await launches[kind]!();
  expect(id).toMatch(/^[a-z]{3}_/);
  await vi.waitFor(
    async () => {
      const { status, body } = await bench.call("GET", pathOf(kind, id));
      expect(status).toBe(200);
      expect(isOpen(kindOf(kind), body)).toBe(false);
    },
    { timeout: 60_000, interval: 50 },
  );
  return id;
}

/** Tables with a row that says the id, apart from those that tell what happened and forget by themselves. */
async function tablesNaming(id: string): Promise<string[]> {
  const logs = ["audit_entries", "events", "jobs", "notices", "model_spend", "idempotency_keys"];
  const tables = await query("select tablename as name from pg_tables where schemaname = 'public'");
  const naming: string[] = [];
  for (const { name } of tables) {
    if (logs.includes(name)) continue;
    const [found] = await query(`select exists (select 1 from "${name}" as t where t::text like $1) as is`, [
      `%${id}%`,
    ]);
    if (found.is) naming.push(name);
  }
  return naming;
}

it.each(kinds)(
  "a finished %s run is deleted by its starter, once, and nothing names it any more",
  async (kind) => {
    const id = await play(kind);
    const path = pathOf(kind, id);
    expect(await tablesNaming(id)).not.toEqual([]);
    const refused = await bench.call("DELETE", path);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "Only the person who started this run or a project admin can delete it.",
    ]);
    const told = () =>
      query("select data ->> 'about' as about from events where topic like 'project:%' order by id");
    const before = (await told()).length;
    expect(await bench.call("DELETE", path, undefined, owner)).toMatchObject({
      status: 200,
      body: { id, deleted: true },
    });
    expect((await told()).slice(before), "open pages hear of it").toContainEqual({
      about: kindOf(kind).part,
    });
    expect((await bench.call("DELETE", path, undefined, owner)).status).toBe(404);
    expect((await bench.call("GET", path)).status).toBe(404);
    await giveBack(bench.service.app);
    await pruneInsights(bench.service.app);
    await pruneRuns(bench.service.app, deleted);
    expect(await tablesNaming(id)).toEqual([]);
    expect(await query("select hash from eval_tool_snapshots")).toEqual([]);
    const audit = `/api/v1/organizations/${bench.world.organizationId}/audit-log`;
    const { body } = await bench.service.call(audit, { key: bench.world.people.owner.key });
    expect(body.items[0]).toMatchObject({ targetId: id, by: { userId: bench.world.people.owner.userId } });
  },
);

it("a run in progress is refused, and deleted after it was canceled; a schedule forgets its last run", async () => {
  const suiteId = await oneCase();
  const held = Promise.withResolvers<undefined>();
  bench.stub.onCall = () => held.promise;
  const { body } = await bench.call("POST", "/eval-runs", { suiteId }, owner);
  const path = pathOf("eval", body.runId);
  const refused = await bench.call("DELETE", path, undefined, owner);
  expect([refused.status, refused.body.details.code]).toEqual([409, "RUN_IN_PROGRESS"]);
  await bench.call("POST", `${path}/cancel`, undefined, owner);
  held.resolve(undefined);
  bench.stub.onCall = () => undefined;
  await query(
    "insert into eval_schedules (suite_id, enabled, interval_minutes, last_run_id) values ($1, false, 60, $2)",
    [suiteId, body.runId],
  );
  expect((await bench.call("DELETE", path, undefined, owner)).status).toBe(200);
  expect(await query("select last_run_id from eval_schedules where suite_id = $1", [suiteId])).toEqual([
    { last_run_id: null },
  ]);
});

it("runs age out by the project's retention, in batches, and never while in progress or elsewhere", async () => {
  const { app } = bench.service;
  const retention = (body: object) => bench.call("PATCH", "/history-retention", body, owner);
  expect((await bench.call("GET", "/history-retention")).body.runDays).toBeNull();
  const old = Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await play(kind)] as const)),
  );
  const young = await play("readiness");
  const elsewhere = await makeProject(app.db, bench.world.organizationId);
  const plant = (projectId: string, id: string, status: string) =>
    query(
      `insert into readiness_runs select (jsonb_populate_record(run, jsonb_build_object(
         'id', $2::text, 'project_id', $1::text, 'status', $3::text, 'created_at', now() - interval '8 days',
         'server_id', null))).* from readiness_runs as run where id = $4`,
      [projectId, id, status, young],
    );
  for (let at = 0; at < 45; at += 1) await plant(bench.world.projectId, `rdr_old${at}`, "completed");
  await plant(bench.world.projectId, "rdr_open", "running");
  await plant(elsewhere, "rdr_theirs", "completed");
  for (const kind of kinds) {
    const table = getTableName(kindOf(kind).table);
    await query(`update ${table} set created_at = now() - interval '8 days' where id = $1`, [old[kind]]);
  }
  const kept = async () =>
    Promise.all(kinds.map(async (kind) => (await bench.call("GET", pathOf(kind, old[kind]!))).status));

  await pruneRuns(app, deleted);
  expect(await kept(), "kept unless somebody says otherwise").toEqual([200, 200, 200, 200]);
  expect((await retention({ runDays: 7 })).body.runDays).toBe(7);
  expect((await retention({ runDays: 0 })).status).toBe(400);
  await pruneRuns(app, deleted);
  expect(await kept()).toEqual([404, 404, 404, 404]);
  const left = await query(
    "select id from readiness_runs where created_at < now() - interval '7 days' order by id",
  );
  expect(left.map(({ id }) => id)).toEqual(["rdr_open", "rdr_theirs"]);
  expect((await bench.call("GET", pathOf("readiness", young))).status).toBe(200);
  expect((await retention({ runDays: null })).body.runDays).toBeNull();
});

it("age is looked at every hour", () => {
  expect(pruneRunsJob(deleted).schedule).toEqual({ cron: "37 * * * *", input: {} });
});
