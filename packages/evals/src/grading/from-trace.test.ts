import { expect, test } from "vitest";
import { traceOf } from "../testing/trace-of.ts";
import { transcriptOf } from "./from-trace.ts";

const trace = traceOf(
  {
    calls: [
      { toolName: "list", arguments: { page: 1 }, text: "two orders" },
      { toolName: "cancel", isError: true, text: "locked" },
      { toolName: "guarded", outcome: "blocked" },
      { toolName: "invented", outcome: "invalid" },
      { toolName: "stopped", outcome: "cancelled" },
      { toolName: "broken", outcome: "failed", isError: true, text: "no answer" },
    ],
    answer: "There are two.",
  },
  { answer: "Bye.", pinned: true },
);

test("the whole of a trace is what reached the server, what was said last, and what it cost", () => {
  const told = transcriptOf({ ...trace, usage: { input: 20, output: 10, total: 30 } });
  expect(told.toolCalls).toStrictEqual([
    {
      toolName: "list",
      serverName: "orders",
      arguments: { page: 1 },
      result: { text: "two orders", structured: undefined, isError: false },
      durationMs: 5,
      resultBytes: 10,
    },
    {
      toolName: "cancel",
      serverName: "orders",
      arguments: {},
      result: { text: "locked", structured: undefined, isError: true },
      durationMs: 5,
      resultBytes: 10,
    },
    { toolName: "broken", serverName: "orders", arguments: {}, durationMs: 5, resultBytes: 10 },
  ]);
  expect(told.toolErrors.map(({ toolName, kind, message }) => [toolName, kind, message])).toEqual([
    ["cancel", "content-error", "locked"],
    ["broken", "protocol-error", "no answer"],
  ]);
  expect(told).toMatchObject({
    finalText: "Bye.",
    usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
    turnCount: 1,
  });
});

test("one turn has its own calls, answer and cost", () => {
  expect(transcriptOf(trace, 0)).toMatchObject({
    toolCalls: [{ toolName: "list" }, { toolName: "cancel" }, { toolName: "broken" }],
    finalText: "There are two.",
    usage: { inputTokens: 10, outputTokens: 5 },
  });
  const second = transcriptOf(trace, 1);
  expect(second).toMatchObject({ toolCalls: [], toolErrors: [], finalText: "Bye." });
  expect(second.usage).toStrictEqual({ inputTokens: 10, outputTokens: 5 });
});

test("a turn that never was has nothing", () => {
  const told = transcriptOf(trace, 7);
  expect(told).toMatchObject({ toolCalls: [], toolErrors: [] });
  expect(told).not.toHaveProperty("finalText");
  expect(told).not.toHaveProperty("usage");
});

test("what nobody measured is left out, and so is the server of a tool that none has", () => {
  const [call] = trace.toolCalls;
  const unmeasured = { ...call!, server: null, durationMs: null, resultBytes: null };
  const { toolCalls, usage } = transcriptOf({ ...trace, toolCalls: [unmeasured], usage: {} });
  expect(Object.keys(toolCalls[0]!)).toEqual(["toolName", "arguments", "result"]);
  expect(usage).toStrictEqual({});
});

test.each([
  ["cut at its beginning", "two ord", { text: "two ord" }],
  [
    "of several blocks",
    { content: [{ type: "text", text: "a" }, { type: "image" }, null, { type: "text", text: "b" }] },
    { text: "a\nb" },
  ],
  ["without blocks", { structuredContent: { n: 1 } }, { text: "", structured: { n: 1 } }],
])("a result %s is read as text", (_, result, read) => {
  const call = {
    ...trace.toolCalls[0]!,
    result: result as NonNullable<(typeof trace.toolCalls)[0]["result"]>,
  };
  expect(transcriptOf({ ...trace, toolCalls: [call] }).toolCalls[0]?.result).toEqual({
    ...read,
    isError: false,
  });
});
