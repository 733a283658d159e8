/** @module Invitations: a link, shown once, that lets one address join one organization in one role. */

import {
  ApiError,
  type InvitationId,
  limits,
  type OrganizationId,
  type OrganizationRole,
  type UserId,
} from "@fettle/contract/core";
import type { Invitation, InvitationCreated, InvitationOffer } from "@fettle/contract/people";
import type { Secret } from "@fettle/contract/secrets";
import type { App } from "../../../core/app.ts";
import { stillThere } from "../../../core/db/changed-meanwhile.ts";
import type { Querier, Transaction } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { missing, notFound } from "../../../core/routing/not-found.ts";
import { sendEmail } from "../../mail/mail.ts";
import { announce } from "../announce.ts";
import { refuseInvitation } from "../organizations/roles.ts";
import { findRole, insertMember, lockMembership } from "../organizations/store.ts";
import { hashPassword } from "../sign-in/password.ts";
import { requirePasswordsOn } from "../sign-in/sign-in.ts";
import { findPersonByEmail, insertPerson, type Person, savePasswordHash } from "../sign-in/store.ts";
import { hashToken, mintToken } from "../tokens.ts";
import * as store from "./store.ts";

function statusOf(row: store.InvitationRow, now: number): Invitation["status"] {
  if (row.acceptedAt) return "accepted";
  if (row.revokedAt) return "revoked";
  return row.expiresAt.getTime() > now ? "pending" : "expired";
}

function toInvitation(row: store.InvitationRow, now: number): Invitation {
  const { inviterId, inviterName } = row;
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    invitedBy: inviterId && inviterName ? { userId: inviterId, name: inviterName } : null,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
  };
}

export async function listInvitations(
  app: App,
  organizationId: OrganizationId,
): Promise<{ items: Invitation[] }> {
  const rows = await store.listInvitations(app.db, organizationId);
  return { items: rows.map((row) => toInvitation(row, app.now())) };
}

export async function invite(
  app: App,
  asked: { organizationId: OrganizationId; actorId: UserId; email: string; role: OrganizationRole },
  origin: string,
): Promise<InvitationCreated> {
  const { organizationId, actorId, email, role } = asked;
  const now = new Date(app.now());
  const { token, hash } = mintToken("invitation");
  const id = newId("invitation", app.now());
  const { row, invited } = await app.db.transaction(async (tx) => {
    await lockMembership(tx, organizationId);
    const actor = await findRole(tx, organizationId, actorId);
    if (!actor) throw notFound("organization");
    const refusal = refuseInvitation(actor, role);
    if (refusal) throw refusal;
    await refuseSuperfluous(tx, organizationId, email, now);
    await store.insertInvitation(tx, {
      id,
      organizationId,
      tokenHash: hash,
      email,
      role,
      invitedBy: actorId,
      createdAt: now,
      expiresAt: new Date(app.now() + limits.accounts.invitationMs),
    });
    await announce(app, tx, `organization:${organizationId}`);
    const made = stillThere(await store.findInvitation(tx, organizationId, id));
    return { row: made, invited: await sendInvitation(app, tx, made, token) };
  });
  return { ...toInvitation(row, app.now()), invited, url: invitationUrl(origin, token) };
}

async function sendInvitation(
  app: App,
  tx: Transaction,
  row: store.InvitationRow,
  token: Secret,
): Promise<boolean> {
  const { mail } = app.config;
  if (!mail) return false;
  return sendEmail(app, tx, "invitation", row.email, {
    organization: row.organizationName,
    invitedBy: row.inviterName ?? "Somebody",
    role: row.role,
    url: invitationUrl(mail.origin, token),
    expiresAt: row.expiresAt.getTime(),
  });
}

/** The secret is in the fragment, which browsers keep to themselves. */
function invitationUrl(origin: string, token: Secret): string {
  return `${origin}/join#token=${token.reveal()}`;
}

async function refuseSuperfluous(
  tx: Querier,
  organizationId: OrganizationId,
  email: string,
  now: Date,
): Promise<void> {
  const person = await findPersonByEmail(tx, email);
  if (person && (await findRole(tx, organizationId, person.id))) {
    throw new ApiError("CONFLICT", `${email} belongs to this organization already.`, {
      code: "ALREADY_MEMBER",
    });
  }
  if (await store.hasPendingInvitation(tx, organizationId, email, now)) {
    throw new ApiError("CONFLICT", `${email} is invited already. Revoke that invitation to send another.`, {
      code: "ALREADY_INVITED",
    });
  }
}

