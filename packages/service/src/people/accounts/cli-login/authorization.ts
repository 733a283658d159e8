/** @module The first half of a command line's login: it asks, a person answers in the browser, and a code goes back to it. */

import { type ApiError, limits, type UserId } from "@fettle/contract/core";
import type { CliAuthorization } from "@fettle/contract/people";
import { z } from "zod";
import type { App } from "../../../core/app.ts";
import { newId } from "../../../core/id.ts";
import { missing } from "../../../core/routing/not-found.ts";
import { mintToken } from "../tokens.ts";
import { answerRedirect, isLoopbackRedirect } from "./redirect-uri.ts";
import * as store from "./store.ts";

/** The only client there is: our own command line. It has no secret, which is what PKCE is for. */
export const cliClientId = "fettle-cli";

const { cliRequestMs, cliCodeMs, cliSessionMs, cliState } = limits.accounts;

const Asked = z.object({
  // Absent, it can only mean the one there is; sent without a value, it counts as absent (RFC 6749, 3.1).
  response_type: z.enum(["code", ""]).default("code"),
  code_challenge_method: z.literal("S256"),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  state: z.string().min(cliState.min).max(cliState.max),
});

/** Control and direction characters could draw over what the page says about the device. */
const DeviceName = z
  .string()
  .trim()
  .min(1)
  .max(limits.accounts.deviceNameLength)
  .regex(/^\P{C}+$/u);

export type Begun =
  | { kind: "asked"; id: string }
  /** The client is sent back with an error, which it can show in the terminal. */
  | { kind: "refused"; redirectUrl: string }
  /** No safe place to send the browser to: the person is told on the spot. */
  | { kind: "invalid"; message: string };

/** Takes an authorization request (RFC 6749, 4.1.1, with RFC 7636). */
export async function beginAuthorization(
  app: App,
  query: Record<string, unknown>,
  issuer: string,
): Promise<Begun> {
  // Absent, it can only mean the one there is.
  if ((query.client_id ?? cliClientId) !== cliClientId)
    return { kind: "invalid", message: "The client_id is unknown." };
  const redirectUri = query.redirect_uri;
  if (typeof redirectUri !== "string" || !isLoopbackRedirect(redirectUri)) {
    return { kind: "invalid", message: "The redirect_uri must be like http://127.0.0.1:49152/callback." };
  }
  const asked = Asked.safeParse(query);
  if (!asked.success) {
    const names = asked.error.issues.map((issue) => issue.path.join("."));
    const answer = {
      error: "invalid_request",
      error_description: `Missing or malformed: ${names.join(", ")}.`,
      ...(typeof query.state === "string" && { state: query.state.slice(0, cliState.max) }),
      iss: issuer,
    };
    return { kind: "refused", redirectUrl: answerRedirect(redirectUri, answer) };
  }
  const id = newId("cliAuthorization", app.now());
  const now = new Date(app.now());
  await store.insertAuthorization(app.db, {
    id,
    deviceName: DeviceName.safeParse(query.device_name).data ?? null,
    redirectUri,
    state: asked.data.state,
    codeChallenge: asked.data.code_challenge,
    createdAt: now,
    expiresAt: new Date(app.now() + cliRequestMs),
  });
  return { kind: "asked", id };
}

export async function readAuthorization(app: App, id: string): Promise<CliAuthorization> {
  const row = await store.findAuthorization(app.db, id, new Date(app.now()));
  if (!row) throw notWaiting();
  const { deviceName, redirectUri, createdAt, expiresAt } = row;
  return { id, deviceName, redirectUri, createdAt: createdAt.getTime(), expiresAt: expiresAt.getTime() };
}

/** Makes the session and its code; the code is worth nothing without the verifier that never left the command line. */
export async function approveAuthorization(
  app: App,
  userId: UserId,
  id: string,
  issuer: string,
): Promise<{ redirectUrl: string }> {
  const { token: code, hash } = mintToken("cliCode");
  const now = new Date(app.now());
  const asked = await app.db.transaction(async (tx) => {
    const row = await store.takeAuthorization(tx, id, now);
    if (!row) throw notWaiting();
    await store.insertSession(tx, {
      id: newId("cliSession", app.now()),
      userId,
      deviceName: row.deviceName,
      redirectUri: row.redirectUri,
      codeChallenge: row.codeChallenge,
      codeHash: hash,
      codeExpiresAt: new Date(app.now() + cliCodeMs),
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(app.now() + cliSessionMs),
    });
    return row;
  });
  const answer = { code: code.reveal(), state: asked.state, iss: issuer };
  return { redirectUrl: answerRedirect(asked.redirectUri, answer) };
}

export async function denyAuthorization(
  app: App,
  id: string,
  issuer: string,
): Promise<{ redirectUrl: string }> {
  const asked = await store.takeAuthorization(app.db, id, new Date(app.now()));
  if (!asked) throw notWaiting();
  const answer = { error: "access_denied", state: asked.state, iss: issuer };
  return { redirectUrl: answerRedirect(asked.redirectUri, answer) };
}

function notWaiting(): ApiError {
  return missing("This request was answered already or has expired.", "Run `fettle cloud login` again.");
}
