/** @module `fettle cloud clients delete`: unless something still refers to it. */
import { clientSelector } from "../cloud/client-selector.ts";
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { clientsDeleteFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsDeleteFlags, NoArguments>): Promise<Outcome> {
  const selector = clientSelector(call.flags);
  const { client, projectId } = await inProject(call);
  const body = call.flags.force ? { force: true } : {};
  const deleted = await client.deleteClient({ projectId, client: selector, body });
  return {
    value: deleted,
    human: () => text`${style.green("✓")} Deleted ${style.bold(selector)} ${style.dim(`(${deleted.id})`)}`,
  };
}
