/** @module People as they see themselves. */
import type { UserId } from "@fettle/contract/core";
import type { Me, SignedInUser } from "@fettle/contract/people";
import type { App } from "../../core/app.ts";
import { announce } from "./announce.ts";
import { readPerson, signedInUser } from "./sign-in/sign-in.ts";
import * as store from "./sign-in/store.ts";

export async function readMe(app: App, userId: UserId): Promise<Me> {
  const { id, email, name, createdAt, updatedAt } = await readPerson(app, userId);
  return {
    id,
    email,
    name,
    imageUrl: null,
    profilePictureUrl: null,
    plan: null,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  };
}

export async function renamePerson(app: App, userId: UserId, name: string): Promise<SignedInUser> {
  await app.db.transaction(async (tx) => {
    await store.renamePerson(tx, userId, name, new Date(app.now()));
    await announce(app, tx, `account:${userId}`);
  });
  return signedInUser(await readPerson(app, userId));
}
