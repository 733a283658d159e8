/** @module What the house rules promise about the sources, held to: a number and a condition are said once, folders and files stay small. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

const packages = join(import.meta.dirname, "..", "packages");

/** The samples are other people's servers as far as the rest can tell: their bounds are their own. */
const sources = readdirSync(packages, { recursive: true, encoding: "utf8" }).filter(
  (path) => /^(?!samples)[a-z]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/testing\//.test(path),
);
const textOf = (path: string) => readFileSync(join(packages, path), "utf8");

// 0 and 1 are no choice: nothing, something, and the ends of a share.
test("no schema says a bound as a number: the contract's limits do, where forms, flags and messages read them too", () => {
  const said = sources.flatMap((path) =>
    [...textOf(path).matchAll(/(?<!Math)\.(?:max|length|min)\((?:[2-9]|\d[\d_]).*/g)].map(
      ([line]) => `${path}: ${line}`,
    ),
  );
  expect(said).toEqual([]);
});

test("whether a row still counts is said beside its table, and asked by that name everywhere else", () => {
  const said = sources
    .filter((path) => path.startsWith("service/") && !path.startsWith("service/src/core/tables/"))
    .flatMap((path) =>
      [...textOf(path).matchAll(/isNull\(\w+\.(?:deleted|archived|uninstalled|revoked|accepted)At\)/g)].map(
        ([text]) => `${path}: ${text}`,
      ),
    );
  expect(said).toEqual([]);
});

/** Whatever its folder: a test, a bench and a script are read by people too. */
const code = ["packages", "tests", "bench", "scripts"].flatMap((top) =>
  readdirSync(join(packages, "..", top), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/(?:^|\/)(?:node_modules|dist|generated)\//.test(path))
    .map((path) => join(top, path)),
);

test("no folder holds more than 40 files of code: past that it has rooms", () => {
  const folders = Object.entries(Object.groupBy(code, (path) => dirname(path)));
  const crowded = folders.filter(([, files = []]) => files.length > 40).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

test("no file of code is longer than 400 lines, tests apart", () => {
  const lineCount = (path: string) => readFileSync(join(packages, "..", path), "utf8").split("\n").length - 1;
  // What a package offers is a list of names, and no code.
  const isCode = (path: string) =>
    !/\.test\.tsx?$/.test(path) && !/^packages\/\w+\/src\/index\.ts$/.test(path);
  const long = code.filter((path) => isCode(path) && lineCount(path) > 400);
  expect(long).toEqual([]);
});

test("an email is called email, in code and in what is written beside it", () => {
  const pages = readdirSync(join(packages, "..", "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join("docs", path));
  const said = [...code, ...pages, "README.md", "CHANGELOG.md"].filter((path) =>
    /\be[-]mail/i.test(readFileSync(join(packages, "..", path), "utf8")),
  );
  expect(said).toEqual([]);
});

/** Code that is no test and no part of one. */
const shipped = code.filter(
  (path) => !/\.test\.tsx?$|\/testing\/|^tests\//.test(path) && !path.endsWith(".mjs"),
);

test("no type is asserted by way of unknown, tests apart: a guard, a better type or one assertion says it", () => {
  const twice = shipped.filter((path) =>
    /\bas unknown\s+as\b/.test(readFileSync(join(packages, "..", path), "utf8")),
  );
  expect(twice).toEqual([]);
});

/** So many there are. Fewer are welcome: lower it. */
const mostAssertions = 3;

test(`at most ${mostAssertions} values are asserted to be there, tests apart, each with its reason beside it`, () => {
  const all = shipped.flatMap(assertionsIn);
  expect(all.filter(({ hasReason }) => !hasReason).map(({ place }) => place)).toEqual([]);
  expect(all.length).toBeLessThanOrEqual(mostAssertions);
});

/** Every `value!`, and whether a comment stands on its line or the one above. */
function assertionsIn(path: string): { place: string; hasReason: boolean }[] {
  const source = readFileSync(join(packages, "..", path), "utf8");
  // Nothing else in formatted code has a mark right behind a value.
  if (!/[\w)\]}]!(?!=)/.test(source)) return [];
  const { program, comments } = parseSync(path, source);
  const lineAt = (at: number) => source.slice(0, at).split("\n").length;
  const ends = new Set(comments.map(({ end }) => lineAt(end)));
  const found: { place: string; hasReason: boolean }[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("type" in node && node.type === "TSNonNullExpression" && "end" in node) {
      const line = lineAt(Number(node.end));
      found.push({ place: `${path}:${line}`, hasReason: ends.has(line) || ends.has(line - 1) });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return found;
}
