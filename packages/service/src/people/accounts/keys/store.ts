/** @module The SQL of API keys and guest tokens. */
import type { ApiKeyId, OrganizationId, UserId } from "@fettle/contract/core";
import { and, desc, eq, gt, isNull, lt, or } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { apiKeys, guestTokens, unrevokedKey, users } from "../../../core/tables/accounts.ts";

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

/** Every key of the organization, or one person's. */
export async function listKeys(
  db: Querier,
  organizationId: OrganizationId,
  only: { userId?: UserId; keyId?: ApiKeyId },
) {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      lastFour: apiKeys.lastFour,
      userId: users.id,
      userName: users.name,
      userEmail: users.email,
      createdAt: apiKeys.createdAt,
      lastUsedAt: apiKeys.lastUsedAt,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        only.userId === undefined ? undefined : eq(apiKeys.userId, only.userId),
        only.keyId === undefined ? undefined : eq(apiKeys.id, only.keyId),
      ),
    )
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

/** A person's keys of one name that still open something. */
export async function listLiveKeys(
  db: Querier,
  of: { organizationId: OrganizationId; userId: UserId; name: string },
  now: Date,
): Promise<{ id: ApiKeyId; keyHash: string }[]> {
  return db
    .select({ id: apiKeys.id, keyHash: apiKeys.keyHash })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, of.organizationId),
        eq(apiKeys.userId, of.userId),
        eq(apiKeys.name, of.name),
        unrevokedKey,
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    );
}

export async function insertKey(db: Querier, key: typeof apiKeys.$inferInsert): Promise<void> {
  await db.insert(apiKeys).values(key);
}

export async function revokeKey(db: Querier, keyId: ApiKeyId, at: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ revokedAt: at })
    .where(and(eq(apiKeys.id, keyId), unrevokedKey));
}

export async function insertGuestToken(db: Querier, guest: typeof guestTokens.$inferInsert): Promise<void> {
  await db.insert(guestTokens).values(guest);
}

export async function deleteLapsedGuests(db: Querier, now: Date): Promise<void> {
  await db.delete(guestTokens).where(lt(guestTokens.expiresAt, now));
}
