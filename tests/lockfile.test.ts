/** @module The lockfile must serve machines we do not build on, x64 as well as arm64 Linux, and tell what `npm start` needs from what tests need. */
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

interface Entry {
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}
const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
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

/** The bookshop behind a sign-in is started by tests alone. */
const onlyTested = /\.test\.tsx?$|\/testing[/-]|^samples\/src\/(?:sdk-client|oauth-bookshop\/)/;

/** What runs or is built of a package, and what builds it. */
const started = [
  ...readdirSync(join(root, "packages"), { recursive: true, encoding: "utf8" })
    .filter((path) => /^\w+\/(?:src\/|bin\/|vite\.config).*\.(?:tsx?|mjs|css)$/.test(path))
    .filter((path) => !onlyTested.test(path))
    .map((path) => join("packages", path)),
  "scripts/build.mjs",
  "scripts/direct-imports.mjs",
  "scripts/packed-vocabulary.mjs",
];

test("npm start, which installs no development dependencies, misses nothing that it builds and runs", () => {
  const missed = started.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const imports = text.matchAll(
      /(?:^import (?!type )|^\} from |^@import |\bimport\()(?:[^"';]* from )?["']([^"']+)["']/gm,
    );
    return [...imports]
      .map(([, name]) => /^(?:@[\w-]+\/)?[\w][\w.-]*/.exec(name!)?.[0])
      .filter((name) => name !== undefined && !isBuiltin(name) && !name.startsWith("node:"))
      .filter((name) => lock.packages[`node_modules/${name}`]?.dev)
      .map((name) => `${path} needs ${name}`);
  });
  expect(missed).toEqual([]);
});

test("npm start installs no tools of tests and checks", () => {
  const tools = [
    "vitest",
    "typescript",
    "@biomejs/biome",
    "knip",
    "playwright-core",
    "drizzle-kit",
    "oidc-provider",
  ];
  expect(tools.filter((name) => !lock.packages[`node_modules/${name}`]?.dev)).toEqual([]);
});
