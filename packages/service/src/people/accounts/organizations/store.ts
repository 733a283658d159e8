/** @module The SQL of organizations and who belongs to them. */
import type { OrganizationId, OrganizationRole, UserId } from "@fettle/contract/core";
import { and, asc, count, eq, inArray } from "drizzle-orm";
import { oneRow } from "../../../core/db/one-row.ts";
import type { Querier } from "../../../core/db/pool.ts";
import {
  apiKeys,
  invitations,
  organizationMembers,
  organizations,
  undecidedInvitation,
  unrevokedKey,
  users,
} from "../../../core/tables/accounts.ts";
import { projectMembers, projects } from "../../../core/tables/projects.ts";

export async function insertOrganization(
  db: Querier,
  made: { id: OrganizationId; name: string; ownerId: UserId; at: Date },
): Promise<void> {
  const { id, name, ownerId, at } = made;
  await db.insert(organizations).values({ id, name, createdBy: ownerId, createdAt: at, updatedAt: at });
  await insertMember(db, { organizationId: id, userId: ownerId, role: "owner", at });
}

/** Every organization a person belongs to, or the one named. */
export async function listOrganizations(db: Querier, userId: UserId, organizationId?: OrganizationId) {
  return db
    .select({
      id: organizations.id,
      name: organizations.name,
      plan: organizations.plan,
      logoUrl: organizations.logoUrl,
      createdBy: organizations.createdBy,
      createdAt: organizations.createdAt,
      updatedAt: organizations.updatedAt,
      role: organizationMembers.role,
    })
    .from(organizationMembers)
    .innerJoin(organizations, eq(organizations.id, organizationMembers.organizationId))
    .where(
      and(
        eq(organizationMembers.userId, userId),
        organizationId === undefined ? undefined : eq(organizations.id, organizationId),
      ),
    )
    .orderBy(asc(organizations.name), asc(organizations.id));
}

/** Asked for only after the access check. */
export async function lockOrganization(db: Querier, id: OrganizationId): Promise<{ updatedAt: Date }> {
  return oneRow(
    await db
      .select({ updatedAt: organizations.updatedAt })
      .from(organizations)
      .where(eq(organizations.id, id))
      .for("no key update"),
  );
}

export async function renameOrganization(
  db: Querier,
  organizationId: OrganizationId,
  name: string,
  at: Date,
): Promise<void> {
  await db.update(organizations).set({ name, updatedAt: at }).where(eq(organizations.id, organizationId));
}

/** Where people go who sign in through a provider without an invitation. */
export async function findOldestOrganization(db: Querier): Promise<{ id: OrganizationId } | undefined> {
  const [row] = await db
    .select({ id: organizations.id })
    .from(organizations)
    .orderBy(asc(organizations.createdAt), asc(organizations.id))
    .limit(1);
  return row;
}

/** Makes changes of membership in one organization wait for each other, without holding up what else refers to it. */
export async function lockMembership(tx: Querier, organizationId: OrganizationId): Promise<void> {
  await tx
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for("no key update");
}

export async function countOwners(db: Querier, organizationId: OrganizationId): Promise<number> {
  const [row] = await db
    .select({ owners: count() })
    .from(organizationMembers)
    .where(
      and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.role, "owner")),
    );
  return row?.owners ?? 0;
}

export async function findRole(
  db: Querier,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<OrganizationRole | undefined> {
  const [row] = await db
    .select({ role: organizationMembers.role })
    .from(organizationMembers)
    .where(
      and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.userId, userId)),
    );
  return row?.role;
}

export async function listMembers(db: Querier, organizationId: OrganizationId, userId?: UserId) {
  return db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: organizationMembers.role,
      joinedAt: organizationMembers.createdAt,
    })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(
      and(
        eq(organizationMembers.organizationId, organizationId),
        userId === undefined ? undefined : eq(organizationMembers.userId, userId),
      ),
    )
    .orderBy(asc(organizationMembers.createdAt), asc(users.id));
}

/** False when the person belongs already. */
export async function insertMember(
  db: Querier,
  member: { organizationId: OrganizationId; userId: UserId; role: OrganizationRole; at: Date },
): Promise<boolean> {
  const { at, ...columns } = member;
  const { rowCount } = await db
    .insert(organizationMembers)
    .values({ ...columns, createdAt: at })
    .onConflictDoNothing();
  return rowCount === 1;
}

export async function setRole(
  db: Querier,
  organizationId: OrganizationId,
  userId: UserId,
  role: OrganizationRole,
): Promise<void> {
  await db
    .update(organizationMembers)
    .set({ role })
    .where(
      and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.userId, userId)),
    );
}

/** Takes project grants along with the membership. */
export async function deleteMember(
  tx: Querier,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<void> {
  const own = tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.organizationId, organizationId));
  await tx
    .delete(projectMembers)
    .where(and(eq(projectMembers.userId, userId), inArray(projectMembers.projectId, own)));
  await tx
    .delete(organizationMembers)
    .where(
      and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.userId, userId)),
    );
}

export async function revokeKeysOf(
  tx: Querier,
  organizationId: OrganizationId,
  userId: UserId,
  at: Date,
): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.userId, userId), unrevokedKey));
}

export async function revokeInvitationsBy(
  tx: Querier,
  organizationId: OrganizationId,
  userId: UserId,
  at: Date,
): Promise<void> {
  await tx
    .update(invitations)
    .set({ revokedAt: at })
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        eq(invitations.invitedBy, userId),
        undecidedInvitation,
      ),
    );
}
