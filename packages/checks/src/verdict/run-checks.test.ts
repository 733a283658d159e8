/** @module The runner over made-up observations. */
import { expect, test } from "vitest";
import { failed, passed } from "./check-result.ts";
import type { JudgingFacts } from "./rule.ts";
import { type Check, type Observers, runChecks } from "./run-checks.ts";

interface Seen {
  answer: number;
  double: number;
  broken: string;
  late: string;
}

const base = {
  title: "t",
  description: "d",
  category: "core",
  rules: [{ word: "MUST", title: "spec", url: "https://example.com", revision: "2026-07-28" }],
} as const;

const checks: Check<Seen, JudgingFacts, "core">[] = [
  {
    ...base,
    id: "even",
    needs: ["double"],
    judge: ({ double }) => (double % 2 === 0 ? passed() : failed("odd")),
  },
  {
    ...base,
    id: "small",
    needs: ["answer"],
    judge: ({ answer }) => (answer < 9 ? passed() : failed("too large")),
  },
  { ...base, id: "unseen", needs: ["broken", "answer"], judge: () => failed("never reached") },
  {
    ...base,
    id: "elsewhere",
    unless: ({ version }) => `not in ${version}`,
    needs: ["broken"],
    judge: () => passed(),
  },
  { ...base, id: "waits", needs: ["late"], judge: () => passed() },
];

test("an observation is made once, and what could not be observed is no failure", async () => {
  let made = 0;
  const observers: Observers<Seen> = {
    answer: async () => {
      made += 1;
      return 21;
    },
    double: async (look) => 2 * (await look("answer")),
    broken: async () => {
      throw new Error("the server hung up");
    },
    late: () => new Promise(() => {}),
  };
  const told: string[] = [];
  const results = await runChecks(
    checks,
    observers,
    { version: "2026-07-28" },
    {
      timeoutMs: 50,
      onProgress: ({ result }) => result && told.push(result.id),
    },
  );
  expect(made).toBe(1);
  expect(told.toSorted()).toEqual(["elsewhere", "even", "small", "unseen", "waits"]);
  expect(
    results.map(({ id, status, skipReason, error }) => [id, skipReason ?? status, error?.message]),
  ).toEqual([
    ["even", "passed", undefined],
    ["small", "failed", "too large"],
    ["unseen", "could-not-run", "the server hung up"],
    ["elsewhere", "not-applicable", "not in 2026-07-28"],
    ["waits", "could-not-run", "What it needs could not be observed within the time-out of a check."],
  ]);
});
