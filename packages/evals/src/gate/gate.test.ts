import { describe, expect, test } from "vitest";
import { scored } from "../grading/scores.ts";
import { caseOf, definitions, runOf } from "../testing/run-facts-of.ts";
import { compareRuns } from "./compare.ts";
import { decideGate, type GateInput, gateExitCode, type Waiver } from "./gate.ts";
import type { GatePolicy } from "./policy.ts";
import { type RunFacts, readRunFacts } from "./run-facts.ts";

const good = runOf("base", [caseOf("a", 10, 10)]);
const worse = runOf("next", [caseOf("a", 6, 10)]);
const slightlyWorse = runOf("next", [caseOf("a", 8, 10)]);
const gate = (input: Partial<GateInput> & { policy?: GatePolicy }) =>
  decideGate({ run: worse, policy: {}, ...input });
const waiver: Waiver = { active: true, revokedAt: null, expiresAt: 100, reason: "known" };

describe("thresholds", () => {
  test.each<[string, RunFacts, GatePolicy, string]>([
    ["its own result, green", good, { runMustPass: true }, "passed"],
    ["its own result, red", worse, { runMustPass: true }, "failed"],
    ["pass rate met exactly", worse, { minimumPassRate: 0.6 }, "passed"],
    ["pass rate not met", worse, { minimumPassRate: 0.61 }, "failed"],
    [
      "nothing counted",
      runOf("x", [caseOf("a", 0, 0)], { result: "failed" }),
      { minimumPassRate: 0 },
      "incomplete",
    ],
    ["tokens met", worse, { maximumTotalTokens: 100 }, "passed"],
    ["tokens not met", worse, { maximumTotalTokens: 99 }, "failed"],
    [
      "tokens not measured",
      runOf("x", [
        caseOf("a", 1, 1, { iterations: [{ ...caseOf("a", 1, 1).iterations[0]!, totalTokens: null }] }),
      ]),
      { maximumTotalTokens: 1 },
      "incomplete",
    ],
    ["latency met", worse, { maximumP95LatencyMs: 109 }, "passed"],
    ["latency not met", worse, { maximumP95LatencyMs: 108 }, "failed"],
    [
      "latency not measured",
      runOf("x", [
        caseOf("a", 1, 1, { iterations: [{ ...caseOf("a", 1, 1).iterations[0]!, durationMs: null }] }),
      ]),
      { maximumP95LatencyMs: 1 },
      "incomplete",
    ],
    ["scorer rate met", worse, { minimumScorerPassRate: { "step:a": 0.6 } }, "passed"],
    ["scorer rate not met", worse, { minimumScorerPassRate: { "step:a": 0.7 } }, "failed"],
    ["mean met", worse, { minimumMeanScore: { "step:a": 0.6 } }, "passed"],
    ["mean not met", worse, { minimumMeanScore: { "step:a": 0.7 } }, "failed"],
    ["no score errors", worse, { noGatingScoreErrors: true }, "passed"],
    [
      "scores of no definition",
      runOf("x", [caseOf("a", 1, 1, { definitions: [] })]),
      { noGatingScoreErrors: true },
      "incomplete",
    ],
    ["a case that must pass", good, { caseMustPass: ["a"] }, "passed"],
    ["a case that must pass and did not", worse, { caseMustPass: ["a"] }, "failed"],
    ["a case that is not there", worse, { caseMustPass: ["b"] }, "incomplete"],
    [
      "a failure outranks what could not be measured",
      worse,
      { caseMustPass: ["b"], minimumPassRate: 1 },
      "failed",
    ],
  ])("%s", (_, run, policy, outcome) => {
    expect(decideGate({ run, policy }).outcome).toBe(outcome);
  });

  test.each<[string, RunFacts, GatePolicy, object]>([
    ["its own result, green", good, { runMustPass: true }, { message: "The run passed." }],
    ["its own result, red", worse, { runMustPass: true }, { message: "The run failed." }],
    [
      "the pass rate",
      worse,
      { minimumPassRate: 0.655 },
      { message: "60 % of 10 repetitions passed; at least 65.5 % must.", observed: 0.6, threshold: 0.655 },
    ],
    [
      "a rate of nothing",
      runOf("x", [caseOf("a", 0, 0)], { result: "failed" }),
      { minimumPassRate: 0.5 },
      { message: "Nothing was eligible.", threshold: 0.5 },
    ],
    [
      "tokens",
      worse,
      { maximumTotalTokens: 99 },
      { message: "100 tokens; at most 99 are allowed.", observed: 100, threshold: 99 },
    ],
    [
      "latency",
      worse,
      { maximumP95LatencyMs: 100 },
      {
        message: "p95 is 109 ms; at most 100 ms is allowed.",
        observed: expect.closeTo(108.55),
        threshold: 100,
      },
    ],
    [
      "the rate of a scorer",
      worse,
      { minimumScorerPassRate: { "step:a": 0.6 } },
      { message: "60 % of 10 passed; at least 60 % must.", observed: 0.6, threshold: 0.6 },
    ],
    [
      "the mean of a scorer",
      worse,
      { minimumMeanScore: { "step:a": 0.6 } },
      { message: "The mean is 0.600; at least 0.6 is asked.", observed: 0.6, threshold: 0.6 },
    ],
    ["a case that passed", good, { caseMustPass: ["a"] }, { message: "The case passed." }],
    ["a case that is not there", worse, { caseMustPass: ["b"] }, { message: "The run has no such case." }],
    [
      "a case without a verdict",
      runOf("x", [caseOf("a", 1, 1), caseOf("b", 0, 0)], { result: "passed" }),
      { caseMustPass: ["b"] },
      { message: "The case is inconclusive.", status: "non_gateable" },
    ],
    [
      "scores that do not fit",
      runOf("x", [caseOf("a", 1, 1, { definitions: definitions.slice(1) })]),
      { minimumScorerPassRate: { "step:a": 1 } },
      { message: "The run's scores do not fit their definitions.", status: "non_gateable" },
    ],
    [
      "no scores",
      runOf("x", [caseOf("a", 1, 1, { definitions: [] })]),
      { noGatingScoreErrors: true },
      { message: "The run has no scores.", status: "non_gateable" },
    ],
  ])("a row says what was seen and what is asked: %s", (_, run, policy, row) => {
    expect(decideGate({ run, policy }).verdicts).toMatchObject([row]);
  });

  test("a latency that is met exactly passes", () => {
    const run = runOf("x", [caseOf("a", 1, 1)]);
    expect(decideGate({ run, policy: { maximumP95LatencyMs: 100 } }).outcome).toBe("passed");
  });

  test("a repetition without a result counts neither for a rate nor for a scorer", () => {
    const { iterations } = caseOf("a", 2, 2);
    const lost = { ...iterations[1]!, status: "failed", result: null } as const;
    const fallen = definitions.map((of) => scored(of, 0, ""));
    const run = runOf("x", [
      caseOf("a", 1, 1, { iterations: [iterations[0]!, { ...lost, scores: fallen }] }),
    ]);
    const policy = {
      minimumPassRate: 1,
      minimumScorerPassRate: { "step:a": 1 },
      minimumMeanScore: { "step:a": 1 },
    };
    expect(decideGate({ run, policy }).verdicts.map(({ status }) => status)).toEqual([
      "passed",
      "passed",
      "passed",
    ]);
  });

  test("of a scorer only its own rows count, and those to which it applied", () => {
    const { iterations } = caseOf("a", 2, 2);
    const rows = (mine: object) =>
      definitions.map((of) =>
        of.scorerId === "step:a" ? { ...scored(of, 1, ""), ...mine } : scored(of, 0, ""),
      );
    const idle = { status: "not_applicable", value: undefined, passed: undefined } as const;
    const run = runOf("x", [
      caseOf("a", 2, 2, {
        iterations: [
          { ...iterations[0]!, scores: rows({}) },
          { ...iterations[1]!, scores: rows(idle) },
        ],
      }),
    ]);
    const policy = { minimumScorerPassRate: { "step:a": 1 }, minimumMeanScore: { "step:a": 1 } };
    expect(decideGate({ run, policy }).verdicts).toMatchObject([{ observed: 1 }, { observed: 1 }]);
    const nowhere = runOf("x", [
      caseOf("a", 1, 1, { iterations: [{ ...iterations[0]!, scores: rows(idle) }] }),
    ]);
    expect(decideGate({ run: nowhere, policy }).verdicts).toMatchObject([
      { status: "non_gateable", message: "It applied nowhere." },
      { status: "non_gateable", message: "It scored nowhere." },
    ]);
  });

  test("only errors of scorers that decide count against a run", () => {
    const [step, check] = definitions;
    const advisory = { ...step!, role: "advisory" as const };
    const run = (of: typeof advisory | NonNullable<typeof step>, values: number[]) =>
      runOf("x", [
        caseOf("a", 1, 1, {
          definitions: [of, check!],
          iterations: [
            {
              ...caseOf("a", 1, 1).iterations[0]!,
              scores: [scored(of, values[0]!, ""), scored(check!, values[1]!, "")],
            },
          ],
        }),
      ]);
    const rowsOf = (facts: RunFacts) =>
      decideGate({ run: facts, policy: { noGatingScoreErrors: true } }).verdicts;
    // No share is above one, so a scorer that says so is out of order.
    expect(rowsOf(run(step!, [2, 1]))).toMatchObject([{ status: "failed", observed: 1, threshold: 0 }]);
    expect(rowsOf(run(advisory, [2, 1]))).toMatchObject([{ status: "passed", observed: 0 }]);
    expect(rowsOf(run(advisory, [1, 2]))).toMatchObject([{ status: "failed", observed: 1 }]);
  });

  test.each<[string, Partial<GateInput>]>([
    ["an empty policy never passes", {}],
    ["a rate above one", { policy: { minimumPassRate: 80 } }],
    ["a rate that is no number", { policy: { minimumPassRate: Number.NaN } }],
    ["an unknown scorer", { policy: { minimumScorerPassRate: { nobody: 1 } } }],
    ["a generated scorer", { policy: { minimumMeanScore: { "predicate:noToolErrors#1": 1 } } }],
    ["a comparison without a baseline", { policy: { noDeterministicRegressions: true } }],
    ["tuning without a baseline", { policy: { minimumPassRate: 0, regression: { minSampleSize: 3 } } }],
    ["a run that is its own baseline", { baseline: worse }],
  ])("usage: %s", (_, input) => {
    const report = gate(input);
    expect([report.outcome, gateExitCode[report.outcome]]).toEqual(["usage_error", 2]);
  });
});

