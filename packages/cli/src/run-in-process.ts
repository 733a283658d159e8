/** @module A run in which this process is the world, and its exit code the answer. */
import { defaultFormat, scanFormat } from "./output/format.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";
import type { CommandNode } from "./program/command.ts";
import { runTree } from "./run-tree.ts";
import { processWorld } from "./world.ts";

export async function runInProcess(tree: CommandNode, argv: readonly string[]): Promise<void> {
  process.exitCode = 0;
  const format = scanFormat(argv) ?? defaultFormat(process.stdout.isTTY === true);
  sayWhenUnwritable({ asJson: format === "json" });
  process.exitCode = await runTree(tree, argv, processWorld());
  setTimeout(endWhenSaid, lingerMs).unref();
}

/** Long enough for sockets to close by themselves. */
const lingerMs = 300;

/** The work is done. What still keeps the process alive is a connection nobody waits for, unless a slow reader is behind. */
function endWhenSaid(): void {
  if (process.stdout.writableLength > 0) setTimeout(endWhenSaid, lingerMs);
  else process.exit();
}
