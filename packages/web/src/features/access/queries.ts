/** @module Grants on one project. */
import type { ProjectGrant } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const projectMembersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ["project-members", projectId],
    queryFn: ({ signal }) => app.listProjectMembers({ projectId }, { signal }),
  });

async function changed(projectId: string): Promise<void> {
  await queryClient.invalidateQueries(projectMembersQuery(projectId));
  await queryClient.invalidateQueries({ queryKey: ["project", projectId] });
}

export async function grantAccess(projectId: string, userId: string, role: ProjectGrant) {
  const member = await app.setProjectMember({ projectId, userId, body: { role } });
  await changed(projectId);
  return member;
}

export async function takeAccess(projectId: string, userId: string) {
  await app.removeProjectMember({ projectId, userId });
  await changed(projectId);
}
