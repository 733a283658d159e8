/** @module `fettle cloud projects update`: changes only what is said. */
import { usageError } from "../cli-error.ts";
import { connectCloud } from "../cloud/connection.ts";
import { findSelectedProject } from "../cloud/selected-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { projectsUpdateFlags } from "../registry/cloud.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof projectsUpdateFlags, NoArguments>): Promise<Outcome> {
  const { project: flag, name, description, visibility } = call.flags;
  if (name === undefined && description === undefined && visibility === undefined) {
    throw usageError("Say what to change: --name, --description or --visibility.");
  }
  const connection = await connectCloud(call);
  const { project } = await findSelectedProject(call, connection, { flag });
  const changed = await connection.client.updateProject({
    projectId: project.id,
    body: { name, description, visibility },
  });
  return {
    value: changed,
    human: () =>
      text`${style.green("✓")} Updated ${style.bold(changed.name)} ${style.dim(`(${changed.id})`)}`,
  };
}
