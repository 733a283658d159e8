/** @module People in organizations and projects, and the invitations that bring them there. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { OrganizationRoleName } from "./account.ts";
import { ProjectRoleName } from "./project.ts";

const person = { userId: z.string(), name: z.string(), email: z.string(), imageUrl: z.string().nullable() };

export const Member = z.object({ ...person, role: OrganizationRoleName, joinedAt: Timestamp });
export type Member = z.output<typeof Member>;

/** A grant on one project. People who see it through their organization alone are not listed. */
export const ProjectMember = z.object({ ...person, role: ProjectRoleName, grantedAt: Timestamp });
export type ProjectMember = z.output<typeof ProjectMember>;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: OrganizationRoleName,
  status: z.enum(["pending", "accepted", "expired", "revoked"]),
  invitedBy: z.object({ userId: z.string(), name: z.string() }).nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Invitation = z.output<typeof Invitation>;

/** The link is shown in this answer only; the service keeps its hash. */
export const InvitationCreated = Invitation.extend({
  invited: z.boolean().describe("A letter is on its way; otherwise hand the link over yourself"),
  url: z.string(),
});
export type InvitationCreated = z.output<typeof InvitationCreated>;

/** What someone holding the link sees before joining. */
export const InvitationOffer = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  email: z.string(),
  role: OrganizationRoleName,
  invitedBy: z.string().nullable(),
  expiresAt: Timestamp,
  hasAccount: z.boolean().describe("The invited address can sign in; otherwise the page offers sign-up"),
});
export type InvitationOffer = z.output<typeof InvitationOffer>;
