/** @module A person's own account: profile, password, signed-in devices, command lines that ask to sign in, live events. */
import { z } from "zod";
import { largestCount } from "../../../core/largest-count.ts";
import { limits } from "../../../core/limits/limits.ts";
import { access, operation } from "../../../core/operation.ts";
import { page } from "../../../core/page.ts";
import { CliAuthorization, Device, NewPassword, PersonName, SignedInUser } from "../../session.ts";

const tag = "App account";
const surface = "app";

export const updateProfile = operation({
  id: "updateProfile",
  tag,
  surface,
  method: "PATCH",
  path: "/account",
  access: access.any,
  summary: "Change one's own name",
  built: true,
  body: z.strictObject({ name: PersonName }),
  output: SignedInUser,
  errors: ["VALIDATION_ERROR"],
});

export const changePassword = operation({
  id: "changePassword",
  tag,
  surface,
  method: "POST",
  path: "/account/password",
  access: access.any,
  elevated: "the current password, when there is one",
  summary: "Set or change one's own password and end every other session",
  built: true,
  narrows: true,
  body: z.strictObject({
    currentPassword: z
      .string()
      .min(1)
      .max(limits.accounts.passwordLength.max)
      .optional()
      .describe("Left out by someone who has only ever signed in by a link or a provider"),
    newPassword: NewPassword,
  }),
  output: z.object({ changed: z.literal(true), endedSessions: z.int() }),
  errors: ["VALIDATION_ERROR"],
});

export const listDevices = operation({
  id: "listDevices",
  tag,
  surface,
  method: "GET",
  path: "/account/devices",
  access: access.any,
  summary: "Browsers and command lines signed in as the caller",
  built: true,
  output: page(Device),
});

export const revokeDevice = operation({
  id: "revokeDevice",
  tag,
  surface,
  method: "DELETE",
  path: "/account/devices/{deviceId}",
  access: access.owner,
  summary: "Sign one device out",
  built: true,
  narrows: true,
  output: z.object({ id: z.string(), revoked: z.literal(true) }),
});

export const getCliAuthorization = operation({
  id: "getCliAuthorization",
  tag,
  surface,
  method: "GET",
  path: "/cli/authorizations/{authorizationId}",
  access: access.any,
  elevated: "the single-use id itself, while it waits",
  summary: "The command line that asks to sign in",
  built: true,
  output: CliAuthorization,
});

export const approveCliAuthorization = operation({
  id: "approveCliAuthorization",
  tag,
  surface,
  method: "POST",
  path: "/cli/authorizations/{authorizationId}/approve",
  access: access.any,
  elevated: "the single-use id itself, while it waits",
  summary: "Let the command line act as the caller",
  built: true,
  output: z.object({ redirectUrl: z.string() }),
  errors: ["CONFLICT"],
});

export const denyCliAuthorization = operation({
  id: "denyCliAuthorization",
  tag,
  surface,
  method: "POST",
  path: "/cli/authorizations/{authorizationId}/deny",
  access: access.any,
  elevated: "the single-use id itself, while it waits",
  summary: "Turn the command line away",
  built: true,
  output: z.object({ redirectUrl: z.string() }),
  errors: ["CONFLICT"],
});

export const streamEvents = operation({
  id: "streamEvents",
  tag,
  surface,
  method: "GET",
  path: "/events",
  access: access.any,
  elevated: "each topic is checked when subscribed and again when access changes",
  summary: "Live events of the topics asked for, as server-sent events",
  built: true,
  raw: true,
  query: z.strictObject({
    topics: z
      .string()
      .min(1)
      .max(limits.streams.topicsLength)
      .describe("Comma-separated, such as `project:ID`"),
    openForMs: z.coerce
      .number()
      .int()
      .min(0)
      .max(largestCount)
      .optional()
      .describe("For how long the page has been reading: it is told what happened meanwhile, too"),
  }),
});
