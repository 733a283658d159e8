/** @module What every check of every suite goes by: a word, an address that exists, and the revisions it binds. */
import { ruleWords } from "@fettle/contract/servers";
import { expect, test } from "vitest";
import { protocolAdvice } from "../protocol/advice/advice.ts";
import { suites } from "../suites.ts";
import { failed, passed } from "./check-result.ts";
import { decides, findingUnless, type Rule, ruleIn } from "./rule.ts";
import { type Check, runChecks } from "./run-checks.ts";
import { isKnownAddress } from "./testing/known-pages.ts";

const all: { id: string; rules: readonly Rule[] }[] = [
  ...Object.values(suites).flatMap<{ id: string; rules: readonly Rule[] }>(({ checks }) => checks),
  ...protocolAdvice,
];

test("every check goes by at least one rule, and by one only in each revision", () => {
  const faults = all.flatMap(({ id, rules }) => {
    const bound = rules.flatMap(({ binds = ["every revision"] }) => binds);
    if (rules.length === 0) return [`${id} goes by nothing`];
    return new Set(bound).size === bound.length ? [] : [`${id} goes by two rules in one revision`];
  });
  expect(faults).toEqual([]);
});

test("every address of a rule leads to a page that is there, and to a heading on it", () => {
  const addresses = [...new Set(all.flatMap(({ rules }) => rules.map(({ url }) => url)))];
  expect(addresses.filter((url) => !isKnownAddress(url))).toEqual([]);
});

test.each(ruleWords)("%s decides, or is advice with its word", async (word) => {
  const rule: Rule = { word, title: "t", url: "https://example.com", revision: "r" };
  const base = { title: "t", description: "d", category: "c", rules: [rule], needs: [] };
  const checks: Check<Record<string, never>, { version: string }, string>[] = [
    { ...base, id: "own", judge: () => failed("broken") },
    { ...base, id: "beside", judge: () => ({ ...passed(), warnings: [{ word, message: "broken" }] }) },
  ];
  for (const contractBinds of [false, true]) {
    const facts = { version: "2025-11-25", contractBinds };
    const results = await runChecks(checks, {}, facts, { timeoutMs: 1_000 });
    const expected = decides(word, facts)
      ? { status: "failed", rule, error: { message: "broken" } }
      : { status: "passed", rule, warnings: [{ word, message: "broken" }] };
    expect(results).toMatchObject([expected, expected]);
  }
  expect(decides(word, { version: "2025-11-25" })).toBe(word === "MUST" || word === "schema");
  expect(decides(word, { version: "2025-11-25", contractBinds: true })).toBe(
    ["MUST", "schema", "contract"].includes(word),
  );
});

test("a stronger sentence that is broken beside a weak one fails the check, and is the one that is named", async () => {
  const rules: Rule[] = [{ word: "SHOULD", title: "t", url: "https://example.com#weak", revision: "r" }];
  const url = "https://example.com#strong";
  const [result] = await runChecks<Record<string, never>, { version: string }, string>(
    [
      {
        id: "mixed",
        title: "t",
        description: "d",
        category: "c",
        rules,
        needs: [],
        judge: () => ({ ...failed("unwise"), warnings: [{ word: "MUST", message: "forbidden", url }] }),
      },
    ],
    {},
    { version: "2025-11-25" },
    { timeoutMs: 1_000 },
  );
  expect(result).toMatchObject({
    status: "failed",
    rule: { word: "MUST", url },
    error: { message: "forbidden" },
    warnings: [{ word: "SHOULD", message: "unwise" }],
  });
});

test("a revision without a rule is left alone, in the words of why", async () => {
  const rules: Rule[] = [
    {
      word: "MUST",
      title: "t",
      url: "https://example.com",
      revision: "2026-07-28",
      binds: ["2026-07-28", "2025-06-18"],
    },
  ];
  expect(ruleIn(rules, "2025-06-18")?.word).toBe("MUST");
  const check: Check<Record<string, never>, { version: string }, string> = {
    id: "x",
    title: "t",
    description: "d",
    category: "c",
    rules,
    needs: [],
    judge: () => failed("never reached"),
  };
  const whys = await Promise.all(
    ["2025-03-26", "2025-11-25"].map(async (version) => {
      const [result] = await runChecks([check], {}, { version }, { timeoutMs: 1_000 });
      return [result?.skipReason, result?.error?.message];
    }),
  );
  expect(whys).toEqual([
    ["not-applicable", "The rule came with 2025-06-18; this is 2025-03-26."],
    ["not-applicable", "2025-11-25 has no such rule."],
  ]);
});

test("a finding names the sentence it goes by, where that is another one than the check's own", () => {
  const url = "https://example.com#other";
  expect(findingUnless(true, "MUST", "broken", url)).toEqual([]);
  expect(findingUnless(false, "MUST", "broken", url)).toStrictEqual([
    { word: "MUST", message: "broken", url },
  ]);
  expect(findingUnless(false, "MUST", "broken")).toStrictEqual([{ word: "MUST", message: "broken" }]);
});
