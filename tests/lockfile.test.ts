/** @module The lockfile must serve machines we do not build on: x64 as well as arm64 Linux. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const lock: { packages: Record<string, { optionalDependencies?: Record<string, string> }> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "package-lock.json"), "utf8"),
);

test("every native package is in the lockfile for linux x64 and arm64 alike", () => {
  const paths = Object.keys(lock.packages);
  const missing = paths.flatMap((path) => {
    const twin = path.includes("linux-arm64")
      ? path.replace("linux-arm64", "linux-x64")
      : path.includes("linux-x64")
        ? path.replace("linux-x64", "linux-arm64")
        : undefined;
    return twin && !paths.includes(twin) ? [`${path} has no ${twin}`] : [];
  });
  expect(missing).toEqual([]);
  expect(paths.filter((path) => path.includes("linux-arm64")).length).toBeGreaterThan(5);
});

test("every optional platform package that is named is also locked", () => {
  const paths = new Set(Object.keys(lock.packages).map((path) => path.split("node_modules/").at(-1)));
  const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {})
      .filter((name) => /linux.*(x64|arm64)/.test(name) && !paths.has(name))
      .map((name) => `${path || "root"} names ${name}`),
  );
  expect(missing).toEqual([]);
});
