/** @module The SQL of invitations. */
import type { InvitationId, OrganizationId, UserId } from "@fettle/contract/core";
import { and, desc, eq, gt } from "drizzle-orm";
import type { Querier } from "../../../core/db/pool.ts";
import { invitations, organizations, undecidedInvitation, users } from "../../../core/tables/accounts.ts";

const invitationColumns = {
  id: invitations.id,
  organizationId: invitations.organizationId,
  organizationName: organizations.name,
  email: invitations.email,
  role: invitations.role,
  inviterId: users.id,
  inviterName: users.name,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
  acceptedAt: invitations.acceptedAt,
  revokedAt: invitations.revokedAt,
};

function selectInvitations(db: Querier) {
  return db
    .select(invitationColumns)
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .leftJoin(users, eq(users.id, invitations.invitedBy))
    .$dynamic();
}

export type InvitationRow = Awaited<ReturnType<typeof listInvitations>>[number];

export async function listInvitations(db: Querier, organizationId: OrganizationId) {
  return selectInvitations(db)
    .where(eq(invitations.organizationId, organizationId))
    .orderBy(desc(invitations.createdAt), desc(invitations.id));
}

export async function findInvitation(
  db: Querier,
  organizationId: OrganizationId,
  invitationId: InvitationId,
): Promise<InvitationRow | undefined> {
  const [row] = await selectInvitations(db).where(
    and(eq(invitations.organizationId, organizationId), eq(invitations.id, invitationId)),
  );
  return row;
}

export async function findInvitationByHash(
  db: Querier,
  tokenHash: string,
): Promise<InvitationRow | undefined> {
  const [row] = await selectInvitations(db).where(eq(invitations.tokenHash, tokenHash));
  return row;
}

export async function insertInvitation(
  db: Querier,
  invitation: typeof invitations.$inferInsert,
): Promise<void> {
  await db.insert(invitations).values(invitation);
}

export async function hasPendingInvitation(
  db: Querier,
  organizationId: OrganizationId,
  email: string,
  now: Date,
): Promise<boolean> {
  const rows = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.email, email), isOpen(now)))
    .limit(1);
  return rows.length > 0;
}

const isOpen = (now: Date) => and(undecidedInvitation, gt(invitations.expiresAt, now));

/** False when it was accepted, revoked or lapsed in the meantime: of two uses at once, one is told true. */
export async function takeInvitation(
  tx: Querier,
  invitationId: InvitationId,
  userId: UserId,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(invitations)
    .set({ acceptedAt: now, acceptedBy: userId })
    .where(and(eq(invitations.id, invitationId), isOpen(now)));
  return rowCount === 1;
}

export async function revokeInvitation(db: Querier, invitationId: InvitationId, now: Date): Promise<boolean> {
  const { rowCount } = await db
    .update(invitations)
    .set({ revokedAt: now })
    .where(and(eq(invitations.id, invitationId), undecidedInvitation));
  return rowCount === 1;
}
