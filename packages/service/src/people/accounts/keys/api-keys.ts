/** @module API keys: they act as the person who made them, in one organization, are shown once and die the moment they are revoked. */

import {
  ApiError,
  type ApiKeyId,
  holdsOrganizationRole,
  type OrganizationId,
  type OrganizationRole,
  type UserId,
} from "@fettle/contract/core";
import type { ApiKey, ApiKeyCreated } from "@fettle/contract/people";
import type { App } from "../../../core/app.ts";
import { oneRow } from "../../../core/db/one-row.ts";
import { newId } from "../../../core/id.ts";
import { notFound } from "../../../core/routing/not-found.ts";
import { announce } from "../announce.ts";
import { findRole, lockMembership } from "../organizations/store.ts";
import { type Minted, mintToken, tokenPrefixes } from "../tokens.ts";
import * as store from "./store.ts";

const day = 24 * 60 * 60 * 1000;

/** Whoever asks, as the access check proved them. */
interface Asking {
  organizationId: OrganizationId;
  userId: UserId;
  role: OrganizationRole;
}

function toApiKey(organizationId: OrganizationId, row: store.KeyRow): ApiKey {
  return {
    id: row.id,
    organizationId,
    name: row.name,
    redacted: `${tokenPrefixes.apiKey}…${row.lastFour}`,
    createdBy: { userId: row.userId, name: row.userName, email: row.userEmail },
    createdAt: row.createdAt.getTime(),
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    expiresAt: row.expiresAt?.getTime() ?? null,
    revokedAt: row.revokedAt?.getTime() ?? null,
  };
}

/** Admins see every key of the organization, others their own. */
export async function listApiKeys(app: App, asking: Asking): Promise<{ items: ApiKey[] }> {
  const { organizationId, userId, role } = asking;
  const only = holdsOrganizationRole(role, "admin") ? {} : { userId };
  const rows = await store.listKeys(app.db, organizationId, only);
  return { items: rows.map((row) => toApiKey(organizationId, row)) };
}

export async function createApiKey(
  app: App,
  asking: Pick<Asking, "organizationId" | "userId">,
  wanted: { name: string; expiresInDays?: number | null | undefined },
  /** Makes the key of the id that it is going to have. */
  mint: (keyId: ApiKeyId) => Minted = () => mintToken("apiKey"),
): Promise<ApiKeyCreated> {
  const { organizationId, userId } = asking;
  const id = newId("apiKey", app.now());
  const { token, hash } = mint(id);
  const { expiresInDays } = wanted;
  const rows = await app.db.transaction(async (tx) => {
    // Removing a member revokes their keys; without the lock one made at the same moment would be missed.
    await lockMembership(tx, organizationId);
    const role = await findRole(tx, organizationId, userId);
    if (!role) throw notFound("organization");
    if (!holdsOrganizationRole(role, "member")) {
      throw new ApiError("FORBIDDEN", "Guests of an organization cannot make keys.", { needed: "member" });
    }
    await store.insertKey(tx, {
      id,
      organizationId,
      userId,
      name: wanted.name,
      keyHash: hash,
      lastFour: token.reveal().slice(-4),
      createdAt: new Date(app.now()),
      expiresAt: expiresInDays ? new Date(app.now() + expiresInDays * day) : null,
    });
    await announce(app, tx, `organization:${organizationId}`);
    return store.listKeys(tx, organizationId, { keyId: id });
  });
  return { ...toApiKey(organizationId, oneRow(rows)), key: token.reveal() };
}

/** One's own, or anybody's for an admin. Somebody else's reads as missing to a member, who cannot see it in the list either. */
export async function revokeApiKey(app: App, asking: Asking, keyId: ApiKeyId): Promise<void> {
  const { items } = await listApiKeys(app, asking);
  if (!items.some((key) => key.id === keyId)) throw notFound("apiKey");
  await app.db.transaction(async (tx) => {
    await store.revokeKey(tx, keyId, new Date(app.now()));
    await announce(app, tx, `organization:${asking.organizationId}`);
  });
}