describe("what is decided first", () => {
  test.each<[string, Partial<GateInput>]>([
    ["a cancelled run", { run: runOf("x", [], { status: "cancelled", result: null }) }],
    ["a run that is not done", { run: runOf("x", [], { status: "running", result: null }) }],
    ["a crashed run", { run: runOf("x", [caseOf("a", 0, 5)], { status: "failed", result: null }) }],
    [
      "an inconclusive run",
      { run: runOf("x", [caseOf("a", 0, 5)], { result: "inconclusive", reasons: ["noGradeableTrials"] }) },
    ],
    [
      "imports that may not count",
      {
        run: runOf("x", [caseOf("a", 0, 5)], { importEligibility: { status: "incomplete", gateable: true } }),
      },
    ],
    [
      "not gateable under any status",
      { run: runOf("x", [caseOf("a", 0, 5)], { importEligibility: { status: "legacy", gateable: false } }) },
    ],
    ["a baseline that cannot be read", { baseline: null }],
    [
      "a baseline that cannot be read, with a policy that compares",
      { baseline: null, policy: { regression: { minSampleSize: 3 }, noDeterministicRegressions: true } },
    ],
    ["a baseline without a verdict", { baseline: { ...good, result: "inconclusive" } }],
    ["a baseline without a result", { baseline: { ...good, result: null } }],
    ["a baseline that did not come to its end", { baseline: { ...good, status: "cancelled" } }],
    [
      "a baseline whose imports may not count",
      { baseline: { ...good, importEligibility: { status: "incomplete", gateable: false } } },
    ],
  ])("%s is incomplete, and no waiver helps", (_, input) => {
    const report = gate({ policy: { minimumPassRate: 1 }, waiver, ...input });
    expect([report.outcome, gateExitCode[report.outcome]]).toEqual(["incomplete", 3]);
    expect(report.waiver).toEqual(waiver);
  });

  test("what a run cannot be gated for is said in words", () => {
    const { status, result } = { status: "running", result: null } as const;
    const { verdicts } = gate({ run: runOf("x", [], { status, result }), policy: { runMustPass: true } });
    expect(verdicts).toMatchObject([{ message: "The run did not come to its end: running." }]);
  });

  test("whether imports may count comes before what became of the run", () => {
    const run = runOf("x", [], {
      status: "cancelled",
      result: null,
      importEligibility: { status: "incomplete", gateable: false },
    });
    expect(gate({ run, policy: { runMustPass: true } }).verdicts).toMatchObject([
      { gate: "importEligibility" },
    ]);
  });

  test.each(["legacy", "eligible"] as const)("%s imports go the ordinary way", (status) => {
    const run = { ...worse, importEligibility: { status, gateable: true } };
    expect(gate({ run, policy: { minimumPassRate: 1 } }).outcome).toBe("failed");
  });
});

