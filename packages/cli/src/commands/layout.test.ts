/** @module One place per command: its declaration in its folder's index, what it does beside it, and nothing that looks back. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtProgramOf } from "../built-programs.ts";
import { smallPrograms } from "../small-programs.ts";
import { tree } from "./index.ts";
import { serviceCommands } from "./service/index.ts";

const here = import.meta.dirname;
const sources = globSync("**/*.ts", { cwd: join(here, "..") }).filter((path) => !path.endsWith(".test.ts"));
const textOf = (path: string) => readFileSync(join(here, "..", path), "utf8");

test("what a command does is loaded from its own folder", () => {
  const indexes = globSync("*/index.ts", { cwd: here });
  expect(indexes.length).toBeGreaterThan(10);
  const astray = indexes.flatMap((index) =>
    [...textOf(join("commands", index)).matchAll(/load: \(\) => import\("([^"]+)"\)/g)]
      .filter(([, file]) => !/^\.\/[a-z-]+\.ts$/.test(file!))
      .map(([load]) => `${index}: ${load}`),
  );
  expect(astray).toEqual([]);
});

test("the small programs find each of their commands by its words", () => {
  const missing = Object.values(smallPrograms)
    .flat()
    .filter((words) => !existsSync(join(here, `${words.replaceAll(" ", "/")}.ts`)));
  expect(missing).toEqual([]);
  expect(builtProgramOf(["protocol", "conformance", "--url", "x"])).toBe("./judge.mjs");
});

test("the service's program holds each command that runs the service, and no other", () => {
  const held = tree.children
    .map(({ word }) => word)
    .filter((word) => builtProgramOf([word]) === "./service.mjs");
  expect(held.toSorted()).toEqual(serviceCommands.map(({ name }) => name).toSorted());
});

test("only what walks over all commands imports the list of them", () => {
  const readers = sources.filter((path) =>
    /from "(\.\.\/)*(\.\/)?(commands|\.\.)\/index\.ts"/.test(textOf(path)),
  );
  expect(readers.toSorted()).toEqual(["help-main.ts", "main.ts", "run.ts"]);
});
