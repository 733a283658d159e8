/** @module `fettle cloud environments restore`: at the revision last read. */
import { findEnvironment } from "../cloud/find-environment.ts";
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { environmentsRevisionFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsRevisionFlags, NoArguments>): Promise<Outcome> {
  const { environment, expectedRevision } = call.flags;
  const { client, projectId } = await inProject(call);
  const { id: environmentId } = await findEnvironment(client, projectId, environment, "archived");
  const changed = await client.restoreEnvironment({ projectId, environmentId, body: { expectedRevision } });
  return {
    value: changed,
    human: () =>
      text`${style.green("✓")} Restored ${style.bold(changed.name)} ${style.dim(`(${changed.id})`)}`,
  };
}
