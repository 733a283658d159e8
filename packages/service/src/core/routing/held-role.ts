/** @module Whether the role someone holds in a place is high enough for what the contract declares. */
import {
  type Access,
  ApiError,
  holdsOrganizationRole,
  type OrganizationRole,
  type ProjectRole,
} from "@fettle/contract/core";
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

const usualHint = "Ask one of them to do it, or to give you the role.";

export function holdToRole(access: Access, place: Place, hint: string = usualHint): void {
  if (holdsRole(access, place)) return;
  if (access.kind !== "organization" && access.kind !== "project") {
    throw new ApiError("FORBIDDEN", "This is not yours to do.", { reason: "role_too_low" });
  }
  throw new ApiError("FORBIDDEN", `Only ${whoMay(access)} may do this.`, {
    reason: "role_too_low",
    requiredRole: access.role,
    hint,
  });
}

const inProject: Record<ProjectRole, string> = {
  member: "people of the project",
  workspace_member: "members of the project's organization, and no guests,",
  admin: "admins of the project",
  manage: "admins of the project",
};
const inOrganization: Record<OrganizationRole, string> = {
  guest: "people of the organization",
  member: "members of the organization, and no guests,",
  admin: "admins and owners of the organization",
  owner: "owners of the organization",
};

function whoMay(access: Extract<Access, { kind: "organization" | "project" }>): string {
  return access.kind === "project" ? inProject[access.role] : inOrganization[access.role];
}
