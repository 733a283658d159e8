/** A tool marks an argument as a password, and its server repeats it, with a key of somebody else's. Nothing that is stored holds either: history, conversations, evals. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase } from "../../testing/eval-suite.ts";

const pin = "canary 472/913é";
/** By its shape a key of a code host; nobody sent it. */
const leaked = `ghp_${"a1B2c3".repeat(6)}`;
let stub: EvalStub;
let bench: EvalBench;
beforeAll(async () => {
  stub = await startEvalStub();
  stub.tools = [
    {
      name: "stock",
      description: "How many copies?",
      annotations: { readOnlyHint: true },
      inputSchema: {
        type: "object",
        properties: { book: { type: "integer" }, pin: { type: "string", format: "password" } },
      },
    },
  ];
  stub.calledWith = JSON.stringify({ book: 7, pin });
  stub.onCall = () => `Opened with ${pin}, or ${encodeURIComponent(pin)} and ${leaked}`;
  bench = await evalBench(stub.url, { env: stub.env });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

/** Every row that holds it, by the name of its table. */
async function rowsHolding(): Promise<string[]> {
  const { pool } = bench.service.app;
  const { rows: tables } = await pool.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(`SELECT * FROM "${name}"`);
    const text = JSON.stringify(rows);
    const spelled = [leaked, pin, encodeURIComponent(pin), JSON.stringify(pin).slice(1, -1)];
    if (spelled.some((form) => text.includes(form) || text.includes(JSON.stringify(form).slice(1, -1))))
      found.push(name);
  }
  return found;
}

it("a call over the API leaves it in no history, also where nobody listed the tools before", async () => {
  const { status, body } = await bench.call("POST", `/servers/${bench.server.id}/tools/call`, {
    toolName: "stock",
    parameters: { book: 7, pin },
  });
  expect(status).toBe(200);
  expect(body.content[0].text, "whoever asked is told what the tool said").toContain(pin);
  const { body: history } = await bench.call("GET", `/servers/${bench.server.id}/history`);
  const { body: entry } = await bench.call(
    "GET",
    `/servers/${bench.server.id}/history/${history.items[0].id}`,
  );
  expect(entry).toMatchObject({ parameters: { book: 7, pin: "[REDACTED]" }, withheld: ["/pin"] });
  expect(JSON.stringify(entry.result)).toContain("Opened with [REDACTED], or [REDACTED] and [REDACTED]");
  expect(await rowsHolding()).toEqual([]);
});

it("a model's call leaves it in no conversation and in no table of an eval", async () => {
  const said = await bench.service.call("/api/v1/chat-sessions/messages", {
    method: "POST",
    key: bench.world.people.member.key,
    body: {
      projectId: bench.world.projectId,
      idempotencyKey: "once",
      message: `How many? The pin is ${pin}`,
      modelId: stub.model,
      serverIds: [bench.server.id],
    },
  });
  expect(said.body, JSON.stringify(said.body)).toMatchObject({
    toolCalls: [{ input: { book: 7, pin: "[REDACTED]" } }],
  });
  const suiteId = await bench.suite([askCase("one", "How many?", "stock")], { model: stub.model });
  const { body: launched } = await bench.call("POST", "/eval-runs", { suiteId });
  expect(await bench.ended(launched.runId)).toMatchObject({ result: "passed" });
  expect(await rowsHolding()).toEqual([]);
});

it("is shown to the model as little as it is kept", async () => {
  const heard: string[] = [];
  stub.onModel = (_, body) => void heard.push(body);
  const suiteId = await bench.suite([askCase("one", "How many?", "stock")], { model: stub.model });
  const { body: launched } = await bench.call("POST", "/eval-runs", { suiteId });
  await bench.ended(launched.runId);
  expect(heard.at(-1)).toContain("Opened with [REDACTED]");
});
