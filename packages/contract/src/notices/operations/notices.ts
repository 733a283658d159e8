/** @module Operations of the Notices tag: who is told what happens in a project, and what became of telling it. */
import { access, operation } from "../../core/operation.ts";
import { page } from "../../core/page.ts";
import { AsLastRead } from "../../core/timestamp.ts";
import { AuditPage, AuditQuery } from "../audit.ts";
import {
  NoticeLetters,
  NoticeLettersUpdateRequest,
  Webhook,
  WebhookCreateRequest,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookUpdateRequest,
  WebhookWithSecret,
} from "../webhook.ts";

const tag = "Notices";
const webhooks = "/projects/{projectId}/webhooks";
const letters = "/projects/{projectId}/notice-letters";

export const listWebhooks = operation({
  id: "listWebhooks",
  tag,
  method: "GET",
  path: webhooks,
  access: access.project.admin,
  summary: "List the webhooks of a project",
  description: "Lists the webhooks of a project with whether their deliveries arrive.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks",
  output: page(Webhook),
});

export const createWebhook = operation({
  id: "createWebhook",
  tag,
  method: "POST",
  path: webhooks,
  access: access.project.admin,
  summary: "Tell an address what happens in a project; its secret is shown once",
  description:
    "Sends the named events of a project to an address, signed. `secret` is answered this once; store it to verify signatures.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks create",
  status: 201,
  idempotent: true,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: WebhookCreateRequest,
  output: WebhookWithSecret,
});

export const getWebhook = operation({
  id: "getWebhook",
  tag,
  method: "GET",
  path: `${webhooks}/{webhookId}`,
  access: access.project.admin,
  summary: "Read one webhook",
  description: "Reads one webhook. The secret is not answered again.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks get",
  output: Webhook,
});

export const updateWebhook = operation({
  id: "updateWebhook",
  tag,
  method: "PATCH",
  path: `${webhooks}/{webhookId}`,
  access: access.project.admin,
  summary: "Change a webhook, or switch it on or off",
  description: "Changes a webhook, or switches it off and on.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks update",
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  body: WebhookUpdateRequest,
  output: Webhook,
});

export const deleteWebhook = operation({
  id: "deleteWebhook",
  tag,
  method: "DELETE",
  path: `${webhooks}/{webhookId}`,
  access: access.project.admin,
  summary: "Delete a webhook with its deliveries",
  description: "Deletes a webhook with its deliveries.",
  built: true,
  query: AsLastRead,
  errors: ["VALIDATION_ERROR", "CONFLICT"],
  cli: "fettle cloud projects webhooks delete",
  output: WebhookDeleted,
});

export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  tag,
  method: "POST",
  path: `${webhooks}/{webhookId}/secret`,
  access: access.project.admin,
  summary: "Give a webhook a new secret; for a day both sign",
  description:
    "Replaces the signing secret and answers the new one this once. The old one is not used any more.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks rotate-secret",
  output: WebhookWithSecret,
});

export const testWebhook = operation({
  id: "testWebhook",
  tag,
  method: "POST",
  path: `${webhooks}/{webhookId}/test`,
  access: access.project.admin,
  summary: "Send a test event to a webhook",
  description: "Sends a test event to the webhook's address.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks test",
  status: 202,
  errors: ["CONFLICT"],
  output: WebhookDelivery,
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  tag,
  method: "GET",
  path: `${webhooks}/{webhookId}/deliveries`,
  access: access.project.admin,
  summary: "List what was sent to a webhook and what it answered, the latest first",
  description: "Lists what was sent to a webhook, newest first, with the receiver's answer to each try.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks deliveries",
  errors: ["VALIDATION_ERROR"],
  query: WebhookDeliveryQuery,
  output: WebhookDeliveryPage,
});

export const redeliverWebhook = operation({
  id: "redeliverWebhook",
  tag,
  method: "POST",
  path: `${webhooks}/{webhookId}/deliveries/{deliveryId}/redeliver`,
  access: access.project.admin,
  summary: "Send an event to a webhook again, under the same id",
  description: "Sends an event again as a new delivery.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects webhooks redeliver",
  status: 202,
  errors: ["CONFLICT"],
  output: WebhookDelivery,
});

export const listAuditLog = operation({
  id: "listAuditLog",
  tag,
  method: "GET",
  path: "/organizations/{organizationId}/audit-log",
  access: access.organization.owner,
  summary: "Who did what in an organization, when and from where, the latest first",
  description:
    "Lists who did what in an organization, newest first. Filter by action, person, project or time.",
  built: true,
  cli: "fettle cloud organizations audit",
  errors: ["VALIDATION_ERROR"],
  query: AuditQuery,
  output: AuditPage,
});

export const getNoticeLetters = operation({
  id: "getNoticeLetters",
  tag,
  method: "GET",
  path: letters,
  access: access.project.read,
  summary: "What of a project the caller gets letters about",
  description: "Reads about which events the caller gets emails from this project.",
  built: true,
  cli: "fettle cloud projects letters",
  output: NoticeLetters,
});

export const updateNoticeLetters = operation({
  id: "updateNoticeLetters",
  tag,
  method: "PUT",
  path: letters,
  access: access.project.read,
  summary: "Choose what of a project the caller gets letters about",
  description:
    "Chooses about which events the caller gets emails from this project. The list replaces the one from before.",
  effect: "person",
  built: true,
  cli: "fettle cloud projects letters update",
  errors: ["VALIDATION_ERROR"],
  body: NoticeLettersUpdateRequest,
  output: NoticeLetters,
});
