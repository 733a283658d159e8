/** @module Server groups, and which environments pin them. */
import type { BodyInputOf, Operations } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const serverGroupsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["server-groups", projectId],
    queryFn: ({ signal }) => api.listServerGroups({ projectId }, { signal }),
  });

/** Archived ones too: restored, they pin their group again. */
export const pinningQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["environments", projectId, "pinning"],
    queryFn: ({ signal }) =>
      api.listEnvironments({ projectId, query: { includeArchived: "true" } }, { signal }),
  });

export async function createServerGroup(
  projectId: string,
  body: BodyInputOf<Operations["createServerGroup"]>,
  attempt: string,
) {
  const group = await api.createServerGroup({ projectId, body }, { idempotencyKey: attempt });
  await queryClient.invalidateQueries(serverGroupsQuery(projectId));
  return group;
}
