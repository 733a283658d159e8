/** @module The rules of webhooks: where they may lead, when their secret is shown, and how one is switched on again. */

import { isIP } from "node:net";
import {
  ApiError,
  type ExpectedUpdatedAt,
  type ProjectId,
  type UserId,
  type WebhookDeliveryId,
} from "@fettle/contract/core";
import {
  noticeLimits,
  type Webhook,
  type WebhookCreateRequest,
  type WebhookDelivery,
  type WebhookDeliveryQuery,
  type WebhookUpdateRequest,
  type WebhookWithSecret,
} from "@fettle/contract/notices";
import { bareHost, checkDestination, checkUrl, isMcpError } from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { networkPolicy } from "../../core/network-policy.ts";
import { nextUpdate, requireAsRead } from "../../core/routing/as-read.ts";
import { missing } from "../../core/routing/not-found.ts";
import { cutPage, readCursor } from "../../core/routing/page.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { bodyOf, deliverJob } from "./deliver.ts";
import { openReceiver, type Receiver, sealReceiver, shownAddress, withNewSecret } from "./receiver.ts";
import { newSigningSecret } from "./signature.ts";
import * as store from "./store.ts";
import { tellTest } from "./tell.ts";

export async function listWebhooks(app: App, projectId: ProjectId): Promise<{ items: Webhook[] }> {
  return { items: (await store.listWebhooks(app.db, projectId)).map(toWebhook) };
}

