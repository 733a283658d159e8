import type { CalibrationMeasure } from "@fettle/contract/visitors";
import { expect, test } from "vitest";
import { calibrate } from "./calibrate.ts";
import { measures } from "./measures.ts";
import type { SessionFacts } from "./session-facts.ts";

const session = (over: Partial<SessionFacts> = {}): SessionFacts => ({
  turns: 1,
  tools: {},
  failedCalls: 0,
  reached: false,
  abandoned: false,
  ...over,
});
const turns = (...counts: number[]) => counts.map((count) => session({ turns: count }));
const calls = (...tools: SessionFacts["tools"][]) => tools.map((one) => session({ tools: one }));
const measure = (id: CalibrationMeasure) => measures.find((one) => one.id === id)!;

test.each<[string, CalibrationMeasure, SessionFacts[], SessionFacts[], number | null]>([
  ["as long, in any order", "turns", turns(2, 4), turns(4, 2), 0],
  ["half as long", "turns", turns(2, 4), turns(1, 2), 0.5],
  ["once longer, once shorter", "turns", turns(1, 4), turns(2, 3), 1 - 4 / 6],
  ["no turns at all", "turns", turns(0), turns(0), null],
  ["the same tools, more often", "toolMix", calls({ a: 1, b: 1 }), calls({ a: 2, b: 2 }), 0],
  ["half of the calls of another tool", "toolMix", calls({ a: 2 }), calls({ a: 1, b: 1 }), 0.5],
  ["nothing in common", "toolMix", calls({ a: 2 }), calls({ b: 3 }), 1],
  ["calls beside none", "toolMix", calls({ a: 1 }), calls({}), 1],
  ["one of two without calls", "toolMix", calls({ a: 1 }, {}), calls({ a: 1 }), 0.5],
  ["no sessions on one side", "toolMix", calls({ a: 1 }), [], null],
  ["no sessions on the other", "toolMix", [], calls({ a: 1 }), null],
  [
    "one of four calls failed, and two of four",
    "errorRate",
    [session({ tools: { a: 1 }, failedCalls: 1 }), session({ tools: { a: 1, b: 2 } })],
    [session({ tools: { a: 4 }, failedCalls: 2 })],
    0.25,
  ],
  ["no call to fail", "errorRate", calls({}), calls({ a: 1 }), null],
  [
    "one of two reached it, and none",
    "goalCompletion",
    [session({ reached: true }), session()],
    [session(), session()],
    0.5,
  ],
  ["nobody to reach it", "goalCompletion", [], [session()], null],
  [
    "none left, and three of four",
    "abandonment",
    [session()],
    [session(), ...[1, 2, 3].map(() => session({ abandoned: true }))],
    0.75,
  ],
])("%s: %s", (_, id, real, simulated, distance) => {
  const seen = measure(id).distance(real, simulated);
  if (distance === null) expect(seen).toBeNull();
  else expect(seen).toBeCloseTo(distance, 10);
});

test("the report tells both sides, the error of each measure and the mean of those that are known", () => {
  const pairs = [
    { real: session({ turns: 2, tools: { a: 1 }, reached: true }), simulated: session({ turns: 1 }) },
    { real: session({ turns: 4, tools: { a: 1, b: 2 } }), simulated: session({ turns: 2 }) },
  ];
  const report = calibrate(pairs);
  expect(report.sessions).toBe(2);
  expect(report.measures.map(({ id, real, simulated, error }) => [id, real, simulated, error])).toEqual([
    ["turns", 3, 1.5, 0.5],
    ["toolMix", null, null, 1],
    ["errorRate", 0, null, null],
    ["goalCompletion", 0.5, 0, 0.5],
    ["abandonment", 0, 0, 0],
  ]);
  expect(report.overall.error).toBe(0.5);
  expect(report.tools).toEqual([
    { toolName: null, real: 0, simulated: 1 },
    { toolName: "a", real: 0.5, simulated: 0 },
    { toolName: "b", real: 0.5, simulated: 0 },
  ]);
  for (const { error, low, high } of report.measures) {
    if (error === null) expect([low, high]).toEqual([null, null]);
    else expect([low! <= error, error <= high!]).toEqual([true, true]);
  }
  const turnsOf = report.measures[0]!;
  expect([turnsOf.low, turnsOf.high]).toEqual([0.5, 0.5]);
});
