/** @module The judge without a model: which part of what was expected is in an answer, and what each part is worth. */
import type { Trace } from "@fettle/evals";
import { describe, expect, test } from "vitest";
import { createRulesJudge } from "./rules-judge.ts";

type Calls = [turn: number, isError: boolean][];

function graded(
  expectedOutput: string | undefined,
  finalText: string,
  { others = [], calls = [] }: { others?: string[]; calls?: Calls } = {},
) {
  const judge = createRulesJudge([...(expectedOutput === undefined ? [] : [expectedOutput]), ...others]);
  const toolCalls = calls.map(([turn, isError]) => ({ turn, isError }));
  return judge({ expectedOutput, finalText, hasResults: true, text: "" }, { toolCalls } as Pick<
    Trace,
    "toolCalls"
  > as Trace);
}

describe("an answer", () => {
  test.each<[string, string, string, Calls, number]>([
    ["with all of it", "order 17 shipped", "Order 17 has been shipped.", [[0, false]], 1],
    ["with nothing of it", "order 17 shipped", "No.", [], 0.2],
    ["with the words alone", "book-7 shipped", "Shipped: that book, 7.", [], 0.8],
    ["with all of it after a tool that failed", "order 17 shipped", "Order 17 shipped", [[0, true]], 0.8],
    [
      "with all of it, in which a tool failed earlier",
      "order 17 shipped",
      "Order 17 shipped",
      [
        [0, true],
        [1, false],
      ],
      1,
    ],
    [
      "with all of it, in which one of the last tools failed",
      "order 17 shipped",
      "Order 17 shipped",
      [
        [1, true],
        [1, false],
      ],
      0.8,
    ],
    ["to something without numbers", "shipped", "Shipped", [], 1],
    ["to something without words", "…", "Shipped", [], 1],
  ])("%s", (_, expected, said, calls, score) => {
    expect(graded(expected, said, { calls })?.score).toBe(score);
  });

  test("is told what is missing from it", () => {
    expect(graded("Order 17 goes to Bergen", "Order 18 goes away", { calls: [[0, true]] })).toMatchObject({
      reason:
        "By rules: 2 of 3 expected words and 0 of 1 numbers and identifiers are in the answer; a tool failed in the last turn.",
      items: ["missing: bergen", "missing: 17"],
    });
  });

  test("to nothing that was expected is not judged", () => {
    expect(graded(undefined, "Shipped")).toBeUndefined();
  });
});

test("a word that every case expects tells less than one of this case alone", () => {
  const others = Array.from({ length: 9 }, () => "order");
  const without = (said: string) => graded("order shipped", said, { others })?.score ?? 0;
  expect(without("shipped")).toBeGreaterThan(without("order"));
  expect(without("shipped")).toBeCloseTo(0.4 + (0.6 * Math.log(11)) / (Math.log(11) + Math.log(2)), 3);
});
