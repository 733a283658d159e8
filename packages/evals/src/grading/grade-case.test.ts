import { describe, expect, test } from "vitest";
import type { SuiteCase } from "../suite/suite-file.ts";
import { type ToldTurn, traceOf } from "../testing/trace-of.ts";
import {
  expectationsOf,
  type GradingOptions,
  gradeCase,
  judgeStep,
  labelOf,
  matchPrompts,
  placeSteps,
  planOf,
} from "./grade-case.ts";
import { defaultMatchOptions } from "./match-calls.ts";
import { definitionHash, evaluationConfigHash, integrityOf, scored } from "./scores.ts";
import { judgeRun, summarizeCase, type Trial } from "./verdict.ts";

const prompt = (id: string) => ({ id, kind: "prompt", prompt: "What is the state of order 17?" }) as const;
const called = (id: string, args: Record<string, unknown> = {}, fields: object = {}) =>
  ({
    id,
    kind: "assert",
    assertion: { type: "toolCalledWith", toolName: "get_order", args: { args }, ...fields },
  }) as const;
const aCase = (steps: SuiteCase["steps"], fields: Partial<SuiteCase> = {}): SuiteCase => ({
  id: "c_1",
  title: "One",
  steps,
  ...fields,
});
const order17: ToldTurn = { calls: [{ toolName: "get_order", arguments: { id: 17 } }], answer: "Shipped." };

