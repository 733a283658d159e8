/** @module Answers already given under an idempotency key, so that a repeated call is not a second effect. */
import { index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { instant } from "./instant.ts";

export const idempotentAnswers = pgTable(
  "idempotent_answers",
  {
    /** SHA-256 of who called, which operation, on which parent, under which key. */
    scopeHash: text("scope_hash").primaryKey(),
    /** SHA-256 of what was sent, to tell a repetition from another request under the same key. */
    bodyHash: text("body_hash").notNull(),
    status: integer("status").notNull(),
    body: jsonb("body").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("idempotent_answers_created").on(table.createdAt)],
);