export async function createWebhook(
  app: App,
  db: Querier,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
  { name, url, events }: WebhookCreateRequest,
): Promise<WebhookWithSecret> {
  const id = newId("webhook", app.now());
  const now = new Date(app.now());
  const receiver = { url: requireReachable(app, url), secret: newSigningSecret().reveal() };
  return inTransaction(db, async (tx) => {
    if ((await store.countLocked(tx, projectId)) >= noticeLimits.webhooks) {
      throw new ApiError("CONFLICT", `A project has at most ${noticeLimits.webhooks} webhooks.`, {
        code: "TOO_MANY_WEBHOOKS",
        hint: "Delete one that nobody listens to any more.",
      });
    }
    await store.insertWebhook(tx, {
      id,
      projectId,
      name,
      ...kept(app, id, receiver),
      events,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    return { ...(await changed(app, tx, { id, projectId })), secret: receiver.secret };
  });
}

const sharedWebhook = { what: "The webhook", code: "WEBHOOK_CHANGED" };

export async function updateWebhook(
  app: App,
  row: store.WebhookRow,
  { url, enabled, expectedUpdatedAt, ...rest }: WebhookUpdateRequest,
): Promise<Webhook> {
  const { id } = row;
  const receiver = openReceiver(app.vault, row);
  return app.db.transaction(async (tx) => {
    const before = stillThere(await store.lockWebhook(tx, id));
    await store.updateWebhook(tx, id, {
      ...rest,
      ...(url !== undefined && kept(app, id, { ...receiver, url: requireReachable(app, url) })),
      ...(enabled !== undefined && { enabled }),
      // Whoever switches it on begins anew.
      ...(enabled === true && { failingSince: null, switchedOffAt: null, switchedOffReason: null }),
      updatedAt: nextUpdate(app, before, expectedUpdatedAt, sharedWebhook),
    });
    if (enabled === false) await store.giveUpWaiting(tx, id, "The webhook was switched off.");
    return changed(app, tx, row);
  });
}

export async function deleteWebhook(
  app: App,
  { id, projectId }: store.WebhookRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
) {
  await app.db.transaction(async (tx) => {
    requireAsRead(await store.lockWebhook(tx, id), expectedUpdatedAt, sharedWebhook);
    await store.deleteWebhook(tx, id);
    await announceInProject(app, tx, projectId, "webhooks");
  });
  return { id, projectId, deleted: true as const };
}

export async function rotateSecret(app: App, row: store.WebhookRow): Promise<WebhookWithSecret> {
  const receiver = withNewSecret(openReceiver(app.vault, row), app.now());
  return app.db.transaction(async (tx) => {
    const before = stillThere(await store.lockWebhook(tx, row.id));
    const updatedAt = nextUpdate(app, before, undefined, sharedWebhook);
    await store.updateWebhook(tx, row.id, { ...kept(app, row.id, receiver), updatedAt });
    return { ...(await changed(app, tx, row)), secret: receiver.secret };
  });
}

export async function sendTest(app: App, row: store.WebhookRow): Promise<WebhookDelivery> {
  requireOn(row);
  return app.db.transaction(async (tx) => {
    const made = await tellTest(app, tx, row);
    await announceInProject(app, tx, row.projectId, "webhooks");
    return toDelivery(made);
  });
}

/** From the first try on; the receiver knows by the id that it is the same event. */
export async function redeliver(
  app: App,
  row: store.WebhookRow,
  deliveryId: WebhookDeliveryId,
): Promise<WebhookDelivery> {
  requireOn(row);
  return app.db.transaction(async (tx) => {
    const held = await store.lockDelivery(tx, deliveryId);
    if (held?.webhookId !== row.id) {
      throw missing(
        "There is no such delivery of this webhook.",
        `What was told is kept for ${noticeLimits.keptDays} days.`,
      );
    }
    const job = await app.jobs.enqueue(deliverJob, { deliveryId }, { inTransaction: tx });
    const nextAttemptAt = new Date(app.now());
    await store.updateDelivery(tx, deliveryId, {
      state: "waiting",
      attempts: 0,
      jobId: job.id,
      nextAttemptAt,
    });
    await announceInProject(app, tx, row.projectId, "webhooks");
    return toDelivery(stillThere(await store.findDelivery(tx, deliveryId)));
  });
}

export async function listDeliveries(
  app: App,
  row: store.WebhookRow,
  { state, cursor, limit }: WebhookDeliveryQuery,
): Promise<{ items: WebhookDelivery[]; nextCursor?: string }> {
  // Ids are in the order of time.
  const before = cursor === undefined ? undefined : readCursor(cursor, ["id"])[0];
  const found = await store.listDeliveries(app.db, row.id, { state, before, limit: limit + 1 });
  const { shown, next } = cutPage(found, limit, (last) => last.delivery.id);
  return { items: shown.map(toDelivery), ...next };
}

function requireOn({ enabled }: store.WebhookRow): void {
  if (enabled) return;
  throw new ApiError("CONFLICT", "The webhook is switched off.", {
    code: "WEBHOOK_OFF",
    hint: "Switch it on first.",
  });
}

/** A name is looked up, and its address checked, whenever something is sent there. */
function requireReachable(app: App, address: string): string {
  if (address.includes("***")) {
    throw new ApiError("VALIDATION_ERROR", "The address is one that was shown masked: send all of it.", {
      path: "body.url",
      code: "MASKED_ADDRESS",
    });
  }
  try {
    const url = checkUrl(address);
    const host = bareHost(url.hostname);
    if (isIP(host)) checkDestination(networkPolicy(app), { host, address: host });
    return url.href;
  } catch (error) {
    if (!isMcpError(error)) throw error;
    const { message, code, hint } = error;
    throw new ApiError("VALIDATION_ERROR", message, { path: "body.url", code, ...(hint && { hint }) });
  }
}

function kept(app: App, id: store.WebhookRow["id"], receiver: Receiver) {
  return { shownUrl: shownAddress(receiver.url), sealed: sealReceiver(app.vault, id, receiver) };
}

async function changed(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<store.WebhookRow, "id" | "projectId">,
): Promise<Webhook> {
  await announceInProject(app, tx, projectId, "webhooks");
  // Nobody else can have removed it within this transaction.
  return toWebhook(stillThere(await store.findWebhook(tx, projectId, id)));
}

export function toWebhook(row: store.WebhookRow): Webhook {
  const { id, projectId, name, shownUrl: url, events, enabled, switchedOffReason } = row;
  return {
    id,
    projectId,
    name,
    url,
    events,
    enabled,
    failingSince: row.failingSince?.getTime() ?? null,
    switchedOffAt: row.switchedOffAt?.getTime() ?? null,
    switchedOffReason,
    createdBy: row.createdBy === null ? null : { userId: row.createdBy, name: row.createdByName ?? "" },
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

function toDelivery({ delivery, notice }: store.WholeDelivery): WebhookDelivery {
  const { id, webhookId, state, attempts, status, answer, error, durationMs } = delivery;
  return {
    id,
    webhookId,
    eventId: notice.id,
    event: notice.type,
    state,
    attempts,
    payload: JSON.parse(bodyOf(notice)),
    status,
    answer,
    error,
    durationMs,
    createdAt: delivery.createdAt.getTime(),
    lastAttemptAt: delivery.lastAttemptAt?.getTime() ?? null,
    nextAttemptAt: delivery.nextAttemptAt?.getTime() ?? null,
  };
}
