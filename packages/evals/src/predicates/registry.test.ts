import { describe, expect, test } from "vitest";
import { JudgeLimit } from "./pattern.ts";
import { judgePredicate, predicates } from "./registry.ts";
import type { Transcript } from "./transcript.ts";

const nothing: Transcript = { toolCalls: [], toolErrors: [] };
const calls = (...names: string[]): Transcript => ({
  ...nothing,
  toolCalls: names.map((toolName) => ({ toolName, arguments: { id: 17 } })),
});
const answer = (finalText: string): Transcript => ({ ...nothing, finalText });
const result = (text: string, structured?: unknown, isError = false): Transcript => ({
  ...nothing,
  toolCalls: [
    { toolName: "a", arguments: {}, result: { text, structured, isError }, durationMs: 80, resultBytes: 10 },
  ],
});
const view = (status: string, more: object = {}): Transcript => ({
  ...nothing,
  renderObservations: [{ toolName: "a", status, ...more }],
});
const failing: Transcript = {
  ...nothing,
  toolErrors: [{ toolName: "a", kind: "content-error", message: "no" }],
};
const schema = { type: "object", required: ["n"], properties: { n: { type: "number" } } };
const evil = `${"a".repeat(40)}!`;

/** Each in both directions, and each way to fail closed. */
const rows: [string, object, Transcript, boolean][] = [
  ["toolCalledWith", { toolName: "a", args: { args: { id: 17 } } }, calls("a"), true],
  ["toolCalledWith", { toolName: "a", args: { args: { id: 18 } } }, calls("a"), false],
  [
    "toolCalledWith",
    { toolName: "a", args: { args: { id: 18 }, argumentMatching: "ignore" } },
    calls("a"),
    true,
  ],
  ["toolCalledWith", { toolName: "a", args: { args: {}, argumentMatching: "exact" } }, calls("a"), false],
  ["toolCalledWith", { toolName: "a", args: { args: {} }, minCount: 2 }, calls("a", "a"), true],
  ["toolCalledWith", { toolName: "a", args: { args: {} }, minCount: 2 }, calls("a"), false],
  ["toolCalledWith", { toolName: "a", args: { args: {} }, minCount: 0 }, calls("a"), false],
  ["toolCalledWith", { toolName: "a", args: { args: {} }, minCount: 1.5 }, calls("a", "a"), false],
  ["toolCalledAtLeastOnce", { toolName: "a" }, calls("b", "a"), true],
  ["toolCalledAtLeastOnce", { toolName: "a" }, calls("b"), false],
  ["toolNeverCalled", { toolName: "a" }, calls("b"), true],
  ["toolNeverCalled", { toolName: "a" }, calls("a"), false],
  ["toolNeverCalled", { toolName: "" }, nothing, false],
  ["onlyToolsCalled", { toolNames: ["a"] }, calls("a", "a"), true],
  ["onlyToolsCalled", { toolNames: ["a"] }, calls("a", "b"), false],
  ["onlyToolsCalled", { toolNames: [] }, nothing, true],
  ["onlyToolsCalled", { toolNames: [] }, calls("a"), false],
  ["onlyToolsCalled", { toolNames: ["a", " "] }, calls("a"), false],
  ["firstToolWas", { toolName: "a" }, calls("a", "b"), true],
  ["firstToolWas", { toolName: "a" }, calls("b", "a"), false],
  ["firstToolWas", { toolName: "a" }, nothing, false],
  ["firstToolWas", { toolName: "" }, nothing, false],
  ["noToolErrors", {}, nothing, true],
  ["noToolErrors", {}, failing, false],
  ["toolResultContains", { toolName: "a", needle: "DUNE" }, result("Dune"), true],
  ["toolResultContains", { toolName: "a", needle: "DUNE", caseSensitive: true }, result("Dune"), false],
  ["toolResultContains", { toolName: "a", needle: "42" }, result("", { n: 42 }), true],
  ["toolResultContains", { toolName: "b", needle: "Dune" }, result("Dune"), false],
  ["toolResultMatchesSchema", { toolName: "a", schema }, result("", { n: 1 }), true],
  ["toolResultMatchesSchema", { toolName: "a", schema }, result("", { n: "1" }), false],
  ["toolResultMatchesSchema", { toolName: "a", schema }, result("text alone"), false],
  ["toolResultMatchesSchema", { toolName: "a", schema }, result("", { n: 1 }, true), false],
  ["toolResultMatchesSchema", { toolName: "a", schema: { $ref: "#/nowhere" } }, result("", {}), false],
  [
    "toolResultMatchesSchema",
    { toolName: "a", schema: { properties: { n: { pattern: "^(a|a)*$" } } } },
    result("", { n: evil }),
    false,
  ],
  ["toolLatencyUnder", { ms: 81 }, result(""), true],
  ["toolLatencyUnder", { ms: 80 }, result(""), false],
  ["toolLatencyUnder", { ms: 80 }, calls("a"), false],
  ["toolCallCountUnder", { calls: 2 }, calls("a"), true],
  ["toolCallCountUnder", { calls: 1 }, calls("a"), false],
  ["toolCallCountUnder", { toolName: "b", calls: 1 }, calls("a"), true],
  ["toolResultSizeUnder", { bytes: 11 }, result(""), true],
  ["toolResultSizeUnder", { bytes: 10 }, result(""), false],
  ["toolResultSizeUnder", { bytes: 10 }, calls("a"), false],
  ["responseContains", { needle: "SHIPPED" }, answer("It was shipped."), true],
  ["responseContains", { needle: "SHIPPED", caseSensitive: true }, answer("It was shipped."), false],
  ["responseContains", { needle: "x" }, nothing, false],
  ["responseContains", { needle: "" }, answer("x"), false],
  ["responseMatches", { pattern: "sh.p" }, answer("It was shipped."), true],
  ["responseMatches", { pattern: "^sh.p" }, answer("It was shipped."), false],
  ["responseMatches", { pattern: "" }, answer("x"), false],
  ["responseMatches", { pattern: "(" }, answer("("), false],
  ["responseMatches", { pattern: "(a+)+$" }, answer("aaa"), false],
  ["responseMatches", { pattern: "^(a|a)*$" }, answer(evil), false],
  ["responseMatches", { pattern: "^(a|a)*!$" }, answer(evil), true],
  ["responseMatches", { pattern: "x" }, answer("x".repeat(100_001)), false],
  ["responseMatches", { pattern: "x" }, nothing, false],
  ["finalAssistantMessageNonEmpty", {}, answer("x"), true],
  ["finalAssistantMessageNonEmpty", {}, answer(" \n"), false],
  ["finalAssistantMessageNonEmpty", {}, nothing, false],
  ["noSecretsInResponse", {}, answer("nothing here"), true],
  ["noSecretsInResponse", {}, nothing, true],
  ["noSecretsInResponse", {}, answer(`the key is sk-${"a1".repeat(12)}`), false],
  ["noSecretsInResponse", { patterns: ["hunter\\d"] }, answer("hunter2"), false],
  ["tokenBudgetUnder", { tokens: 11 }, { ...nothing, usage: { inputTokens: 4, outputTokens: 6 } }, true],
  ["tokenBudgetUnder", { tokens: 10 }, { ...nothing, usage: { inputTokens: 4, outputTokens: 6 } }, false],
  [
    "tokenBudgetUnder",
    { tokens: 10 },
    { ...nothing, usage: { inputTokens: 4, outputTokens: 5, totalTokens: 12 } },
    false,
  ],
  ["tokenBudgetUnder", { tokens: 10 }, nothing, false],
  ["tokenBudgetUnder", { tokens: 10 }, { ...nothing, usage: { inputTokens: 1 } }, false],
  ["turnCountUnder", { turns: 2 }, { ...nothing, turnCount: 1 }, true],
  ["turnCountUnder", { turns: 2 }, { ...nothing, turnCount: 2 }, false],
  ["turnCountUnder", { turns: 2 }, nothing, false],
  ["turnCountUnder", { turns: 2 }, { ...nothing, turnCount: 1.5 }, false],
  ["turnCountUnder", { turns: 2 }, { ...nothing, turnCount: -1 }, false],
  ["widgetRendered", {}, view("rendered"), true],
  ["widgetRendered", {}, view("mount_failed"), false],
  ["widgetRendered", { toolName: "b" }, view("rendered"), false],
  ["widgetRendered", {}, nothing, false],
  ["widgetRenderLatencyUnder", { ms: 101 }, view("rendered", { latencyMs: 100 }), true],
  ["widgetRenderLatencyUnder", { ms: 100 }, view("rendered", { latencyMs: 100 }), false],
  ["widgetRenderLatencyUnder", { ms: 100 }, view("mount_failed", { latencyMs: 1 }), false],
  ["widgetRenderLatencyUnder", { ms: 0 }, view("rendered", { latencyMs: 1 }), false],
  ["widgetNoConsoleErrors", {}, view("rendered"), true],
  ["widgetNoConsoleErrors", {}, view("rendered", { consoleErrors: ["no"] }), false],
  ["widgetNoConsoleErrors", {}, nothing, false],
];

describe("predicates", () => {
  test.each(rows)("%s %j", (type, fields, transcript, passed) => {
    expect(judgePredicate({ type, ...fields }, transcript)).toMatchObject({ passed });
  });

  test.each([
    ["responseMatches", { pattern: "(?:a?){300}b" }],
    ["noSecretsInResponse", { patterns: ["(?:a?){300}b"] }],
  ])("%s whose pattern takes too many steps says so, and judges nothing", (type, fields) => {
    expect(() => judgePredicate({ type, ...fields }, answer("a".repeat(50_000)))).toThrow(JudgeLimit);
  });

  test("every one is tried in both directions", () => {
    for (const { type } of predicates) {
      const outcomes = new Set(rows.filter(([name]) => name === type).map(([, , , passed]) => passed));
      expect([type, outcomes.size]).toEqual([type, 2]);
    }
  });

  test.each([
    [undefined],
    [null],
    ["x"],
    [{ type: "isGood" }],
    [{ type: "noToolErrors", extra: 1 }],
    [{ type: "constructor" }],
  ])("%j is no predicate, and fails", (value) => {
    expect(judgePredicate(value, nothing).passed).toBe(false);
  });
});
