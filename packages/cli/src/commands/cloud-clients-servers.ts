/** @module `fettle cloud clients servers`: replaces the set; servers that are not named are detached. */
import { clientSelector } from "../cloud/client-selector.ts";
import { inProject } from "../cloud/in-project.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { clientsServersFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsServersFlags, NoArguments>): Promise<Outcome> {
  const selector = clientSelector(call.flags);
  const { serverIds, optionalServerIds, expectedConfigId } = call.flags;
  const listed = (ids: string) =>
    ids
      .split(",")
      .map((id) => id.trim())
      .filter(Boolean);
  const { client, projectId } = await inProject(call);
  const changed = await client.setClientServers({
    projectId,
    client: selector,
    body: {
      serverIds: listed(serverIds),
      ...(optionalServerIds !== undefined && { optionalServerIds: listed(optionalServerIds) }),
      expectedConfigId,
    },
  });
  return {
    value: changed,
    human: () =>
      text`${style.green("✓")} Attached ${style.bold(changed.name)} ${style.dim(`(${changed.id})`)}`,
  };
}
