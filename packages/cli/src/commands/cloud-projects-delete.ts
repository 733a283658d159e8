/** @module `fettle cloud projects delete`: removes a project and everything in it, for good. */
import { connectCloud } from "../cloud/connection.ts";
import { findSelectedProject } from "../cloud/selected-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { projectsDeleteFlags } from "../registry/cloud.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof projectsDeleteFlags, NoArguments>): Promise<Outcome> {
  const connection = await connectCloud(call);
  const { project } = await findSelectedProject(call, connection, { flag: call.flags.project });
  const deleted = await connection.client.deleteProject({ projectId: project.id });
  return {
    value: deleted,
    human: () =>
      text`${style.green("✓")} Deleted ${style.bold(project.name)} ${style.dim(`(${project.id})`)} and everything in it`,
  };
}