describe("a repetition", () => {
  test.each<[string, SuiteCase, ToldTurn[], "passed" | "failed", GradingOptions?]>([
    ["the expected call", aCase([prompt("p"), called("a", { id: 17 })]), [order17], "passed"],
    ["another argument", aCase([prompt("p"), called("a", { id: 18 })]), [order17], "failed"],
    ["nothing asked", aCase([prompt("p")]), [order17], "passed"],
    [
      "a tool that failed",
      aCase([prompt("p")]),
      [{ calls: [{ toolName: "get_order", isError: true }], answer: "x" }],
      "failed",
    ],
    [
      "a tool that failed, allowed",
      aCase([prompt("p")]),
      [{ calls: [{ toolName: "get_order", isError: true }], answer: "x" }],
      "passed",
      { failOnToolError: false },
    ],
    [
      "a call the policy kept back is none",
      aCase([prompt("p")], { isNegativeTest: true }),
      [{ calls: [{ toolName: "get_order", outcome: "blocked" }], answer: "x" }],
      "passed",
    ],
    [
      "a negative case, nothing called",
      aCase([prompt("p")], { isNegativeTest: true }),
      [{ answer: "No." }],
      "passed",
    ],
    [
      "a negative case, something called",
      aCase([prompt("p")], { isNegativeTest: true }),
      [order17],
      "failed",
    ],
    [
      "a negative case, a call that was none",
      aCase([prompt("p")], { isNegativeTest: true }),
      [{ calls: [{ toolName: "send_email", outcome: "invalid" }], answer: "Sent." }],
      "passed",
    ],
    [
      "a pinned call on a negative case",
      aCase(
        [
          { id: "t", kind: "toolCall", serverName: "orders", toolName: "get_order", arguments: {} },
          prompt("p"),
        ],
        { isNegativeTest: true },
      ),
      [{ ...order17, pinned: true }, { answer: "No." }],
      "passed",
    ],
    [
      "two expectations, one call",
      aCase([prompt("p"), called("a", { id: "any" }), called("b", { id: 17 })]),
      [order17],
      "failed",
    ],
    [
      "a call of another turn does not count",
      aCase([prompt("p"), prompt("q"), called("a")]),
      [order17, { answer: "x" }],
      "failed",
    ],
    [
      "an advisory assertion is told only",
      aCase([prompt("p"), called("a", { id: 18 }, { role: "advisory" })]),
      [order17],
      "passed",
    ],
    [
      "no call more than allowed",
      aCase([prompt("p"), called("a")]),
      [{ calls: [...order17.calls!, { toolName: "b" }], answer: "x" }],
      "failed",
      { matchOptions: { extraToolCalls: 0 } },
    ],
    [
      "a whole-case check",
      aCase([prompt("p")], { checks: [{ type: "responseContains", needle: "shipped" }] }),
      [order17],
      "passed",
    ],
    [
      "the last answer counts, not an earlier one",
      aCase([prompt("p"), prompt("q")], { checks: [{ type: "finalAssistantMessageNonEmpty" }] }),
      [order17, {}],
      "failed",
    ],
    [
      "the answer of its own turn, asked at a step",
      aCase([
        prompt("p"),
        { id: "a", kind: "assert", assertion: { type: "responseContains", needle: "shipped" } },
        prompt("q"),
      ]),
      [order17, { answer: "x" }],
      "passed",
    ],
    [
      "other arguments, where the step ignores them",
      aCase([
        prompt("p"),
        called("a", { id: 18 }, { args: { args: { id: 18 }, argumentMatching: "ignore" } }),
      ]),
      [order17],
      "passed",
    ],
    [
      "a part of what is within an argument, where the step compares deep",
      aCase([prompt("p"), called("a", {}, { args: { args: { of: { id: 17 } }, deep: true } })]),
      [{ calls: [{ toolName: "get_order", arguments: { of: { id: 17, lines: 2 } } }], answer: "x" }],
      "passed",
    ],
    [
      "a part of what is within an argument, where it does not",
      aCase([prompt("p"), called("a", { of: { id: 17 } })]),
      [{ calls: [{ toolName: "get_order", arguments: { of: { id: 17, lines: 2 } } }], answer: "x" }],
      "failed",
    ],
    [
      "tokens of the whole, asked at a step",
      aCase([
        prompt("p"),
        prompt("q"),
        { id: "a", kind: "assert", assertion: { type: "tokenBudgetUnder", tokens: 30 } },
      ]),
      [order17, order17],
      "failed",
    ],
  ])("%s", (_, item, turns, result, options) => {
    const grade = gradeCase(item, traceOf(...turns), options);
    expect(grade.result).toBe(result);
    expect(integrityOf(planOf(item, options).definitions, grade.scores)).toBe("valid");
  });

  test.each<[string, SuiteCase, ToldTurn[], string, GradingOptions?]>([
    [
      "all that was expected",
      aCase([prompt("p"), called("a", { id: 17 })]),
      [order17],
      "every expected call was made",
    ],
    ["a missing call", aCase([prompt("p"), called("a")]), [{ answer: "x" }], "missing: get_order"],
    [
      "another argument",
      aCase([prompt("p"), called("a", { id: 18 })]),
      [order17],
      'get_order got {"id":17} instead of {"id":18}',
    ],
    [
      "more calls than allowed",
      aCase([prompt("p"), called("a")]),
      [{ calls: [...order17.calls!, { toolName: "b" }], answer: "x" }],
      "more calls than allowed: b",
      { matchOptions: { extraToolCalls: 0 } },
    ],
    [
      "as many more as allowed",
      aCase([prompt("p"), called("a")]),
      [{ calls: [...order17.calls!, { toolName: "b" }], answer: "x" }],
      "every expected call was made",
      { matchOptions: { extraToolCalls: 1 } },
    ],
    [
      "no call, as wanted",
      aCase([prompt("p")], { isNegativeTest: true }),
      [{ answer: "x" }],
      "no tool was called",
    ],
    ["an unwanted call", aCase([prompt("p")], { isNegativeTest: true }), [order17], "called: get_order"],
  ])("says in words how the calls matched: %s", (_, item, turns, reason, options) => {
    const { scores } = gradeCase(item, traceOf(...turns), options);
    expect(scores.map(({ rationale }) => rationale)).toContain(reason);
  });

  test("what comes after a failed assertion is skipped, and says after which", () => {
    const item = aCase([prompt("p"), called("a", { id: 18 }), prompt("q"), called("b")]);
    const { steps, scores } = gradeCase(item, traceOf(order17));
    expect(steps.map(({ stepId, status }) => [stepId, status])).toEqual([
      ["p", "done"],
      ["a", "failed"],
      ["q", "skipped"],
      ["b", "skipped"],
    ]);
    expect(steps[2]?.reason).toBe("a failed before it");
    expect(scores.find(({ scorerId }) => scorerId === "step:b")?.status).toBe("skipped");
  });

  test("what nothing decides on or what holds stops nothing", () => {
    const advice = called("a", { id: 18 }, { role: "advisory" });
    const item = aCase([
      prompt("p"),
      advice,
      called("b", { id: 17 }),
      called("c", { id: 17 }, { minCount: 1 }),
    ]);
    expect(gradeCase(item, traceOf(order17)).steps.map(({ status }) => status)).toEqual([
      "done",
      "failed",
      "passed",
      "passed",
    ]);
  });

  test("a step that the conversation did not reach is skipped, and says so", () => {
    const item = aCase([prompt("p"), called("a", { id: 17 }), prompt("q"), called("b")]);
    expect(gradeCase(item, traceOf(order17)).steps.slice(1)).toEqual([
      { stepId: "a", kind: "assert", status: "passed", reason: expect.any(String) },
      { stepId: "q", kind: "prompt", status: "skipped", reason: "the conversation ended before it" },
      { stepId: "b", kind: "assert", status: "skipped", reason: "the conversation ended before it" },
    ]);
  });

  test("a step that only acts is passed, and a widget that nobody looked at is not", () => {
    const steps: SuiteCase["steps"] = [
      prompt("p"),
      { id: "i", kind: "interact", toolName: "get_order", action: { kind: "key", key: "Enter" } },
      { id: "w", kind: "assert", assertion: { kind: "textVisible", toolName: "get_order", text: "17" } },
    ];
    const { steps: told } = gradeCase(aCase(steps), traceOf(order17));
    expect(told.slice(1)).toMatchObject([
      { stepId: "i", status: "passed", reason: "" },
      { stepId: "w", status: "failed", reason: "nobody looked at the widget" },
    ]);
    expect(
      placeSteps(steps).map((placed) => judgeStep(placed, aCase(steps), traceOf(order17)).passed),
    ).toEqual([true, true, false]);
  });

  test("a limit of our own skips an advisory check or step, and ends the grading where it decides", () => {
    const endless = { type: "responseMatches", pattern: "(?:a?){300}b" } as const;
    const trace = traceOf({ answer: "a".repeat(50_000) });
    const why = expect.stringContaining("takes too many steps");
    const advice = { ...endless, role: "advisory" as const };
    const advised = gradeCase(
      aCase([prompt("p"), { id: "a", kind: "assert", assertion: advice }], { checks: [advice] }),
      trace,
    );
    expect(advised.result).toBe("passed");
    expect(advised.steps[1]).toEqual({ stepId: "a", kind: "assert", status: "skipped", reason: why });
    expect(advised.scores.filter(({ status }) => status === "skipped")).toMatchObject([
      { scorerId: "predicate:responseMatches#1", rationale: why },
      { scorerId: "step:a", rationale: why },
    ]);
    expect(() => gradeCase(aCase([prompt("p")], { checks: [endless] }), trace)).toThrow("too many steps");
    const step = { id: "a", kind: "assert", assertion: endless } as const;
    expect(() => gradeCase(aCase([prompt("p"), step]), trace)).toThrow("too many steps");
  });

  test("the grade says how the calls matched, where any were expected", () => {
    const item = aCase([prompt("p"), called("a", { id: 18 }), prompt("q"), called("b", { id: 17 })]);
    const trace = traceOf(order17, { calls: [{ toolName: "b" }] });
    expect(gradeCase(item, trace).toolMatch).toEqual({
      passed: false,
      missing: [{ toolName: "get_order", arguments: { id: 17 } }],
      extra: [
        expect.objectContaining({
          toolName: "get_order",
          serverName: "orders",
          durationMs: 5,
          resultBytes: 10,
        }),
        expect.objectContaining({ toolName: "b" }),
      ],
      argumentMismatches: [{ toolName: "get_order", expectedArgs: { id: 18 }, actualArgs: { id: 17 } }],
    });
    expect(matchPrompts(item, trace, defaultMatchOptions)).toMatchObject([
      { turn: 0, expected: [{ arguments: { id: 18 } }], made: [{ toolName: "get_order" }], pairs: [] },
      { turn: 1, expected: [{ arguments: { id: 17 } }], made: [{ toolName: "b" }], pairs: [] },
    ]);
    expect(gradeCase(aCase([prompt("p")]), trace)).not.toHaveProperty("toolMatch");
  });

  test("an expected call is expected as often as asked, and an advisory one never", () => {
    const twice = called("a", { id: 17 }, { minCount: 2 });
    const advice = called("b", {}, { role: "advisory" });
    expect(expectationsOf({ steps: [prompt("p"), twice, advice] })).toEqual([
      { toolName: "get_order", arguments: { id: 17 } },
      { toolName: "get_order", arguments: { id: 17 } },
    ]);
  });

  test.each<[string, Parameters<typeof labelOf>[0]]>([
    [
      'toolCalledWith get_order {"id":17}',
      { type: "toolCalledWith", toolName: "get_order", args: { args: { id: 17 } } },
    ],
    ["responseContains shipped", { type: "responseContains", needle: "shipped", role: "advisory" }],
    ["tokenBudgetUnder 30", { type: "tokenBudgetUnder", tokens: 30 }],
  ])("an assertion is labelled %s", (label, assertion) => {
    expect(labelOf(assertion)).toBe(label);
  });

  test("a plan is worked out once for the same options", () => {
    const item = aCase([prompt("p")]);
    const strict: GradingOptions = { matchOptions: { extraToolCalls: 0 } };
    const plan = planOf(item);
    expect(planOf(item)).toBe(plan);
    expect(planOf(item, strict).matchOptions.extraToolCalls).toBe(0);
    expect(planOf(item, strict)).toBe(planOf(item, strict));
    expect(planOf(item)).toEqual(plan);
  });

  test("whoever wants to see every assertion can", () => {
    const item = aCase([prompt("p"), called("a", { id: 18 }), called("b", { id: 17 })], {
      continueOnFail: true,
    });
    expect(gradeCase(item, traceOf(order17)).steps.map(({ status }) => status)).toEqual([
      "done",
      "failed",
      "passed",
    ]);
  });

  test("a long reason is cut and holds no credential", () => {
    const item = aCase([prompt("p")], { checks: [{ type: "responseContains", needle: "x" }] });
    const answer = `Authorization: Bearer abcdefghijklmnop ${"y".repeat(2000)}`;
    const row = gradeCase(item, traceOf({ answer })).scores.at(-1);
    expect(row?.rationale?.length).toBeLessThanOrEqual(600);
    expect(row?.rationale).not.toContain("abcdefghijklmnop");
  });

  test("identity: a title changes nothing, a step changes the scenario, a check the scorers", () => {
    const item = aCase([prompt("p")]);
    const hashes = (one: SuiteCase) => {
      const { scenarioContentHash, definitions } = planOf(one);
      return [scenarioContentHash, evaluationConfigHash(definitions)];
    };
    expect(hashes({ ...item, title: "Other" })).toEqual(hashes(item));
    expect(hashes({ ...item, steps: [{ ...prompt("p"), prompt: "x" }] })[0]).not.toBe(hashes(item)[0]);
    expect(hashes({ ...item, checks: [{ type: "noToolErrors" }] })[0]).toBe(hashes(item)[0]);
    expect(hashes({ ...item, checks: [{ type: "noToolErrors" }] })[1]).not.toBe(hashes(item)[1]);
    expect(hashes({ ...item, isNegativeTest: true })[1]).not.toBe(hashes(item)[1]);
    expect(hashes({ ...item, isNegativeTest: true })[0]).not.toBe(hashes(item)[0]);
    expect(hashes({ ...item, expectedOutput: "Shipped" })[0]).not.toBe(hashes(item)[0]);
  });

  test("a scorer is told apart by what it expects, by the options it matches with and by its sign", () => {
    const matcher = (item: SuiteCase, options?: GradingOptions) => {
      const { label, implementationHash } = planOf(item, options).definitions[0]!;
      return [label, implementationHash];
    };
    const item = aCase([prompt("p"), called("a", { id: 17 })]);
    const [label, hash] = matcher(item);
    expect(label).toBe("the expected tools are called");
    expect(matcher({ ...item, isNegativeTest: true })[0]).toBe("no tool is called");
    for (const [other, options] of [
      [{ ...item, isNegativeTest: true }],
      [aCase([prompt("p"), called("a", { id: 18 })])],
      [item, { matchOptions: { arguments: "exact" } }],
    ] as [SuiteCase, GradingOptions?][]) {
      expect(matcher(other, options)[1]).not.toBe(hash);
    }
  });

  test("the hashes of a case stay as they are, because stored runs are compared by them", () => {
    const { definitions, scenarioContentHash } = planOf(
      aCase([prompt("p"), called("a", { id: 17 })], {
        checks: [{ type: "noToolErrors" }],
        expectedOutput: "x",
      }),
    );
    expect([scenarioContentHash, evaluationConfigHash(definitions)]).toMatchInlineSnapshot(`
      [
        "0e304a7190a87eece4c67a85eecd4fb71c525b1023762a1b1863f37e2236ce45",
        "abfa619e3ba65584e8645ed29e840871c1677c0fb0ae4e5fc37c7171e6ebe530",
      ]
    `);
  });

  test("a value that is no share is an error, and what was tampered with is not believed", () => {
    const { definitions } = planOf(aCase([prompt("p")]));
    const [of] = definitions;
    expect(scored(of!, 1.5, "x").status).toBe("error");
    const row = scored(of!, 0, "x");
    expect(integrityOf(definitions, [row])).toBe("valid");
    expect(integrityOf(definitions, [{ ...row, passed: true }])).toBe("invalid");
    expect(integrityOf(definitions, [])).toBe("invalid");
    expect(integrityOf(definitions, [row, row])).toBe("invalid");
    expect(
      integrityOf(definitions, [{ ...row, definitionHash: definitionHash({ ...of!, passThreshold: 0 }) }]),
    ).toBe("invalid");
  });
});