describe("comparing", () => {
  test.each<[string, RunFacts, RunFacts, GatePolicy, string]>([
    ["a drop that shows", good, worse, {}, "failed"],
    ["a drop that does not", good, slightlyWorse, {}, "passed"],
    ["too few", runOf("base", [caseOf("a", 4, 4)]), runOf("next", [caseOf("a", 0, 4)]), {}, "incomplete"],
    ["too few for what is asked", good, worse, { regression: { minSampleSize: 11 } }, "incomplete"],
    ["a new case", good, runOf("next", [caseOf("a", 10, 10), caseOf("b", 1, 1)]), {}, "incomplete"],
    [
      "a removed case",
      runOf("base", [caseOf("a", 10, 10), caseOf("b", 1, 1)]),
      runOf("next", [caseOf("a", 10, 10)]),
      {},
      "incomplete",
    ],
    [
      "a changed case",
      good,
      runOf("next", [caseOf("a", 6, 10, { scenarioContentHash: "other" })]),
      {},
      "incomplete",
    ],
    [
      "changed checks",
      good,
      runOf("next", [caseOf("a", 6, 10, { evaluationConfigHash: "other" })]),
      {},
      "incomplete",
    ],
    ["another number of repetitions", good, runOf("next", [caseOf("a", 6, 9)]), {}, "incomplete"],
    ["another kind of model", good, { ...worse, modelClass: "rules" }, {}, "incomplete"],
    ["another model of the same kind", good, { ...worse, execution: { model: "n" } }, {}, "incomplete"],
    ["another server", good, { ...worse, execution: { model: "m", servers: "changed" } }, {}, "failed"],
    ["latency within", good, slightlyWorse, { maximumP95LatencyIncreaseMs: 0 }, "passed"],
    [
      "latency of another experiment",
      good,
      runOf("next", [caseOf("a", 9, 9)]),
      { maximumP95LatencyIncreaseMs: 0 },
      "incomplete",
    ],
    ["a check that no longer holds", good, slightlyWorse, { noDeterministicRegressions: true }, "failed"],
    [
      "a check that no longer holds, in another experiment",
      good,
      runOf("next", [caseOf("a", 8, 10), caseOf("b", 1, 1)]),
      { noDeterministicRegressions: true },
      "failed",
    ],
    [
      "a check that no longer holds, with another model",
      good,
      { ...slightlyWorse, execution: { model: "n" } },
      { noDeterministicRegressions: true },
      "incomplete",
    ],
    [
      "checks that hold, in another experiment",
      good,
      runOf("next", [caseOf("a", 10, 10), caseOf("b", 1, 1)]),
      { noDeterministicRegressions: true },
      "incomplete",
    ],
    [
      "scores that were tampered with",
      { ...good, cases: [caseOf("a", 10, 10, { definitions: [] })] },
      slightlyWorse,
      { noDeterministicRegressions: true },
      "incomplete",
    ],
  ])("%s", (_, baseline, run, policy, outcome) => {
    expect(decideGate({ run, policy, baseline }).outcome).toBe(outcome);
  });

  test("a comparison that was told goes before one that would be made", () => {
    const comparison = compareRuns(good, runOf("next", [caseOf("b", 10, 10)]));
    expect(decideGate({ run: worse, policy: {}, baseline: good, comparison }).outcome).toBe("incomplete");
  });

  test("a report has the comparison it went by, and none without a baseline", () => {
    const comparison = compareRuns(good, slightlyWorse);
    for (const told of [comparison, undefined]) {
      const report = decideGate({
        run: slightlyWorse,
        policy: {},
        baseline: good,
        ...(told && { comparison: told }),
      });
      expect(Object.keys(report).sort()).toEqual(["comparison", "outcome", "scoreIntegrity", "verdicts"]);
      expect(report.comparison).toEqual(comparison);
    }
    expect(decideGate({ run: good, policy: { runMustPass: true } })).not.toHaveProperty("comparison");
  });

  test("each violated condition is named", () => {
    const run = runOf("next", [caseOf("a", 6, 9, { scenarioContentHash: "x" }), caseOf("b", 1, 1)], {
      modelClass: "rules",
      execution: { model: "fettle/rules-1" },
    });
    const { message } = decideGate({ run, policy: {}, baseline: good }).verdicts[0]!;
    expect(message).toBe(
      "The runs are not the same experiment: new cases: b; changed cases: a; another number of repetitions: a; another kind of model; another model: m before, fettle/rules-1 now.",
    );
  });

  test("repeating a model that always does the same adds no evidence: cases are counted", () => {
    const many = (passes: number) =>
      Array.from({ length: 5 }, (_, i) => caseOf(`c${i}`, i < passes ? 10 : 0, 10));
    const rules = (id: string, passes: number) => runOf(id, many(passes), { modelClass: "rules" });
    expect(
      decideGate({ run: rules("n", 3), policy: {}, baseline: rules("b", 5) }).verdicts[0]!.message,
    ).toMatch(/5\/5 to 3\/5 cases/);
    expect(decideGate({ run: rules("n", 2), policy: {}, baseline: rules("b", 5) }).outcome).toBe("failed");
  });

  test("the report says the first drop that would show", () => {
    const { message } = decideGate({ run: slightlyWorse, policy: {}, baseline: good }).verdicts[0]!;
    expect(message).toContain("a drop to 6/10 is the first that would show");
  });
});

