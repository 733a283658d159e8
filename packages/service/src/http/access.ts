/** @module May they: holds a caller to what the contract declares. Reads the declaration and nothing about the operation's rules. */
import {
  type Access,
  ApiError,
  holdsOrganizationRole,
  type OperationDeclaration,
  type OrganizationRole,
  type ProjectGrant,
  type Visibility,
} from "@fettle/contract";
import type { Pool } from "pg";
import { standingOf } from "../projects/standing.ts";
import type { Caller, OrganizationContext, ProjectContext, SignedInCaller } from "./bind.ts";

type Database = Pick<Pool, "query">;

/** What a call is about, once it is known that the caller may see it. */
export interface Place {
  project?: ProjectContext;
  organization?: OrganizationContext;
}

export function isSignedIn(caller: Caller): caller is SignedInCaller {
  return caller.kind === "key" || caller.kind === "session";
}

/** Whether this kind of credential may be used for the operation at all. */
export function admit(operation: OperationDeclaration, caller: Caller): void {
  const { access } = operation;
  if (access.kind === "public") return;
  if (caller.kind === "nobody") {
    throw new ApiError("UNAUTHORIZED", "Sign in, or send an API key as `Authorization: Bearer sk_…`.");
  }
  if (caller.kind === "guest" && access.kind !== "guest") {
    throw new ApiError("UNAUTHORIZED", "A guest token opens only the registry's directory.");
  }
  if (operation.surface === "app" && !(caller.kind === "session" && caller.via === "browser")) {
    throw new ApiError("FORBIDDEN", "This is done in the web app, signed in as a person.", {
      reason: "browser_session_required",
    });
  }
}

/** Finds the project or organization of the call; one the caller may not see reads as missing. */
export async function locate(
  database: Database,
  access: Access,
  caller: Caller,
  input: { params: Record<string, string>; query: Record<string, unknown> },
): Promise<Place> {
  if (!isSignedIn(caller)) return {};
  if (access.kind === "organization") {
    return { organization: await findOrganization(database, caller, input.params.organizationId ?? "") };
  }
  if (access.kind === "project") {
    const id = access.from === "path" ? input.params.projectId : input.query.projectId;
    if (typeof id !== "string" || id === "") {
      throw new ApiError("VALIDATION_ERROR", "Say which project, as `projectId`.", {
        path: "query.projectId",
      });
    }
    return { project: await findProject(database, { ...caller, boundTo: boundOrganization(caller) }, id) };
  }
  return {};
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

/** A key reaches only the organization it was made in, however many its maker belongs to. */
function boundOrganization(caller: SignedInCaller): string | null {
  return caller.kind === "key" ? caller.organizationId : null;
}

async function findOrganization(
  database: Database,
  caller: SignedInCaller,
  id: string,
): Promise<OrganizationContext> {
  const { rows } = await database.query<{ role: OrganizationRole }>({
    name: "find_organization_role",
    text: `
      SELECT role FROM organization_members
      WHERE organization_id = $1 AND user_id = $2 AND ($3::text IS NULL OR organization_id = $3)`,
    values: [id, caller.userId, boundOrganization(caller)],
  });
  if (!rows[0]) throw new ApiError("NOT_FOUND", "There is no such organization.");
  return { id, role: rows[0].role };
}

/** The project as a person sees it; one they may not see reads as missing. `boundTo`: only in this organization. */
export async function findProject(
  database: Database,
  person: { userId: string; boundTo: string | null },
  id: string,
): Promise<ProjectContext> {
  const { rows } = await database.query<{
    organizationId: string;
    visibility: Visibility;
    organizationRole: OrganizationRole | null;
    grant: ProjectGrant | null;
  }>({
    name: "find_project_standing",
    text: `
      SELECT project.organization_id AS "organizationId", project.visibility,
             member.role AS "organizationRole", granted.role AS "grant"
      FROM projects AS project
      LEFT JOIN organization_members AS member
        ON member.organization_id = project.organization_id AND member.user_id = $2
      LEFT JOIN project_members AS granted ON granted.project_id = project.id AND granted.user_id = $2
      WHERE project.id = $1 AND ($3::text IS NULL OR project.organization_id = $3)`,
    values: [id, person.userId, person.boundTo],
  });
  const row = rows[0];
  const standing = row && standingOf(row);
  if (!row || !standing?.isVisible) throw new ApiError("NOT_FOUND", "There is no such project.");
  return {
    id,
    organizationId: row.organizationId,
    organizationRole: row.organizationRole,
    grant: row.grant,
    isWorkspaceMember: standing.isWorkspaceMember,
    isAdmin: standing.isAdmin,
  };
}
