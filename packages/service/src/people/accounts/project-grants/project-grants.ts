/** @module Grants on one project, beside what the organization role gives. */

import type { OrganizationId, ProjectGrant, ProjectId, UserId } from "@fettle/contract/core";
import type { ProjectMember } from "@fettle/contract/people";
import type { App } from "../../../core/app.ts";
import { oneRow } from "../../../core/db/one-row.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { announce } from "../announce.ts";
import { findRole, lockMembership } from "../organizations/store.ts";
import * as store from "./store.ts";

type GrantRow = Awaited<ReturnType<typeof store.listGrants>>[number];

function toProjectMember({ grantedAt, ...row }: GrantRow): ProjectMember {
  return { ...row, imageUrl: null, grantedAt: grantedAt.getTime() };
}

export async function listGrants(app: App, projectId: ProjectId): Promise<{ items: ProjectMember[] }> {
  const rows = await store.listGrants(app.db, projectId);
  return { items: rows.map(toProjectMember) };
}

/** Only to people of the project's organization, in any role: a grant is how a guest gets to see one project. */
export async function setGrant(
  app: App,
  project: { id: ProjectId; organizationId: OrganizationId },
  userId: UserId,
  role: ProjectGrant,
): Promise<ProjectMember> {
  const rows = await app.db.transaction(async (tx) => {
    // Otherwise a grant could be made just after its person was removed, and stay.
    await lockMembership(tx, project.organizationId);
    if (!(await findRole(tx, project.organizationId, userId))) {
      throw missing(
        "This person does not belong to the project's organization.",
        "Invite them to the organization first.",
      );
    }
    await store.saveGrant(tx, { projectId: project.id, userId, role, createdAt: new Date(app.now()) });
    await announce(app, tx, `project:${project.id}`, `account:${userId}`);
    return store.listGrants(tx, project.id, userId);
  });
  return toProjectMember(oneRow(rows));
}

export async function removeGrant(app: App, projectId: ProjectId, userId: UserId): Promise<void> {
  await app.db.transaction(async (tx) => {
    if (!(await store.deleteGrant(tx, projectId, userId))) {
      throw missing(
        "This person has no grant on the project.",
        "The project's members are listed on its page.",
      );
    }
    await announce(app, tx, `project:${projectId}`, `account:${userId}`);
  });
}
