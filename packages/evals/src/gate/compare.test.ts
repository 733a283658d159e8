/** @module Two runs side by side. */
import { describe, expect, test } from "vitest";
import { scored } from "../grading/scores.ts";
import { caseOf, definitions, runOf } from "../testing/run-facts-of.ts";
import { compareRuns, sampleOf } from "./compare.ts";
import type { CaseFacts, IterationFacts, RunFacts } from "./run-facts.ts";

const good = runOf("base", [caseOf("a", 10, 10)]);
const worse = runOf("next", [caseOf("a", 6, 10)]);

test.each<[string, RunFacts, object]>([
  [
    "the same experiment",
    worse,
    { comparable: true, modelClassChanged: false, comparableCaseIds: ["a"], incompatibleCases: [] },
  ],
  [
    "another kind of model",
    { ...worse, modelClass: "rules" },
    { comparable: false, modelClassChanged: true, comparableCaseIds: ["a"] },
  ],
  [
    "another model",
    { ...worse, execution: { model: "n" } },
    { comparable: false, modelClassChanged: false, comparableCaseIds: ["a"] },
  ],
  [
    "other cases",
    runOf("next", [caseOf("a", 6, 9), caseOf("b", 1, 1)]),
    {
      comparable: false,
      comparableCaseIds: [],
      incompatibleCases: [
        { caseKey: "a", reasons: ["iteration_weighting_unequal"] },
        { caseKey: "b", reasons: ["case_added"] },
      ],
    },
  ],
])("the comparison says whether the runs may be compared: %s", (_, run, compatibility) => {
  expect(compareRuns(good, run).compatibility).toMatchObject(compatibility);
});

test("cases are told by what happened to them, the worst first", () => {
  const base = runOf("b", [
    caseOf("a", 1, 1),
    caseOf("b", 0, 1),
    caseOf("c", 1, 1),
    caseOf("d", 1, 1),
    caseOf("e", 0, 1),
    caseOf("f", 1, 1),
  ]);
  const next = runOf("n", [
    caseOf("a", 0, 1),
    caseOf("b", 1, 1),
    caseOf("d", 1, 1, { scenarioContentHash: "x" }),
    caseOf("e", 0, 1),
    caseOf("f", 1, 1),
    caseOf("g", 1, 1),
  ]);
  expect(compareRuns(base, next).cases.map(({ caseKey, status }) => [caseKey, status])).toEqual([
    ["a", "regressed"],
    ["b", "fixed"],
    ["d", "changed"],
    ["g", "new_case"],
    ["c", "removed_case"],
    ["e", "unchanged_failed"],
    ["f", "unchanged_passed"],
  ]);
});

test("what is unknown stays unknown, and no number is made of it", () => {
  const { metrics } = compareRuns(good, worse);
  expect(metrics.estimatedCostUsd).toEqual({ base: null, compare: null, delta: null, percentDelta: null });
  expect(metrics.totalTokens).toEqual({ base: 100, compare: 100, delta: 0, percentDelta: 0 });
});

test("what is known is told as a number, its change and the change in percent", () => {
  const base = runOf("b", [caseOf("a", 4, 5), caseOf("b", 5, 5)], { costUsd: 0.5, completedAt: 2_000 });
  const next = runOf("n", [caseOf("a", 2, 4), caseOf("b", 4, 4)], { costUsd: 0.75, createdAt: 500 });
  const { passSummary, metrics } = compareRuns(base, next);
  expect(passSummary).toEqual({
    passRatePercent: { base: 90, compare: 75, delta: -15, percentDelta: expect.closeTo(-100 / 6) },
    total: { base: 10, compare: 8, delta: -2, percentDelta: -20 },
    passed: { base: 9, compare: 6, delta: -3, percentDelta: expect.closeTo(-100 / 3) },
    failed: { base: 1, compare: 2, delta: 1, percentDelta: 100 },
  });
  expect(metrics).toEqual({
    wallDurationMs: { base: 2_000, compare: 500, delta: -1_500, percentDelta: -75 },
    totalTokens: { base: 100, compare: 80, delta: -20, percentDelta: -20 },
    estimatedCostUsd: { base: 0.5, compare: 0.75, delta: 0.25, percentDelta: 50 },
    p95LatencyMs: { base: 104, compare: 103, delta: -1, percentDelta: expect.closeTo(-100 / 104) },
  });
});

test("a change from nothing has no percentage", () => {
  const { failed } = compareRuns(good, worse).passSummary;
  expect(failed).toEqual({ base: 0, compare: 4, delta: 4, percentDelta: null });
});

