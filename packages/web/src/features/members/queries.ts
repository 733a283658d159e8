/** @module Members and invitations of an organization. */
import type { OrganizationRole } from "@fettle/contract";
import { queryOptions } from "@tanstack/react-query";
import { app } from "../../api/client.ts";
import { membersQuery, queryClient } from "../../api/queries.ts";

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["invitations", organizationId],
    queryFn: ({ signal }) => app.listInvitations({ organizationId }, { signal }),
  });

/** The answer holds the link, which is shown once: it goes to the dialog and never into the cache. */
export async function invite(organizationId: string, body: { email: string; role: OrganizationRole }) {
  const invitation = await app.createInvitation({ organizationId, body });
  await queryClient.invalidateQueries(invitationsQuery(organizationId));
  return invitation;
}

export async function revokeInvitation(organizationId: string, invitationId: string) {
  await app.revokeInvitation({ organizationId, invitationId });
  await queryClient.invalidateQueries(invitationsQuery(organizationId));
}

export async function changeRole(organizationId: string, userId: string, role: OrganizationRole) {
  const member = await app.updateMember({ organizationId, userId, body: { role } });
  await queryClient.invalidateQueries(membersQuery(organizationId));
  await queryClient.invalidateQueries({ queryKey: ["bootstrap"] });
  return member;
}

export async function removeMember(organizationId: string, userId: string) {
  await app.removeMember({ organizationId, userId });
  await queryClient.invalidateQueries(membersQuery(organizationId));
}
