/** @module What happened that somebody wants to be told, the receivers of it, and what became of each delivery. */
import type { JobId, NoticeId, ProjectId, WebhookDeliveryId, WebhookId } from "@fettle/contract/core";
import { deliveryStates, noticeEvents, testNotice } from "@fettle/contract/notices";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { placeById } from "../db/keyset.ts";
import { author, goesWithUser } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject, projects } from "./projects.ts";

/** Written in the transaction of what it tells of, so that neither is there without the other. */
export const notices = pgTable(
  "notices",
  {
    id: text("id").$type<NoticeId>().primaryKey(),
    projectId: ofProject(),
    type: text("type", { enum: [...noticeEvents, testNotice] }).notNull(),
    at: instant("at").notNull(),
    /** Ids, names and counts: nothing that a server said, and nothing that opens anything. */
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index("notices_at").on(table.at), index("notices_project").on(table.projectId)],
);

export const webhooks = pgTable(
  "webhooks",
  {
    id: text("id").$type<WebhookId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    /** The address as it may be shown. */
    shownUrl: text("shown_url").notNull(),
    /** The address and the secrets that sign. */
    sealed: text("sealed").notNull(),
    events: text("events", { enum: noticeEvents }).array().notNull(),
    enabled: boolean("enabled").notNull().default(true),
    failingSince: instant("failing_since"),
    switchedOffAt: instant("switched_off_at"),
    switchedOffReason: text("switched_off_reason"),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [index("webhooks_project").on(table.projectId, table.id)],
);

export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: text("id").$type<WebhookDeliveryId>().primaryKey(),
    webhookId: text("webhook_id")
      .$type<WebhookId>()
      .notNull()
      .references(() => webhooks.id, { onDelete: "cascade" }),
    noticeId: text("notice_id")
      .$type<NoticeId>()
      .notNull()
      .references(() => notices.id, { onDelete: "cascade" }),
    state: text("state", { enum: deliveryStates }).notNull().default("waiting"),
    /** The only job that may still send it: whoever asks to have it sent now gives it another. */
    jobId: text("job_id").$type<JobId>(),
    /** Tries since it was last asked for. */
    attempts: integer("attempts").notNull().default(0),
    status: integer("status"),
    answer: text("answer"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    createdAt: instant("created_at").notNull(),
    lastAttemptAt: instant("last_attempt_at"),
    nextAttemptAt: instant("next_attempt_at"),
  },
  (table) => [
    // Each event once for each receiver.
    uniqueIndex("webhook_deliveries_once").on(table.webhookId, table.noticeId),
    index("webhook_deliveries_latest").on(table.webhookId, placeById(table.id)),
    index("webhook_deliveries_state").on(table.webhookId, table.state, placeById(table.id)),
    index("webhook_deliveries_notice").on(table.noticeId),
  ],
);

/** What of a project a person wants letters about. */
export const noticeLetters = pgTable(
  "notice_letters",
  {
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: goesWithUser(),
    events: text("events", { enum: noticeEvents }).array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index("notice_letters_user").on(table.userId),
  ],
);
