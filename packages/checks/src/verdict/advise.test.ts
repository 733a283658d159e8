/** @module Advice beside the verdicts: given where something was seen in time, and never in the way of a run. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type Adviser, collectAdvice } from "./advise.ts";
import type { JudgingFacts, Rule } from "./rule.ts";
import { observeOnce } from "./run-checks.ts";

interface Seen {
  answer: number;
  broken: number;
  late: number;
}
const rule: Rule = {
  word: "SHOULD",
  title: "t",
  url: "https://example.com",
  revision: "2025-11-25",
  binds: ["2025-11-25"],
};
const base: Adviser<Seen, JudgingFacts> = {
  id: "base",
  title: "Base",
  rules: [rule],
  needs: ["answer"],
  advise: ({ answer }) => ({ message: `It is ${answer}`, details: { answer } }),
};
const advice = (advisers: Partial<Adviser<Seen, JudgingFacts>>[], signal?: AbortSignal) =>
  collectAdvice(
    advisers.map((own) => ({ ...base, ...own })),
    observeOnce<Seen>({
      answer: async () => 21,
      broken: () => Promise.reject(new Error("the server hung up")),
      late: () => new Promise(() => {}),
    }),
    { version: "2025-11-25" },
    { timeoutMs: 200, signal },
  );

test("advice has its rule, without the revisions that it binds, and what was seen", async () => {
  const { binds: _binds, ...shown } = rule;
  expect(await advice([{}])).toStrictEqual([
    {
      id: "base",
      title: "Base",
      severity: "warning",
      rule: shown,
      message: "It is 21",
      details: { answer: 21 },
    },
  ]);
});

test("only those speak that apply, have a rule in this revision, and saw in time what they need", async () => {
  const given = await advice([
    { id: "applies", appliesTo: ({ version }) => version === "2025-11-25" },
    { id: "does not apply", appliesTo: () => false },
    { id: "other revision", rules: [{ ...rule, binds: ["2026-07-28"] }] },
    { id: "nothing to say", advise: () => undefined },
    { id: "unseen", needs: ["answer", "broken"] },
    { id: "late", needs: ["late"], advise: () => ({ message: "never" }) },
    {
      id: "fails itself",
      advise: () => {
        throw new Error("unreadable");
      },
    },
    { id: "last" },
  ]);
  expect(given.map(({ id }) => id)).toEqual(["applies", "last"]);
});

test("a run that is stopped does not wait for the rest of the time", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stop = new AbortController();
  const collected = advice([{ needs: ["late"] }, {}], stop.signal);
  await vi.advanceTimersByTimeAsync(0);
  stop.abort();
  expect((await collected).map(({ message }) => message)).toEqual(["It is 21"]);
});
