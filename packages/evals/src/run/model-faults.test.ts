import { expect, test } from "vitest";
import { call, type Say, scriptedModel } from "../agent/testing/scripted-model.ts";
import { said, startTinyServer } from "../agent/testing/tiny-server.ts";
import type { AssistantPart } from "../models/messages.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { runSuite } from "./run-suite.ts";

const asks: SuiteCase = {
  id: "c_lookup",
  title: "Looks up",
  steps: [
    { id: "ask", kind: "prompt", prompt: "Order 17?" },
    { id: "called", kind: "assert", assertion: { type: "toolCalledAtLeastOnce", toolName: "get_order" } },
  ],
};
const callsNothing: SuiteCase = {
  id: "c_none",
  title: "Calls nothing",
  isNegativeTest: true,
  steps: [{ id: "ask", kind: "prompt", prompt: "What can you do?" }],
};

async function play(item: SuiteCase, says: Say[]) {
  await using server = await startTinyServer("orders", { get_order: { run: () => said("shipped") } });
  const record = await runSuite({
    id: "er_1",
    suite: {
      schemaVersion: "1",
      mode: "agentWorkflow",
      reportingMode: "standard",
      suite: { id: "s_1", name: "One" },
      target: { servers: [{ name: "orders" }] },
      defaults: { model: "test/scripted", repetitions: 1, passThreshold: 1, validity: {} },
      cases: [item],
    },
    cases: [item],
    bindings: [server.binding],
    openModel: () => scriptedModel(says),
    signal: new AbortController().signal,
    now: 1_700_000_000_000,
  });
  const [{ facts }] = record.cases[0]!.iterations as [(typeof record.cases)[0]["iterations"][0]];
  return { record, ...facts };
}

const unreadable: AssistantPart = {
  type: "tool-call",
  toolCallId: "m",
  name: "get_order",
  arguments: null,
  rawArguments: '{"id": ',
};
const unknown = call("send_email");
const real = call("get_order");
const noJson = /the model's own fault.*get_order.*no JSON object/i;
const noTool = /the model's own fault.*"send_email", which no server has/i;

test.each<[what: string, item: SuiteCase, says: Say[], result: "passed" | "failed" | null, words: RegExp]>([
  ["unreadable arguments where a call is expected", asks, [[unreadable], "Sorry."], null, noJson],
  ["an unknown tool where a call is expected", asks, [[unknown], "Sent."], null, noTool],
  ["unreadable arguments where none is expected", callsNothing, [[unreadable], "Sorry."], null, noJson],
  ["an unknown tool where none is expected", callsNothing, [[unknown], "Sent."], null, noTool],
  ["what the model mends itself", asks, [[unreadable], [real], "Shipped."], "passed", noJson],
  ["a real call beside it where none is expected", callsNothing, [[unknown, real], "So."], "failed", noTool],
])(
  "a call that is none is the model's fault and decides nothing: %s",
  async (_, item, says, result, words) => {
    const { record, status, error = "", result: came } = await play(item, says);
    expect([came, status]).toEqual([result, result === null ? "failed" : "completed"]);
    expect(record.facts.result).toBe(result ?? "inconclusive");
    expect(`${error} ${record.warnings.join(" ")}`).toMatch(words);
  },
);

test("an answer that is cut is graded, and told with the reason and as a warning", async () => {
  const says: Say = { parts: [{ type: "text", text: "Order 17 is" }], finishReason: "length" };
  const words = /cut off at the most tokens/;
  const failed = await play(asks, [says]);
  expect([failed.result, failed.error]).toEqual(["failed", expect.stringMatching(words)]);
  const passed = await play(callsNothing, [says]);
  expect(passed.result).toBe("passed");
  expect(passed.record.warnings).toContainEqual(expect.stringMatching(words));
});
