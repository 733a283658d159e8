/** @module Binds the account operations of the contract to the functions beside this file; no rules here. */
import { ApiError } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import { requireToken } from "../../core/limits/limits.ts";
import { networkOf } from "../../core/limits/network.ts";
import type { Bindings } from "../../core/routing/bind.ts";
import { readBootstrap } from "./bootstrap.ts";
import { approveAuthorization, denyAuthorization, readAuthorization } from "./cli-login/authorization.ts";
import { listDevices, revokeDevice } from "./devices.ts";
import * as invitations from "./invitations/invitations.ts";
import * as keys from "./keys/api-keys.ts";
import { mintGuestToken } from "./keys/guest-tokens.ts";
import { returnFromProvider } from "./oidc/return.ts";
import { startSignIn } from "./oidc/sign-in.ts";
import * as members from "./organizations/members.ts";
import * as organizations from "./organizations/organizations.ts";
import { originOf } from "./origin.ts";
import { readMe, renamePerson } from "./people.ts";
import * as grants from "./project-grants/project-grants.ts";
import { claimSetup } from "./setup/setup.ts";
import { endedSessionCookie } from "./sign-in/cookies.ts";
import { askForNewPassword, chooseNewPassword } from "./sign-in/forgotten-password.ts";
import { endSession, startSession } from "./sign-in/sessions.ts";
import * as signIn from "./sign-in/sign-in.ts";

