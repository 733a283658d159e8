/** @module Whether the role someone holds in a place is high enough for what the contract declares. */
import { type Access, ApiError, holdsOrganizationRole } from "@fettle/contract";
import type { OrganizationContext, ProjectContext } from "./bind.ts";

/** What a call is about, once it is known that the caller may see it. */
export interface Place {
  project?: ProjectContext;
  organization?: OrganizationContext;
}

/** Whether the role is high enough; the caller is known to see the place. */
export function holdsRole(access: Access, { project, organization }: Place): boolean {
  if (access.kind === "organization") {
    return organization !== undefined && holdsOrganizationRole(organization.role, access.role);
  }
  if (access.kind !== "project") return true;
  if (project === undefined) return false;
  if (access.role === "member") return true;
  return access.role === "workspace_member" ? project.isWorkspaceMember : project.isAdmin;
}

export function holdToRole(access: Access, place: Place): void {
  if (holdsRole(access, place)) return;
  const requiredRole = access.kind === "organization" || access.kind === "project" ? access.role : undefined;
  throw new ApiError("FORBIDDEN", `This needs the role ${requiredRole} in the ${access.kind}.`, {
    reason: "role_too_low",
    requiredRole,
  });
}
