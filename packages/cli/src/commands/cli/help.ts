/** @module `fettle help <command>`: the same as `--help`. */
import { usageError } from "../../cli-error.ts";
import type { Call } from "../../program/command.ts";
import { renderHelp } from "../../program/help.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import { findNode } from "../../program/tree.ts";
import { tree } from "../index.ts";
import type { helpArguments } from "./index.ts";

export async function run(call: Call<typeof noFlags, typeof helpArguments>): Promise<undefined> {
  const words = call.arguments.command;
  const node = findNode(tree, words);
  if (!node) throw usageError(`There is no command "${words.join(" ")}".`, { hint: "See `fettle --help`." });
  call.print.page((width) => renderHelp(node, width));
}
