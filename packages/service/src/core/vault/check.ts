/** @module Notices a wrong key at start, by a value that was sealed with the right one at the first start. */
import { Secret } from "@fettle/contract/secrets";
import { and, eq } from "drizzle-orm";
import { oneRow } from "../db/one-row.ts";
import type { Database } from "../db/pool.ts";
import { StartError } from "../start-error.ts";
import { vaultChecks } from "../tables/vault.ts";
import { type Vault, VaultError } from "./vault.ts";

const id = "key";
const place = "vault_checks/key";

/** Throws when none of the keys opens the check value. One that an earlier key sealed is sealed anew with the current one. */
export async function requireKey(db: Database, vault: Vault): Promise<void> {
  const fresh = () => vault.seal(new Secret("fettle"), place);
  await db.insert(vaultChecks).values({ id, sealed: fresh() }).onConflictDoNothing();
  const { sealed } = oneRow(await db.select().from(vaultChecks).where(eq(vaultChecks.id, id)));
  try {
    vault.open(sealed, place);
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    throw new StartError(
      "SECRET_KEY_WRONG",
      "The secret key does not match this database: its stored secrets were encrypted with another key.",
      "Set FETTLE_SECRET_KEY to the key this deployment uses. To change keys, also set the old one in FETTLE_PREVIOUS_SECRET_KEYS; one made at the first start is in secret.key in the data folder.",
      error,
    );
  }
  if (!vault.isOutdated(sealed)) return;
  const isSame = and(eq(vaultChecks.id, id), eq(vaultChecks.sealed, sealed));
  await db.update(vaultChecks).set({ sealed: fresh() }).where(isSame);
}
