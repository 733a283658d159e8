/** @module Which test files `npm test -- --changed` takes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changedSince, reachedTests } from "../scripts/reached-tests.mjs";

const manifest = '{ "exports": { ".": "./src/index.ts" } }';
const tree: Record<string, string> = {
  "packages/one/package.json": '{ "exports": { ".": "./src/index.ts", "./side": "./src/side/index.ts" } }',
  "packages/one/src/index.ts": 'export { a } from "./a.ts";\nexport { b, type Shape } from "./b.ts";\n',
  "packages/one/src/a.ts": "export const a = 1;",
  "packages/one/src/b.ts": "export const b = 1; export interface Shape {}",
  "packages/one/src/b.test.ts": 'import { b } from "./b.ts";',
  "packages/one/src/b.soak.test.ts": 'import { b } from "./b.ts";',
  "packages/one/src/side/index.ts": 'export { d } from "./d.ts";\n',
  "packages/one/src/side/d.ts": "export const d = 1;",
  "packages/two/package.json": manifest,
  "packages/two/src/by-side.test.ts": 'import { d } from "@fettle/one/side";',
  "packages/two/src/by-name.test.ts": 'import { a } from "@fettle/one";',
  "packages/two/src/by-type.test.ts": 'import type { Shape } from "@fettle/one";',
  "packages/two/src/through.test.ts": 'import { c } from "./c.ts";',
  "packages/two/src/c.ts": 'import { a } from "@fettle/one";\nexport const c = a;',
  "packages/two/src/starts.test.ts": 'start(join(import.meta.dirname, "..", "bin", "program.mjs"));',
  "packages/two/bin/program.mjs": 'await import("../src/c.ts");',
  "packages/two/src/said/said.test.ts": "",
  "packages/two/src/said/__golden__/words.txt": "words",
  "packages/two/other.txt": "",
  "docs/page.md": "",
};

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "fettle-reached-"));
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const inTwo = (...names: string[]) => names.map((name) => `packages/two/src/${name}.test.ts`);

test.each<[what: string, changed: string, reached: string[]]>([
  [
    "a file that others import, directly, by name and from a program that is started",
    "packages/one/src/a.ts",
    inTwo("by-name", "starts", "through"),
  ],
  [
    "a file of which another package takes only a type",
    "packages/one/src/b.ts",
    ["packages/one/src/b.test.ts"],
  ],
  ["a file behind another door of its package", "packages/one/src/side/d.ts", inTwo("by-side")],
  ["a program", "packages/two/bin/program.mjs", inTwo("starts")],
  ["a test", "packages/two/src/starts.test.ts", inTwo("starts")],
  [
    "a file that nothing imports, by its folder",
    "packages/two/src/said/__golden__/words.txt",
    inTwo("said/said"),
  ],
  [
    "a file with no test above it, by its package",
    "packages/two/other.txt",
    inTwo("by-name", "by-side", "by-type", "said/said", "starts", "through"),
  ],
  ["a document", "docs/page.md", []],
])("%s", (_, changed, reached) => {
  expect(reachedTests(root, [changed])).toEqual(reached);
});

test("what everything depends on reaches every test", () => {
  expect(reachedTests(root, ["docs/page.md", "package-lock.json"])).toBe("all");
});

test("the rules of the whole tree are taken with any change", () => {
  const taken = reachedTests(join(import.meta.dirname, ".."), ["docs/page.md"]);
  expect(taken).toContain("tests/house-rules.test.ts");
});

test("changes are those since the branch left the ref, committed or not", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { cwd: root });
  const write = (path: string) => writeFileSync(join(root, path), "changed");
  const commit = (message: string) => {
    git("add", "-A");
    git("commit", "-qm", message);
  };
  git("init", "-q", "-b", "main");
  commit("Begin");
  git("switch", "-qc", "branch");
  write("committed.ts");
  commit("Change");
  git("switch", "-q", "main");
  write("elsewhere.ts");
  commit("Go on");
  git("switch", "-q", "branch");
  write("docs/page.md");
  write("unknown.ts");
  expect(changedSince(root, "main").sort()).toEqual(["committed.ts", "docs/page.md", "unknown.ts"]);
});
