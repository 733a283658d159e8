/** @module Proving who one is: a password, or a one-time link. Unknown account and wrong password answer alike, in the same time. */
import { ApiError, limits, type UserId } from "@fettle/contract/core";
import type { SignedInUser } from "@fettle/contract/people";
import type { Secret } from "@fettle/contract/secrets";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { requireToken } from "../../../core/limits/limits.ts";
import { networkOf } from "../../../core/limits/network.ts";
import { recordFailedSignIn } from "../../audit/record.ts";
import { announce } from "../announce.ts";
import { deleteSessionsOf as deleteCliSessions } from "../cli-login/store.ts";
import { hashToken, mintToken, recogniseToken } from "../tokens.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { findDevice } from "./remembered-devices.ts";
import type { Visitor } from "./sessions.ts";
import * as store from "./store.ts";

export function signedInUser(person: store.Person): SignedInUser {
  const { id, email, name, hasPassword } = person;
  return { id, email, name, hasPassword, imageUrl: null };
}

/** The person, who must exist: their session was just read, and people are never deleted under it. */
export async function readPerson(app: App, userId: UserId): Promise<store.Person> {
  const person = await store.findPerson(app.db, userId);
  if (!person) throw new ApiError("UNAUTHORIZED", "This account no longer exists.");
  return person;
}

/** For what makes or uses a password, when the operator has switched them off. */
export function requirePasswordsOn(app: App): void {
  if (app.config.signIn.methods.includes("password")) return;
  throw new ApiError("FORBIDDEN", "Passwords are not used here. Sign in through the provider.", {
    reason: "PASSWORDS_OFF",
  });
}

/**
 * Counts a try before the password is looked at. Strangers are counted by account and address together, so that their wrong
 * passwords keep only themselves out; the looser counts, of an address and of an account, are for one machine that tries many
 * accounts and for many machines that try one. A browser this person has signed in with is no stranger and counts for itself.
 * Which counts apply never depends on whether the address has an account.
 */
async function takeTry(app: App, email: string, visitor: Visitor): Promise<void> {
  const deviceId = await findDevice(app, email, visitor.headers);
  if (deviceId) return requireToken(app.pool, "signInDevice", deviceId);
  const network = networkOf(visitor.ip);
  await requireToken(app.pool, "signInAddress", network);
  await requireToken(app.pool, "signInTogether", `${network} ${email}`);
  await requireToken(app.pool, "signInAccount", email);
}

export async function signInWithPassword(
  app: App,
  given: { email: string; password: Secret },
  visitor: Visitor,
): Promise<store.Person> {
  requirePasswordsOn(app);
  await takeTry(app, given.email, visitor);
  const person = await store.findPersonByEmail(app.db, given.email);
  // Nobody's password is looked for too, so that an unknown address takes as long as a known one.
  const hash = await store.findPasswordHash(app.db, person?.id ?? newId("user"));
  const isRight = await verifyPassword(given.password.reveal(), hash);
  if (person && isRight) return person;
  // Not waited for: how long the answer takes must not tell whether the account exists.
  if (person) {
    recordFailedSignIn(app, app.db, { person, ipAddress: visitor.ip }).catch((error: unknown) =>
      app.log.warn("a failed sign-in could not be written down", { error }),
    );
  }
  throw new ApiError("UNAUTHORIZED", "The email address or the password is wrong.");
}

export async function signInWithLink(app: App, token: string): Promise<store.Person> {
  return readPerson(app, await takeLink(app, app.db, "signInLink", token));
}

/** Whose link it is; it opens nothing after this. The two kinds share a table, and the beginning of a token says which it is. */
export async function takeLink(
  app: App,
  db: Querier,
  kind: "signInLink" | "passwordLink",
  token: string,
): Promise<UserId> {
  const isOfKind = recogniseToken(token) === kind;
  const taken = isOfKind && (await store.takeSignInLink(db, hashToken(token), new Date(app.now())));
  if (taken) return taken.userId;
  throw new ApiError("UNAUTHORIZED", "This link was used already or has expired.", {
    reason: "LINK_USED_OR_EXPIRED",
  });
}

/**
 * A link that signs this person in once, within ten minutes. Whoever may make one may be that person, so no request leads here:
 * only the process itself and `fettle admin`, printing to their own terminal.
 */
export async function createSignInLink(app: Pick<App, "db" | "now">, userId: UserId): Promise<Secret> {
  const { token, hash } = mintToken("signInLink");
  await store.insertSignInLink(app.db, {
    tokenHash: hash,
    userId,
    expiresAt: new Date(app.now() + limits.accounts.signInLinkMs),
  });
  return token;
}

/** Also ends every other session, browsers and command lines alike: whoever changes a password may be locking somebody out. */
export async function changePassword(
  app: App,
  session: { userId: UserId; sessionId: string },
  given: { currentPassword: Secret | undefined; newPassword: Secret },
): Promise<{ endedSessions: number }> {
  requirePasswordsOn(app);
  const stored = await store.findPasswordHash(app.db, session.userId);
  if (stored !== undefined) {
    await requireToken(app.pool, "passwordChange", session.sessionId);
    if (!(await verifyPassword(given.currentPassword?.reveal() ?? "", stored))) {
      throw new ApiError("FORBIDDEN", "The current password is wrong.", { reason: "WRONG_PASSWORD" });
    }
  }
  const hash = await hashPassword(given.newPassword.reveal());
  return app.db.transaction(async (tx) => {
    await store.savePasswordHash(tx, session.userId, hash, new Date(app.now()));
    await store.deleteSignInLinks(tx, session.userId);
    const browsers = await store.deleteSessions(tx, session.userId, session.sessionId);
    const commandLines = await deleteCliSessions(tx, session.userId);
    await announce(app, tx, `account:${session.userId}`);
    return { endedSessions: browsers + commandLines };
  });
}
