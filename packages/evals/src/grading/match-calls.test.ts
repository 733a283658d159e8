import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { argumentsMatch } from "../predicates/match-arguments.ts";
import { type ExpectedCall, type MadeCall, type MatchOptions, matchCalls } from "./match-calls.ts";

const a = (args: Record<string, unknown> = {}) => ({ toolName: "a", arguments: args });
const b = (args: Record<string, unknown> = {}) => ({ toolName: "b", arguments: args });
const options = (fields: Partial<MatchOptions> = {}): MatchOptions => ({
  toolCallOrder: "any",
  extraToolCalls: "unlimited",
  arguments: "partial",
  ...fields,
});

describe("arguments", () => {
  test.each<
    [string, Record<string, unknown>, Record<string, unknown>, "partial" | "exact" | "ignore", boolean]
  >([
    ["nothing expected", {}, { q: 1 }, "partial", true],
    ["an extra key", { q: 1 }, { q: 1, r: 2 }, "partial", true],
    ["a missing key", { q: 1 }, {}, "partial", false],
    ["another value", { q: 1 }, { q: 2 }, "partial", false],
    ["a number is no text", { q: 1 }, { q: "1" }, "partial", false],
    ["a key of the prototype", { toString: "any" }, {}, "partial", false],
    ["nested is whole by default", { q: { x: 1 } }, { q: { x: 1, y: 2 } }, "partial", false],
    ["any", { q: " ANY " }, { q: null }, "partial", true],
    ["any needs the key", { q: "any" }, {}, "partial", false],
    ["string", { q: "string" }, { q: "x" }, "partial", true],
    ["string of a number", { q: "string" }, { q: 1 }, "partial", false],
    ["number", { q: "number" }, { q: 1 }, "partial", true],
    ["boolean", { q: "boolean" }, { q: false }, "partial", true],
    ["object", { q: "object" }, { q: {} }, "partial", true],
    ["a list is no object", { q: "object" }, { q: [] }, "partial", false],
    ["array", { q: "array" }, { q: [] }, "partial", true],
    ["null", { q: "null" }, { q: null }, "partial", true],
    ["$regex", { q: { $regex: "^o" } }, { q: "order" }, "partial", true],
    ["$regex on a number", { q: { $regex: "1" } }, { q: 1 }, "partial", false],
    ["$oneOf", { q: { $oneOf: [1, { x: 1 }] } }, { q: { x: 1 } }, "partial", true],
    ["$contains in a text", { q: { $contains: "rd" } }, { q: "order" }, "partial", true],
    ["$contains in a list", { q: { $contains: 2 } }, { q: [1, 2] }, "partial", true],
    ["$gte and $lte", { q: { $gte: 1, $lte: 3 } }, { q: 3 }, "partial", true],
    ["$lte", { q: { $lte: 3 } }, { q: 4 }, "partial", false],
    [
      "an object that only looks like a rule",
      { q: { $gte: 1, x: 1 } },
      { q: { $gte: 1, x: 1 } },
      "partial",
      true,
    ],
    ["exact, any order", { q: 1, r: 2 }, { r: 2, q: 1 }, "exact", true],
    ["exact, an extra key", { q: 1 }, { q: 1, r: 2 }, "exact", false],
    ["exact, no placeholders", { q: "any" }, { q: 1 }, "exact", false],
    ["ignore", { q: 1 }, {}, "ignore", true],
  ])("%s", (_, expected, actual, mode, outcome) => {
    expect(argumentsMatch(expected, actual, { mode })).toBe(outcome);
  });

  test("deep compares what is within partially too", () => {
    expect(
      argumentsMatch({ q: { x: "number" } }, { q: { x: 1, y: 2 } }, { mode: "partial", deep: true }),
    ).toBe(true);
    expect(argumentsMatch({ q: { x: "number" } }, { q: { y: 2 } }, { mode: "partial", deep: true })).toBe(
      false,
    );
  });
});

