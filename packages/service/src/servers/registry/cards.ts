/** @module The cards of organizations: servers that its people may install as they are. */

import { ApiError, type OrganizationId, type UserId } from "@fettle/contract/core";
import { maskUrl, secretsInUrl } from "@fettle/contract/secrets";
import {
  type CardScope,
  type RegistryCard,
  type RegistryCardRequest,
  registryLimits,
} from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { newId } from "../../core/id.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { announce } from "../../people/accounts/announce.ts";
import * as store from "./card-store.ts";

export async function listCards(
  app: App,
  organizationId: OrganizationId,
  scope: CardScope | "all",
): Promise<RegistryCard[]> {
  const rows = await store.listCards(app.db, organizationId);
  return rows.map(toCard).filter((card) => scope === "all" || card.scope === scope);
}

/** What a member proposes waits for an admin; an admin's own word, also on a proposal, is enough. */
export async function saveCard(
  app: App,
  place: { organizationId: OrganizationId; userId: UserId; isAdmin: boolean },
  name: string,
  request: RegistryCardRequest,
): Promise<RegistryCard> {
  const { organizationId, userId, isAdmin } = place;
  requireOpenCard(name, request);
  const now = new Date(app.now());
  return app.db.transaction(async (tx) => {
    await store.lockCards(tx, organizationId);
    const own = (await store.listCards(tx, organizationId)).filter((card) => card.organizationId !== null);
    const before = own.find((card) => card.name === name);
    if (before?.status === "approved" && !isAdmin) {
      throw new ApiError("FORBIDDEN", "This card is approved; an admin of the organization changes it.", {
        code: "CARD_APPROVED",
      });
    }
    if (!before && own.length >= registryLimits.cards) {
      throw new ApiError("CONFLICT", `An organization has at most ${registryLimits.cards} cards.`, {
        code: "TOO_MANY_CARDS",
      });
    }
    const row = await store.saveCard(tx, {
      id: before?.id ?? newId("registryCard", now.getTime()),
      organizationId,
      name,
      ...request,
      displayName: request.displayName ?? null,
      status: isAdmin ? "approved" : "pending",
      createdBy: before?.createdBy ?? userId,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
    });
    await announce(app, tx, `organization:${organizationId}`);
    return toCard(row);
  });
}

/** It is read by everybody in the organization, so it holds no secret; and its name stands in addresses and commands. */
function requireOpenCard(name: string, { url }: RegistryCardRequest): void {
  if (!cardName.test(name)) {
    throw new ApiError("VALIDATION_ERROR", "A card's name has letters, digits, dots, dashes and slashes.", {
      path: "params.cardName",
    });
  }
  if (secretsInUrl(url).length > 0) {
    throw new ApiError("VALIDATION_ERROR", "The address holds what looks like a credential.", {
      path: "body.url",
      hint: "A card is read by the whole organization. Leave credentials out; whoever installs it enters them.",
    });
  }
}

const cardName = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,119}$/;

/** Servers that were installed from it stay. */
export async function removeCard(app: App, organizationId: OrganizationId, name: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    if (!(await store.deleteCard(tx, organizationId, name))) {
      throw notFound("card");
    }
    await announce(app, tx, `organization:${organizationId}`);
  });
}

export function toCard(row: store.CardRow): RegistryCard {
  const { id, name, description, category, tags, publisher, status, useOAuth, oauthScopes } = row;
  return {
    id,
    scope: row.organizationId === null ? "global" : "organization",
    name,
    ...(row.displayName !== null && { displayName: row.displayName }),
    description,
    category,
    tags,
    publisher,
    status,
    updatedAt: row.updatedAt.getTime(),
    transport: {
      transportType: "http",
      url: maskUrl(row.url),
      useOAuth,
      hasOAuthConfig: oauthScopes.length > 0,
      oauthScopes,
    },
  };
}
