/** @module What a test sends to the operations on webhooks and letters. */
import { idOf } from "@fettle/contract/core";
import type { App } from "../../core/app.ts";
import { findWebhook } from "../../runs/notices/store.ts";
import { createWebhook, sendTest } from "../../runs/notices/webhooks.ts";
import type { OperationInput } from "../operation-inputs.ts";
import type { World } from "../world.ts";

/** Nothing listens on the discard port. */
const receiver = () => ({
  name: "CI",
  url: "http://127.0.0.1:9/hook",
  events: ["verdict.turned" as const],
});

const newWebhook = async ({ projectId, people }: World, app: App) => {
  const { id } = await createWebhook(app, app.db, { projectId, userId: people.owner.userId }, receiver());
  return { webhookId: idOf<"webhook">().parse(id) };
};

/** One for all callers: a project has room for so many. */
const shared = new WeakMap<World, ReturnType<typeof newWebhook>>();
const webhook = (world: World, app: App) => {
  const made = shared.get(world) ?? newWebhook(world, app);
  shared.set(world, made);
  return made;
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
  updateWebhook: { params: webhook, body: () => ({ name: "Alerts" }) },
  deleteWebhook: { params: newWebhook },
  rotateWebhookSecret: { params: webhook },
  testWebhook: { params: webhook },
  listWebhookDeliveries: { params: webhook },
  redeliverWebhook: { params: delivery },
  listAuditLog: {},
  getNoticeLetters: {},
  updateNoticeLetters: { body: () => ({ events: ["tunnel.dropped"] }) },
} satisfies Record<string, OperationInput>;
