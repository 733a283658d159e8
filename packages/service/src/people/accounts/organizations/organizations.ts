/** @module Organizations as their people see them. */
import type { ExpectedUpdatedAt, OrganizationId, UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { Organization } from "@fettle/contract/people";
import type { App } from "../../../core/app.ts";
import { newId } from "../../../core/id.ts";
import { nextUpdate } from "../../../core/routing/as-read.ts";
import { announce } from "../announce.ts";
import * as store from "./store.ts";

/** A key sees the organization it was made in and no other. */
export async function listOrganizations(
  app: App,
  userId: UserId,
  onlyId?: OrganizationId,
): Promise<{ items: Organization[] }> {
  const rows = await store.listOrganizations(app.db, userId, onlyId);
  return {
    items: rows.map(({ role, createdBy, createdAt, updatedAt: _, ...row }) => ({
      ...row,
      myRole: role,
      isCreator: createdBy === userId,
      createdAt: createdAt.getTime(),
    })),
  };
}

async function readOrganization(
  app: App,
  userId: UserId,
  organizationId: OrganizationId,
): Promise<Organization> {
  const { items } = await listOrganizations(app, userId, organizationId);
  return must(items[0], "an organization that the caller was found in");
}

/** Whoever makes an organization owns it. */
export async function createOrganization(app: App, userId: UserId, name: string): Promise<Organization> {
  const id = newId("organization", app.now());
  await app.db.transaction(async (tx) => {
    await store.insertOrganization(tx, { id, name, ownerId: userId, at: new Date(app.now()) });
    await announce(app, tx, `account:${userId}`);
  });
  return readOrganization(app, userId, id);
}

export async function renameOrganization(
  app: App,
  userId: UserId,
  organizationId: OrganizationId,
  { name, expectedUpdatedAt }: { name: string; expectedUpdatedAt?: ExpectedUpdatedAt | undefined },
): Promise<Organization> {
  await app.db.transaction(async (tx) => {
    const before = await store.lockOrganization(tx, organizationId);
    const at = nextUpdate(app, before, expectedUpdatedAt, {
      what: "The organization",
      code: "ORGANIZATION_CHANGED",
    });
    await store.renameOrganization(tx, organizationId, name, at);
    await announce(app, tx, `organization:${organizationId}`);
  });
  return readOrganization(app, userId, organizationId);
}