const passed: Trial = { status: "completed", result: "passed" };
const failed: Trial = { status: "completed", result: "failed" };
const lost: Trial = { status: "failed", result: null };
const unready: Trial = { status: "setup_failed", result: null };
const cancelled: Trial = { status: "cancelled", result: null };
const broken: Trial = { status: "completed", result: null, evaluatorError: true };

const toTwoDigits = (_: string, value: unknown) =>
  typeof value === "number" ? Math.round(value * 100) / 100 : value;

describe("a case", () => {
  test.each<[string, Trial[], number, object]>([
    [
      "too few to tell anything of several in a row",
      [passed, passed, passed],
      1,
      { verdict: "passed", passRate: 1, mixed: false, inARow: null },
    ],
    [
      "several in a row, with what is left open",
      [...Array(9).fill(passed), failed],
      0.5,
      { inARow: { k: 3, all: { point: 0.7, lower: 0.5958 ** 3, upper: 0.9821 ** 3 }, any: 1 } },
    ],
    ["fewer repetitions, fewer in a row", Array(4).fill(passed), 1, { inARow: { k: 2, all: { point: 1 } } }],
    [
      "equality passes",
      [passed, failed],
      0.5,
      { verdict: "passed", passRate: 0.5, mixed: true, stability: 0.5 },
    ],
    ["below", [passed, failed], 0.6, { verdict: "failed" }],
    [
      "nothing eligible is no verdict",
      [lost, unready],
      0,
      { verdict: "inconclusive", passRate: null, interval: null, attempted: 2 },
    ],
    [
      "what was lost is in no denominator",
      [passed, lost],
      1,
      { verdict: "passed", passRate: 1, eligible: 1, completionRate: 0.5, inARow: null },
    ],
    ["cancelled was not attempted", [passed, cancelled], 1, { attempted: 1, excluded: { cancelled: 1 } }],
    ["a broken judge", [broken], 1, { verdict: "inconclusive", excluded: { evaluatorError: 1 } }],
  ])("%s", (_, trials, threshold, expected) => {
    const rounded = JSON.parse(JSON.stringify(summarizeCase(trials, trials.length, threshold)), toTwoDigits);
    expect(rounded).toMatchObject(JSON.parse(JSON.stringify(expected), toTwoDigits));
  });
});

