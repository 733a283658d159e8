/** @module What an operator may do to people from the machine itself. No request leads here. */

import { limits, type OrganizationId, type OrganizationRole, type UserId } from "@fettle/contract/core";
import { Email } from "@fettle/contract/people";
import type { Secret } from "@fettle/contract/secrets";
import type { App } from "../../../core/app.ts";
import type { Transaction } from "../../../core/db/pool.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { recordAdmin } from "../../audit/record.ts";
import { announce } from "../announce.ts";
import { deleteSessionsOf as deleteCliSessions } from "../cli-login/store.ts";
import { createSignInLink } from "../sign-in/sign-in.ts";
import { deleteSessions, deleteSignInLinks, findPersonByEmail, type Person } from "../sign-in/store.ts";
import * as store from "./store.ts";

/** What of the service these need; the command has no more. */
export interface AdminApp extends Pick<App, "db" | "now"> {
  events: Pick<App["events"], "publish">;
}

export interface AdminPerson {
  id: UserId;
  email: string;
  name: string;
  /** How they can sign in by themselves; with neither, only a link lets them in. */
  hasPassword: boolean;
  hasProvider: boolean;
  organizations: { id: OrganizationId; name: string; role: OrganizationRole }[];
  createdAt: number;
  lastSeenAt: number | null;
}

export async function listPeople(app: AdminApp): Promise<AdminPerson[]> {
  const [people, memberships] = [await store.listPeople(app.db), await store.listMemberships(app.db)];
  return people.map(({ createdAt, lastSeenAt, ...person }) => ({
    ...person,
    organizations: memberships
      .filter(({ userId }) => userId === person.id)
      .map(({ id, name, role }) => ({ id, name, role })),
    createdAt: createdAt.getTime(),
    lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).getTime(),
  }));
}

async function requirePerson(app: AdminApp, typed: string): Promise<Person> {
  const email = Email.safeParse(typed).data;
  const person = email === undefined ? undefined : await findPersonByEmail(app.db, email);
  if (person) return person;
  throw missing(`Nobody here has the email address ${typed}.`, "Check its spelling.");
}

/**
 * A link that signs this person in once. With `forgetPassword` the old password is gone and so is whoever is signed in with it; the
 * person sets a new one under Profile, which asks for no current one then.
 */
export async function makeSignInLink(
  app: AdminApp,
  asked: { email: string; forgetPassword: boolean },
): Promise<{ email: string; token: Secret; expiresAt: number }> {
  const { id, email } = await requirePerson(app, asked.email);
  await app.db.transaction(async (tx) => {
    await recordAdmin(
      app,
      tx,
      "adminSignInLink",
      { id, email },
      asked.forgetPassword ? ["forgetPassword"] : [],
    );
    if (!asked.forgetPassword) return;
    await store.deletePassword(tx, id);
    await signOutEverywhere(app, tx, id);
  });
  const expiresAt = app.now() + limits.accounts.signInLinkMs;
  return { email, token: await createSignInLink(app, id), expiresAt };
}

export interface EndedSessions {
  email: string;
  browsers: number;
  commandLines: number;
  apiKeys: number;
}

/** Everything that is signed in as this person, and links that would sign in; API keys only when asked for, because machines use them. */
export async function endSessions(
  app: AdminApp,
  asked: { email: string; apiKeys: boolean },
): Promise<EndedSessions> {
  const { id, email } = await requirePerson(app, asked.email);
  return app.db.transaction(async (tx) => {
    await recordAdmin(app, tx, "adminSignOut", { id, email }, asked.apiKeys ? ["apiKeys"] : []);
    const ended = await signOutEverywhere(app, tx, id);
    const keys = asked.apiKeys ? await store.revokeKeysOf(tx, id, new Date(app.now())) : [];
    const concerned = new Set(keys.flatMap(({ organizationId }) => organizationId ?? []));
    for (const organizationId of concerned) await announce(app, tx, `organization:${organizationId}`);
    return { email, ...ended, apiKeys: keys.length };
  });
}

async function signOutEverywhere(
  app: AdminApp,
  tx: Transaction,
  userId: UserId,
): Promise<{ browsers: number; commandLines: number }> {
  await deleteSignInLinks(tx, userId);
  const browsers = await deleteSessions(tx, userId);
  const commandLines = await deleteCliSessions(tx, userId);
  await announce(app, tx, `account:${userId}`);
  return { browsers, commandLines };
}
