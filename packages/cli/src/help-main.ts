/** @module The small program behind `--help`: the registry as data and the page made of it, nothing that could run a command. */
import { tree } from "./commands/index.ts";
import { createPrinter } from "./output/printer.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";
import { renderHelp } from "./program/help.ts";
import { findNode } from "./program/tree.ts";
import { processWorld } from "./world.ts";

/** False where the words are no command: the whole program says what is wrong with them. */
export function showHelp(words: readonly string[]): boolean {
  const node = findNode(tree, words);
  if (!node) return false;
  sayWhenUnwritable({ asJson: false });
  createPrinter(processWorld(), { format: "human", quiet: false }).page((width) => renderHelp(node, width));
  return true;
}
