/** @module What a person is to a project: the one place that says who sees it and who runs it. */
import {
  holdsOrganizationRole,
  type OrganizationRole,
  type ProjectGrant,
  type Visibility,
} from "@fettle/contract/core";

export interface Ties {
  visibility: Visibility;
  organizationRole: OrganizationRole | null;
  grant: ProjectGrant | null;
}

export interface Standing {
  isVisible: boolean;
  /** Organization role member or above; a bare project grant is not enough. */
  isWorkspaceMember: boolean;
  /** Granted admin here, or admin or owner of the organization. */
  isAdmin: boolean;
}

/**
 * @example
 * standingOf({ visibility: "private", organizationRole: "member", grant: null }).isVisible; // false
 */
export function standingOf({ visibility, organizationRole, grant }: Ties): Standing {
  const isWorkspaceMember = organizationRole !== null && holdsOrganizationRole(organizationRole, "member");
  const isAdmin =
    grant === "admin" || (organizationRole !== null && holdsOrganizationRole(organizationRole, "admin"));
  const isVisible = isAdmin || grant !== null || (isWorkspaceMember && visibility === "public");
  return { isVisible, isWorkspaceMember, isAdmin };
}
