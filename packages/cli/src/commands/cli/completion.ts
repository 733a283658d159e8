/** @module `fettle completion <shell>`: prints a script; it knows every command and flag, and asks `fettle complete` for names that only others know. */
import { completionScript } from "../../completion/script.ts";
import type { Call } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";
import type { completionArguments } from "./flags.ts";

export async function run(call: Call<typeof noFlags, typeof completionArguments>): Promise<undefined> {
  call.print.document(completionScript(call.arguments.shell, call.tree));
}
