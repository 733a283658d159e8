/** @module `fettle cloud clients duplicate`: the copy shares its config. */
import { clientSelector } from "../cloud/client-selector.ts";
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { clientsDuplicateFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsDuplicateFlags, NoArguments>): Promise<Outcome> {
  const selector = clientSelector(call.flags);
  const { client, projectId } = await inProject(call);
  const copy = await client.duplicateClient({ projectId, client: selector, body: { name: call.flags.name } });
  return {
    value: copy,
    human: () => text`${style.green("✓")} Created ${style.bold(copy.name)} ${style.dim(`(${copy.id})`)}`,
  };
}
