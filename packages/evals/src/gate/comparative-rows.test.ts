/** @module What a gate says of two runs side by side, and with which numbers. */
import { describe, expect, test } from "vitest";
import { scored } from "../grading/scores.ts";
import { caseOf, definitions, runOf } from "../testing/run-facts-of.ts";
import { comparativeRows } from "./comparative-rows.ts";
import { compareRuns } from "./compare.ts";
import type { GatePolicy } from "./policy.ts";
import type { CaseFacts, RunFacts } from "./run-facts.ts";

const rowsOf = (base: RunFacts, run: RunFacts, policy: GatePolicy = {}) =>
  comparativeRows(base, run, policy, compareRuns(base, run));
const rate = (id: string, passes: number, total = 10) => runOf(id, [caseOf("a", passes, total)]);
const otherModel = (run: RunFacts) => ({ ...run, execution: { model: "n" } });

describe("the change of the pass rate", () => {
  test.each<[string, RunFacts, RunFacts, GatePolicy, object]>([
    [
      "a drop that shows",
      rate("b", 10),
      rate("n", 6),
      {},
      {
        status: "failed",
        message:
          "10/10 to 6/10 repetitions (-40.0, 95 % between -68.7 and -3.8); a drop to 6/10 is the first that would show.",
        observed: expect.closeTo(-0.4),
        threshold: -0.01,
      },
    ],
    [
      "a rise",
      rate("b", 6),
      rate("n", 10),
      { regression: { minEffectSize: 0.25 } },
      {
        status: "passed",
        message: expect.stringMatching(
          /^6\/10 to 10\/10 repetitions \(\+40\.0, 95 % between \+3\.8 and \+68\.7\); a drop to 1\/10 is/,
        ),
        observed: expect.closeTo(0.4),
        threshold: -0.25,
      },
    ],
    [
      "no change",
      rate("b", 10),
      rate("n", 10),
      {},
      {
        status: "passed",
        message: expect.stringContaining("repetitions (0.0, 95 % between -27.8 and +27.8)"),
        observed: 0,
      },
    ],
    [
      "a drop smaller than the one asked for",
      rate("b", 10),
      rate("n", 6),
      { regression: { minEffectSize: 0.5 } },
      { status: "passed", message: expect.stringContaining("a drop to 5/10 is the first"), threshold: -0.5 },
    ],
    [
      "too few",
      rate("b", 4, 4),
      rate("n", 0, 4),
      {},
      {
        status: "non_gateable",
        message: expect.stringMatching(
          /^Too few repetitions to tell, 5 are needed on both sides: 4\/4 to 0\/4/,
        ),
        observed: -1,
        threshold: -0.01,
      },
    ],
    [
      "fewer than asked for",
      rate("b", 10),
      rate("n", 6),
      { regression: { minSampleSize: 11 } },
      { status: "non_gateable", message: expect.stringContaining("11 are needed on both sides") },
    ],
    [
      "so few that nothing could show",
      rate("b", 1, 1),
      rate("n", 1, 1),
      { regression: { minSampleSize: 1 } },
      { status: "passed", message: expect.stringContaining("no drop could be noticed with so few") },
    ],
  ])("%s", (_, base, run, policy, row) => {
    expect(rowsOf(base, run, policy)).toEqual([
      expect.objectContaining({ gate: "passRateRegression", ...row }),
    ]);
  });
});

