/** @module Changing an organization. */
import { app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export async function renameOrganization(organizationId: string, name: string) {
  const organization = await app.updateOrganization({ organizationId, body: { name } });
  await queryClient.invalidateQueries({ queryKey: ["bootstrap"] });
  return organization;
}

export async function leaveOrganization(organizationId: string) {
  await app.leaveOrganization({ organizationId });
}
