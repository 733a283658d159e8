/** @module Every direct dependency is listed with its reason, and pinned exactly. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const reasons = readFileSync(join(root, "docs", "dependencies.md"), "utf8");
const manifests = [
  "package.json",
  "tests/clients/package.json",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`),
];

type Section = "dependencies" | "devDependencies" | "optionalDependencies";
const direct = manifests.flatMap((path) => {
  const manifest: Partial<Record<Section, Record<string, string>>> = JSON.parse(
    readFileSync(join(root, path), "utf8"),
  );
  return [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
    .flatMap((section) => Object.entries(section ?? {}))
    .filter(([name]) => !name.startsWith("@fettle/"));
});

test("our packages share one version: reports name the checker's, and the command prints its own", () => {
  const versions = manifests.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")).version);
  expect([...new Set(versions)]).toHaveLength(1);
});

test("each dependency has its reason in docs/dependencies.md, with the version in use", () => {
  const unexplained = direct.filter(
    ([name, version]) =>
      !reasons.split("\n").some((line) => line.includes(`\`${name}\``) && line.includes(version)),
  );
  expect(unexplained).toEqual([]);
});

test("each dependency is pinned to one version, because npm on an older Node would pick an older major", () => {
  expect(direct.filter(([, version]) => !/^\d/.test(version))).toEqual([]);
});
