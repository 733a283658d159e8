/** @module People as they see themselves. */
import type { Me, SignedInUser } from "@fettle/contract";
import type { App } from "../app.ts";
import { readPerson, signedInUser } from "./sign-in/sign-in.ts";
import * as store from "./sign-in/store.ts";

export async function readMe(app: App, userId: string): Promise<Me> {
  const { id, email, name, createdAt, updatedAt } = await readPerson(app, userId);
  return { id, email, name, imageUrl: null, createdAt: createdAt.getTime(), updatedAt: updatedAt.getTime() };
}

export async function renamePerson(app: App, userId: string, name: string): Promise<SignedInUser> {
  await store.renamePerson(app.db, userId, name, new Date(app.now()));
  return signedInUser(await readPerson(app, userId));
}
