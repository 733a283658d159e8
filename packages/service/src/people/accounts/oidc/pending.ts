/** @module What one browser remembers while it is away at the provider: sealed in a cookie, so that only that browser can come back. */
import type { IncomingHttpHeaders } from "node:http";
import { idOf, limits } from "@fettle/contract/core";
import { Secret } from "@fettle/contract/secrets";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import { isHttps } from "../origin.ts";

const lifetimeSeconds = limits.accounts.signInElsewhereMs / 1000;
const name = "fettle_oidc";
const path = "/app/sign-in/oidc";

const Pending = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  invitationToken: z.string().optional(),
  linkingId: idOf<"user">().optional(),
  setup: z
    .object({ token: z.string(), name: z.string(), email: z.string(), organizationName: z.string() })
    .optional(),
  expiresAt: z.number(),
});
export type Pending = z.output<typeof Pending>;

const attributes = (app: App) =>
  `Path=${path}; HttpOnly; SameSite=Lax${isHttps(app.config) ? "; Secure" : ""}`;

export function pendingCookie(app: App, pending: Omit<Pending, "expiresAt">): string {
  const expiresAt = app.now() + lifetimeSeconds * 1000;
  const sealed = app.vault.seal(new Secret(JSON.stringify({ ...pending, expiresAt })), name);
  return `${name}=${sealed}; Max-Age=${lifetimeSeconds}; ${attributes(app)}`;
}

export function endedPendingCookie(app: App): string {
  return `${name}=; Max-Age=0; ${attributes(app)}`;
}

/** Undefined when there is none, or it is not ours, or too old. */
export function readPending(app: App, headers: Pick<IncomingHttpHeaders, "cookie">): Pending | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const sealed = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  if (!sealed) return undefined;
  try {
    const pending = Pending.parse(JSON.parse(app.vault.open(sealed, name).reveal()));
    return pending.expiresAt > app.now() ? pending : undefined;
  } catch {
    return undefined;
  }
}
