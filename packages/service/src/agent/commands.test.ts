import { setTimeout as delay } from "node:timers/promises";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../testing/eval-bench.ts";
import { type Asking, runTurn } from "./turn.ts";

let bench: EvalBench;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  bench = await evalBench(shop.url);
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await shop.close();
});

const say = async (content: string, over: object = {}) =>
  (await bench.call("POST", "/agent", { messages: [{ role: "user", content }], ...over })).body;

describe("without a model", () => {
  it("says what it is and what it knows to whatever it does not understand", async () => {
    const answer = await say("What is the meaning of it all?");
    expect(answer).toMatchObject({
      model: { id: "fettle/rules-1", modelClass: "rules" },
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0 },
    });
    expect(answer.reply).toContain("No language model is set up here");
    for (const word of ["list suites", "show run", "create suite from tools", "explain finding"]) {
      expect(answer.reply).toContain(word);
    }
  });

  it("makes a suite of a server's tools, proposes its run, shows it, and explains what was found", async () => {
    expect((await say("list suites")).reply).toContain("There is no suite yet");
    const made = await say("Please ignore this? No: create suite from tools");
    expect(made.createdResources).toEqual([]);
    const created = await say("Create a suite from the tools.");
    expect(created).toMatchObject({
      createdResources: [{ type: "evalSuite", name: expect.stringMatching(/^Tools of /) }],
      toolCalls: [
        { operation: "listProjectServers" },
        { operation: "listTools" },
        { operation: "listEvalSuites" },
        { operation: "createEvalSuite" },
      ],
    });
    const [{ id, name }] = created.createdResources;
    expect(created.reply).toContain(id);
    const { body: suite } = await bench.call("GET", `/eval-suites/${id}`);
    expect(suite.caseCount).toBeGreaterThan(0);
    expect((await say("List suites!")).reply).toContain(`${name} (${id})`);

    expect((await say(`run suite ${name}`)).proposedActions).toEqual([]);
    const proposed = await say(`run suite ${name}`, { conversationId: "desk" });
    expect(proposed).toMatchObject({ proposedActions: [{ operation: "createEvalRun", kind: "start" }] });
    expect(proposed.reply).toContain("Nothing has been started");
    const [first] = proposed.proposedActions;
    expect(first.description).toContain(`“${name}” (${id})`);
    const again = await say(`run suite ${id}`, { conversationId: "desk" });
    expect(again.proposedActions).toEqual([first]);
    expect(again.reply).toContain(`is proposed already (${first.actionId})`);
    const elsewhere = await say(`run suite ${id}`, { conversationId: "elsewhere" });
    expect(elsewhere.proposedActions[0].actionId).not.toBe(first.actionId);

    const second = await say("create suite from tools");
    expect(second).toMatchObject({ createdResources: [{ name: `${name} 2` }], proposedActions: [] });

    expect((await say("show latest run")).reply).toContain("There is no run yet");
    const { body: launched } = await bench.call("POST", "/eval-runs", { suiteId: id });
    await bench.ended(launched.runId);
    expect((await say("show latest run")).reply).toContain(`Run ${launched.runId}: `);
    const shown = await say(`show run ${launched.runId}`);
    expect(shown.reply).toMatch(/passed|failed/);
    expect((await say("explain finding rf_0000000000000000")).reply).toContain(
      "No finding rf_0000000000000000",
    );
  });

  it("tells a refusal in its own words", async () => {
    const shown = await say("show run run_nowhere");
    expect(shown).toMatchObject({ toolCalls: [{ operation: "getEvalRun", isError: true }] });
    expect(shown.reply).toMatch(/no such/i);
    expect((await say("create suite from tools of Nobody")).reply).toBe("No server is called Nobody.");
  });

  it("is given up between two steps when its time is over (504)", async () => {
    const { world, service } = bench;
    let asked = 0;
    // As the operation does, but for the minute and a half: the first answer comes when a millisecond is over.
    const asking = {
      project: { id: world.projectId, organizationId: world.organizationId },
      caller: { userId: world.people.member.userId },
      body: { messages: [{ role: "user", content: "create suite from tools" }] },
      calls: async () => {
        asked++;
        await delay(50);
        return { status: 200, body: { items: [bench.server] } };
      },
      origin: service.url,
      turnMs: 1,
    } as unknown as Asking;
    await expect(runTurn(service.app, asking)).rejects.toMatchObject({
      status: 504,
      details: { code: "TURN_TIMEOUT", createdResources: [], proposedActions: [] },
    });
    expect(asked).toBe(1);
  });

  it("is answered again under the same key", async () => {
    const first = await say("list servers", { idempotencyKey: "k" });
    expect(await say("list servers", { idempotencyKey: "k" })).toEqual({ ...first, replay: true });
  });
});