describe("a waiver", () => {
  test("turns a failure into waived, and keeps the failure in sight", () => {
    const report = gate({ policy: { minimumPassRate: 1 }, waiver, now: 99 });
    expect(report.verdicts.map(({ gate: name, status }) => [name, status])).toEqual([
      ["waiver", "waived"],
      ["minimumPassRate", "failed"],
    ]);
    expect(gateExitCode[report.outcome]).toBe(0);
  });

  test.each([
    ["it has expired", waiver, 100],
    ["it was revoked", { ...waiver, revokedAt: 5 }, 10],
    ["it is not active", { ...waiver, active: false }, 10],
  ])("%s, so it does not help", (_, one, now) => {
    expect(gate({ policy: { minimumPassRate: 1 }, waiver: one, now }).outcome).toBe("failed");
  });

  test("a usage error stays one", () => {
    expect(gate({ policy: { minimumPassRate: 9 }, waiver, now: 1 }).outcome).toBe("usage_error");
  });
});

test("facts are read back from a report, and what is none is said", () => {
  const report = { kind: "eval-run", metadata: { facts: good } };
  expect(readRunFacts(JSON.parse(JSON.stringify(report)))).toEqual({ ok: true, run: good });
  expect(readRunFacts({ kind: "server-diff" })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("no report of an eval run"),
  });
  expect(
    readRunFacts({ kind: "eval-run", metadata: { facts: { ...good, cases: [{ caseKey: 1 }] } } }),
  ).toMatchObject({ ok: false });
});

