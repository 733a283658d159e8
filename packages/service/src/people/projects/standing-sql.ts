/** @module The SQL that reads what a person is to one project; `standing.ts` says what follows from it. */
import type { OrganizationId, OrganizationRole, ProjectGrant, Visibility } from "@fettle/contract/core";

/** A project and the ties of one person to it. */
export interface ProjectTies {
  organizationId: OrganizationId;
  visibility: Visibility;
  organizationRole: OrganizationRole | null;
  grant: ProjectGrant | null;
}

/**
 * The body of a statement (or of a lateral part) that finds at most one row of ties. The three are SQL expressions, never
 * values; `boundTo` NULL: in any organization.
 */
export function tiesSql({
  project,
  user,
  boundTo,
}: {
  project: string;
  user: string;
  boundTo: string;
}): string {
  return `
    SELECT project.organization_id AS "organizationId", project.visibility,
           member.role AS "organizationRole", granted.role AS "grant"
    FROM projects AS project
    LEFT JOIN organization_members AS member
      ON member.organization_id = project.organization_id AND member.user_id = ${user}
    LEFT JOIN project_members AS granted ON granted.project_id = project.id AND granted.user_id = ${user}
    WHERE project.id = ${project} AND (${boundTo} IS NULL OR project.organization_id = ${boundTo})`;
}
