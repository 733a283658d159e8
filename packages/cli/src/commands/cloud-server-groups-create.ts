/** @module `fettle cloud server-groups create`: freezes a set of saved servers. */
import { randomUUID } from "node:crypto";
import { inProject } from "../cloud/in-project.ts";
import { pickByIdOrName } from "../cloud/project-selection.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { serverGroupsCreateFlags } from "../registry/cloud-server-groups.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serverGroupsCreateFlags, NoArguments>): Promise<Outcome> {
  const { name, server, description } = call.flags;
  const { client, projectId } = await inProject(call);
  const { items } = await client.listProjectServers({ projectId });
  const serverIds = server.map((selector) => pickByIdOrName("server", selector, items).id);
  const made = await client.createServerGroup(
    { projectId, body: { name, serverIds, ...(description !== undefined && { description }) } },
    { idempotencyKey: randomUUID() },
  );
  return {
    value: made,
    human: () =>
      text`${style.green("✓")} Froze ${made.serverNames.join(", ")} as ${style.bold(made.name)} ${style.dim(`(${made.id})`)}`,
  };
}
