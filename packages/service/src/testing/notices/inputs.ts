/** @module What a test sends to the operations on webhooks and letters. */
import { lt } from "drizzle-orm";
import type { App } from "../../app.ts";
import { findWebhook } from "../../notices/store.ts";
import { createWebhook, sendTest } from "../../notices/webhooks.ts";
import { webhooks } from "../../tables/notices.ts";
import type { OperationInput } from "../operation-inputs.ts";
import type { World } from "../world.ts";

/** Nothing listens on the discard port. */
const receiver = () => ({
  name: "CI",
  url: "http://127.0.0.1:9/hook",
  events: ["verdict.turned" as const],
});

const forgottenMs = 30_000;

const webhook = async ({ projectId, people }: World, app: App) => {
  // A project has room for so many, and every caller brings one.
  await app.db.delete(webhooks).where(lt(webhooks.createdAt, new Date(app.now() - forgottenMs)));
  const { id } = await createWebhook(app, { projectId, userId: people.owner.userId }, receiver());
  // Made a moment ago.
  return { webhookId: id as NonNullable<Awaited<ReturnType<typeof findWebhook>>>["id"] };
};

const delivery = async (world: World, app: App) => {
  const { webhookId } = await webhook(world, app);
  const row = await findWebhook(app.db, world.projectId, webhookId);
  const { id } = await sendTest(app, row!);
  return { webhookId, deliveryId: id };
};

export const noticeInputs = {
  listWebhooks: {},
  createWebhook: { body: receiver },
  getWebhook: { params: webhook },
  updateWebhook: { params: webhook, body: () => ({ enabled: false }) },
  deleteWebhook: { params: webhook },
  rotateWebhookSecret: { params: webhook },
  testWebhook: { params: webhook },
  listWebhookDeliveries: { params: webhook },
  redeliverWebhook: { params: delivery },
  listAuditLog: {},
  getNoticeLetters: {},
  updateNoticeLetters: { body: () => ({ events: ["tunnel.dropped"] }) },
} satisfies Record<string, OperationInput>;
