import { expect, test } from "vitest";
import { emptyTurn, type ShownTurn, withTold } from "../../kit/chat/turns.ts";
import { sendCommand } from "./send-command.ts";
import { firstMessage, lackOf, type Start, usualStart, withMode } from "./start.ts";
import { turnCostText } from "./turn-cost-text.ts";

const session = {
  projectId: "prj_1",
  sessionId: "cht_1",
  modelId: "fettle/rules-1",
  environmentId: null,
  servers: [{ id: "srv_1", name: "Shop" }],
  clientId: null,
  systemPrompt: "It's short",
  temperature: 0,
  toolMode: "read_only" as const,
};

test.each([
  [
    0,
    "fettle cloud sessions send --project prj_1 --model fettle/rules-1 --server srv_1 --system-prompt 'It'\\''s short' --temperature 0 --tool-mode read_only --message 'Is it here?' --idempotency-key again-ctn_1",
  ],
  [3, "fettle cloud sessions send --session cht_1 --message 'Is it here?' --idempotency-key again-ctn_1"],
])("turn %i in the terminal begins or goes on", (promptIndex, command) => {
  expect(sendCommand(session, { turnId: "ctn_1", message: "Is it here?", promptIndex })).toBe(command);
});

test.each<[Partial<ShownTurn>, string]>([
  [
    { tookMs: 812, usage: { inputTokens: 1943, outputTokens: 164, costUsd: 0 } },
    "812 ms · 1,943 tokens in, 164 out · free",
  ],
  [{ tookMs: 1_240, usage: { costUsd: null } }, "1.2 s · unknown tokens in, unknown out · cost unknown"],
  [{ tookMs: 10, finishReason: "cancelled" }, "Stopped · 10 ms"],
])("what a turn took: %j", (turn, text) => {
  expect(turnCostText({ ...emptyTurn("hi"), ...turn })).toBe(text);
});

test.each<[Partial<Start>, string | undefined]>([
  [{}, "Choose at least one server."],
  [{ serverIds: ["srv_1"] }, undefined],
  [{ serverIds: ["srv_1"], modelId: "" }, "Choose a model."],
  [{ clientId: "cli_1", modelId: "" }, undefined],
  [{ speaksTo: "environment" }, "Choose an environment."],
])("what a beginning lacks: %j", (start, lack) => {
  expect(lackOf({ ...usualStart, ...start })).toBe(lack);
});

test("whoever lets a model change things is asked before each call, and only what was chosen is sent", () => {
  const start = withMode({ ...usualStart, serverIds: ["srv_1"], environmentId: "env_1" }, "auto");
  expect(firstMessage(start, { projectId: "prj_1", message: "hi", idempotencyKey: "k" })).toEqual({
    projectId: "prj_1",
    message: "hi",
    idempotencyKey: "k",
    modelId: "fettle/rules-1",
    serverIds: ["srv_1"],
    toolMode: "auto",
    askBeforeCalls: true,
  });
});

test("words of one step are one part, and a call keeps its place from the question to its end", () => {
  const call = { toolCallId: "c1", serverName: "Shop", toolName: "stock", input: {} };
  const told = [
    { event: "text", data: { text: "Let me " } },
    { event: "text", data: { text: "look." } },
    { event: "tool-start", data: call },
    { event: "ask", data: call },
    { event: "decided", data: { toolCallId: "c1", allow: true } },
    { event: "tool-end", data: { ...call, status: "ok", output: "4", durationMs: 7 } },
  ];
  const states = told.map((_, end) => told.slice(0, end + 1).reduce(withTold, emptyTurn("hi")).parts);
  expect(states[1]).toEqual([{ kind: "text", text: "Let me look." }]);
  const stateOf = (at: number) =>
    states[at]!.map((part) => (part.kind === "call" ? part.call.state : part.text));
  expect([2, 3, 4, 5].map((at) => stateOf(at)[1])).toEqual(["running", "asked", "running", "ok"]);
});