export const accountBindings = {
  getMe: ({ app, caller }) => readMe(app, caller.userId),
  listOrganizations: ({ app, caller }) =>
    organizations.listOrganizations(
      app,
      caller.userId,
      caller.kind === "key" ? caller.organizationId : undefined,
    ),

  getBootstrap: ({ app, caller }) => readBootstrap(app, caller),
  claimSetup: async ({ app, body, request, reply }) => {
    signIn.requirePasswordsOn(app);
    const { password, ...first } = body;
    const made = await claimSetup(app, { ...first, password: new Secret(password) });
    reply.header("set-cookie", await startSession(app, made.userId, request));
    const user = signIn.signedInUser(await signIn.readPerson(app, made.userId));
    return { user, organizationId: made.organizationId };
  },
  signIn: async ({ app, body, request, reply }) => {
    const given = { email: body.email, password: new Secret(body.password) };
    const person = await signIn.signInWithPassword(app, given, request);
    reply.header("set-cookie", await startSession(app, person.id, request));
    return { user: signIn.signedInUser(person) };
  },
  signInWithLink: async ({ app, body, request, reply }) => {
    const person = await signIn.signInWithLink(app, body.token);
    reply.header("set-cookie", await startSession(app, person.id, request));
    return { user: signIn.signedInUser(person) };
  },
  askForNewPassword: async ({ app, body, request }) => {
    await askForNewPassword(app, body.email, request.ip);
    return { asked: true };
  },
  chooseNewPassword: async ({ app, body, request, reply }) => {
    const given = { token: body.token, password: new Secret(body.password) };
    const { userId, endedSessions } = await chooseNewPassword(app, given);
    reply.header("set-cookie", await startSession(app, userId, request));
    return { user: signIn.signedInUser(await signIn.readPerson(app, userId)), endedSessions };
  },
  startOidcSignIn: async ({ app, caller, body, request, reply }) => {
    await requireToken(app.pool, "oidcStart", networkOf(request.ip));
    if (body.link && caller.kind !== "session") throw new ApiError("UNAUTHORIZED", "Sign in first.");
    const start = {
      providerId: body.providerId,
      returnTo: body.returnTo ?? "/",
      invitationToken: body.invitationToken,
      setup: body.setup,
      linkingId: body.link && caller.kind === "session" ? caller.userId : undefined,
    };
    const { url, cookie } = await startSignIn(app, start, originOf(app.config, request.headers));
    reply.header("set-cookie", cookie);
    return { url };
  },
  finishOidcSignIn: ({ app, caller, request }, response) =>
    returnFromProvider(app, caller, request, response),
  signUp: async ({ app, body, request, reply }) => {
    const given = { ...body, password: new Secret(body.password) };
    const made = await invitations.signUp(app, given);
    reply.header("set-cookie", await startSession(app, made.userId, request));
    const user = signIn.signedInUser(await signIn.readPerson(app, made.userId));
    return { user, organizationId: made.organizationId };
  },
  signOut: async ({ app, caller, reply }) => {
    await endSession(app, caller);
    reply.header("set-cookie", endedSessionCookie(app.config));
    return { signedOut: true };
  },
  readInvitation: ({ app, body }) => invitations.readInvitation(app, body.token),
  acceptInvitation: async ({ app, caller, body }) =>
    invitations.acceptInvitation(app, await signIn.readPerson(app, caller.userId), body.token),
  mintGuestToken: ({ app, request }) => mintGuestToken(app, request.ip),

  updateProfile: ({ app, caller, body }) => renamePerson(app, caller.userId, body.name),
  changePassword: async ({ app, caller, body }) => {
    const given = {
      currentPassword: body.currentPassword === undefined ? undefined : new Secret(body.currentPassword),
      newPassword: new Secret(body.newPassword),
    };
    return { changed: true, ...(await signIn.changePassword(app, caller, given)) };
  },
  listDevices: ({ app, caller }) => listDevices(app, caller),
  revokeDevice: async ({ app, caller, params }) => {
    await revokeDevice(app, caller.userId, params.deviceId);
    return { id: params.deviceId, revoked: true };
  },
  getCliAuthorization: ({ app, params }) => readAuthorization(app, params.authorizationId),
  approveCliAuthorization: ({ app, caller, params, request }) =>
    approveAuthorization(app, caller.userId, params.authorizationId, originOf(app.config, request.headers)),
  denyCliAuthorization: ({ app, params, request }) =>
    denyAuthorization(app, params.authorizationId, originOf(app.config, request.headers)),

  createOrganization: ({ app, caller, body }) =>
    organizations.createOrganization(app, caller.userId, body.name),
  updateOrganization: ({ app, caller, organization, body }) =>
    organizations.renameOrganization(app, caller.userId, organization.id, body),
  listMembers: ({ app, organization }) => members.listMembers(app, organization.id),
  updateMember: ({ app, caller, organization, params, body }) =>
    members.changeRole(app, {
      organizationId: organization.id,
      actorId: caller.userId,
      targetId: params.userId,
      role: body.role,
    }),
  removeMember: async ({ app, caller, organization, params }) => {
    const { userId } = params;
    await members.removeMember(app, {
      organizationId: organization.id,
      actorId: caller.userId,
      targetId: userId,
    });
    return { userId, removed: true };
  },
  leaveOrganization: async ({ app, caller, organization }) => {
    const { userId } = caller;
    await members.removeMember(app, { organizationId: organization.id, actorId: userId, targetId: userId });
    return { organizationId: organization.id, left: true };
  },
  listInvitations: ({ app, organization }) => invitations.listInvitations(app, organization.id),
  createInvitation: ({ app, caller, organization, body, request }) =>
    invitations.invite(
      app,
      { organizationId: organization.id, actorId: caller.userId, email: body.email, role: body.role },
      originOf(app.config, request.headers),
    ),
  revokeInvitation: async ({ app, organization, params }) => {
    await invitations.revokeInvitation(app, organization.id, params.invitationId);
    return { id: params.invitationId, revoked: true };
  },
  listApiKeys: ({ app, caller, organization }) =>
    keys.listApiKeys(app, {
      organizationId: organization.id,
      userId: caller.userId,
      role: organization.role,
    }),
  createApiKey: ({ app, caller, organization, body }) =>
    keys.createApiKey(app, { organizationId: organization.id, userId: caller.userId }, body),
  revokeApiKey: async ({ app, caller, organization, params }) => {
    const asking = { organizationId: organization.id, userId: caller.userId, role: organization.role };
    await keys.revokeApiKey(app, asking, params.keyId);
    return { id: params.keyId, revoked: true };
  },

  listProjectMembers: ({ app, project }) => grants.listGrants(app, project.id),
  setProjectMember: ({ app, project, params, body }) =>
    grants.setGrant(app, project, params.userId, body.role),
  removeProjectMember: async ({ app, project, params }) => {
    await grants.removeGrant(app, project.id, params.userId);
    return { userId: params.userId, removed: true };
  },
} satisfies Partial<Bindings>;
