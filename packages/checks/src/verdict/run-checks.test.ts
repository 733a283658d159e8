/** @module The runner over made-up observations. */
import { limits } from "@fettle/contract/core";
import { McpError } from "@fettle/mcp";
import { describe, expect, test } from "vitest";
import { couldNotRun, failed, NothingToObserve, passed, type Verdict } from "./check-result.ts";
import type { JudgingFacts } from "./rule.ts";
import { type Check, type Observers, type RunChecksOptions, runChecks } from "./run-checks.ts";

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

const observers: Observers<Seen> = {
  answer: async () => 21,
  double: async () => 42,
  broken: () => Promise.reject(new McpError("CONNECTION_RESET", "The server hung up.")),
  late: () => new Promise(() => {}),
};

const run = (
  checks: Partial<Check<Seen, JudgingFacts, "core">>[],
  options: Partial<RunChecksOptions> = {},
  own: Partial<Observers<Seen>> = {},
) =>
  runChecks<Seen, JudgingFacts, "core">(
    checks.map((check, at) => ({ ...base, id: `c${at}`, needs: [], judge: () => passed(), ...check })),
    { ...observers, ...own },
    { version: "2026-07-28" },
    { timeoutMs: 1_000, ...options },
  );

const warning = (word: "MUST" | "SHOULD", message: string) => ({ word, message });

test.each<[string, Verdict, object]>([
  ["a pass", passed({ seen: 1 }), { status: "passed", details: { seen: 1 } }],
  [
    "a pass with advice",
    { ...passed({ seen: 1 }), warnings: [warning("SHOULD", "shorter")] },
    { status: "passed", details: { seen: 1 }, warnings: [warning("SHOULD", "shorter")] },
  ],
  [
    "a failure",
    failed("odd", { seen: 1 }),
    { status: "failed", error: { message: "odd" }, details: { seen: 1 } },
  ],
  [
    "a failure in two ways, with advice",
    {
      ...failed("odd", { seen: 1 }),
      warnings: [warning("MUST", "long"), warning("SHOULD", "shorter")],
    },
    {
      status: "failed",
      error: { message: "odd; long" },
      details: { seen: 1 },
      warnings: [warning("SHOULD", "shorter")],
    },
  ],
  [
    "what could not run",
    couldNotRun("unknown", { seen: 1 }),
    {
      status: "skipped",
      skipReason: "could-not-run",
      error: { message: "unknown" },
      details: { seen: 1 },
    },
  ],
])("%s is told with its evidence, and nothing besides", async (_, verdict, told) => {
  const [{ durationMs, ...result } = { durationMs: -1 }] = await run([{ judge: () => verdict }]);
  expect(durationMs).toBeGreaterThanOrEqual(0);
  const { title, description, category, rules } = base;
  expect(result).toStrictEqual({ id: "c0", title, description, category, rule: rules[0], ...told });
});

test("of advice without end a report has the first", async () => {
  const warnings = Array.from({ length: limits.conformance.warnings + 1 }, (_, at) =>
    warning("SHOULD", `${at}`),
  );
  const [result] = await run([{ judge: () => ({ ...passed(), warnings }) }]);
  expect(result?.warnings).toEqual(warnings.slice(0, -1));
});

test("a check that cannot read what was seen takes no other down", async () => {
  const unreadable = () => {
    throw new TypeError("no such field");
  };
  expect(await run([{ judge: unreadable }, {}])).toMatchObject([
    {
      skipReason: "could-not-run",
      error: { message: "What was observed could not be judged: no such field" },
    },
    { status: "passed" },
  ]);
});

test("a check that finds nothing to look at does not apply", async () => {
  const answer = () => Promise.reject(new NothingToObserve("No tool may be called."));
  expect(await run([{ needs: ["answer"] }], {}, { answer })).toMatchObject([
    { skipReason: "not-applicable", error: { message: "No tool may be called." } },
  ]);
});

