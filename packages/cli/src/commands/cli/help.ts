/** @module `fettle help <command>`: the same as `--help`. */
import { usageError } from "../../cli-error.ts";
import type { Call } from "../../program/command.ts";
import { renderHelp } from "../../program/help.ts";
import { unknownName } from "../../program/near-names.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { findNode, walk } from "../../program/tree.ts";
import type { helpArguments } from "./flags.ts";

export async function run(call: Call<typeof noFlags, typeof helpArguments>): Promise<undefined> {
  const words = call.arguments.command;
  const node = findNode(call.tree, words);
  if (!node) {
    const known = [...walk(call.tree)].map(({ path }) => path.join(" "));
    const near = unknownName(words.join(" "), known.filter(Boolean), "See `fettle --help`.");
    throw usageError(`There is no command "${words.join(" ")}".`, near);
  }
  call.print.page((width) => renderHelp(node, width));
}