test("a comparison names its suite, its two runs and what they were made with", () => {
  const base = { ...good, execution: { model: "m", prompt: "p1", server: "s1" } };
  const next = {
    ...worse,
    suite: { id: "s", name: "Renamed" },
    execution: { server: "s2", model: "m", adapter: "a", prompt: "p1" },
  };
  expect(compareRuns(base, next)).toMatchObject({
    suite: { id: "s", name: "Renamed" },
    baseRunId: "base",
    compareRunId: "next",
    execution: { changed: ["adapter", "server"] },
    evaluationConfigChanged: false,
  });
});

test("one case with other checks is enough to say that the checks have changed", () => {
  const two = runOf("b", [caseOf("a", 1, 1), caseOf("b", 1, 1)]);
  const next = runOf("n", [caseOf("a", 1, 1, { evaluationConfigHash: "x" }), caseOf("b", 1, 1)]);
  const { evaluationConfigChanged, compatibility, cases } = compareRuns(two, next);
  expect(evaluationConfigChanged).toBe(true);
  expect(compatibility).toMatchObject({
    comparableCaseIds: ["b"],
    incompatibleCases: [{ caseKey: "a", reasons: ["evaluation_config_changed"] }],
  });
  expect(cases).toMatchObject([
    { caseKey: "a", status: "changed", configChanged: false, evaluationConfigChanged: true },
    { caseKey: "b", status: "unchanged_passed", configChanged: false, evaluationConfigChanged: false },
  ]);
});

test("cases of one kind are in the order of their keys, by code point, whatever the order in the runs", () => {
  const keys = ["b", "a", "B", "ä", "a1"];
  const [base, next] = [keys, keys.toReversed()].map((order) =>
    runOf(
      "r",
      order.map((key) => caseOf(key, 1, 1)),
    ),
  );
  const { cases, compatibility } = compareRuns(base!, next!);
  expect(cases.map(({ caseKey }) => caseKey)).toEqual(["B", "a", "a1", "b", "ä"]);
  expect(compatibility.comparableCaseIds).toEqual(["B", "a", "a1", "b", "ä"]);
});

/** One case, before and after. */
function compared(before: CaseFacts | undefined, after: CaseFacts | undefined) {
  const [base, next] = [before, after].map((facts) => runOf("r", facts ? [facts] : []));
  return compareRuns(base!, next!).cases[0]!;
}

function withIterations(facts: CaseFacts, ...changes: Partial<IterationFacts>[]): CaseFacts {
  const iterations = facts.iterations.map((one, at) => ({ ...one, ...changes[at] }));
  return { ...facts, iterations };
}

const nothing = {
  outcome: "absent",
  passed: 0,
  eligible: 0,
  iterationIds: [],
  representativeIterationId: null,
  error: null,
};

test("a side of a case tells its counts and shows the repetition to look at", () => {
  const failing = withIterations(
    caseOf("a", 1, 3),
    {},
    { error: "No order." },
    { error: "No order either." },
  );
  const passing = caseOf("a", 2, 2, { title: "The later title" });
  expect(compared(failing, passing)).toMatchObject({
    title: "The later title",
    status: "fixed",
    base: {
      outcome: "failed",
      passed: 1,
      eligible: 3,
      iterationIds: ["a-0", "a-1", "a-2"],
      representativeIterationId: "a-1",
      error: "No order.",
    },
    compare: {
      outcome: "passed",
      passed: 2,
      eligible: 2,
      iterationIds: ["a-0", "a-1"],
      representativeIterationId: "a-0",
      error: null,
    },
  });
  expect(compared(failing, undefined)).toMatchObject({ title: "a", compare: nothing, scoreDeltas: [] });
  expect(compared(undefined, passing)).toMatchObject({ base: nothing, scoreDeltas: [] });
  expect(compared(caseOf("a", 0, 1), passing).base.error).toBeNull();
});

test("a case that came to nothing says why, where that is known", () => {
  const unknown = caseOf("a", 0, 0);
  const lost = { status: "failed", result: null } as const;
  const told = withIterations(caseOf("a", 0, 2, { verdict: "inconclusive" }), lost, {
    ...lost,
    error: "Lost.",
  });
  expect(compared(unknown, told)).toMatchObject({
    base: { ...nothing, outcome: "failed", error: "inconclusive: nothing gradeable" },
    compare: {
      outcome: "failed",
      passed: 0,
      eligible: 0,
      iterationIds: ["a-0", "a-1"],
      representativeIterationId: "a-0",
      error: "inconclusive: Lost.",
    },
  });
});

