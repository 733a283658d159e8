/** What plants faults in the code to try the tests: which faults, in which sample, and which tests are run for each. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deciding } from "../scripts/mutation/deciding-files.ts";
import { mutantsOf } from "../scripts/mutation/mutants.ts";
import { nearestTests } from "../scripts/mutation/nearest-tests.ts";
import { outcomeOf } from "../scripts/mutation/outcome.ts";
import { sample } from "../scripts/mutation/sample.ts";

const root = join(import.meta.dirname, "..");

const faultsOf = (source: string) =>
  mutantsOf("a.ts", source).map(
    ({ kind, start, end, after }) => `${kind}: ${source.slice(0, start)}${after}${source.slice(end)}`,
  );

test.each([
  ["await end(run);", ["await dropped: end(run);", "call dropped: ;"]],
  ["const a = f(x, y);", ["argument dropped: const a = f(x);"]],
  ["const a = rows.for('update');", ["link dropped: const a = rows;"]],
  [
    "if (isAdmin) a = 1;",
    [
      "condition turned: if (!(isAdmin)) a = 1;",
      "condition always false: if (false) a = 1;",
      "assignment dropped: if (isAdmin) ;",
    ],
  ],
  ["const a = b <= 5;", ["bound shifted: const a = b < 5;", "number shifted: const a = b <= 6;"]],
  ["const a = b ? c : d;", ["branches swapped: const a = b ? d : c;"]],
  ["const a = b && c;", ["logic swapped: const a = ((b) || (c));"]],
  ["const a = b ?? c;", ["fallback dropped: const a = b;"]],
  ["const f = () => { return true; };", ["answer turned: const f = () => { return false; };"]],
  ["const a = { b, c: 'text' };", ["property dropped: const a = { c: 'text' };"]],
])("plants every fault of: %s", (source, faults) => {
  expect(faultsOf(source)).toEqual(faults);
});

test.each([
  "log.info('started');",
  "import a from './a.ts';",
  "interface A { b: 1 | 2 }",
  "const a = 'b' + c;",
])("plants none in: %s", (source) => {
  expect(faultsOf(source)).toEqual([]);
});

test("how large a limit is, is no fault; that it comes out as another kind of number is", () => {
  const kinds = (path: string) => mutantsOf(path, "const a = { b: 500 * MiB };").map(({ kind }) => kind);
  for (const path of ["src/core/limits/agent.ts", "src/widgets/limits.ts", "src/watched-limits.ts"])
    expect(kinds(path)).toEqual(["property dropped", "operator turned"]);
  expect(kinds("src/limits-page.ts")).toEqual(["property dropped", "number shifted", "operator turned"]);
});

test("the same seed takes the same sample, another seed another one", () => {
  const all = Array.from({ length: 1_000 }, (_, index) => index);
  const first = sample(all, 20, 7);
  expect(new Set(first).size).toBe(20);
  expect(sample(all, 20, 7)).toEqual(first);
  expect(sample(all, 20, 8)).not.toEqual(first);
  expect(sample([1, 2], 20, 7).toSorted()).toEqual([1, 2]);
});

test("the tests of the same folder are nearer than others that reach a file as directly", () => {
  const usedBy = new Map([
    ["packages/p/a/x.ts", ["packages/p/b/far.test.ts", "packages/p/a/x.test.ts", "packages/p/a/y.ts"]],
    ["packages/p/a/y.ts", ["packages/p/a/y.test.ts", "packages/p/a/y.soak.test.ts"]],
  ]);
  expect(nearestTests(usedBy, "packages/p/a/x.ts", 5)).toEqual([
    "packages/p/a/x.test.ts",
    "packages/p/a/y.test.ts",
    "packages/p/b/far.test.ts",
  ]);
  expect(nearestTests(usedBy, "packages/p/a/x.ts", 1)).toEqual(["packages/p/a/x.test.ts"]);
});

test("tests of another package are taken only for a file that none of its own reaches", () => {
  const usedBy = new Map([
    ["packages/a/src/x.ts", ["packages/a/src/index.ts", "packages/b/src/y.test.ts"]],
    ["packages/a/src/index.ts", ["packages/a/src/index.test.ts"]],
    ["packages/a/src/z.ts", ["packages/b/src/y.test.ts"]],
  ]);
  expect(nearestTests(usedBy, "packages/a/src/x.ts", 5)).toEqual(["packages/a/src/index.test.ts"]);
  expect(nearestTests(usedBy, "packages/a/src/z.ts", 5)).toEqual(["packages/b/src/y.test.ts"]);
});

/** Tests that notice the fault are `red`, those that fail without it too `broken`; the rest pass. */
async function triedOn(
  tests: Record<string, { is?: "red" | "broken"; seconds?: number }>,
  { isTyped = true, isTypedElsewhere = true } = {},
) {
  const runs: string[] = [];
  const outcome = await outcomeOf({
    tests: Object.keys(tests),
    runWith: async (some, seconds) => {
      runs.push(`with: ${some}`);
      const isGreen = some.every((test) => !tests[test]?.is && (tests[test]?.seconds ?? 1) < seconds);
      return isGreen ? "green" : "red";
    },
    secondsWithout: async (test) => {
      runs.push(`without: ${test}`);
      return tests[test]?.is === "broken" ? undefined : (tests[test]?.seconds ?? 1);
    },
    typesHold: (where) => {
      runs.push(`types: ${where}`);
      return isTyped && (where === "package" || isTypedElsewhere);
    },
  });
  return { outcome, runs };
}

test("a fault that the nearest test notices costs no run of the others", async () => {
  expect(await triedOn({ a: { is: "red" }, b: {}, c: {} })).toEqual({
    outcome: "caught",
    runs: ["with: a", "without: a"],
  });
});

test("tests that pass with a fault are not run without it", async () => {
  expect(await triedOn({ a: {}, b: {}, c: {} })).toEqual({
    outcome: "survived",
    runs: ["with: a", "types: package", "with: b,c", "types: everywhere"],
  });
});

test("a test that fails without a fault notices none", async () => {
  expect(await triedOn({ a: { is: "broken" }, b: {} })).toMatchObject({ outcome: "survived" });
  expect(await triedOn({ a: {}, b: { is: "broken" }, c: {} })).toMatchObject({ outcome: "survived" });
  expect(await triedOn({ a: {}, b: { is: "broken" }, c: { is: "red" } })).toMatchObject({
    outcome: "caught",
  });
  expect(await triedOn({ a: { is: "broken" }, b: { is: "broken" } })).toMatchObject({
    outcome: "tests fail without it",
  });
});

test("a slow test is no proof: it gets the time it needs without the fault", async () => {
  expect(await triedOn({ a: { seconds: 150 } })).toEqual({
    outcome: "survived",
    runs: ["with: a", "without: a", "with: a", "types: package", "types: everywhere"],
  });
});

test("types of the package are asked after the nearest test, those of all after the other tests", async () => {
  expect(await triedOn({ a: {}, b: {} }, { isTyped: false })).toEqual({
    outcome: "caught by types",
    runs: ["with: a", "types: package"],
  });
  expect(await triedOn({ a: {}, b: {} }, { isTypedElsewhere: false })).toEqual({
    outcome: "caught by types",
    runs: ["with: a", "types: package", "with: b", "types: everywhere"],
  });
  expect(await triedOn({}, { isTyped: false })).toMatchObject({ outcome: "no test" });
});

test.each(deciding)("%s is there to be tried", (path) => {
  expect(existsSync(join(root, path))).toBe(true);
});
