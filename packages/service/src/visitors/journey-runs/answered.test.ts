import type { ToolCall, Trace } from "@fettle/evals";
import { expect, test } from "vitest";
import { answeredIn } from "./answered.ts";
import type { FrozenJourney } from "./frozen.ts";
import { claimGrading, gradeSession } from "./grade.ts";

const goal = 'Check the stock of the book "Tin Swallows", ISBN 978-3';
const error = 'check_stock: no stock of the book "Tin Swallows" (ISBN 978-3) to check: it wants an id';
const call = (text: string, rest: Partial<ToolCall> = {}) =>
  ({
    turn: 0,
    toolName: "check_stock",
    outcome: "result",
    isError: false,
    result: { content: [{ type: "text", text }] },
    ...rest,
  }) as unknown as ToolCall;
const traceOf = (answer: string, ...toolCalls: ToolCall[]) =>
  ({
    messages: [
      { role: "user", text: goal },
      { role: "assistant", parts: [{ type: "text", text: answer }] },
    ],
    toolCalls,
    turns: [],
    faults: [],
  }) as unknown as Trace;

test.each<[string, Trace, string]>([
  ["all of it where nothing was called", traceOf("Four."), "Four."],
  ["all of it where nothing failed", traceOf("Four.", call("4")), "Four."],
  [
    "nothing where all that was called failed",
    traceOf(`Sorry: ${error}`, call(error, { isError: true })),
    "",
  ],
  ["nothing where an error is told as a result", traceOf(`Error: ${error}`, call(`Error: ${error}`)), ""],
  [
    "the rest where one of two failed",
    traceOf(
      `search: Tin Swallows, 4 copies\ncheck_stock failed: ${error}`,
      call("4"),
      call(error, { isError: true }),
    ),
    "search: Tin Swallows, 4 copies",
  ],
  [
    "all of it where only an earlier turn failed",
    traceOf("Four.", call(error, { isError: true }), call("4", { turn: 1 })),
    "Four.",
  ],
])("counts as answered %s", (_, trace, answered) => {
  expect(answeredIn(trace)).toBe(answered);
});

test.each<[string, Trace, boolean]>([
  [
    "an error that says all its words",
    traceOf(`check_stock failed: ${error}`, call(error, { isError: true })),
    false,
  ],
  ["an error that is told as a result", traceOf(`Error: ${error}`, call(`Error: ${error}`)), false],
  ["a result", traceOf('The stock of the book "Tin Swallows", 978-3, is 4. I did check.', call("4")), true],
])("by rules, a goal is reached or not by %s", async (_, trace, passed) => {
  const frozen = { goal, persona: { name: "Noor" }, rubric: [], judge: { model: null, threshold: 0.5 } };
  // What grading looks at of a journey.
  const journey = frozen as unknown as FrozenJourney;
  const noModel = () => Promise.reject(new Error("no model is asked"));
  const { signal } = new AbortController();
  const graded = await gradeSession(journey, claimGrading(journey), trace, noModel, signal);
  expect(graded.goal).toMatchObject({ status: "completed", passed });
});
