/**
 * @module Runs that are gone, of which something is still there. A run may have a hundred thousand iterations, and one statement that
 * deletes them all holds its locks for minutes: the run itself goes at once, and a trigger of the database writes it down here,
 * whatever deleted it. What it had is then given back in bounded pieces (`runs/retention/give-back.ts`).
 */
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant.ts";

export const deletedRuns = pgTable(
  "deleted_runs",
  {
    runId: text("run_id").primaryKey(),
    /** The table of its rows, which has no reference to the run for this reason. */
    parts: text("parts", { enum: ["eval_iterations", "journey_attempts"] }).notNull(),
    deletedAt: instant("deleted_at").notNull(),
  },
  (table) => [index("deleted_runs_order").on(table.deletedAt)],
);
