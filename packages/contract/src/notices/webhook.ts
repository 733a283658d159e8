/** @module Webhooks: receivers of what happens in a project, and what became of each delivery. */
import { z } from "zod";
import { deletedFields } from "../core/gone.ts";
import { textLimits } from "../core/limits/limits.ts";
import { page, pageQuery } from "../core/page.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../core/timestamp.ts";
import { noticeLimits } from "./limits.ts";
import { deliveryStates, noticeEvents, testNotice } from "./words.ts";

const name = z.string().trim().min(1).max(noticeLimits.nameLength);
const address = z
  .string()
  .max(textLimits.addressLength)
  .describe("An http or https address without a user name; redirects are not followed");
const events = z
  .array(z.enum(noticeEvents))
  .min(1)
  .refine((list) => new Set(list).size === list.length, "An event is named twice.");

const webhook = {
  id: z.string(),
  projectId: z.string(),
  name: z.string(),
  url: z.string().describe("What may be a secret in it is masked"),
  events: z.array(z.enum(noticeEvents)),
  enabled: z.boolean(),
  failingSince: Timestamp.nullable().describe("Since when it has taken nothing; null when all is well"),
  switchedOffAt: Timestamp.nullable().describe("When the service switched it off; null when it did not"),
  switchedOffReason: z.string().nullable(),
  createdBy: z.object({ userId: z.string(), name: z.string() }).nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const Webhook = z.object(webhook).meta({ id: "Webhook" });
export type Webhook = z.output<typeof Webhook>;

export const WebhookWithSecret = z
  .object({
    ...webhook,
    secret: z.string().describe("Signs every delivery (Standard Webhooks, `whsec_…`); shown this once"),
  })
  .meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.output<typeof WebhookWithSecret>;

export const WebhookCreateRequest = z
  .strictObject({ name, url: address, events })
  .meta({ id: "WebhookCreateRequest" });
export type WebhookCreateRequest = z.output<typeof WebhookCreateRequest>;

export const WebhookUpdateRequest = z
  .strictObject({
    name: name.optional(),
    url: address.optional(),
    events: events.optional(),
    enabled: z.boolean().optional().describe("True also begins anew where the service had switched it off"),
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .meta({ id: "WebhookUpdateRequest" });
export type WebhookUpdateRequest = z.output<typeof WebhookUpdateRequest>;

export const WebhookDeleted = z.object(deletedFields);

export const WebhookDelivery = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    eventId: z.string().describe("Sent as `webhook-id`, the same at every try"),
    event: z.enum([...noticeEvents, testNotice]),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    payload: z.record(z.string(), z.unknown()).describe("What is sent"),
    status: z.int().nullable().describe("Of the last answer; null when there was none"),
    answer: z.string().nullable().describe("The beginning of the last answer"),
    error: z.string().nullable().describe("Why the last try was not taken"),
    durationMs: z.int().nullable().describe("Of the last try"),
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable(),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookDeliveryPage = page(WebhookDelivery).meta({ id: "WebhookDeliveryPage" });

export const WebhookDeliveryQuery = pageQuery(noticeLimits.listed).extend({
  state: z.enum(deliveryStates).optional(),
});
export type WebhookDeliveryQuery = z.output<typeof WebhookDeliveryQuery>;

export const NoticeLetters = z
  .object({
    available: z.boolean().describe("Whether the service sends mail"),
    events: z.array(z.enum(noticeEvents)).describe("What the caller gets letters about"),
  })
  .meta({ id: "NoticeLetters" });
export type NoticeLetters = z.output<typeof NoticeLetters>;

export const NoticeLettersUpdateRequest = z
  .strictObject({ events: z.array(z.enum(noticeEvents)).max(noticeEvents.length) })
  .meta({ id: "NoticeLettersUpdateRequest" });
