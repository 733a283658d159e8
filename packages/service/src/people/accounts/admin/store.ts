/** @module The SQL of an operator's view of people. */
import type { OrganizationId, UserId } from "@fettle/contract/core";
import { and, asc, eq, max, sql } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import {
  apiKeys,
  cliSessions,
  identities,
  organizationMembers,
  organizations,
  passwords,
  sessions,
  unrevokedKey,
  users,
} from "../../../core/tables/accounts.ts";

/** Everyone, the oldest account first. */
export async function listPeople(db: Querier) {
  const lastOf = (table: typeof sessions | typeof cliSessions) =>
    db
      .select({ at: max(table.lastUsedAt) })
      .from(table)
      .where(eq(table.userId, users.id));
  return db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      createdAt: users.createdAt,
      hasPassword: sql<boolean>`exists (${db.select().from(passwords).where(eq(passwords.userId, users.id))})`,
      hasProvider: sql<boolean>`exists (${db.select().from(identities).where(eq(identities.userId, users.id))})`,
      lastSeenAt: sql<string | null>`greatest((${lastOf(sessions)}), (${lastOf(cliSessions)}))`,
    })
    .from(users)
    .orderBy(asc(users.createdAt), asc(users.id));
}

export async function listMemberships(db: Querier) {
  return db
    .select({
      userId: organizationMembers.userId,
      id: organizations.id,
      name: organizations.name,
      role: organizationMembers.role,
    })
    .from(organizationMembers)
    .innerJoin(organizations, eq(organizations.id, organizationMembers.organizationId))
    .orderBy(asc(organizations.createdAt));
}

export async function revokeKeysOf(
  db: Querier,
  userId: UserId,
  at: Date,
): Promise<{ organizationId: OrganizationId | null }[]> {
  return db
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.userId, userId), unrevokedKey))
    .returning({ organizationId: apiKeys.organizationId });
}

export async function deletePassword(db: Querier, userId: UserId): Promise<void> {
  await db.delete(passwords).where(eq(passwords.userId, userId));
}
