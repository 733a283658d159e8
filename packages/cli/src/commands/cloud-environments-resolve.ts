/** @module `fettle cloud environments resolve`: what a run started now would execute with. */
import { findEnvironment } from "../cloud/find-environment.ts";
import { inProject } from "../cloud/in-project.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import type { environmentFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId } = await inProject(call);
  const { id: environmentId } = await findEnvironment(client, projectId, call.flags.environment);
  const resolved = await client.resolveEnvironment({ projectId, environmentId });
  return { value: resolved, human: () => outline(resolved) };
}
