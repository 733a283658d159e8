/** @module May they: holds a caller to what the contract declares. Reads the declaration and nothing about the operation's rules. */

import {
  type Access,
  ApiError,
  type OperationDeclaration,
  type OrganizationId,
  type OrganizationRole,
  type ProjectId,
  type UserId,
} from "@fettle/contract/core";
import type { Pool } from "pg";
import type { Caller, OrganizationContext, ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import type { Place } from "../../core/routing/held-role.ts";
import { missing, notFound } from "../../core/routing/not-found.ts";
import { standingOf } from "../../people/projects/standing.ts";
import { type ProjectTies, tiesSql } from "../../people/projects/standing-sql.ts";
import { listTiedProjects } from "../../people/projects/store.ts";

type Database = Pick<Pool, "query">;

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

/** What of a request says where it belongs. A name said twice in the query arrives as a list. */
export interface PlaceNames {
  params: { projectId?: ProjectId; organizationId?: OrganizationId };
  query: { projectId?: ProjectId | ProjectId[] };
}

/** Which project a call says it is about, if any. */
export function projectIdOf(access: Access, { params, query }: PlaceNames): ProjectId | undefined {
  if (access.kind !== "project") return undefined;
  const id = access.from === "path" ? params.projectId : query.projectId;
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * Finds the project or organization of the call; one the caller may not see reads as missing. `ties`: of this caller to
 * this project, when they were read together with the credential; null when there is no such project.
 */
export async function locate(
  database: Database,
  access: Access,
  caller: Caller,
  input: PlaceNames,
  ties?: ProjectTies | null,
): Promise<Place> {
  if (!isSignedIn(caller)) return {};
  if (access.kind === "organization") {
    return { organization: await findOrganization(database, caller, input.params.organizationId) };
  }
  if (access.kind === "project") {
    const id = projectIdOf(access, input);
    if (id === undefined) {
      throw new ApiError("VALIDATION_ERROR", "Say which project, as `projectId`.", {
        path: "query.projectId",
      });
    }
    if (access.orDefault && id === "default") return { project: await findDefaultProject(database, caller) };
    if (ties !== undefined) return { project: seenProject(id, ties) };
    return { project: await findProject(database, { ...caller, boundTo: boundOrganization(caller) }, id) };
  }
  return {};
}

/** A key reaches only the organization it was made in, however many its maker belongs to. */
function boundOrganization(caller: SignedInCaller): OrganizationId | null {
  return caller.kind === "key" ? caller.organizationId : null;
}

async function findOrganization(
  database: Database,
  caller: SignedInCaller,
  id: OrganizationId | undefined,
): Promise<OrganizationContext> {
  const { rows } = await database.query<{ role: OrganizationRole }>({
    name: "find_organization_role",
    text: `
      SELECT role FROM organization_members
      WHERE organization_id = $1 AND user_id = $2 AND ($3::text IS NULL OR organization_id = $3)`,
    values: [id, caller.userId, boundOrganization(caller)],
  });
  if (id === undefined || !rows[0]) throw notFound("organization");
  return { id, role: rows[0].role };
}

/** The project as a person sees it; one they may not see reads as missing. `boundTo`: only in this organization. */
export async function findProject(
  database: Database,
  person: { userId: UserId; boundTo: OrganizationId | null },
  id: ProjectId,
): Promise<ProjectContext> {
  const { rows } = await database.query<ProjectTies>({
    name: "find_project_standing",
    text: tiesSql({ project: "$1", user: "$2", boundTo: "$3::text" }),
    values: [id, person.userId, person.boundTo],
  });
  return seenProject(id, rows[0] ?? null);
}

/** Of those the caller sees: the one that its organization has as its default, else the first. */
async function findDefaultProject(database: Database, caller: SignedInCaller): Promise<ProjectContext> {
  const tied = await listTiedProjects(database, caller.userId, boundOrganization(caller));
  const visible = tied.filter((project) => standingOf(project).isVisible);
  const [first] = visible.toSorted(
    (one, other) =>
      Number(other.isDefault) - Number(one.isDefault) ||
      one.createdAt.getTime() - other.createdAt.getTime() ||
      one.id.localeCompare(other.id),
  );
  if (!first) throw missing("There is no project to report to.", "Create one first.");
  return seenProject(first.id, first);
}

function seenProject(id: ProjectId, ties: ProjectTies | null): ProjectContext {
  const standing = ties && standingOf(ties);
  if (!ties || !standing?.isVisible) throw notFound("project");
  return {
    id,
    organizationId: ties.organizationId,
    organizationRole: ties.organizationRole,
    grant: ties.grant,
    isWorkspaceMember: standing.isWorkspaceMember,
    isAdmin: standing.isAdmin,
  };
}
