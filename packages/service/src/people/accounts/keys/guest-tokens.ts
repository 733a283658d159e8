/** @module Guest tokens: anonymous bearers for the few reads that guests may do. They never become a person. */
import { limits } from "@fettle/contract/core";
import type { App } from "../../../core/app.ts";
import { newId } from "../../../core/id.ts";
import { requireToken } from "../../../core/limits/limits.ts";
import { networkOf } from "../../../core/limits/network.ts";
import { mintToken } from "../tokens.ts";
import * as store from "./store.ts";

export async function mintGuestToken(app: App, ip: string): Promise<{ token: string; expiresAt: number }> {
  await requireToken(app.pool, "guestMint", networkOf(ip));
  const { token, hash } = mintToken("guest");
  const now = new Date(app.now());
  const expiresAt = new Date(app.now() + limits.accounts.guestTokenMs);
  await store.insertGuestToken(app.db, {
    id: newId("guest", app.now()),
    tokenHash: hash,
    createdAt: now,
    expiresAt,
  });
  return { token: token.reveal(), expiresAt: expiresAt.getTime() };
}
