import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lintSuite } from "./lint-suite.ts";
import { readSuite } from "./read-suite.ts";
import { type RunRequest, selectCases } from "./select-cases.ts";
import type { SuiteCase, SuiteFile } from "./suite-file.ts";
import { writeSuite } from "./write-suite.ts";

const prompt = { id: "p1", kind: "prompt", prompt: "What is the state of order 17?" } as const;
const aCase = (fields: Partial<SuiteCase> = {}): SuiteCase => ({
  id: "c_1",
  title: "One",
  steps: [prompt],
  ...fields,
});
const suiteOf = (cases: SuiteCase[], defaults: Partial<SuiteFile["defaults"]> = {}): SuiteFile => ({
  schemaVersion: "1",
  mode: "agentWorkflow",
  reportingMode: "standard",
  suite: { id: "s_1", name: "Suite" },
  target: { servers: [{ name: "orders" }] },
  defaults: { model: "fettle/rules-1", repetitions: 1, passThreshold: 1, validity: {}, ...defaults },
  cases,
});
const codesOf = (suite: SuiteFile, request: RunRequest) => {
  const selection = selectCases(suite, request);
  return selection.ok ? [] : selection.refusals.map(({ code }) => code);
};
const hosted: RunRequest = { where: "hosted" };
const local: RunRequest = { where: "local" };
const approximated = aCase({ import: { status: "approximated" } });

const calledWith = (args: Record<string, unknown>, more: { deep?: true; argumentMatching?: "exact" } = {}) =>
  ({ type: "toolCalledWith", toolName: "t", args: { args, ...more } }) as const;

