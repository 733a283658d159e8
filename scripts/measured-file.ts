/** @module Before each test file, in its worker: notes the processor seconds that the file takes. */
import { afterAll } from "vitest";
import { processorSeconds } from "./processor-seconds.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Of the worker and of the processes that it started; those of PostgreSQL belong to no file. */
    processorSeconds?: number;
  }
}

const before = processorSeconds();
// Registered before the file's own, so it runs after them: what ends services counts.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are wanted
afterAll(({}, suite) => {
  suite.file.meta.processorSeconds = processorSeconds() - before;
});
