/** @module The entry of the `fettle` command with everything it can do. */
import { tree } from "./commands/index.ts";
import { runInProcess } from "./run-in-process.ts";

export function main(argv: readonly string[]): Promise<void> {
  return runInProcess(tree, argv);
}