describe("a run, first whether it shows anything", () => {
  const of = (trials: Trial[], configured = trials.length, threshold = 1) =>
    summarizeCase(trials, configured, threshold);
  const ten = (bad: Trial, count: number) =>
    [...Array(10 - count).fill(passed), ...Array(count).fill(bad)] as Trial[];
  test.each<[string, Parameters<typeof judgeRun>, string, string[]]>([
    ["all passed", [[of([passed])]], "passed", []],
    ["one failed", [[of([passed]), of([failed])]], "failed", []],
    [
      "one case lost",
      [[of([passed]), of([lost])]],
      "inconclusive",
      ["completionRateBelowMinimum", "caseHasNoEligibleTrials"],
    ],
    [
      "a failure beside a lost case is no verdict either",
      [[of([failed]), of([lost])]],
      "inconclusive",
      ["completionRateBelowMinimum", "caseHasNoEligibleTrials"],
    ],
    ["two of ten lost", [[of(ten(lost, 2))]], "passed", []],
    ["three of ten lost", [[of(ten(lost, 3))]], "inconclusive", ["completionRateBelowMinimum"]],
    ["three of ten lost, allowed", [[of(ten(lost, 3))], { minCompletionRate: 0.5 }], "passed", []],
    ["not all attempted", [[of([passed], 2)]], "inconclusive", ["configuredTrialsNotAttempted"]],
    ["not all attempted, enough", [[of([passed], 2)], { minEligibleTrials: 1 }], "passed", []],
    ["too few", [[of([passed])], { minEligibleTrials: 2 }], "inconclusive", ["eligibleTrialsBelowMinimum"]],
    ["one judge in ten broken", [[of(ten(broken, 1))]], "passed", []],
    ["two judges in ten broken", [[of(ten(broken, 2))]], "inconclusive", ["evaluatorErrorRateAboveMaximum"]],
    [
      "nothing at all",
      [[of([cancelled])]],
      "inconclusive",
      [
        "configuredTrialsNotAttempted",
        "noGradeableTrials",
        "completionRateNotMeasured",
        "evaluatorErrorRateNotMeasured",
        "caseHasNoEligibleTrials",
      ],
    ],
    ["every case passed, the whole not", [[of([passed, failed], 2, 0.5)], {}, 0.8], "failed", []],
    ["the whole exactly", [[of([passed, failed], 2, 0.5)], {}, 0.5], "passed", []],
  ])("%s", (_, input, result, reasons) => {
    expect(judgeRun(...input)).toMatchObject({ result, reasons });
  });
});
