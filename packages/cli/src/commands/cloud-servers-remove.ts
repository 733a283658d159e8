/** @module `fettle cloud projects servers remove`: takes a saved server and its secrets away. */
import { inNamedProject } from "../cloud/named-project.ts";
import { findServer, serverDone } from "../cloud/saved-server.ts";
import type { Outcome } from "../output/printer.ts";
import type { serversRemoveFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serversRemoveFlags, NoArguments>): Promise<Outcome> {
  const place = await inNamedProject(call);
  const server = await findServer(place, call.flags.server);
  const removed = await place.client.deleteProjectServer({
    projectId: place.projectId,
    serverId: server.id,
  });
  return { value: removed, human: () => serverDone("Removed", server) };
}
