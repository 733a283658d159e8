import { EvalCaseCreateRequest } from "@fettle/contract/evals";
import { expect, test } from "vitest";
import { caseFromTurns } from "./case-from-turns.ts";

test("what was asked is asked again, what went well is expected again, and what was made up may be anything", () => {
  const made = caseFromTurns([
    {
      message: "Order  two copies\nof Dune",
      toolCalls: [
        { toolName: "search", input: { query: "Dune", limit: 10 }, status: "ok" },
        {
          toolName: "order",
          input: { bookId: "b-17", at: "2026-11-16T09:00:00Z", to: { id: 7, name: "Ann" } },
          status: "ok",
        },
        { toolName: "pay", input: {}, status: "error" },
      ],
    },
    { message: "Thanks", toolCalls: [] },
  ]);
  expect(made).toEqual({
    title: "Order two copies of Dune",
    steps: [
      { id: "ask-1", kind: "prompt", prompt: "Order  two copies\nof Dune" },
      {
        id: "called-1-1",
        kind: "assert",
        assertion: {
          type: "toolCalledWith",
          toolName: "search",
          args: { args: { query: "Dune", limit: 10 } },
        },
      },
      {
        id: "called-1-2",
        kind: "assert",
        assertion: {
          type: "toolCalledWith",
          toolName: "order",
          args: { args: { bookId: "string", at: "string", to: { id: "number", name: "Ann" } }, deep: true },
        },
      },
      { id: "ask-2", kind: "prompt", prompt: "Thanks" },
    ],
  });
  expect(EvalCaseCreateRequest.parse(made)).toMatchObject({ title: made.title });
});
