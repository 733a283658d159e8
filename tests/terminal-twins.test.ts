/** @module What the pages say can be done in the terminal can be done there. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const pages = readFileSync(join(root, "packages", "web", "src", "app", "pages.ts"), "utf8");
const commands = [...pages.matchAll(/command: "fettle ([^"]+)"/g)].map(([, command]) => command!.split(" "));

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
