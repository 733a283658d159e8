/** @module The SQL of cards. */
import type { OrganizationId, RegistryCardId } from "@fettle/contract/core";
import { and, asc, eq, isNull, or } from "drizzle-orm";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { registryCards } from "../../core/tables/registry.ts";

export type CardRow = typeof registryCards.$inferSelect;

/** The operator's and the organization's own. */
export async function listCards(db: Querier, organizationId: OrganizationId): Promise<CardRow[]> {
  return db
    .select()
    .from(registryCards)
    .where(or(isNull(registryCards.organizationId), eq(registryCards.organizationId, organizationId)))
    .orderBy(asc(registryCards.name), asc(registryCards.id));
}

/** Anybody's. */
export async function findCard(db: Querier, id: RegistryCardId): Promise<CardRow | undefined> {
  const [row] = await db.select().from(registryCards).where(eq(registryCards.id, id));
  return row;
}

/** Two who save at once come one after the other. */
export async function lockCards(tx: Transaction, organizationId: OrganizationId): Promise<void> {
  await holdNameLock(tx, `registry cards ${organizationId}`);
}

export async function saveCard(tx: Transaction, card: CardRow): Promise<CardRow> {
  return oneRow(
    await tx
      .insert(registryCards)
      .values(card)
      .onConflictDoUpdate({ target: registryCards.id, set: card })
      .returning(),
  );
}

export async function deleteCard(
  tx: Transaction,
  organizationId: OrganizationId,
  name: string,
): Promise<boolean> {
  const gone = await tx
    .delete(registryCards)
    .where(and(eq(registryCards.organizationId, organizationId), eq(registryCards.name, name)))
    .returning({ id: registryCards.id });
  return gone.length > 0;
}
