/**
 * @module A vitest that stays, in a process of its own: a fault costs the seconds of its tests, not the start of vitest before them.
 * It stands in the folder it is started in, and is told over the channel of its parent what to run.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";

/** `changed`: absolute path of the file that differs from the run before, if one does. */
export interface Wish {
  tests: readonly string[];
  changed: string;
}
export type Word = "ready" | "green" | "red";

const tell = (word: Word) => process.send?.(word);

const vitest = await createVitest("test", {
  watch: true,
  project: ["main"],
  bail: 1,
  maxWorkers: 1,
  reporters: [],
});
// It is told what changed; a watcher would start runs of its own.
for (const { vite } of [vitest, ...vitest.projects]) await vite.watcher.close();
await vitest.standalone();

let changedBefore: string | undefined;

async function run({ tests, changed }: Wish): Promise<Word> {
  for (const path of new Set([changedBefore ?? changed, changed])) vitest.invalidateFile(path);
  changedBefore = changed;
  const wanted = await vitest.globTestSpecifications([...tests]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(wanted);
  const ids = new Set(wanted.map(({ moduleId }) => moduleId));
  // The answer also has the modules of earlier runs.
  const ran = testModules.filter(({ moduleId }) => ids.has(moduleId));
  const isGreen =
    ran.length === ids.size &&
    unhandledErrors.length === 0 &&
    ran.every((module) => module.ok() && module.state() !== "queued");
  return isGreen ? "green" : "red";
}

process.on("message", (wish: Wish) => {
  run(wish).then(tell, () => tell("red"));
});
process.on("disconnect", () => process.exit());
// Any test does: before the first one this process loads what starts the tests' database, and keeps it as it was then.
const first = "tests/mutation.test.ts";
await run({ tests: [first], changed: join(process.cwd(), first) });
tell("ready");
