/** @module What the pages know about the person in front of them: sign-in, profile, devices, command-line approvals. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";
import { Timestamp } from "../core/timestamp.ts";
import { OrganizationRoleName } from "./account.ts";

/** Checked before it is put in lower case, which makes a plain letter of a few that only look like one. */
export const Email = z.string().trim().max(limits.accounts.emailLength).pipe(z.email().toLowerCase());
export const NewPassword = z
  .string()
  .min(limits.accounts.passwordLength.min)
  .max(limits.accounts.passwordLength.max);
export const PersonName = z.string().trim().min(1).max(limits.accounts.nameLength);

export const SignedInUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  imageUrl: z.string().nullable(),
  hasPassword: z.boolean().describe("Otherwise changing the password asks for no current one"),
});
export type SignedInUser = z.output<typeof SignedInUser>;

export const Bootstrap = z.object({
  mode: z.enum(["hosted", "local"]).describe("`local`: the inspector on the person's own machine"),
  version: z.string(),
  setupNeeded: z.boolean().describe("No account exists yet; the setup page takes the token printed at start"),
  signIn: z.object({
    password: z.boolean(),
    passwordLetters: z.boolean().describe("A forgotten password can be replaced through a letter"),
    oidc: z.array(z.object({ id: z.string(), label: z.string() })),
    sampleEmail: z
      .string()
      .nullable()
      .describe("Account of the sample workspace, which is opened by sign-in links alone"),
  }),
  user: SignedInUser.nullable(),
  organizations: z.array(
    z.object({ id: z.string(), name: z.string(), role: OrganizationRoleName, updatedAt: Timestamp }),
  ),
});
export type Bootstrap = z.output<typeof Bootstrap>;

/** Why a sign-in at an OpenID provider ended without a session: the word in `?error=` of the page it leads to. */
export const signInRefusals = [
  "sign_in_expired",
  "sign_in_failed",
  "provider_refused",
  "provider_failed",
  "identity_taken",
  "email_not_verified",
  "email_invalid",
  "account_exists",
  "not_invited",
  "setup_needed",
  "setup_done",
  "setup_token_wrong",
] as const;
export type SignInRefusal = (typeof signInRefusals)[number];

/** Answer of every way to become signed in; the session itself travels in the cookie. */
export const SignedIn = z.object({ user: SignedInUser });
export type SignedIn = z.output<typeof SignedIn>;

/** A browser or a command line that is signed in as this person. */
export const Device = z.object({
  id: z.string(),
  kind: z.enum(["browser", "cli"]),
  name: z.string().nullable(),
  current: z.boolean(),
  ipAddress: z.string().nullable(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
});
export type Device = z.output<typeof Device>;

/** A command line waiting for this person's approval. */
export const CliAuthorization = z.object({
  id: z.string(),
  deviceName: z.string().nullable(),
  redirectUri: z.string().describe("Loopback address the browser is sent back to"),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type CliAuthorization = z.output<typeof CliAuthorization>;
