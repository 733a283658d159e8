/** @module How a person gets into the pages: first set-up, sign-in, sign-up by invitation, sign-out. */
import { z } from "zod";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { Timestamp } from "../../../core/timestamp.ts";
import { InvitationOffer } from "../../member.ts";
import { Bootstrap, Email, NewPassword, PersonName, SignedIn } from "../../session.ts";

const tag = "App session";
const surface = "app";
/** The secret of a link. Links carry it as `#token=…`, which browsers send to no server. */
const Token = z.string().min(1).max(limits.accounts.tokenLength);
const OrganizationName = z.string().trim().min(1).max(limits.accounts.nameLength);

export const getBootstrap = operation({
  id: "getBootstrap",
  tag,
  surface,
  method: "GET",
  path: "/bootstrap",
  access: access.public,
  summary: "What the pages need to start: who is signed in, how to sign in, whether set-up is needed",
  built: true,
  output: Bootstrap,
});

export const claimSetup = operation({
  id: "claimSetup",
  tag,
  surface,
  method: "POST",
  path: "/setup",
  access: access.public,
  elevated: "the one-time setup token; gone once claimed",
  summary: "Make the first account and organization",
  built: true,
  status: 201,
  body: z.strictObject({
    token: Token,
    name: PersonName,
    email: Email,
    password: NewPassword,
    organizationName: OrganizationName,
  }),
  output: SignedIn.extend({ organizationId: z.string() }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const signIn = operation({
  id: "signIn",
  tag,
  surface,
  method: "POST",
  path: "/sign-in",
  access: access.public,
  summary: "Sign in with email and password; unknown account and wrong password answer alike",
  built: true,
  body: z.strictObject({ email: Email, password: z.string().min(1).max(limits.accounts.passwordLength.max) }),
  output: SignedIn,
  errors: ["VALIDATION_ERROR"],
});

export const signInWithLink = operation({
  id: "signInWithLink",
  tag,
  surface,
  method: "POST",
  path: "/sign-in/link",
  access: access.public,
  elevated: "the one-time token of a sign-in link",
  summary: "Sign in with the one-time link printed at start",
  built: true,
  body: z.strictObject({ token: Token }),
  output: SignedIn,
  errors: ["VALIDATION_ERROR"],
});

export const askForNewPassword = operation({
  id: "askForNewPassword",
  tag,
  surface,
  method: "POST",
  path: "/sign-in/forgotten",
  access: access.public,
  summary:
    "Send a letter with a one-time link to choose a new password; the answer never says whether there is an account",
  built: true,
  status: 202,
  body: z.strictObject({ email: Email }),
  output: z.object({ asked: z.literal(true) }),
  errors: ["VALIDATION_ERROR", "FEATURE_NOT_SUPPORTED"],
});

export const chooseNewPassword = operation({
  id: "chooseNewPassword",
  tag,
  surface,
  method: "POST",
  path: "/sign-in/new-password",
  access: access.public,
  elevated: "the one-time token of a letter to the account's address",
  summary:
    "Set a new password with the link of a letter; everything that was signed in is signed out, and this browser in",
  built: true,
  narrows: true,
  body: z.strictObject({ token: Token, password: NewPassword }),
  output: SignedIn.extend({ endedSessions: z.int() }),
  errors: ["VALIDATION_ERROR"],
});

export const startOidcSignIn = operation({
  id: "startOidcSignIn",
  tag,
  surface,
  method: "POST",
  path: "/sign-in/oidc",
  access: access.public,
  summary: "Begin sign-in at a configured OpenID provider; the page then goes to the answered address",
  built: true,
  body: z.strictObject({
    providerId: z.string().min(1),
    returnTo: z
      .string()
      .startsWith("/")
      .max(limits.text.addressLength)
      .optional()
      .describe("Page to come back to, on this site"),
    invitationToken: Token.optional(),
    setup: z
      .strictObject({ token: Token, name: PersonName, email: Email, organizationName: OrganizationName })
      .optional()
      .describe("Make the first account and organization; its owner signs in with the provider from then on"),
    link: z
      .boolean()
      .default(false)
      .describe("Add the provider to the account that is signed in, instead of signing in"),
  }),
  output: z.object({ url: z.string() }),
  errors: ["VALIDATION_ERROR", "SERVER_UNREACHABLE"],
});

export const finishOidcSignIn = operation({
  id: "finishOidcSignIn",
  tag,
  surface,
  method: "GET",
  path: "/sign-in/oidc/{providerId}/callback",
  access: access.public,
  elevated: "the single-use state of a sign-in that was begun here",
  summary: "Where the OpenID provider sends the browser back to",
  built: true,
  raw: true,
  // Providers add parameters of their own, such as iss and session_state.
  query: z.looseObject({}),
});

export const signUp = operation({
  id: "signUp",
  tag,
  surface,
  method: "POST",
  path: "/sign-up",
  access: access.public,
  elevated: "a pending invitation; the account takes its address",
  summary: "Make an account from an invitation, and join",
  built: true,
  status: 201,
  body: z.strictObject({ invitationToken: Token, name: PersonName, password: NewPassword }),
  output: SignedIn.extend({ organizationId: z.string() }),
  errors: ["VALIDATION_ERROR", "CONFLICT"],
});

export const signOut = operation({
  id: "signOut",
  tag,
  surface,
  method: "POST",
  path: "/sign-out",
  access: access.any,
  summary: "End this browser's session",
  built: true,
  narrows: true,
  output: z.object({ signedOut: z.literal(true) }),
});

export const readInvitation = operation({
  id: "readInvitation",
  tag,
  surface,
  // A POST that changes nothing: the secret stays out of addresses, and so out of logs and histories.
  method: "POST",
  path: "/invitations/read",
  access: access.public,
  elevated: "the secret of the link itself",
  summary: "Who invites, to what, with which role",
  built: true,
  body: z.strictObject({ token: Token }),
  output: InvitationOffer,
});

export const acceptInvitation = operation({
  id: "acceptInvitation",
  tag,
  surface,
  method: "POST",
  path: "/invitations/accept",
  access: access.any,
  elevated: "the secret of the link itself, and the invited address",
  summary: "Join with the account that is signed in",
  built: true,
  body: z.strictObject({ token: Token }),
  output: z.object({ organizationId: z.string() }),
  errors: ["CONFLICT"],
});

export const mintGuestToken = operation({
  id: "mintGuestToken",
  tag,
  surface,
  method: "POST",
  path: "/guest-tokens",
  access: access.public,
  summary: "An anonymous bearer for the registry directory reads",
  built: true,
  status: 201,
  output: z.object({ token: z.string(), expiresAt: Timestamp }),
});
