/** @module The worked examples of CONTRIBUTING.md fit the tree as it is. The long run builds them, too: `worked-example*.soak.test.ts`. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readExample } from "./worked-examples.ts";

/** The files it touches, once its patch is known to apply. */
async function fitting(heading: string): Promise<string[]> {
  const { patch, touched } = await readExample(heading);
  execFileSync("git", ["apply", "--check"], { cwd: join(import.meta.dirname, ".."), input: patch });
  return touched;
}

test("an operation with its command and its page touches six files, each where such a thing belongs", async () => {
  const packages = (await fitting("an operation with its command and its page")).map(
    (path) => path.split("/")[1],
  );
  expect(packages).toEqual(["contract", "service", "service", "cli", "web", "web"]);
});

test("a new kind of run is one folder and a table, a line in the list of kinds and an entry in the test of every kind", async () => {
  const folder = "packages/service/src";
  const touched = await fitting("a new kind of run");
  expect(touched.map((path) => path.slice(folder.length + 1))).toEqual([
    "core/tables/surface-audits.ts",
    "servers/surface-audits/kind.ts",
    "servers/surface-audits/audit.ts",
    "start/run-kinds.ts",
    "runs/life/every-kind.test.ts",
    "servers/surface-audits/audit.test.ts",
  ]);
});
