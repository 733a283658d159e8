/** @module `fettle completion <shell>`: prints a script; it knows every command and flag, so completing starts no process. */
import { completionScript } from "../completion/script.ts";
import type { completionArguments } from "../registry/cli.ts";
import type { Call } from "../registry/command.ts";
import { tree } from "../registry/registry.ts";
import type { noFlags } from "../registry/shared-flags.ts";

export async function run(call: Call<typeof noFlags, typeof completionArguments>): Promise<undefined> {
  call.print.document(completionScript(call.arguments.shell, tree));
}
