/** @module A project's tunnels, and closing one. Opening one is for the machine that runs the server. */
import { queryOptions } from "@tanstack/react-query";
import { api, app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

/** A host comes and goes without a word in the live stream, so whoever looks is told by asking. */
const everyMs = 5_000;

export const tunnelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["tunnels", projectId],
    queryFn: ({ signal }) => app.listTunnels({ projectId }, { signal }),
    refetchInterval: everyMs,
  });

export async function closeTunnel(projectId: string, serverId: string) {
  await api.closeTunnel({ projectId, serverId });
  await queryClient.invalidateQueries(tunnelsQuery(projectId));
}
