/** @module Credentials that a server and a model repeat in a hosted run: no answer, no log and no table has one of them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { canaries } from "../../../contract/src/secrets/testing/canaries.ts";
import { startTinyServer, type TinyServer } from "../../../evals/src/agent/testing/tiny-server.ts";
import { createLog } from "../core/log/log.ts";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { askCase } from "../testing/eval-suite.ts";

const words = canaries.map(({ said }) => said).join("\n");
/** As a tool gives it where nobody wrote a line: by name, in a structure. */
const structuredContent = {
  env: { SHOP_SECRET: "plain-canary-8812", region: "eu" },
  cookie: "plain-canary-9921",
};
const secrets = [...canaries.map(({ secret }) => secret), "plain-canary-8812", "plain-canary-9921"];

let bench: EvalBench;
let server: TinyServer;
let logged = "";
beforeAll(async () => {
  const inputSchema = { type: "object", properties: {} } as const;
  server = await startTinyServer("leaky", {
    show_environment: {
      description: `Show the environment. ${words}`,
      inputSchema,
      run: () => ({ content: [{ type: "text", text: words }], structuredContent }),
    },
    fail_loudly: {
      description: "Fail and say why",
      inputSchema,
      run: () => ({ content: [{ type: "text", text: `Failed. ${words}` }], isError: true }),
    },
  });
  const log = createLog({
    level: "debug",
    format: "json",
    write: (text) => {
      logged += text;
    },
  });
  bench = await evalBench(server.url, { log });
});
afterAll(async () => {
  await bench?.service.close();
  await server?.kill();
});

const leaksIn = (text: string) => secrets.filter((secret) => text.includes(secret));

it("keeps every kind of credential out of what a run answers, logs and stores", async () => {
  const suiteId = await bench.suite([
    askCase("shows", "Use show_environment", "show_environment"),
    askCase("fails", "Use fail_loudly", "fail_loudly"),
  ]);
  const { body: launched } = await bench.call("POST", "/eval-runs", { suiteId });
  await bench.service.app.work();
  const run = await bench.ended(launched.runId);
  expect(run.summary).toMatchObject({ passed: 1, failed: 1 });
  expect(server.calls.map(({ name }) => name).sort()).toEqual(["fail_loudly", "show_environment"]);

  const { items } = (await bench.call("GET", `/eval-runs/${run.id}/iterations`)).body;
  const paths = [
    ...["", "/iterations", "/gate", "/gradings"].map((part) => `/eval-runs/${run.id}${part}`),
    ...items.flatMap(({ id }: { id: string }) =>
      ["/trace", "/steps"].map((part) => `/eval-runs/${run.id}/iterations/${id}${part}`),
    ),
  ];
  for (const path of paths) {
    const { body } = await bench.call("GET", path);
    expect([path, leaksIn(JSON.stringify(body))]).toEqual([path, []]);
  }
  const trace = (await bench.call("GET", `/eval-runs/${run.id}/iterations/${items[0].id}/trace`)).body;
  expect(JSON.stringify(trace)).toContain("[REDACTED]");
  expect(leaksIn(logged)).toEqual([]);

  const { pool } = bench.service.app;
  const tables = await pool.query(
    "select table_name from information_schema.tables where table_schema = 'public'",
  );
  expect(tables.rows.length).toBeGreaterThan(50);
  for (const { table_name: table } of tables.rows) {
    const { rows } = await pool.query(`select row_to_json(t)::text as row from "${table}" t`);
    expect([table, rows.flatMap(({ row }) => leaksIn(row))]).toEqual([table, []]);
  }
});
