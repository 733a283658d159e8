/** @module The command as people call it: one run of all there is. */
import type { ExitCode } from "@fettle/contract/core";
import { tree } from "./commands/index.ts";
import { runTree } from "./run-tree.ts";
import type { World } from "./world.ts";

/**
 * Runs the command once. Never throws and never ends the process, so that it can be called again.
 *
 * @example
 * const code = await run(["cloud", "status", "--format", "json"], processWorld());
 */
export function run(argv: readonly string[], world: World): Promise<ExitCode> {
  return runTree(tree, argv, world);
}