export async function revokeInvitation(
  app: App,
  organizationId: OrganizationId,
  invitationId: InvitationId,
): Promise<void> {
  const invitation = await store.findInvitation(app.db, organizationId, invitationId);
  if (!invitation) throw notFound("invitation");
  await app.db.transaction(async (tx) => {
    if (!(await store.revokeInvitation(tx, invitationId, new Date(app.now())))) {
      throw new ApiError("CONFLICT", "This invitation was accepted or revoked already.", {
        code: "INVITATION_SETTLED",
      });
    }
    await announce(app, tx, `organization:${organizationId}`);
  });
}

/** An unknown, used, revoked and lapsed link answer alike: whoever guesses learns nothing. */
async function requireOpen(db: Querier, token: string, now: number): Promise<store.InvitationRow> {
  const row = await store.findInvitationByHash(db, hashToken(token));
  if (!row || statusOf(row, now) !== "pending") throw notOpen();
  return row;
}

function notOpen(): ApiError {
  return missing("This invitation was used, taken back, or has expired.", "Ask for a new one.");
}

export async function readInvitation(app: App, token: string): Promise<InvitationOffer> {
  const row = await requireOpen(app.db, token, app.now());
  const person = await findPersonByEmail(app.db, row.email);
  return {
    organization: { id: row.organizationId, name: row.organizationName },
    email: row.email,
    role: row.role,
    invitedBy: row.inviterName,
    expiresAt: row.expiresAt.getTime(),
    hasAccount: person !== undefined,
  };
}

/** Joins with an account that exists. Only the invited address may: a link that strays gives nobody else a way in. */
export async function acceptInvitation(
  app: App,
  person: Pick<Person, "id" | "email">,
  token: string,
): Promise<{ organizationId: OrganizationId }> {
  const row = await requireOpen(app.db, token, app.now());
  if (row.email !== person.email) {
    throw new ApiError(
      "FORBIDDEN",
      `This invitation is for ${row.email}. Sign in with that account, or ask for an invitation to ${person.email}.`,
      { reason: "OTHER_ADDRESS" },
    );
  }
  await app.db.transaction((tx) => join(app, tx, row, person.id));
  return { organizationId: row.organizationId };
}

/** Makes the account an invitation is for, with a password, and joins. */
export async function signUp(
  app: App,
  given: { invitationToken: string; name: string; password: Secret },
): Promise<{ userId: UserId; organizationId: OrganizationId }> {
  requirePasswordsOn(app);
  // Before the slow hash, so that nobody makes us work without an invitation.
  const { email } = await requireOpen(app.db, given.invitationToken, app.now());
  const hash = await hashPassword(given.password.reveal());
  const userId = newId("user", app.now());
  const at = new Date(app.now());
  return app.db.transaction(async (tx) => {
    const joined = await joinAsNewPerson(app, tx, given.invitationToken, {
      id: userId,
      name: given.name,
      email,
      at,
    });
    await savePasswordHash(tx, userId, hash, at);
    return { userId, ...joined };
  });
}

/** Whom an open invitation is for, for a sign-in that may take it up. */
export async function peekInvitation(
  db: Querier,
  token: string,
  now: number,
): Promise<{ email: string } | undefined> {
  const row = await store.findInvitationByHash(db, hashToken(token));
  return row && statusOf(row, now) === "pending" ? { email: row.email } : undefined;
}

/** Inside the caller's transaction: a new account takes the invited address, which the caller has made sure is `person.email`. */
export async function joinAsNewPerson(
  app: App,
  tx: Transaction,
  token: string,
  person: { id: UserId; name: string; email: string; at: Date },
): Promise<{ organizationId: OrganizationId }> {
  const row = await requireOpen(tx, token, app.now());
  if (row.email !== person.email) throw notOpen();
  if (!(await insertPerson(tx, person))) {
    throw new ApiError(
      "CONFLICT",
      `${row.email} has an account already. Sign in, then open the link again.`,
      {
        code: "ACCOUNT_EXISTS",
      },
    );
  }
  await join(app, tx, row, person.id);
  return { organizationId: row.organizationId };
}

async function join(app: App, tx: Transaction, row: store.InvitationRow, userId: UserId): Promise<void> {
  const { organizationId, role } = row;
  const at = new Date(app.now());
  if (!(await store.takeInvitation(tx, row.id, userId, at))) throw notOpen();
  await insertMember(tx, { organizationId, userId, role, at });
  await announce(app, tx, `organization:${organizationId}`, `account:${userId}`);
}
