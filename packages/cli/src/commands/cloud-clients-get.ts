/** @module `fettle cloud clients get`: one client, with what is needed to change it. */
import { clientSelector } from "../cloud/client-selector.ts";
import { inProject } from "../cloud/in-project.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import type { clientFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientFlags, NoArguments>): Promise<Outcome> {
  const selector = clientSelector(call.flags);
  const { client, projectId } = await inProject(call);
  const found = await client.getClient({ projectId, client: selector });
  return { value: found, human: () => outline(found) };
}