describe("what a run of a valid file is refused for", () => {
  test.each<[string, SuiteFile, RunRequest, string[]]>([
    ["10 repetitions", suiteOf([aCase()], { repetitions: 10 }), hosted, []],
    ["11 repetitions", suiteOf([aCase()], { repetitions: 11 }), hosted, ["REPETITIONS_CAP"]],
    ["11 repetitions of a case", suiteOf([aCase({ repetitions: 11 })]), hosted, ["REPETITIONS_CAP"]],
    [
      "11 repetitions of a disabled case",
      suiteOf([aCase(), aCase({ id: "c_2", repetitions: 11, disabled: true })]),
      hosted,
      ["REPETITIONS_CAP"],
    ],
    ["11 repetitions asked for", suiteOf([aCase()]), { ...hosted, repetitions: 11 }, ["REPETITIONS_CAP"]],
    ["11 repetitions on one's own machine", suiteOf([aCase()], { repetitions: 11 }), local, []],
    ["nothing enabled", suiteOf([aCase({ disabled: true })]), hosted, ["NO_ENABLED_CASES"]],
    ["nothing enabled here", suiteOf([aCase({ disabled: true })]), local, ["NO_ENABLED_CASES"]],
    [
      "a threshold of an enabled case",
      suiteOf([aCase({ passThreshold: 0.5 })]),
      hosted,
      ["PASS_THRESHOLD_OVERRIDE_UNSUPPORTED"],
    ],
    [
      "a threshold of a disabled case",
      suiteOf([aCase(), aCase({ id: "c_2", passThreshold: 0.5, disabled: true })]),
      hosted,
      [],
    ],
    ["a threshold of a case, here", suiteOf([aCase({ passThreshold: 0.5 })]), local, []],
    [
      "a tool policy",
      suiteOf([aCase()], { toolPolicy: { mode: "default" } }),
      hosted,
      ["TOOL_POLICY_UNSUPPORTED"],
    ],
    ["a tool policy here", suiteOf([aCase()], { toolPolicy: { mode: "default" } }), local, []],
    [
      "validity",
      suiteOf([aCase()], { validity: { minEligibleTrials: 1 } }),
      hosted,
      ["VALIDITY_UNSUPPORTED"],
    ],
    ["empty validity", suiteOf([aCase()], { validity: {} }), hosted, []],
    ["a case by id", suiteOf([aCase()]), { ...hosted, cases: ["c_1"] }, []],
    ["a case by title", suiteOf([aCase()]), { ...hosted, cases: ["One"] }, []],
    [
      "a title of two",
      suiteOf([aCase(), aCase({ id: "c_2" })]),
      { ...hosted, cases: ["One"] },
      ["CASE_NOT_FOUND"],
    ],
    ["a case that is not there", suiteOf([aCase()]), { ...hosted, cases: ["c_9"] }, ["CASE_NOT_FOUND"]],
    [
      "a disabled case by id",
      suiteOf([aCase(), aCase({ id: "c_2", disabled: true })]),
      { ...hosted, cases: ["c_2"] },
      ["CASE_DISABLED"],
    ],
    ["an approximation", suiteOf([approximated]), hosted, ["APPROXIMATION_NOT_APPROVED"]],
    ["an approved approximation", suiteOf([approximated]), { ...hosted, approved: ["c_1"] }, []],
    [
      "an approximation that is not selected",
      suiteOf([approximated, aCase({ id: "c_2" })]),
      { ...hosted, cases: ["c_2"] },
      [],
    ],
    [
      "an approval of a native case",
      suiteOf([aCase()]),
      { ...hosted, approved: ["c_1"] },
      ["APPROVAL_NOT_APPLICABLE"],
    ],
    [
      "an approval of nothing",
      suiteOf([aCase()]),
      { ...hosted, approved: ["c_9"] },
      ["APPROVAL_NOT_APPLICABLE"],
    ],
    ["an exact import", suiteOf([aCase({ import: { status: "exact", note: "same" } })]), hosted, []],
    [
      "an unsupported import",
      suiteOf([aCase({ import: { status: "unsupported" } })]),
      hosted,
      ["IMPORT_UNSUPPORTED"],
    ],
    [
      "an unresolved import",
      suiteOf([aCase({ import: { status: "unresolved" } })]),
      hosted,
      ["IMPORT_UNRESOLVED"],
    ],
    [
      "a widget without a browser",
      suiteOf([aCase({ checks: [{ type: "widgetRendered" }] })]),
      local,
      ["WIDGET_RUNTIME_UNAVAILABLE"],
    ],
    [
      "a widget assertion without a browser",
      suiteOf([
        aCase({
          steps: [
            prompt,
            { id: "a", kind: "assert", assertion: { kind: "textVisible", toolName: "t", text: "x" } },
          ],
        }),
      ]),
      local,
      ["WIDGET_RUNTIME_UNAVAILABLE"],
    ],
    [
      "a widget with a browser",
      suiteOf([aCase({ checks: [{ type: "widgetRendered" }] })]),
      { ...local, browser: true },
      [],
    ],
  ])("%s", (_, suite, request, codes) => {
    expect(codesOf(suite, request)).toEqual(codes);
  });

  test("a disabled case is left out, the others keep their order", () => {
    const suite = suiteOf([aCase({ id: "a" }), aCase({ id: "b", disabled: true }), aCase({ id: "c" })]);
    const selection = selectCases(suite, { ...local, cases: ["c", "a"] });
    expect(selection.ok && selection.cases.map(({ id }) => id)).toEqual(["a", "c"]);
  });
});

