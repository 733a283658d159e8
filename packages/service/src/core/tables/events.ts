/** @module Recent events of projects, kept for a few minutes so that a page that lost its connection can go on where it was. */
import { sql } from "drizzle-orm";
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";

export const events = pgTable(
  "events",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Given by a trigger when the transaction commits, so that its order is the order in which events can be seen. */
    position: bigint("position", { mode: "number" }),
    topic: text("topic").notNull(),
    type: text("type").notNull(),
    data: jsonb("data").$type<Record<string, unknown>>().notNull(),
    at: timestamp("at", { withTimezone: true, precision: 3, mode: "date" })
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [
    uniqueIndex("events_position").on(table.position),
    index("events_topic").on(table.topic, table.position),
    index("events_at").on(table.at),
  ],
);