test("two suites are not compared, whatever their cases are called", () => {
  const base = runOf("a", [caseOf("c", 10, 10)]);
  const other = runOf("b", [caseOf("c", 10, 10)], { suite: { id: "s_other", name: "Other" } });
  expect(decideGate({ run: other, baseline: base, policy: {} })).toMatchObject({
    outcome: "usage_error",
    verdicts: [{ message: 'These are runs of two suites: "s" and "s_other".' }],
  });
});

test("why a run shows nothing is said in words", () => {
  const lost = runOf("b", [caseOf("c", 0, 0)], { result: "inconclusive", reasons: ["noGradeableTrials"] });
  const { verdicts } = decideGate({ run: lost, policy: { minimumPassRate: 1 } });
  expect(verdicts[0]?.message).toBe("The run shows nothing: no repetition came to a result.");
});

test.each<["staleAccepted" | "toolsReplayed", RegExp]>([
  ["staleAccepted", /stale recording/],
  ["toolsReplayed", /tools were played back/],
])("a run that proves nothing about the server (%s) is not gated, on either side", (reason, words) => {
  const good = runOf("a", [caseOf("c", 10, 10)]);
  const hollow = runOf("b", [caseOf("c", 10, 10)], { provesNothing: [reason] });
  for (const input of [
    { run: hollow, policy: { minimumPassRate: 1 } },
    { run: good, baseline: hollow, policy: {} },
  ]) {
    expect(decideGate(input)).toMatchObject({
      outcome: "incomplete",
      verdicts: [{ status: "non_gateable", message: expect.stringMatching(words) }],
    });
  }
});
