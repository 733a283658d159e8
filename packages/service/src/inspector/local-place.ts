/** @module On one person's own machine there is one person, one organization and one project. */
import type { OrganizationId, ProjectId, UserId } from "@fettle/contract/core";

// Nothing looks them up anywhere else.
export const localUserId = "usr_local" as UserId;
export const localOrganizationId = "org_local" as OrganizationId;
export const localProjectId = "proj_local" as ProjectId;
