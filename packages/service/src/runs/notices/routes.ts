/** @module Binds the operations on webhooks and letters; no rules here. */
import type { WebhookId } from "@fettle/contract/core";
import { type Bindings, bindResource, type InProject } from "../../core/routing/bind.ts";
import { listAuditLog } from "../../people/audit/audit.ts";
import { findLetters, findWebhook, saveLetters } from "./store.ts";
import * as webhooks from "./webhooks.ts";

const theWebhook = ({ app, project, params }: InProject<{ webhookId: WebhookId }>) =>
  findWebhook(app.db, project.id, params.webhookId);

export const noticeBindings = {
  listAuditLog: ({ app, organization, query }) => listAuditLog(app, organization.id, query),
  listWebhooks: ({ app, project }) => webhooks.listWebhooks(app, project.id),
  createWebhook: ({ app, db, caller, project, body }) =>
    webhooks.createWebhook(app, db, { projectId: project.id, userId: caller.userId }, body),
  getWebhook: bindResource(theWebhook, (_, row) => webhooks.toWebhook(row)),
  updateWebhook: bindResource(theWebhook, ({ app, body }, row) => webhooks.updateWebhook(app, row, body)),
  deleteWebhook: bindResource(theWebhook, ({ app, query }, row) =>
    webhooks.deleteWebhook(app, row, query.expectedUpdatedAt),
  ),
  rotateWebhookSecret: bindResource(theWebhook, ({ app }, row) => webhooks.rotateSecret(app, row)),
  testWebhook: bindResource(theWebhook, ({ app }, row) => webhooks.sendTest(app, row)),
  listWebhookDeliveries: bindResource(theWebhook, ({ app, query }, row) =>
    webhooks.listDeliveries(app, row, query),
  ),
  redeliverWebhook: bindResource(theWebhook, ({ app, params }, row) =>
    webhooks.redeliver(app, row, params.deliveryId),
  ),
  getNoticeLetters: async ({ app, caller, project }) => ({
    available: app.config.mail !== undefined,
    events: await findLetters(app.db, project.id, caller.userId),
  }),
  updateNoticeLetters: async ({ app, db, caller, project, body }) => {
    const events = [...new Set(body.events)];
    await saveLetters(db, project.id, caller.userId, events);
    return { available: app.config.mail !== undefined, events };
  },
} satisfies Partial<Bindings>;
