import type { EvalSuiteDocument } from "@fettle/contract/evals";
import { expect, test } from "vitest";
import { asKind, checkKinds, isFormable, valueAt, withValue } from "../../../kit/checks/check-kinds.ts";
import { conflictRows, preselected, settled } from "../../../kit/conflict/three-way.ts";
import { caseAtLine, linesOf } from "./places.ts";
import {
  copyOf,
  documentFrom,
  draftFrom,
  fieldLabel,
  fieldsOf,
  freshStepId,
  having,
  isChanged,
} from "./suite-draft.ts";

const one = (id: string, title = id) => ({
  id,
  title,
  steps: [{ id: "ask", kind: "prompt" as const, prompt: "Hi" }],
});
const suite = (...cases: EvalSuiteDocument["cases"]): EvalSuiteDocument => ({
  name: "Shop",
  settings: { minimumAccuracy: 80 },
  cases,
});

test("two people who edit different cases, add and delete some, are merged without losing either", () => {
  const base = suite(one("a"), one("b"), one("c"));
  const mine = suite(one("a", "mine"), one("b"), one("c"), one("new"));
  const theirs = { ...suite(one("b", "theirs"), one("a")), name: "Shop 2" };
  const rows = conflictRows(fieldsOf(base), fieldsOf(mine), fieldsOf(theirs));
  const merged = documentFrom(settled(fieldsOf(theirs), rows, preselected));
  expect(merged.name).toBe("Shop 2");
  expect(merged.settings).toEqual({ minimumAccuracy: 80 });
  expect(merged.cases.map(({ id, title }) => [id, title])).toEqual([
    ["a", "mine"],
    ["b", "theirs"],
    ["new", "new"],
  ]);
  expect(fieldLabel("case new", [mine, theirs])).toBe("Case “new”");
});

test("a document made of its own fields is the same document", () => {
  const document = suite(one("b"), one("a"));
  expect(documentFrom(fieldsOf(document))).toEqual(document);
});

test("a typed text counts as a change before it is read, a form that says the same does not", () => {
  const draft = draftFrom({ revision: "r", updatedAt: 1, document: suite(one("a")) });
  expect(isChanged(draft)).toBe(false);
  expect(isChanged({ ...draft, document: suite(one("a")) })).toBe(false);
  expect(isChanged({ ...draft, text: "name: [" })).toBe(true);
  expect(isChanged({ ...draft, document: suite(one("a", "b")) })).toBe(true);
});

test("cases are copied, and steps get names of their own", () => {
  const copy = copyOf(one("a"));
  expect([copy.id === "a", copy.title]).toEqual([false, "a (copy)"]);
  expect(freshStepId([{ id: "ask", kind: "prompt", prompt: "" }], "ask")).toBe("ask-2");
  expect(having({ a: 1, b: 2 } as { a: number; b?: number }, { b: undefined })).toEqual({ a: 1 });
});

test.each([
  [{ type: "noToolErrors", role: "advisory", severity: "warn" }, true],
  [{ type: "toolCalledWith", toolName: "get", args: { args: { deep: { any: 1 } } } }, true],
  [{ type: "toolCalledWith", toolName: "get", args: { args: {}, newer: true } }, false],
  [{ type: "responseContains", needle: "x", newer: 1 }, false],
  [{ type: "constructor" }, false],
  [{ kind: "textVisible", toolName: "t", text: "x" }, false],
])("%j is shown as a form: %s", (check, formable) => {
  expect(isFormable(check)).toBe(formable);
});

test("a check keeps what it said when its kind changes, and can be shown as a form whatever its kind", () => {
  expect(
    asKind("toolResultContains", { type: "toolNeverCalled", toolName: "get", role: "advisory" }),
  ).toEqual({
    type: "toolResultContains",
    role: "advisory",
    toolName: "get",
    needle: "",
  });
  for (const type of Object.keys(checkKinds)) expect(isFormable(asKind(type)), type).toBe(true);
  const check = withValue({ type: "t", args: { args: 1, deep: true } }, "args.deep", undefined);
  expect(check).toEqual({ type: "t", args: { args: 1 } });
  expect(valueAt(check, "args.args")).toBe(1);
});

test("a line of the YAML leads to its case, and a part to its lines", () => {
  const places = [
    { path: ["cases", 0], line: 3, endLine: 6 },
    { path: ["cases", 0, "steps", 0], line: 5, endLine: 6 },
    { path: ["cases", 1], line: 7, endLine: 9 },
  ];
  expect([2, 3, 6, 8, 40].map((line) => caseAtLine(places, line))).toEqual([undefined, 0, 0, 1, undefined]);
  const text = ["n", "cases:", "  - id: a", "    steps:", "      - id: s", "        kind: prompt"].join("\n");
  expect(linesOf(text, places, ["cases", 0, "steps", 0])).toBe("- id: s\n  kind: prompt");
  expect(linesOf(text, places, ["cases", 9])).toBeUndefined();
});
