import { expect, test } from "vitest";
import { argumentsOf, fixturesOf, typedTools } from "./fixtures.ts";

test("what is typed is what a run may execute, and comes back as it was typed", () => {
  const typed = [
    { toolName: " search ", text: '{"query":"tea"}' },
    { toolName: "list", text: "" },
    { toolName: "", text: "{" },
  ];
  const fixtures = fixturesOf(typed);
  expect(fixtures).toEqual({
    toolCalls: [
      { toolName: "search", arguments: { query: "tea" } },
      { toolName: "list", arguments: {} },
    ],
    promptGets: [],
  });
  expect(typedTools(fixtures)).toEqual([
    { toolName: "search", text: '{"query":"tea"}' },
    { toolName: "list", text: "" },
  ]);
  expect(fixturesOf([])).toBeUndefined();
});

test.each(["{", "[]", "7", '"text"'])("arguments that are no object are noticed: %s", (text) => {
  expect(argumentsOf({ toolName: "search", text })).toBeUndefined();
});
