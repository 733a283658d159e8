/** @module What the house rules promise about the sources, held to: a number and a condition are said once. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
    .filter((path) => path.startsWith("service/") && !path.endsWith("/tables.ts"))
    .flatMap((path) =>
      [...textOf(path).matchAll(/isNull\(\w+\.(?:deleted|archived|uninstalled|revoked|accepted)At\)/g)].map(
        ([text]) => `${path}: ${text}`,
      ),
    );
  expect(said).toEqual([]);
});
