import { redactedText } from "@fettle/contract/secrets";
import { describe, expect, test } from "vitest";
import {
  definition,
  definitionHash,
  evaluationConfigHash,
  failingRows,
  integrityOf,
  type ScoreRow,
  scored,
  unscored,
  verdictOf,
} from "./scores.ts";

const named = (scorerId: string, fields: { role?: "gating" | "advisory"; label?: string } = {}) =>
  definition({
    scorerId,
    idSource: "explicit",
    label: "A scorer",
    implementation: { is: scorerId },
    ...fields,
  });
const gating = named("gating");
const advisory = named("advisory", { role: "advisory" });
const half = { ...gating, passThreshold: 0.5 };

test("what a scorer is called is no part of what it measures", () => {
  expect(definitionHash(named("a", { label: "Other" }))).toBe(definitionHash(named("a")));
  expect(evaluationConfigHash([named("a", { label: "Other" }), advisory])).toBe(
    evaluationConfigHash([advisory, named("a")]),
  );
  expect(evaluationConfigHash([named("a")])).not.toBe(evaluationConfigHash([named("b")]));
  expect(definitionHash(half)).not.toBe(definitionHash(gating));
});

describe("a row", () => {
  test.each([
    [0, false],
    [0.49, false],
    [0.5, true],
    [1, true],
  ])("of %d has passed a threshold of one half: %s", (value, passed) => {
    expect(scored(half, value, "Because.")).toStrictEqual({
      scorerId: "gating",
      scorerVersion: 1,
      definitionHash: definitionHash(half),
      passThreshold: 0.5,
      deterministic: true,
      status: "scored",
      value,
      passed,
      rationale: "Because.",
    });
  });

  test.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY])("of %d is an error", (value) => {
    const row = scored(gating, value, "Because.");
    expect(row).toMatchObject({ status: "error", error: "The scorer gave no number from 0 to 1." });
    expect(row).not.toHaveProperty("passed");
  });

  test("without a value says why: of an error as one, else as its reason", () => {
    expect(unscored(gating, "error", "It broke.")).toMatchObject({ status: "error", error: "It broke." });
    expect(unscored(gating, "error", "It broke.")).not.toHaveProperty("rationale");
    expect(unscored(gating, "skipped", "No turn.")).toMatchObject({
      status: "skipped",
      rationale: "No turn.",
    });
    expect(unscored(gating, "skipped", "No turn.")).not.toHaveProperty("error");
  });

  test("cuts a long reason at 600 characters, with a sign that there was more", () => {
    expect(scored(gating, 1, "x".repeat(600)).rationale).toBe("x".repeat(600));
    expect(scored(gating, 1, "x".repeat(601)).rationale).toBe(`${"x".repeat(599)}…`);
  });

  test("holds no secret, also none that the cut would leave half of", () => {
    const secret = `sk_${"a".repeat(40)}`;
    expect(scored(gating, 1, `It said ${secret}.`).rationale).toBe(`It said ${redactedText}.`);
    expect(scored(gating, 1, `${" ".repeat(590)}${secret}`).rationale).not.toContain("aaa");
    expect(unscored(gating, "error", `Bearer ${secret}`).error).not.toContain("aaa");
  });
});

describe("rows and definitions", () => {
  const good = scored(half, 0.5, "");
  const skipped = unscored(half, "skipped", "");
  const { value: _value, ...valueless } = good as ScoreRow & { value: number };

  test.each<[string, ScoreRow[], ReturnType<typeof integrityOf>]>([
    ["a row that passed", [good], "valid"],
    ["a row at nothing", [scored(half, 0, "")], "valid"],
    ["a row at everything", [scored(half, 1, "")], "valid"],
    ["a row that was skipped", [skipped], "valid"],
    ["no row of a gating scorer", [], "invalid"],
    ["two rows of one scorer", [good, good], "invalid"],
    ["a row of no scorer", [good, scored(advisory, 1, "")], "invalid"],
    ["a row under another name", [{ ...good, scorerId: "other" }], "invalid"],
    ["a skipped row that passed", [{ ...skipped, passed: true }], "invalid"],
    ["a row without a value", [valueless], "invalid"],
    ["a value below nothing", [{ ...good, value: -0.1, passed: false }], "invalid"],
    ["a value above everything", [{ ...good, value: 1.1 }], "invalid"],
    ["another threshold", [{ ...good, passThreshold: 0.4 }], "invalid"],
    ["a pass that is none", [{ ...good, value: 0.4 }], "invalid"],
    ["a failure that is none", [{ ...good, passed: false }], "invalid"],
  ])("%s: belong together or not", (_, rows, integrity) => {
    expect(integrityOf([half], rows)).toBe(integrity);
  });

  test("an advisory scorer needs no row, and no two scorers share a name", () => {
    expect(integrityOf([half, advisory], [good])).toBe("valid");
    expect(integrityOf([half, { ...advisory, scorerId: half.scorerId }], [good])).toBe("invalid");
  });

  const fails = (of: typeof gating, row: ScoreRow) =>
    [failingRows([of], [row]).length > 0, verdictOf([of], [row]) === "failed"] as const;

  test.each<[string, typeof gating, ScoreRow, boolean]>([
    ["a pass", gating, scored(gating, 1, ""), false],
    ["a failure", gating, scored(gating, 0, ""), true],
    ["an advisory failure", advisory, scored(advisory, 0, ""), false],
    ["an error", gating, unscored(gating, "error", ""), true],
    ["a skipped one", gating, unscored(gating, "skipped", ""), true],
    [
      "one that does not apply",
      gating,
      { ...unscored(gating, "skipped", ""), status: "not_applicable" },
      false,
    ],
    ["a row of no scorer", gating, scored(half, 1, ""), true],
  ])("%s fails a case or not", (_, of, row, failed) => {
    expect(fails(of, row)).toEqual([failed, failed]);
  });

  test("a fault that is to be ignored fails no case", () => {
    const lenient = { ...gating, onError: "ignore", onSkipped: "ignore" } as const;
    for (const status of ["error", "skipped"] as const)
      expect(fails(lenient, unscored(lenient, status, ""))).toEqual([false, false]);
    const strictErrors = { ...gating, onSkipped: "ignore" } as const;
    expect(fails(strictErrors, unscored(strictErrors, "error", ""))).toEqual([true, true]);
    expect(fails(strictErrors, unscored(strictErrors, "skipped", ""))).toEqual([false, false]);
  });

  test("a gating scorer without a row fails a case, an advisory one does not", () => {
    expect(verdictOf([gating], [])).toBe("failed");
    expect(verdictOf([advisory], [])).toBe("passed");
    expect(verdictOf([gating, advisory], [scored(gating, 1, "")])).toBe("passed");
    expect(failingRows([gating], [])).toEqual([]);
  });
});
