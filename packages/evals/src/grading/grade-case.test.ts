import { describe, expect, test } from "vitest";
import type { SuiteCase } from "../suite/suite-file.ts";
import { type ToldTurn, traceOf } from "../testing/trace-of.ts";
import { type GradingOptions, gradeCase, planOf } from "./grade-case.ts";
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
