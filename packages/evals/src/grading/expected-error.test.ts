import { describe, expect, test } from "vitest";
import { lintCase } from "../suite/lint-suite.ts";
import { type SuiteCase, toolsAskedAbout } from "../suite/suite-file.ts";
import { type ToldCall, traceOf } from "../testing/trace-of.ts";
import { gradeCase, isWantedError, planOf } from "./grade-case.ts";

const prompt = (id: string, fields: object = {}) =>
  ({ id, kind: "prompt", prompt: "Read it", ...fields }) as const;
const aCase = (fields: Partial<SuiteCase>): SuiteCase => ({
  id: "c_refuses",
  title: "Refuses /etc/hostname",
  steps: [prompt("p")],
  ...fields,
});
const refused: ToldCall = {
  toolName: "read_file",
  arguments: { path: "/etc/hostname" },
  isError: true,
  text: "Access denied: outside the allowed folders",
};
const read: ToldCall = { toolName: "read_file", text: "devbox" };
const listed: ToldCall = { toolName: "list_files", text: "a.txt" };
const broken: ToldCall = { toolName: "list_files", isError: true, text: "ENOENT" };

describe("a case that expects an error", () => {
  test.each<[string, SuiteCase["expectToolError"], ToldCall[], "passed" | "failed", string]>([
    ["any, and one came", true, [refused], "passed", "read_file failed: Access denied"],
    ["any, and every call went well", true, [read, listed], "failed", "every tool call succeeded"],
    ["any, and nothing was called", true, [], "failed", "no tool was called"],
    ["one of a tool", { tool: "read_file" }, [listed, refused], "passed", "read_file failed: Access"],
    ["one of a tool that answered", { tool: "read_file" }, [read], "failed", "called once and did not fail"],
    [
      "one of a tool that nobody called",
      { tool: "read_file" },
      [listed],
      "failed",
      "read_file was not called",
    ],
    ["one of a text, whatever its case", { contains: "ACCESS DENIED" }, [refused], "passed", "Access denied"],
    [
      "one of another text",
      { tool: "read_file", contains: "no such file" },
      [refused],
      "failed",
      "read_file failed otherwise: Access denied",
    ],
    ["one tool, and another failed", { tool: "read_file" }, [refused, broken], "failed", "read_file failed"],
  ])("%s", (_, expectToolError, calls, result, reason) => {
    const grade = gradeCase(aCase({ expectToolError }), traceOf({ calls, answer: "No." }));
    expect(grade.result).toBe(result);
    const row = grade.scores.find(({ scorerId }) => scorerId === "expect-tool-error");
    expect(row?.rationale).toContain(reason);
  });

  test("excuses that error alone: a check that no tool fails asks it of the others", () => {
    const checks: SuiteCase["checks"] = [{ type: "noToolErrors" }];
    const grade = (...calls: ToldCall[]) =>
      gradeCase(aCase({ expectToolError: { tool: "read_file" }, checks }), traceOf({ calls, answer: "No." }));
    expect(grade(refused).result).toBe("passed");
    const other = grade(refused, broken);
    expect(other.scores.filter(({ passed }) => passed === false).map(({ scorerId }) => scorerId)).toEqual([
      "no-tool-errors",
      "predicate:noToolErrors#1",
    ]);
    expect(isWantedError(aCase({ expectToolError: true }), traceOf({ calls: [read] }).toolCalls[0])).toBe(
      false,
    );
    expect(isWantedError(aCase({ expectToolError: true }), traceOf({ calls: [refused] }).toolCalls[0])).toBe(
      true,
    );
  });

  test("at a step, it must come in the turn of that step", () => {
    const item = aCase({
      steps: [prompt("first"), prompt("second", { expectToolError: { tool: "read_file" } })],
    });
    const inTurn = (at: number) =>
      gradeCase(
        item,
        traceOf(...[0, 1].map((turn) => ({ calls: turn === at ? [refused] : [], answer: "x" }))),
      );
    expect([inTurn(1).result, inTurn(0).result]).toEqual(["passed", "failed"]);
    expect(inTurn(0).scores.filter(({ passed }) => passed === false)).toHaveLength(2);
  });

  test("at a call that the test makes itself, an answer fails it", () => {
    const call = {
      id: "t",
      kind: "toolCall",
      serverName: "files",
      toolName: "read_file",
      arguments: {},
    } as const;
    const item = aCase({ steps: [{ ...call, expectToolError: { contains: "denied" } }] });
    const grade = (made: ToldCall) => gradeCase(item, traceOf({ calls: [made], pinned: true })).result;
    expect([grade(refused), grade(read)]).toEqual(["passed", "failed"]);
  });

  test("is named among its checks, changes what the case says, and leaves other cases as they were", () => {
    const labels = (item: SuiteCase) => planOf(item).definitions.map(({ label }) => label);
    expect(labels(aCase({ expectToolError: { tool: "read_file", contains: "denied" } }))).toEqual([
      "no other tool call fails",
      'read_file fails with "denied"',
    ]);
    expect(labels(aCase({ expectToolError: true }))[1]).toBe("a tool call fails");
    expect(labels(aCase({}))).toEqual(["no tool fails"]);
    const hash = (item: SuiteCase) => planOf(item).scenarioContentHash;
    expect(hash(aCase({ expectToolError: true }))).not.toBe(hash(aCase({})));
    expect(hash({ ...aCase({}), expectToolError: undefined })).toBe(hash(aCase({})));
  });

  test("is about the tool it names, needs no other check, and contradicts one that forbids the call", () => {
    const item = aCase({ expectToolError: { tool: "read_file" } });
    expect(toolsAskedAbout(item)).toEqual(["read_file"]);
    expect(lintCase(item)).toEqual([]);
    expect(lintCase(aCase({})).map(({ code }) => code)).toEqual(["no_assertion"]);
    const never = lintCase({ ...item, checks: [{ type: "toolNeverCalled", toolName: "read_file" }] });
    expect(never).toMatchObject([{ code: "contradictory_checks", pointer: "expectToolError" }]);
  });
});
