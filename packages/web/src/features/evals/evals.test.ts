import type { EvalIteration, EvalRunCompare } from "@fettle/contract/evals";
import { expect, test } from "vitest";
import { spanRows } from "../../kit/recorded/recording.ts";
import { asksOf, expectsOf } from "./case-words.ts";
import { changeWord, differences, headline, inOrder, metricsOf } from "./compare-words.ts";
import { callPairs } from "./expected-calls.ts";
import { checkWords, whyOf } from "./failure-reasons.ts";
import { gradesOf, judgeFailure, judgeScore } from "./judge-words.ts";
import { caseRows, firstPlace, placeText, progressOf, readPlace } from "./matrix.ts";

const row = (caseKey: string, cells: string, model = "m") => ({ caseKey, title: caseKey, model, cells });

test("what failed comes first, then what shows nothing, and each opens at the repetition that says why", () => {
  const rows = caseRows({
    rows: [row("fine", "ppp"), row("lost", "px"), row("going", "pw"), row("bad", "ppf")],
  });
  expect(rows.map(({ caseKey, state }) => [caseKey, state])).toEqual([
    ["bad", "failed"],
    ["lost", "lost"],
    ["going", "waiting"],
    ["fine", "passed"],
  ]);
  expect(rows.map(firstPlace).map(({ number }) => number)).toEqual([3, 2, 2, 1]);
});

test("what is said of a live run is counted from the cells beside it", () => {
  const rows = caseRows({ rows: [row("a", "ppf"), row("b", "pxrw")] });
  expect(progressOf(rows)).toEqual({ total: 7, settled: 5, passed: 3, failed: 1 });
});

test("a repetition is found again by its place in the address, also where a case is asked of two models", () => {
  const rows = caseRows({ rows: [row("a.b", "pf"), row("two", "p", "x/1"), row("two", "f", "y/2.5")] });
  for (const each of rows) {
    const place = firstPlace(each);
    expect(readPlace(placeText(place, rows), rows)).toEqual(place);
  }
  expect(placeText({ caseKey: "a.b", model: "m", number: 2 }, rows)).toBe("a.b.2");
  expect(readPlace("a.b.3", rows)).toBeUndefined();
  expect(readPlace("gone.1", rows)).toBeUndefined();
});

const iteration = (more: object) =>
  ({
    status: "completed",
    result: "failed",
    error: null,
    errorClass: null,
    actualToolCalls: [],
    scores: [],
    evaluationConfig: { definitions: [] },
    ...more,
  }) as unknown as EvalIteration;
const failedBy = (scorerId: string, rationale: string, label: string, more: object = {}) =>
  iteration({
    scores: [{ scorerId, status: "scored", passed: false, rationale }],
    evaluationConfig: { definitions: [{ scorerId, label, role: "gating" }] },
    ...more,
  });
const called = (...names: string[]) => ({ actualToolCalls: names.map((toolName) => ({ toolName })) });

test.each([
  [
    failedBy(
      "step:s",
      "shelf_info was not called; called: search_books",
      "toolCalledAtLeastOnce shelf_info",
      {
        ...called("search_books", "search_books"),
      },
    ),
    ["The agent never called shelf_info. It called search_books instead."],
  ],
  [
    failedBy("tool-match", 'missing: a; b got {} instead of {"x":1}', "the expected tools are called"),
    [
      "The agent never called a. It called no tool at all.",
      'The agent called b with other arguments: {} where {"x":1} was expected.',
    ],
  ],
  [
    failedBy("tool-match", "called: search_books", "no tool is called", called("search_books")),
    ["The agent called search_books, and should have called nothing."],
  ],
  [failedBy("step:s", "the answer does not say so", "responseContains so"), ["The answer does not say so."]],
  [iteration({ error: "it is odd" }), ["It is odd."]],
  [
    iteration({ status: "failed", result: null, error: "ECONNREFUSED", errorClass: "infrastructure" }),
    ["ECONNREFUSED.", "Something on the way broke: this says nothing about your server or the model."],
  ],
  [iteration({ result: "passed" }), undefined],
])("why it failed is said in plain words (%#)", (one, lines) => {
  expect(whyOf(one)?.lines).toEqual(lines);
});

test("a case says what is asked in it, and what must come of it", () => {
  const one = {
    isNegative: false,
    steps: [
      { id: "a", kind: "prompt", prompt: "Where is order 17?" },
      {
        id: "b",
        kind: "assert",
        assertion: { type: "toolCalledWith", toolName: "get", args: { args: { id: 17 } } },
      },
    ],
    checks: { mode: "extend", list: [{ type: "noToolErrors", role: "advisory" }] },
  } as const;
  expect(asksOf(one as never)).toBe("“Where is order 17?”");
  expect(expectsOf(one as never)).toEqual(['calls get with {"id":17}', "no tool fails"]);
  expect(expectsOf({ steps: [], isNegative: true })).toEqual(["no tool is called"]);
  const refusing = { id: "ask", kind: "prompt", prompt: "Read it", expectToolError: true } as const;
  const expectToolError = { tool: "read_file", contains: "denied" };
  expect(expectsOf({ steps: [refusing], isNegative: false, expectToolError })).toEqual([
    "read_file fails with “denied”",
    "a tool call fails",
  ]);
});

test("a check is said in words, and one of a newer service as it is", () => {
  expect(checkWords('toolCalledWith get_order {"id":17}')).toBe('calls get_order with {"id":17}');
  expect(checkWords("noToolErrors")).toBe("no tool fails");
  expect(checkWords("somethingNew 5")).toBe("somethingNew 5");
});