test("progress counts from none to all, and the last check judges after the others", async () => {
  const told: unknown[] = [];
  const order: string[] = [];
  const judge = (name: string) => () => {
    order.push(name);
    return passed();
  };
  const results = await run(
    [
      { isLast: true, judge: judge("last") },
      { needs: ["answer"], judge: judge("first") },
    ],
    { onProgress: ({ done, total, result }) => told.push([done, total, result?.id]) },
  );
  expect(order).toEqual(["first", "last"]);
  expect(results.map(({ id }) => id)).toEqual(["c0", "c1"]);
  expect(told).toEqual([
    [0, 2, undefined],
    [1, 2, "c1"],
    [2, 2, "c0"],
  ]);
});

test("a check may take longer than others, where it says so, and never less long", async () => {
  const answer = () => new Promise<number>((resolve) => setTimeout(resolve, 60, 1));
  const slow = { needs: ["answer"] as const };
  const some = [
    { ...slow, mayTakeMs: 10_000 },
    { ...slow, mayTakeMs: 1 },
  ];
  expect((await run(some, { timeoutMs: 1 }, { answer })).map(({ status }) => status)).toEqual([
    "passed",
    "skipped",
  ]);
  expect((await run(some, { timeoutMs: 10_000 }, { answer })).map(({ status }) => status)).toEqual([
    "passed",
    "passed",
  ]);
});

describe("when a run is stopped", () => {
  const stopped = new Error("The run has no more time.");
  const own = [
    {},
    { needs: ["late"] },
    { judge: () => couldNotRun("Its own reason.") },
    { unless: () => stopped.message },
    { judge: () => failed(stopped.message) },
  ] as const;

  test.each(["before it began", "while it waits"])(
    "%s, what was cut off is nobody's verdict",
    async (when) => {
      const stop = new AbortController();
      if (when === "before it began") stop.abort(stopped);
      const ended = run([...own], {
        signal: stop.signal,
        findGone: async () => new McpError("TIMEOUT", "x"),
      });
      stop.abort(stopped);
      const results = await ended;
      expect(results[1]).toMatchObject({
        skipReason: "could-not-run",
        isOutage: true,
        error: { message: stopped.message },
      });
      expect(results[3]).toMatchObject({ skipReason: "not-applicable" });
      for (const result of [
        results[3],
        ...(when === "while it waits" ? [results[0], results[2], results[4]] : []),
      ])
        expect(result).not.toHaveProperty("isOutage");
    },
  );
});

describe("a server that falls silent", () => {
  const gone = new McpError("CONNECTION_REFUSED", "Nobody listens.");
  const away = { isOutage: true, error: { message: expect.stringContaining("Nobody listens.") } };

  test("is looked for once, and what failed from then on is not held against it", async () => {
    let looks = 0;
    const findGone = async () => {
      looks += 1;
      return gone;
    };
    const results = await run(
      [
        { judge: () => failed("before") },
        { needs: ["broken"] },
        { needs: ["broken"] },
        { isLast: true, judge: () => failed("after") },
        { isLast: true },
      ],
      { findGone },
      {
        broken: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw new McpError("CONNECTION_RESET", "The server hung up.");
        },
      },
    );
    expect(looks).toBe(1);
    expect(results).toMatchObject([{ error: { message: "before" } }, away, away, away, { status: "passed" }]);
  });

  test("and is there when looked for keeps what it earned", async () => {
    const findGone = async () => undefined;
    expect(await run([{ needs: ["broken"] }, { judge: () => failed("odd") }], { findGone })).toMatchObject([
      { error: { message: "The server hung up." } },
      { error: { message: "odd" } },
    ]);
    expect(await run([{ needs: ["broken"] }])).toMatchObject([{ error: { message: "The server hung up." } }]);
  });

  test("is looked for only where somebody met silence", async () => {
    const findGone = async () => gone;
    const answer = () => Promise.reject(new McpError("RPC_ERROR", "No such tool."));
    expect(await run([{ needs: ["answer"] }], { findGone }, { answer })).toMatchObject([
      { error: { message: "No such tool." } },
    ]);
  });
});
