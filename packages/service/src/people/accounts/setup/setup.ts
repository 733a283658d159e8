/** @module The first run: a one-time token, printed at start, is the right to make the first account. Afterwards this is gone. */

import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiError, type OrganizationId, type UserId } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { insertOrganization } from "../organizations/store.ts";
import { hashPassword } from "../sign-in/password.ts";
import { insertIdentity, insertPerson, savePasswordHash } from "../sign-in/store.ts";
import { hashToken, mintToken } from "../tokens.ts";
import * as store from "./store.ts";

/** The token again, for whoever can read the data folder but missed the terminal. */
const tokenFile = (app: App) => join(app.config.dataFolder, "setup-token");

export async function isSetupNeeded(app: App): Promise<boolean> {
  return !(await store.hasPeople(app.db));
}

/**
 * Makes sure that a token exists while nobody has an account, and returns it to be printed; undefined once somebody has.
 * The token of an earlier start stays good, so that a restart does not spoil a link somebody is about to open.
 */
export async function prepareSetup(app: App): Promise<Secret | undefined> {
  if (!(await isSetupNeeded(app))) {
    await rm(tokenFile(app), { force: true });
    return undefined;
  }
  const earlier = await readFile(tokenFile(app), "utf8").catch(() => "");
  if (earlier && (await store.isSetupToken(app.db, hashToken(earlier)))) return new Secret(earlier);
  const { token, hash } = mintToken("setup");
  await store.insertSetupToken(app.db, hash, new Date(app.now()));
  // Removed first: a mode is only given to a file that is made, not to one that is there.
  await rm(tokenFile(app), { force: true });
  await writeFile(tokenFile(app), token.reveal(), { mode: 0o600, flag: "wx" });
  return token;
}

/** The first account. With neither a password nor an identity its owner signs in by a one-time link. */
export interface FirstAccount {
  token: string;
  name: string;
  email: string;
  password?: Secret;
  organizationName: string;
  /** Who its owner is at the OpenID provider. */
  identity?: { issuer: string; subject: string };
}

/** Two claims at once have one winner; to the other, as to everyone later, there is nothing here. */
export async function claimSetup(
  app: App,
  first: FirstAccount,
): Promise<{ userId: UserId; organizationId: OrganizationId }> {
  // Checked before the slow hash, so that strangers cannot make us work; and again under the lock.
  await refuseClaim(app.db, first.token);
  const hash = first.password && (await hashPassword(first.password.reveal()));
  const userId = newId("user", app.now());
  const organizationId = newId("organization", app.now());
  const at = new Date(app.now());
  await app.db.transaction(async (tx) => {
    await store.lockSetup(tx);
    await refuseClaim(tx, first.token);
    await store.deleteSetupTokens(tx);
    await insertPerson(tx, { id: userId, name: first.name, email: first.email, at });
    if (hash) await savePasswordHash(tx, userId, hash, at);
    if (first.identity) await insertIdentity(tx, { ...first.identity, userId, createdAt: at });
    await insertOrganization(tx, { id: organizationId, name: first.organizationName, ownerId: userId, at });
  });
  await rm(tokenFile(app), { force: true });
  return { userId, organizationId };
}

/** Throws unless the token is the right to make the first account. */
export async function refuseClaim(db: Querier, token: string): Promise<void> {
  // In this order: a token that somebody just used up is only gone once there are people.
  const isOurs = await store.isSetupToken(db, hashToken(token));
  if (await store.hasPeople(db))
    throw missing("This service is already set up.", "Sign in, or ask an owner for an invitation.");
  if (!isOurs) {
    throw new ApiError("UNAUTHORIZED", "This is not the setup token printed at start.", {
      reason: "WRONG_SETUP_TOKEN",
    });
  }
}
