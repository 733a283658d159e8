/** @module `fettle help <command>`: the same as `--help`. */
import { usageError } from "../../cli-error.ts";
import type { Call, CommandNode } from "../../program/command.ts";
import { renderHelp } from "../../program/help.ts";
import { type Unknown, unknownName } from "../../program/near-names.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { findNode, walk } from "../../program/tree.ts";
import { unknownCommand } from "../../program/unknown-command.ts";
import type { helpArguments } from "./flags.ts";

export async function run(call: Call<typeof noFlags, typeof helpArguments>): Promise<undefined> {
  const words = call.arguments.command;
  const node = findNode(call.tree, words);
  if (!node) {
    const known = [...walk(call.tree)].map(({ path }) => path.join(" ")).filter(Boolean);
    const near = unknownName(words.join(" "), known);
    const otherwise = near.hint === undefined ? firstUnknown(call.tree, words) : {};
    const hint = "See `fettle --help`.";
    throw usageError(`There is no command "${words.join(" ")}".`, { hint, ...near, ...otherwise });
  }
  call.print.page((width) => renderHelp(node, width));
}

function firstUnknown(root: CommandNode, words: readonly string[]): Partial<Unknown> {
  for (const [at, word] of words.entries()) {
    const above = findNode(root, words.slice(0, at));
    if (above && !findNode(above, [word])) return unknownCommand(root, above, word);
  }
  return {};
}
