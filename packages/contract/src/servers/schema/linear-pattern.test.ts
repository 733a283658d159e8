import fc from "fast-check";
import { expect, test } from "vitest";
import { linearPattern, stepBudget } from "./linear-pattern.ts";

/** What the pattern says of the text; why it says nothing, otherwise. */
function judge(source: string, text: string): boolean | string {
  const pattern = linearPattern(source);
  return pattern.kind === "usable" ? pattern.test(text) : pattern.reason;
}

test.each([
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^([a-zA-Z]+)*$",
  "(x+x+)+y",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^(a?){25}a{25}$",
  "(.*)*(.*)*(.*)*x",
  "^((a{0,9}){0,9}){0,9}$",
  "(?:(?:(?:a*)*)*)*b",
])("%s ends, whatever it is asked about", (source) => {
  // The platform's engine would not come back from the shorter one.
  for (const length of [40, 1_000]) expect(judge(source, `${"a".repeat(length)}!`)).toBe(false);
});

test.each([
  ["^(?=a)a$", "looks ahead or behind"],
  ["^(?!a)b$", "looks ahead or behind"],
  ["(?<=a)b", "looks ahead or behind"],
  ["(?<!a)b", "looks ahead or behind"],
  ["^(a)\\1$", "refers back to a group"],
  ["^(?<n>a)\\k<n>$", "refers back to a group"],
  ["(?i:a)", "changes flags in its middle"],
  ["(", "is not a regular expression of ECMAScript"],
  ["(?P<n>a)", "is not a regular expression of ECMAScript"],
  ["(?i)a", "is not a regular expression of ECMAScript"],
  ["^a\\Z", "holds an escape of unclear meaning"],
  ["((a{1000}){1000}){1000}", "counts too high"],
  ["a".repeat(10_001), "is too long"],
  [`${"(".repeat(300)}${")".repeat(300)}`, "nests its groups too deeply"],
])("%s is not evaluated, and says why", (source, reason) => {
  expect(judge(source, "a")).toBe(reason);
});

test.each<[pattern: string, text: string]>([
  ["^\\s$", "\u00a0"],
  ["^.$", "\r"],
  ["^.$", "😀"],
  ["^[😀-😂]$", "😁"],
  ["^\\ud83d\\ude00$", "😀"],
  ["^\\u{1f600}$", "😀"],
  ["^a$", "a\n"],
  ["^[^]$", "x"],
  ["[]", "x"],
  ["^\\p{Script=Greek}+$", "αβγ"],
  ["^\\P{Lu}$", "A"],
  ["^\\cA\\x41\\0$", "\u0001A\u0000"],
  ["^[\\b]$", "\b"],
  ["^[\\]\\-\\\\]+$", "]-\\"],
  ["^.{1,2000}$", "a".repeat(2_000)],
  ["^.{1,2000}$", "a".repeat(2_001)],
  ["^(?<year>\\d{4})-(?:\\d\\d)$", "2026-07"],
  ["\\bcat\\b", "a cat sat"],
  ["\\Bcat", "concat"],
  ["^(?:){1000000000}$", ""],
  ["^(?:(?:a*)?){2,}$", ""],
  ["a||b", "c"],
  ["^\ud83d$", "\ud83d"],
])("%s on %j is what the standard says", (source, text) => {
  expect(judge(source, text)).toBe(new RegExp(source, "u").test(text));
});

test.each<[pattern: string, text: string]>([
  ["^a\\-b$", "a-b"],
  ["^\\_{,3}\\@$", "_{,3}@"],
  ["^[\\w-.]+\\'$", "a-.'"],
  ["^a]\\-$", "a]-"],
])("%s, which only engines without the Unicode flag accept, is read as they do", (source, text) => {
  expect(() => new RegExp(source, "u")).toThrow();
  expect(judge(source, text)).toBe(new RegExp(source).test(text));
});

test("on any short pattern and text it agrees with the platform's own engine", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "\\d",
    "\\w",
    "\\s",
    "^",
    "$",
    "\\b",
    "\\B",
    "😀",
    "\\u{61}",
  );
  const sign = fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?");
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(atom, sign).map(([one, times]) => (/^(\^|\$|\\[bB])$/.test(one) ? one : one + times)),
      fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => one + other),
      fc.tuple(tie("pattern"), tie("pattern")).map(([one, other]) => `${one}|${other}`),
      fc.tuple(tie("pattern"), sign).map(([one, times]) => `(${one})${times}`),
    ),
  }));
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "1", " ", "-", "\n", "😀", "\ud83d"),
    maxLength: 8,
  });
  fc.assert(
    fc.property(pattern, text, (source, subject) => {
      expect(judge(source, subject)).toBe(matchesAnywhere(new RegExp(source, "uy"), subject));
    }),
    { numRuns: 2_000 },
  );
});

/** Begun before each character in turn: left to itself, V8 also begins in the middle of one, where no pattern may. */
function matchesAnywhere(pattern: RegExp, text: string): boolean {
  const starts = [0];
  for (const character of text) starts.push(starts.at(-1)! + character.length);
  return starts.some((start) => {
    pattern.lastIndex = start;
    return pattern.test(text);
  });
}

test("what several patterns may cost together is bounded, and running out is said", () => {
  const budget = stepBudget();
  const pattern = linearPattern("(a{1,200}){1,100}b");
  if (pattern.kind !== "usable") throw new Error(pattern.reason);
  expect(pattern.test("a".repeat(1_000_000), budget)).toBe("out of steps");
  expect(pattern.test("a", budget)).toBe("out of steps");
});
