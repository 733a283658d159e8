/** @module Members of an organization: their roles, removing them, leaving. The rules are in roles.ts; here they meet the database. */

import {
  type ApiError,
  holdsOrganizationRole,
  type OrganizationId,
  type OrganizationRole,
  type UserId,
} from "@fettle/contract/core";
import type { Member } from "@fettle/contract/people";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { notFound } from "../../../core/routing/not-found.ts";
import { announce } from "../announce.ts";
import { refuseMembershipChange } from "./roles.ts";
import * as store from "./store.ts";

type MemberRow = Awaited<ReturnType<typeof store.listMembers>>[number];

function toMember({ joinedAt, ...row }: MemberRow): Member {
  return { ...row, imageUrl: null, joinedAt: joinedAt.getTime() };
}

export async function listMembers(app: App, organizationId: OrganizationId): Promise<{ items: Member[] }> {
  const rows = await store.listMembers(app.db, organizationId);
  return { items: rows.map(toMember) };
}

interface Change {
  organizationId: OrganizationId;
  actorId: UserId;
  targetId: UserId;
}

export async function changeRole(app: App, change: Change & { role: OrganizationRole }): Promise<Member> {
  const { organizationId, targetId, role } = change;
  await app.db.transaction(async (tx) => {
    const held = await allowChange(tx, change, role);
    await store.setRole(tx, organizationId, targetId, role);
    // A link handed out in the old role would be a way back to it.
    const isLowered = !holdsOrganizationRole(role, held);
    if (isLowered) await store.revokeInvitationsBy(tx, organizationId, targetId, new Date(app.now()));
    await announce(app, tx, `organization:${organizationId}`, `account:${targetId}`);
  });
  const [row] = await store.listMembers(app.db, organizationId, targetId);
  if (!row) throw noSuchMember();
  return toMember(row);
}

/** Removing oneself is leaving. What the membership carried goes with it: keys, project grants, open invitations. */
export async function removeMember(app: App, change: Change): Promise<void> {
  const { organizationId, targetId } = change;
  const at = new Date(app.now());
  await app.db.transaction(async (tx) => {
    await allowChange(tx, change, null);
    await store.revokeKeysOf(tx, organizationId, targetId, at);
    await store.revokeInvitationsBy(tx, organizationId, targetId, at);
    await store.deleteMember(tx, organizationId, targetId);
    await announce(app, tx, `organization:${organizationId}`, `account:${targetId}`);
  });
}

/**
 * Reads both standings under the organization's lock, where they cannot change before the change is made: two owners who
 * leave at the same moment must not leave nobody. Returns the role the target holds.
 */
async function allowChange(
  tx: Querier,
  { organizationId, actorId, targetId }: Change,
  next: OrganizationRole | null,
): Promise<OrganizationRole> {
  await store.lockMembership(tx, organizationId);
  const actor = await store.findRole(tx, organizationId, actorId);
  const target = await store.findRole(tx, organizationId, targetId);
  if (!actor) throw notFound("organization");
  if (!target) throw noSuchMember();
  const owners = await store.countOwners(tx, organizationId);
  const refusal = refuseMembershipChange({ actor, target, owners, isSelf: actorId === targetId }, next);
  if (refusal) throw refusal;
  return target;
}

function noSuchMember(): ApiError {
  return notFound("member");
}
