/** @module Holds the families of the service to what their READMEs say they may import, and to one order. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const service = join(import.meta.dirname, "..", "packages", "service");
const source = join(service, "src");

/** For tests of any package, which stand up whatever they need. */
const notAFamily = "testing";

const families = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== notAFamily)
  .map(({ name }) => name);

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

/** What a family's README says after "May import:". */
function saidOf(family: string): string[] {
  const path = join(source, family, "README.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const line = /^May import: (.+)\.$/m.exec(text)?.[1];
  if (line === undefined) throw new Error(`${family}/README.md does not say what the family may import`);
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

test("what stands in no family is the package's own index", () => {
  const loose = readdirSync(source, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  expect(loose.map(({ name }) => name)).toEqual(["index.ts"]);
});

test.each(families)("%s imports the families that its README says, and no others", (family) => {
  const said = saidOf(family);
  const imported = importedBy(family);
  const unsaid = [...imported].filter(([other]) => !said.includes(other)).map(([, example]) => example);
  expect(unsaid).toEqual([]);
  expect(said.filter((other) => !imported.has(other))).toEqual([]);
});

test("the package's README lists every family, each below those it imports", () => {
  const rows = readFileSync(join(service, "README.md"), "utf8").matchAll(/^\| \[`(\w+)`\]\(src\/\w+\)/gm);
  const listed = [...rows].map(([, family]) => family!);
  expect([...listed].sort()).toEqual(families.sort());
  const upwards = listed.flatMap((family, at) =>
    saidOf(family)
      .filter((other) => !listed.slice(0, at).includes(other))
      .map((other) => `${family} imports ${other}`),
  );
  expect(upwards).toEqual([]);
});