describe("scores of a case", () => {
  const ids = definitions.map(({ scorerId }) => scorerId);
  const step = definitions.find(({ scorerId }) => scorerId === "step:a")!;
  const deltaOf = (before: CaseFacts, after: CaseFacts, id = step.scorerId) =>
    compared(before, after).scoreDeltas.find(({ scorerId }) => scorerId === id);

  test("are set side by side, in the order of their ids", () => {
    const reversed = caseOf("a", 1, 1, { definitions: definitions.toReversed() });
    expect(compared(reversed, reversed).scoreDeltas.map(({ scorerId }) => scorerId)).toEqual(ids.toSorted());
    expect(deltaOf(caseOf("a", 1, 2), caseOf("a", 2, 2))).toEqual({
      scorerId: "step:a",
      label: step.label,
      gating: true,
      deterministic: true,
      definitionChanged: false,
      base: { status: "scored", value: 0.5, passed: false },
      compare: { status: "scored", value: 1, passed: true },
      value: { base: 0.5, compare: 1, delta: 0.5, percentDelta: 100 },
    });
  });

  test("a scorer of one side alone is told with what that side says of it", () => {
    const without = caseOf("a", 1, 1, { definitions: definitions.filter((one) => one !== step) });
    const bare = withIterations(without, { scores: [] });
    const one = { label: step.label, gating: true, deterministic: false, definitionChanged: true };
    const side = { status: "scored", value: 1, passed: true };
    expect(deltaOf(caseOf("a", 1, 1), bare)).toEqual({
      scorerId: "step:a",
      ...one,
      base: side,
      compare: null,
      value: { base: 1, compare: null, delta: null, percentDelta: null },
    });
    expect(deltaOf(bare, caseOf("a", 1, 1))).toEqual({
      scorerId: "step:a",
      ...one,
      base: null,
      compare: side,
      value: { base: null, compare: 1, delta: null, percentDelta: null },
    });
  });

  test.each<[string, Partial<typeof step>, boolean]>([
    ["another implementation", { implementationHash: "x" }, true],
    ["another threshold", { passThreshold: 0.5 }, true],
    ["another label", { label: "x" }, false],
  ])("%s: whether the scorer has changed", (_, fields, definitionChanged) => {
    const other = { ...step, ...fields };
    const after = withIterations(
      caseOf("a", 1, 1, { definitions: definitions.map((one) => (one === step ? other : one)) }),
      { scores: definitions.map((one) => scored(one === step ? other : one, 1, "")) },
    );
    expect(deltaOf(caseOf("a", 1, 1), after)?.definitionChanged).toBe(definitionChanged);
    expect(deltaOf(after, withIterations(caseOf("a", 1, 1), { scores: [] }))?.definitionChanged).toBe(
      fields.implementationHash !== undefined,
    );
  });

  test("what did not score has no value, and what did not apply spoils nothing", () => {
    const row = scored(step, 1, "");
    const { value: _value, passed: _passed, ...rest } = row;
    const idle = { ...rest, status: "not_applicable" } as const;
    const skipped = { ...rest, status: "skipped" } as const;
    const sideOf = (...scores: IterationFacts["scores"]) =>
      deltaOf(
        withIterations(
          caseOf("a", scores.length, scores.length),
          ...scores.map((one) => ({ scores: [one] })),
        ),
        caseOf("a", 1, 1),
      )?.base;
    expect(sideOf(skipped)).toEqual({ status: "skipped", value: null, passed: null });
    expect(sideOf(row, idle)).toEqual({ status: "scored", value: 1, passed: true });
    expect(sideOf(row, skipped)).toEqual({ status: "scored", value: 1, passed: false });
    expect(sideOf(scored(step, 0.5, ""), row)).toEqual({ status: "scored", value: 0.75, passed: false });
  });

  test("a repetition without a result is left out", () => {
    const lost = withIterations(caseOf("a", 1, 2), {}, { result: null, status: "failed" });
    expect(deltaOf(lost, caseOf("a", 1, 1))?.base).toEqual({ status: "scored", value: 1, passed: true });
  });
});

test("what counts as an observation: repetitions that ended, or cases with a verdict", () => {
  const lost = withIterations(caseOf("b", 0, 2), { result: null, status: "failed" });
  const cases = [caseOf("a", 2, 3), lost, caseOf("c", 1, 1), caseOf("d", 0, 0)];
  expect(sampleOf(runOf("r", cases))).toEqual({ passed: 3, total: 5 });
  expect(sampleOf(runOf("r", cases, { modelClass: "rules" }))).toEqual({ passed: 1, total: 3 });
});

test.each<[string, RunFacts, RunFacts, object]>([
  [
    "known before alone",
    { ...good, costUsd: 1 },
    worse,
    { base: 1, compare: null, delta: null, percentDelta: null },
  ],
  [
    "known after alone",
    good,
    { ...worse, costUsd: 1 },
    { base: null, compare: 1, delta: null, percentDelta: null },
  ],
])("a number that is %s has no change", (_, base, next, cost) => {
  expect(compareRuns(base, next).metrics.estimatedCostUsd).toEqual(cost);
});
