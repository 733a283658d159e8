/** @module The SQL of organizations' providers of models. */
import type { OrganizationId } from "@fettle/contract/core";
import { and, asc, eq } from "drizzle-orm";
import type { Querier } from "../core/db/pool.ts";
import { users } from "../core/tables/accounts.ts";
import { modelProviders } from "../core/tables/models.ts";

export type ProviderRow = typeof modelProviders.$inferSelect;

export async function listProviders(db: Querier, organizationId: OrganizationId): Promise<ProviderRow[]> {
  return db
    .select()
    .from(modelProviders)
    .where(eq(modelProviders.organizationId, organizationId))
    .orderBy(asc(modelProviders.provider));
}

/** Who entered the key of each provider. */
export async function listKeySetters(db: Querier, organizationId: OrganizationId) {
  return db
    .select({ provider: modelProviders.provider, userId: users.id, name: users.name })
    .from(modelProviders)
    .innerJoin(users, eq(users.id, modelProviders.keySetBy))
    .where(eq(modelProviders.organizationId, organizationId));
}

export async function putProvider(db: Querier, row: ProviderRow): Promise<void> {
  const { organizationId, provider, ...columns } = row;
  await db
    .insert(modelProviders)
    .values(row)
    .onConflictDoUpdate({ target: [modelProviders.organizationId, modelProviders.provider], set: columns });
}

/** False when there was none. */
export async function deleteProvider(
  db: Querier,
  organizationId: OrganizationId,
  provider: string,
): Promise<boolean> {
  const { rowCount } = await db
    .delete(modelProviders)
    .where(and(eq(modelProviders.organizationId, organizationId), eq(modelProviders.provider, provider)));
  return rowCount === 1;
}
