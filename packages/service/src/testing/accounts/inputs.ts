/** @module What a test sends to the operations of accounts, sign-in and organizations. */
import type { OperationInput } from "../operation-inputs.ts";

const password = "correct horse battery";

export const accountInputs = {
  getBootstrap: {},
  claimSetup: {
    body: () => ({ token: "used", name: "A", email: "a@example.com", password, organizationName: "A" }),
    // Somebody has an account, so there is nothing to set up.
    passes: 404,
  },
  // Refused for what is sent, which is after access and before the slow check of a password.
  signIn: { body: () => ({}), passes: 400 },
  // Where no mail is set up.
  askForNewPassword: { body: () => ({ email: "ada@example.com" }), passes: 422 },
  chooseNewPassword: { body: () => ({ token: "used", password }), passes: 401 },
  signInWithLink: { body: () => ({ token: "used" }), passes: 401 },
  startOidcSignIn: { body: () => ({ providerId: "none" }), passes: 404 },
  finishOidcSignIn: { params: () => ({ providerId: "none" }), passes: 303 },
  signUp: { body: () => ({ invitationToken: "used", name: "New", password }), passes: 404 },
  signOut: {},
  readInvitation: { body: ({ invitation }) => ({ token: invitation.token }) },
  // The invitation is for another address.
  acceptInvitation: { body: ({ invitation }) => ({ token: invitation.token }), passes: 403 },
  mintGuestToken: {},
  updateProfile: { body: () => ({ name: "Renamed" }) },
  changePassword: { body: () => ({ newPassword: password }) },
  listDevices: {},
  revokeDevice: { params: () => ({ deviceId: "ses_missing" }), passes: 404 },
  getCliAuthorization: { params: () => ({ authorizationId: "missing" }), passes: 404 },
  approveCliAuthorization: { params: () => ({ authorizationId: "missing" }), passes: 404 },
  denyCliAuthorization: { params: () => ({ authorizationId: "missing" }), passes: 404 },
  streamEvents: { query: { topics: "account" } },
  createOrganization: { body: () => ({ name: "New" }) },
  updateOrganization: { body: () => ({ name: "Renamed" }) },
  listMembers: {},
  updateMember: {
    params: ({ people }) => ({ userId: people.editor.userId }),
    body: () => ({ role: "member" }),
  },
  removeMember: { params: ({ people }) => ({ userId: people.editor.userId }) },
  // Declared as `elevated`: the last owner stays.
  leaveOrganization: { passes: (person) => (person === "owner" ? 409 : 200) },
  listInvitations: {},
  createInvitation: { body: () => ({ email: "new@example.com" }) },
  revokeInvitation: { params: ({ invitation }) => ({ invitationId: invitation.id }) },
} satisfies Record<string, OperationInput>;