describe("the change of the latency", () => {
  const slower = (ms: number | null) => {
    // Of one repetition the percentile is its own duration, to the last digit.
    const [facts] = rate("n", 1, 1).cases;
    const iterations = facts!.iterations.map((one) => ({
      ...one,
      durationMs: ms === null ? null : (one.durationMs ?? 0) + ms,
    }));
    return runOf("n", [{ ...facts!, iterations }]);
  };
  test.each<[string, RunFacts, object]>([
    [
      "within what is allowed",
      slower(20),
      {
        status: "passed",
        message: "p95 changed by 20 ms; at most 20 ms more is allowed.",
        observed: 20,
      },
    ],
    [
      "above it",
      slower(30),
      { status: "failed", message: "p95 changed by 30 ms; at most 20 ms more is allowed." },
    ],
    ["not measured", slower(null), { status: "non_gateable", message: "Not every repetition was timed." }],
    [
      "of another experiment",
      otherModel(slower(0)),
      {
        status: "non_gateable",
        message: "The runs are not the same experiment: another model: m before, n now.",
      },
    ],
  ])("%s", (_, run, row) => {
    const rows = rowsOf(rate("b", 1, 1), run, { maximumP95LatencyIncreaseMs: 20 });
    expect(rows.slice(1)).toEqual([
      expect.objectContaining({ gate: "maximumP95LatencyIncreaseMs", threshold: 20, ...row }),
    ]);
  });
});

describe("checks that held before", () => {
  const step = definitions.find(({ scorerId }) => scorerId === "step:a")!;
  const rowOf = (base: RunFacts, run: RunFacts) =>
    rowsOf(base, run, { noDeterministicRegressions: true }).at(-1);
  /** A case whose step is of another kind, and came to this. */
  const stepped = (value: number, fields: Partial<typeof step> = {}): CaseFacts => {
    const own = { ...step, ...fields };
    const facts = caseOf("a", 1, 1, {
      definitions: definitions.map((one) => (one === step ? own : one)),
    });
    const scores = definitions.map((one) => scored(one === step ? own : one, one === step ? value : 1, ""));
    return { ...facts, iterations: facts.iterations.map((one) => ({ ...one, scores })) };
  };
  const run = (id: string, ...cases: CaseFacts[]) => runOf(id, cases);

  test("hold", () => {
    expect(rowOf(run("b", stepped(1)), run("n", stepped(1)))).toEqual({
      gate: "noDeterministicRegressions",
      status: "passed",
      message: `${definitions.length} checks held.`,
      observed: 0,
      threshold: 0,
    });
  });

  test("fell, and are named", () => {
    expect(rowOf(run("b", stepped(1)), run("n", stepped(0)))).toEqual({
      gate: "noDeterministicRegressions",
      status: "failed",
      message: "No longer hold: a step:a.",
      observed: 1,
      threshold: 0,
    });
  });

  test.each<[string, Partial<typeof step>, Partial<typeof step>]>([
    ["it is advice", { role: "advisory" }, { role: "advisory" }],
    ["it is not deterministic", { deterministic: false }, { deterministic: false }],
    ["it has changed", {}, { implementationHash: "x" }],
  ])("one that fell does not count where %s", (_, before, after) => {
    expect(rowOf(run("b", stepped(1, before)), run("n", stepped(0, after)))).toMatchObject({
      status: "passed",
      message: `${definitions.length - 1} checks held.`,
    });
  });

  test("one that did not hold before has not fallen", () => {
    expect(rowOf(run("b", stepped(0)), run("n", stepped(0)))).toMatchObject({
      status: "passed",
      observed: 0,
    });
  });

  const bare = run("b", caseOf("a", 1, 1, { definitions: [] }));
  test.each<[string, RunFacts, RunFacts]>([
    ["The scores of one of the runs do not fit their definitions.", bare, run("n", stepped(0))],
    ["The scores of one of the runs do not fit their definitions.", run("b", stepped(1)), bare],
    [
      "Another model was asked, so that a check that fell says nothing about the server.",
      run("b", stepped(1)),
      otherModel(run("n", stepped(0))),
    ],
    [
      "The runs share no deterministic check.",
      run("b", stepped(1)),
      run("n", { ...stepped(0), caseKey: "b" }),
    ],
  ])("are not judged: %s", (message, base, next) => {
    expect(rowOf(base, next)).toMatchObject({ status: "non_gateable", message });
  });
});