test("an expected call stands beside the one that is it, or beside one of the same tool with other arguments", () => {
  const call = (toolName: string, id: number) => ({ toolName, arguments: { id } });
  const pairs = callPairs(
    [
      {
        promptIndex: 0,
        expected: [call("get", 1), call("get", 2), call("put", 3)],
        actual: [call("get", 9), call("list", 0), call("get", 1)],
        pairs: [[0, 2]],
      },
    ],
    [],
  );
  expect(
    pairs.map(({ expected, made, state }) => [expected?.arguments.id, made?.arguments.id, state]),
  ).toEqual([
    [1, 1, "as-expected"],
    [2, 9, "other-arguments"],
    [3, undefined, "missing"],
    [undefined, 0, "beside"],
  ]);
});

test("a span stands below the one it is part of, and one whose whole is missing stands alone", () => {
  const span = (id: string, startMs: number, parentId?: string) =>
    ({ id, startMs, ...(parentId && { parentId }) }) as never;
  const rows = spanRows([
    span("late", 5, "turn"),
    span("turn", 0),
    span("early", 1, "turn"),
    span("lone", 9, "x"),
  ]);
  expect(rows.map(({ span: { id }, depth }) => [id, depth])).toEqual([
    ["turn", 0],
    ["early", 1],
    ["late", 1],
    ["lone", 0],
  ]);
});

const side = (outcome: string, eligible = 1) => ({ outcome, eligible });
const compared = (status: string, base: object, compare: object) => ({ status, base, compare }) as never;
const passed = side("passed");
const failed = side("failed");
const absent = side("absent", 0);
const nothing = side("failed", 0);

test.each([
  ["regressed", passed, failed, "bad", "Something got worse."],
  ["changed", passed, failed, "bad", "Something got worse."],
  ["new_case", absent, failed, "bad", "What was there before did not get worse, but a new case fails."],
  ["new_case", absent, passed, "good", "Nothing got worse."],
  ["fixed", failed, passed, "good", "Nothing got worse."],
  ["unchanged_failed", failed, failed, "good", "Nothing got worse."],
  ["removed_case", passed, absent, "good", "Nothing got worse."],
  ["regressed", passed, nothing, "warn", "Nothing is known to have got worse: a case came to no result."],
])("a case that is %s (%j, then %j) makes the news %s: %s", (status, base, compare, kind, words) => {
  const still = compared("unchanged_passed", passed, passed);
  expect(headline({ cases: [still, compared(status, base, compare)] })).toEqual({ kind, words });
});

test("a new case that fails is told before what got better, and says that it fails", () => {
  const better = compared("fixed", failed, passed);
  const bad = compared("new_case", absent, failed);
  expect(inOrder([better, bad])).toEqual([bad, better]);
  expect(changeWord(bad)).toEqual({ tone: "bad", word: "New, fails" });
});

test("what a judge says of a case is told apart by question, and why it graded nothing in words", () => {
  const graded = { caseKey: "a", score: 0.5, passed: false, reason: "Half of it." };
  const judges = {
    goalCompletion: { cases: [{ ...graded, rubricHits: ["missing: plum"] }] },
    groundedness: { cases: [{ ...graded, caseKey: "b", unsupportedClaims: [] }] },
  } as never;
  expect(gradesOf(judges, "a")).toMatchObject([
    { question: "Was the goal reached?", score: "50 %", passed: false, items: ["missing: plum"] },
  ]);
  expect(gradesOf(judges, "b").map(({ question }) => question)).toEqual([
    "Do the tools' results back the answer?",
  ]);
  expect(gradesOf({}, "a")).toEqual([]);
  expect(judgeFailure({ errorCode: "judge_model_failed", summary: "x" } as never)).toBe(
    "The judge's model could not be asked.",
  );
  expect(judgeFailure({ errorCode: "newer", summary: "Something else." } as never)).toBe("Something else.");
  expect(judgeScore({ cases: [{ passed: true }, { passed: false }] })).toBe("1 of 2 cases good");
});

test("two runs that are not one experiment say why, and a difference of rates is told in points", () => {
  const diff = (base: number, compare: number) => ({
    base,
    compare,
    delta: compare - base,
    percentDelta: null,
  });
  const compare = {
    compatibility: {
      modelClassChanged: true,
      incompatibleCases: [
        { caseKey: "a", reasons: ["case_added"] },
        { caseKey: "b", reasons: ["evaluation_config_changed", "iteration_weighting_unequal"] },
        { caseKey: "c", reasons: ["evaluation_config_changed"] },
      ],
    },
    execution: { changed: ["model"] },
    passSummary: { passRatePercent: diff(50, 62.5), passed: diff(1, 2) },
    metrics: {
      wallDurationMs: diff(1, 1),
      p95LatencyMs: diff(1, 1),
      totalTokens: diff(1, 1),
      estimatedCostUsd: diff(0, 0),
    },
  } as unknown as EvalRunCompare;
  expect(differences(compare)).toEqual([
    "1 case only in the later run",
    "2 cases judged by other checks",
    "1 case with another number of repetitions",
    "another kind of model answered",
    "they were made with another model",
  ]);
  expect(metricsOf(compare)[0]).toEqual({
    name: "Pass rate",
    base: "50 %",
    compare: "62.5 %",
    delta: "+12.5 points",
  });
});