describe("calls", () => {
  test("a greedy choice would miss this one", () => {
    const match = matchCalls([a({ q: "any" }), a({ q: "x" })], [a({ q: "x" }), a({ q: "y" })]);
    expect(match.passed).toBe(true);
    expect(match.pairs).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  test.each<[string, MadeCall[], Partial<MatchOptions>, boolean]>([
    ["as expected", [a({ q: 1 }), b({ r: 2 })], {}, true],
    ["turned, any order", [b({ r: 2 }), a({ q: 1 })], {}, true],
    ["turned, in order", [b({ r: 2 }), a({ q: 1 })], { toolCallOrder: "in-order" }, false],
    ["turned, exact", [b({ r: 2 }), a({ q: 1 })], { toolCallOrder: "exact" }, false],
    ["one between, in order", [a({ q: 1 }), a(), b({ r: 2 })], { toolCallOrder: "in-order" }, true],
    ["one between, exact", [a({ q: 1 }), a(), b({ r: 2 })], { toolCallOrder: "exact" }, false],
    ["one more, none allowed", [a({ q: 1 }), b({ r: 2 }), a()], { extraToolCalls: 0 }, false],
    ["one more, one allowed", [a({ q: 1 }), b({ r: 2 }), a()], { extraToolCalls: 1 }, true],
    ["two more, one allowed", [a({ q: 1 }), b({ r: 2 }), a(), a()], { extraToolCalls: 1 }, false],
    ["two more, unlimited", [a({ q: 1 }), b({ r: 2 }), a(), a()], {}, true],
    ["more arguments, partial", [a({ q: 1, z: 1 }), b({ r: 2 })], { arguments: "partial" }, true],
    ["more arguments, exact", [a({ q: 1, z: 1 }), b({ r: 2 })], { arguments: "exact" }, false],
    ["other arguments, ignored", [a({ q: 9 }), b()], { arguments: "ignore" }, true],
    ["nothing called", [], {}, false],
  ])("%s", (_, made, fields, passed) => {
    expect(matchCalls([a({ q: 1 }), b({ r: 2 })], made, options(fields)).passed).toBe(passed);
  });

  test("nothing expected passes, unless extras are bounded", () => {
    expect(matchCalls([], [a()]).passed).toBe(true);
    expect(matchCalls([], [a()], options({ extraToolCalls: 0 })).passed).toBe(false);
  });

  test("a call to the right tool with wrong arguments is told apart from a missing one", () => {
    const match = matchCalls([a({ q: 1 }), b()], [a({ q: 2 })]);
    expect(match.argumentMismatches).toEqual([
      { toolName: "a", expectedArgs: { q: 1 }, actualArgs: { q: 2 } },
    ]);
    expect(match.missing).toEqual([b()]);
    expect(match.extra).toEqual([a({ q: 2 })]);
  });

  test.each<[string, ExpectedCall[], MadeCall[], Partial<MatchOptions>, number]>([
    ["in any place", [b(), a({ q: 1 })], [a({ q: 2 }), b()], {}, 1],
    ["before its turn, in order", [b(), a({ q: 1 })], [a({ q: 2 }), b()], { toolCallOrder: "in-order" }, 0],
    ["in its turn, in order", [b(), a({ q: 1 })], [b(), a({ q: 2 })], { toolCallOrder: "in-order" }, 1],
    ["at the start, in order", [a({ q: 1 }), b()], [a({ q: 2 }), b()], { toolCallOrder: "in-order" }, 1],
    ["in its place, exact", [a({ q: 1 }), b()], [a({ q: 2 }), b()], { toolCallOrder: "exact" }, 1],
    ["in another place, exact", [b(), a({ q: 1 })], [b(), b(), a({ q: 2 })], { toolCallOrder: "exact" }, 0],
    ["once, for two", [a({ q: 1 }), a({ q: 3 })], [a({ q: 2 })], {}, 1],
    ["of another tool", [a({ q: 1 })], [b({ q: 2 })], {}, 0],
  ])("a call with wrong arguments %s explains as many", (_, expected, made, fields, explained) => {
    const match = matchCalls(expected, made, options(fields));
    expect(match.passed).toBe(false);
    expect(match.argumentMismatches.length).toBe(explained);
    expect(match.pairs.length + match.missing.length + explained).toBe(expected.length);
  });

  const call = fc.record({
    toolName: fc.constantFrom("a", "b"),
    arguments: fc.record({ q: fc.constantFrom("x", "y") }),
  });
  const expectation: fc.Arbitrary<ExpectedCall> = fc.record({
    toolName: fc.constantFrom("a", "b"),
    arguments: fc.constantFrom({}, { q: "any" }, { q: "x" }, { q: "y" }, { q: { $oneOf: ["x", "z"] } }),
  });

  test.each(["any", "in-order"] as const)(
    "as many are paired as brute force can pair (%s)",
    (toolCallOrder) => {
      fc.assert(
        fc.property(
          fc.array(expectation, { maxLength: 5 }),
          fc.array(call, { maxLength: 6 }),
          (expected, made) => {
            const { pairs, missing, argumentMismatches, extra } = matchCalls(
              expected,
              made,
              options({ toolCallOrder }),
            );
            expect(pairs.length).toBe(mostPairs(expected, made, toolCallOrder === "in-order"));
            // Each pair fits, none is used twice, and everything is accounted for.
            for (const [e, m] of pairs) {
              expect(expected[e]!.toolName).toBe(made[m]!.toolName);
              expect(argumentsMatch(expected[e]!.arguments, made[m]!.arguments, { mode: "partial" })).toBe(
                true,
              );
            }
            expect(new Set(pairs.map(([, m]) => m)).size).toBe(pairs.length);
            expect(pairs.length + missing.length + argumentMismatches.length).toBe(expected.length);
            expect(pairs.length + extra.length).toBe(made.length);
          },
        ),
        { numRuns: 300 },
      );
    },
  );
});

/** Tries every assignment. */
function mostPairs(expected: readonly ExpectedCall[], made: readonly MadeCall[], ordered: boolean): number {
  const from = (e: number, used: ReadonlySet<number>, after: number): number => {
    if (e === expected.length) return 0;
    let best = from(e + 1, used, after);
    for (const [m, call] of made.entries()) {
      if (used.has(m) || (ordered && m <= after)) continue;
      const fits =
        call.toolName === expected[e]!.toolName &&
        argumentsMatch(expected[e]!.arguments, call.arguments, { mode: "partial" });
      if (fits) best = Math.max(best, 1 + from(e + 1, new Set([...used, m]), m));
    }
    return best;
  };
  return from(0, new Set(), -1);
}