describe("advice", () => {
  const withChecks = (checks: SuiteCase["checks"]) => suiteOf([aCase({ checks })]);
  test.each<[string, SuiteFile, string[]]>([
    ["no assertion", suiteOf([aCase()]), ["no_assertion"]],
    ["an expected output is one", suiteOf([aCase({ expectedOutput: "x" })]), []],
    ["a negative case needs none", suiteOf([aCase({ isNegativeTest: true })]), []],
    [
      "a contradiction",
      withChecks([
        { type: "toolNeverCalled", toolName: "a" },
        { type: "firstToolWas", toolName: "a" },
      ]),
      ["contradictory_checks"],
    ],
    [
      "a negative case with an expectation",
      suiteOf([aCase({ isNegativeTest: true, checks: [{ type: "toolCalledAtLeastOnce", toolName: "a" }] })]),
      ["contradictory_checks"],
    ],
    ["an echo", withChecks([{ type: "responseContains", needle: "Order 17" }]), ["needle_in_prompt"]],
    ["a pattern of everything", withChecks([{ type: "responseMatches", pattern: "a*" }]), ["vacuous_regex"]],
    [
      "a generated id",
      withChecks([
        { type: "toolCalledWith", toolName: "a", args: { args: { id: "ord_1234567890abcdefgh" } } },
      ]),
      ["literal_id_expected"],
    ],
    [
      "a view nobody opened",
      suiteOf([
        aCase({
          steps: [{ id: "i", kind: "interact", toolName: "t", action: { kind: "wait", ms: 1 } }],
          expectedOutput: "x",
        }),
      ]),
      ["unreachable_step"],
    ],
    [
      "a case that passes whatever happens",
      suiteOf([aCase({ passThreshold: 0, expectedOutput: "x" })]),
      ["threshold_zero"],
    ],
    [
      "an operator below, where nothing is read as one",
      suiteOf([aCase({ checks: [calledWith({ where: { age: { $gte: 3 } } })] })]),
      ["operator_not_read"],
    ],
    [
      "the same where it is read",
      suiteOf([aCase({ checks: [calledWith({ where: { age: { $gte: 3 } } }, { deep: true })] })]),
      [],
    ],
    [
      "the same compared exactly",
      suiteOf([aCase({ checks: [calledWith({ a: { $gte: 3 } }, { argumentMatching: "exact" })] })]),
      [],
    ],
  ])("%s", (_, suite, codes) => {
    expect(lintSuite(suite).map(({ code }) => code)).toEqual(codes);
  });
});

describe("writing", () => {
  test("what is read back equals what was written, whatever the texts and arguments", () => {
    const text = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== "");
    fc.assert(
      fc.property(text, fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (words, values) => {
        const safe = JSON.parse(JSON.stringify(values), (_, value) =>
          typeof value === "number" && !Number.isSafeInteger(value) && Number.isInteger(value) ? 0 : value,
        );
        const step = {
          id: "t",
          kind: "toolCall",
          serverName: "orders",
          toolName: words,
          arguments: safe,
        } as const;
        const suite = suiteOf([aCase({ title: words, steps: [prompt, step] })]);
        const reading = readSuite(new TextEncoder().encode(writeSuite(suite, `Made by hand.\n\n${words}`)));
        expect(reading.ok && reading.suite).toEqual(suite);
      }),
      { numRuns: 100 },
    );
  });

  test("fields come in their order", () => {
    const shuffled = Object.fromEntries(
      Object.entries(suiteOf([aCase({ disabled: true })])).reverse(),
    ) as SuiteFile;
    const keys = writeSuite(shuffled).match(/^\w+/gm);
    expect(keys).toEqual(["schemaVersion", "mode", "reportingMode", "suite", "target", "defaults", "cases"]);
  });
});

test("an enabled case that does nothing is a finding: its checks could only fail the server", () => {
  const check = {
    id: "a",
    kind: "assert",
    assertion: { type: "responseContains", needle: "x" },
  } as const;
  const read = (fields: Partial<SuiteCase>) =>
    readSuite(Buffer.from(JSON.stringify(suiteOf([aCase(fields)]))));
  expect(read({ steps: [check] })).toMatchObject({
    ok: false,
    findings: [{ path: ["cases", 0, "steps"], message: expect.stringContaining("prompt or toolCall") }],
  });
  expect(read({ steps: [check], disabled: true })).toMatchObject({ ok: true });
  expect(read({ steps: [prompt, check] })).toMatchObject({ ok: true });
});
