/** @module The rules of projects: who makes, sees, changes and deletes them. */

import {
  ApiError,
  type ExpectedUpdatedAt,
  holdsOrganizationRole,
  type OrganizationId,
  type ProjectId,
} from "@fettle/contract/core";
import type { Project, ProjectCreateRequest, ProjectUpdateRequest } from "@fettle/contract/people";
import type { App } from "../../core/app.ts";
import type { Querier } from "../../core/db/pool.ts";
import { newId, type WithId } from "../../core/id.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import type { ProjectContext, SignedInCaller } from "../../core/routing/bind.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announce } from "../accounts/announce.ts";
import { listOrganizations } from "../accounts/organizations/store.ts";
import { type Standing, standingOf } from "./standing.ts";
import * as store from "./store.ts";

const noSuchOrganization = () => notFound("organization");

/** The projects the caller can see, most recently changed first: the first one is the CLI's default. */
export async function listProjects(
  app: App,
  caller: SignedInCaller,
  asked: OrganizationId | undefined,
): Promise<Project[]> {
  if (caller.kind === "key" && asked !== undefined && asked !== caller.organizationId)
    throw noSuchOrganization();
  const organizationId = caller.kind === "key" ? caller.organizationId : (asked ?? null);
  const rows = await store.listTiedProjects(app.pool, caller.userId, organizationId);
  if (rows.length === 0 && asked !== undefined) await requireMembership(app.db, caller, asked);
  return rows.flatMap((row) => {
    const standing = standingOf(row);
    return standing.isVisible ? [toProject(row, standing)] : [];
  });
}

export async function createProject(
  app: App,
  db: Querier,
  caller: SignedInCaller,
  request: ProjectCreateRequest,
): Promise<WithId<"project", Project>> {
  const organizationId = request.organizationId ?? (await defaultOrganization(db, caller));
  const role = await requireMembership(db, caller, organizationId);
  if (!holdsOrganizationRole(role, "member")) {
    throw new ApiError("FORBIDDEN", "Guests of an organization cannot make projects in it.", {
      reason: "role_too_low",
      requiredRole: "member",
    });
  }
  const now = new Date(app.now());
  const values = {
    id: newId("project", app.now()),
    organizationId,
    name: request.name,
    description: request.description ?? null,
    icon: request.icon ?? null,
    visibility: request.visibility ?? "public",
    // Whoever makes a project runs it, also when it is private and their organization role would not let them in.
    createdBy: caller.userId,
    createdAt: now,
    updatedAt: now,
  };
  return db.transaction(async (tx) => {
    const isDefault = !(await store.holdDefault(tx, organizationId));
    const row = await store.insertProject(tx, { ...values, isDefault });
    await announce(app, tx, ...topicsOf(row));
    return toProject(row, { isAdmin: true });
  });
}

export async function readProject(db: Querier, project: ProjectContext): Promise<Project> {
  const row = await store.findProject(db, project.id);
  if (!row) throw notFound("project");
  return toProject(row, project);
}

export async function updateProject(
  app: App,
  db: Querier,
  project: ProjectContext,
  { expectedUpdatedAt, ...change }: ProjectUpdateRequest,
): Promise<Project> {
  return db.transaction(async (tx) => {
    const before = await store.lockProject(tx, project.id);
    if (!before) throw notFound("project");
    const updatedAt = nextUpdate(app, before, expectedUpdatedAt, sharedProject);
    if (change.isDefault) {
      await store.holdDefault(tx, project.organizationId);
      await store.clearDefault(tx, project.organizationId);
    }
    const row = await store.updateProject(tx, project.id, { ...change, updatedAt });
    await announce(app, tx, ...topicsOf(row));
    return toProject(row, project);
  });
}

const sharedProject = { what: "The project", code: "PROJECT_CHANGED" };

export async function deleteProject(
  app: App,
  db: Querier,
  project: ProjectContext,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: ProjectId; deleted: true }> {
  return db.transaction(async (tx) => {
    requireAsRead(await store.lockProject(tx, project.id), expectedUpdatedAt, sharedProject);
    if (!(await store.deleteProject(tx, project.id))) {
      throw notFound("project");
    }
    const { organizationId } = project;
    if (!(await store.holdDefault(tx, organizationId))) await store.chooseDefault(tx, organizationId);
    await announce(app, tx, ...topicsOf(project));
    return { id: project.id, deleted: true };
  });
}

/** The pages of the project, and those that list the organization's projects. */
function topicsOf({ id, organizationId }: { id: ProjectId; organizationId: OrganizationId }) {
  return [`project:${id}`, `organization:${organizationId}`] as const;
}

/** The key's own organization; for a person, theirs when there is only one. */
async function defaultOrganization(db: Querier, caller: SignedInCaller): Promise<OrganizationId> {
  if (caller.kind === "key") return caller.organizationId;
  const own = (await listOrganizations(db, caller.userId)).filter(({ role }) => role !== "guest");
  const [first, ...others] = own;
  if (first && others.length === 0) return first.id;
  throw new ApiError("VALIDATION_ERROR", "Say which organization the project is for.", {
    path: "body.organizationId",
    organizationIds: own.map(({ id }) => id),
  });
}

async function requireMembership(db: Querier, caller: SignedInCaller, organizationId: OrganizationId) {
  if (caller.kind === "key" && caller.organizationId !== organizationId) throw noSuchOrganization();
  const own = await listOrganizations(db, caller.userId);
  const membership = own.find(({ id }) => id === organizationId);
  if (!membership) throw noSuchOrganization();
  return membership.role;
}

function toProject(
  row: Omit<store.TiedProjectRow, "organizationRole" | "grant">,
  { isAdmin }: Pick<Standing, "isAdmin">,
): WithId<"project", Project> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    icon: row.icon,
    organizationId: row.organizationId,
    visibility: row.visibility,
    role: isAdmin ? "admin" : "editor",
    isDefault: row.isDefault,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
