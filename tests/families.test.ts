/** @module Holds the families of the packages that have them to what their READMEs say they may import, and to one order. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const packages = join(import.meta.dirname, "..", "packages");
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const textOf = (...path: string[]) => {
  const file = join(packages, ...path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

interface Families {
  package: string;
  /** A folder for tests of any package, which stand up whatever they need. */
  apart?: string;
  /** What stands in no family. */
  loose: string[];
  /** Where it is said what a family may import. */
  said(family: string): string | undefined;
}

const houses: Families[] = [
  {
    package: "service",
    apart: "testing",
    loose: ["index.ts"],
    said: (family) => /^May import: (.+)\.$/m.exec(textOf("service", "src", family, "README.md"))?.[1],
  },
  {
    package: "contract",
    loose: [],
    said: (family) =>
      new RegExp(`^\\| \\[\`${family}\`\\]\\([^|]*\\|[^|]*\\| (.*) \\|$`, "m").exec(
        textOf("contract", "README.md"),
      )?.[1],
  },
];

describe.each(houses)("$package", ({ package: name, apart, loose, said }) => {
  const source = join(packages, name, "src");
  const entries = readdirSync(source, { withFileTypes: true });
  const families = entries
    .filter((entry) => entry.isDirectory() && entry.name !== apart)
    .map((entry) => entry.name);

  function saidOf(family: string): string[] {
    const line = said(family);
    if (line === undefined) throw new Error(`It is not said what ${family} may import`);
    return quoted(line);
  }

  /** The other families that a family imports, each with one import as an example. */
  function importedBy(family: string): Map<string, string> {
    const files = readdirSync(join(source, family), { recursive: true, encoding: "utf8" }).filter(
      (path) => /\.ts$/.test(path) && !/\.test\.ts$|(?:^|\/)testing[-./]/.test(path),
    );
    const imported = new Map<string, string>();
    for (const file of files) {
      const path = join(family, file);
      const text = readFileSync(join(source, path), "utf8");
      for (const [, specifier] of text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g)) {
        const target = join(path, "..", specifier!);
        const other = target.includes("/") ? target.split("/")[0]! : target;
        if (!target.startsWith("..") && other !== family) imported.set(other, `${path} imports ${target}`);
      }
    }
    return imported;
  }

  test("what stands in no family is the package's own index, if it has one", () => {
    const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
    expect(files).toEqual(loose);
  });

  test.each(families)("%s imports the families that it is said to import, and no others", (family) => {
    const allowed = saidOf(family);
    const imported = importedBy(family);
    const unsaid = [...imported].filter(([other]) => !allowed.includes(other)).map(([, example]) => example);
    expect(unsaid).toEqual([]);
    expect(allowed.filter((other) => !imported.has(other))).toEqual([]);
  });

  test("the package's README lists every family, each below those it imports", () => {
    const rows = textOf(name, "README.md").matchAll(/^\| \[`(\w+)`\]\(src\/\w+\)/gm);
    const listed = [...rows].map(([, family]) => family!);
    expect([...listed].sort()).toEqual(families.sort());
    const upwards = listed.flatMap((family, at) =>
      saidOf(family)
        .filter((other) => !listed.slice(0, at).includes(other))
        .map((other) => `${family} imports ${other}`),
    );
    expect(upwards).toEqual([]);
  });
});
