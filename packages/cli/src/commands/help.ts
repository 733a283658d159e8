/** @module `fettle help <command>`: the same as `--help`. */
import { usageError } from "../cli-error.ts";
import { renderHelp } from "../program/help.ts";
import type { helpArguments } from "../registry/cli.ts";
import type { Call } from "../registry/command.ts";
import { tree } from "../registry/registry.ts";
import type { noFlags } from "../registry/shared-flags.ts";
import { findNode } from "../registry/tree.ts";

export async function run(call: Call<typeof noFlags, typeof helpArguments>): Promise<undefined> {
  const words = call.arguments.command;
  const node = findNode(tree, words);
  if (!node) throw usageError(`There is no command "${words.join(" ")}".`, { hint: "See `fettle --help`." });
  call.print.page((width) => renderHelp(node, width));
}
