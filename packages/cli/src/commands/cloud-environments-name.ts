/** @module `fettle cloud environments name`: an ad-hoc environment, named by its id, becomes one to keep. */
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { environmentsNameFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsNameFlags, NoArguments>): Promise<Outcome> {
  const { environment: environmentId, name, expectedRevision, description } = call.flags;
  const { client, projectId } = await inProject(call);
  const body = { name, expectedRevision, description };
  const named = await client.nameEnvironment({ projectId, environmentId, body });
  return {
    value: named,
    human: () => text`${style.green("✓")} Named ${style.bold(named.name)} ${style.dim(`(${named.id})`)}`,
  };
}
