/**
 * @module Browsers that somebody has signed in with before. Such a browser has tries of its own, so that strangers who use up an
 * account's tries do not keep its owner out. It is worth nothing else: without the password it opens nothing.
 */
import type { IncomingHttpHeaders } from "node:http";
import { type DeviceId, limits, type UserId } from "@fettle/contract/core";
import type { App } from "../../../core/app.ts";
import type { Transaction } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { hashToken, mintToken, recogniseToken } from "../tokens.ts";
import { makeCookie, readCookie } from "./cookies.ts";
import * as store from "./store.ts";

const lifetime = limits.accounts.rememberedDeviceMs;

type Headers = Pick<IncomingHttpHeaders, "cookie">;

function heldHash(app: App, headers: Headers): string | undefined {
  const token = readCookie(app.config, "device", headers);
  return token && recogniseToken(token) === "device" ? hashToken(token) : undefined;
}

/**
 * Remembers the browser for this person, and returns the cookie to set. Everyone it was remembered for moves to the new token:
 * one that was planted before the sign-in, or copied, is worth nothing after it.
 */
export async function rememberDevice(
  app: App,
  tx: Transaction,
  userId: UserId,
  headers: Headers,
): Promise<{ deviceId: DeviceId; cookie: string }> {
  const { token, hash } = mintToken("device");
  const held = heldHash(app, headers);
  if (held) await store.renewDeviceToken(tx, held, hash);
  const deviceId = await store.saveDevice(tx, {
    id: newId("device", app.now()),
    userId,
    tokenHash: hash,
    expiresAt: new Date(app.now() + lifetime),
  });
  return { deviceId, cookie: makeCookie(app.config, "device", token, lifetime / 1000) };
}

/** The remembered browser this is, if this person has signed in with it. Asks the database whether or not the address has an account. */
export async function findDevice(app: App, email: string, headers: Headers): Promise<DeviceId | undefined> {
  return store.findDevice(app.db, heldHash(app, headers) ?? "", email, new Date(app.now()));
}
