/** @module `fettle cloud projects create`: makes a project. */
import { connectCloud } from "../cloud/connection.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { projectsCreateFlags } from "../registry/cloud.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof projectsCreateFlags, NoArguments>): Promise<Outcome> {
  const { name, description, visibility, org } = call.flags;
  const { client, announce } = await connectCloud(call);
  announce(org ? `organization ${org}` : "account");
  const body = { name, description, visibility, organizationId: org };
  // A key of our own makes the call safe to repeat when the service is busy.
  const project = await client.createProject({ body }, { idempotencyKey: crypto.randomUUID() });
  return {
    value: project,
    human: () =>
      text`${style.green("✓")} Created ${style.bold(project.name)} ${style.dim(`(${project.id})`)}`,
    hint: style.cyan(`fettle cloud link ${project.id}`),
  };
}
