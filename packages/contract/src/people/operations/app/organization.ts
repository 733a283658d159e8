/** @module Running an organization: its name, members, invitations and API keys. */
import { z } from "zod";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { ExpectedUpdatedAt } from "../../../core/timestamp.ts";
import { Organization, OrganizationRoleName } from "../../account.ts";
import { ApiKey, ApiKeyCreated, ApiKeyCreateRequest } from "../../api-key.ts";
import { Invitation, InvitationCreated, Member } from "../../member.ts";
import { Email } from "../../session.ts";

const tag = "App organization";
const surface = "app";
const organizationName = z.string().trim().min(1).max(limits.accounts.nameLength);

export const createOrganization = operation({
  id: "createOrganization",
  tag,
  surface,
  method: "POST",
  path: "/organizations",
  access: access.any,
  summary: "Make another organization; the caller becomes its owner",
  built: true,
  status: 201,
  body: z.strictObject({ name: organizationName }),
  output: Organization,
  errors: ["VALIDATION_ERROR"],
});

export const updateOrganization = operation({
  id: "updateOrganization",
  tag,
  surface,
  method: "PATCH",
  path: "/organizations/{organizationId}",
  access: access.organization.admin,
  summary: "Rename an organization",
  built: true,
  body: z.strictObject({ name: organizationName, expectedUpdatedAt: ExpectedUpdatedAt.optional() }),
  output: Organization,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const listMembers = operation({
  id: "listMembers",
  tag,
  surface,
  method: "GET",
  path: "/organizations/{organizationId}/members",
  access: access.organization.member,
  summary: "People in the organization",
  built: true,
  output: page(Member),
});

export const updateMember = operation({
  id: "updateMember",
  tag,
  surface,
  method: "PATCH",
  path: "/organizations/{organizationId}/members/{userId}",
  access: access.organization.admin,
  elevated: "only an owner makes or unmakes an owner; the last owner stays",
  summary: "Change a member's role",
  built: true,
  narrows: true,
  body: z.strictObject({ role: OrganizationRoleName }),
  output: Member,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const removeMember = operation({
  id: "removeMember",
  tag,
  surface,
  method: "DELETE",
  path: "/organizations/{organizationId}/members/{userId}",
  access: access.organization.admin,
  elevated: "only an owner removes an owner; the last owner stays",
  summary: "Remove a member, their keys and their project grants",
  built: true,
  narrows: true,
  output: z.object({ userId: z.string(), removed: z.literal(true) }),
  errors: ["CONFLICT"],
});

export const leaveOrganization = operation({
  id: "leaveOrganization",
  tag,
  surface,
  method: "POST",
  path: "/organizations/{organizationId}/leave",
  access: access.organization.guest,
  elevated: "the last owner stays",
  summary: "Leave an organization",
  built: true,
  narrows: true,
  output: z.object({ organizationId: z.string(), left: z.literal(true) }),
  errors: ["CONFLICT"],
});

export const listInvitations = operation({
  id: "listInvitations",
  tag,
  surface,
  method: "GET",
  path: "/organizations/{organizationId}/invitations",
  access: access.organization.admin,
  summary: "Invitations and what became of them",
  built: true,
  output: page(Invitation),
});

export const createInvitation = operation({
  id: "createInvitation",
  tag,
  surface,
  method: "POST",
  path: "/organizations/{organizationId}/invitations",
  access: access.organization.admin,
  elevated: "only an owner invites an owner",
  summary: "Invite a person, by email where mail is set up; the link is shown once",
  built: true,
  status: 201,
  body: z.strictObject({ email: Email, role: OrganizationRoleName.default("member") }),
  output: InvitationCreated,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const revokeInvitation = operation({
  id: "revokeInvitation",
  tag,
  surface,
  method: "DELETE",
  path: "/organizations/{organizationId}/invitations/{invitationId}",
  access: access.organization.admin,
  summary: "Take a pending invitation back",
  built: true,
  narrows: true,
  output: z.object({ id: z.string(), revoked: z.literal(true) }),
  errors: ["CONFLICT"],
});

export const listApiKeys = operation({
  id: "listApiKeys",
  tag,
  surface,
  method: "GET",
  path: "/organizations/{organizationId}/keys",
  access: access.organization.member,
  elevated: "admins see every key, others their own",
  summary: "API keys of the organization, never their values",
  built: true,
  output: page(ApiKey),
});

export const createApiKey = operation({
  id: "createApiKey",
  tag,
  surface,
  method: "POST",
  path: "/organizations/{organizationId}/keys",
  access: access.organization.member,
  summary: "Make an API key that acts as the caller; its value is shown once",
  built: true,
  status: 201,
  body: ApiKeyCreateRequest,
  output: ApiKeyCreated,
  errors: ["VALIDATION_ERROR"],
});

export const revokeApiKey = operation({
  id: "revokeApiKey",
  tag,
  surface,
  method: "DELETE",
  path: "/organizations/{organizationId}/keys/{keyId}",
  access: access.organization.member,
  elevated: "one's own key, or an admin",
  summary: "Revoke an API key, at once and everywhere",
  built: true,
  narrows: true,
  output: z.object({ id: z.string(), revoked: z.literal(true) }),
});
