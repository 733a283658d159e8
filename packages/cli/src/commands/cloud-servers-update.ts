/** @module `fettle cloud projects servers update`: changes only what is said. */
import { droppedNotice, type ProjectServerUpdateRequest } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { inNamedProject } from "../cloud/named-project.ts";
import { findServer, serverDone } from "../cloud/saved-server.ts";
import { serverFields } from "../cloud/server-fields.ts";
import type { Outcome } from "../output/printer.ts";
import type { serversUpdateFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serversUpdateFlags, NoArguments>): Promise<Outcome> {
  const { enable, disable, clearHeaders, header } = call.flags;
  if (enable && disable) throw usageError("Use --enable or --disable, not both.");
  if (clearHeaders && header.length > 0) throw usageError("Use --header or --clear-headers, not both.");
  const fields = {
    ...(await serverFields(call)),
    ...((enable || disable) && { enabled: enable }),
    ...(clearHeaders && { headers: {} }),
  };
  if (Object.keys(fields).length === 0) {
    throw usageError(
      "Say what to change: --name, --url, --header, --clear-headers, --enable, --disable or --body.",
    );
  }
  const place = await inNamedProject(call);
  const { id: serverId } = await findServer(place, call.flags.server);
  const changed = await place.client.updateProjectServer({
    projectId: place.projectId,
    serverId,
    // The service holds the fields to the contract and names what is wrong in them.
    body: fields as ProjectServerUpdateRequest,
  });
  const notice = droppedNotice(changed.credentialsDropped);
  if (notice) call.print.warn(notice);
  return { value: changed, human: () => serverDone("Changed", changed) };
}
