/** @module What the pages and the API say can be done in the terminal can be done there. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type OperationDeclaration, operations } from "@fettle/contract";
import { expect, test } from "vitest";
import { tree } from "../packages/cli/src/registry/registry.ts";
import { findNode } from "../packages/cli/src/registry/tree.ts";

const root = join(import.meta.dirname, "..");
const pages = readFileSync(join(root, "packages", "web", "src", "app", "pages.ts"), "utf8");
const commands = [...pages.matchAll(/command:\s+"fettle ([^"]+)"/g)].map(([, command]) =>
  command!.split(" "),
);

test("pages name commands", () => {
  expect(commands.length).toBeGreaterThan(5);
});

test.each(commands.map((words) => [words.join(" "), words]))("fettle %s", async (line, words) => {
  const launcher = join(root, "packages", "cli", "bin", "fettle.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [launcher, ...words, "--help"]);
  const [named] = line.split(/ [^a-z]/);
  expect(stdout).toContain(`Usage  fettle ${named}`);
  for (const flag of words.filter((word) => word.startsWith("--")))
    expect(stdout).toMatch(new RegExp(`\\s${flag}\\s`));
});

test("what the API names as the same in the terminal is a command, where the operation is built", () => {
  const all: OperationDeclaration[] = Object.values(operations);
  const named = all.filter(({ built, cli }) => built && cli !== undefined);
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(({ cli }) => !findNode(tree, cli!.split(" ").slice(1)));
  expect(missing.map(({ id, cli }) => `${id}: ${cli}`)).toEqual([]);
});
