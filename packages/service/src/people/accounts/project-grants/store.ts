/** @module The SQL of grants on one project. */
import type { ProjectGrant, ProjectId, UserId } from "@fettle/contract/core";
import { and, asc, eq } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { users } from "../../../core/tables/accounts.ts";
import { projectMembers } from "../../../core/tables/projects.ts";

export async function listGrants(db: Querier, projectId: ProjectId, userId?: UserId) {
  return db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: projectMembers.role,
      grantedAt: projectMembers.createdAt,
    })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(
      and(
        eq(projectMembers.projectId, projectId),
        userId === undefined ? undefined : eq(projectMembers.userId, userId),
      ),
    )
    .orderBy(asc(projectMembers.createdAt), asc(users.id));
}

export async function saveGrant(
  db: Querier,
  grant: { projectId: ProjectId; userId: UserId; role: ProjectGrant; createdAt: Date },
): Promise<void> {
  await db
    .insert(projectMembers)
    .values(grant)
    .onConflictDoUpdate({
      target: [projectMembers.projectId, projectMembers.userId],
      set: { role: grant.role },
    });
}

export async function deleteGrant(db: Querier, projectId: ProjectId, userId: UserId): Promise<boolean> {
  const { rowCount } = await db
    .delete(projectMembers)
    .where(and(eq(projectMembers.projectId, projectId), eq(projectMembers.userId, userId)));
  return rowCount === 1;
}
