/** @module `fettle cloud environments get`: one environment, with the revision a change must name. */
import { findEnvironment } from "../cloud/find-environment.ts";
import { inProject } from "../cloud/in-project.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import type { environmentFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentFlags, NoArguments>): Promise<Outcome> {
  const { client, projectId } = await inProject(call);
  const found = await findEnvironment(client, projectId, call.flags.environment);
  return { value: found, human: () => outline(found) };
}
