/** @module What every schedule holds, whatever it launches. */
import { scheduleStates } from "@fettle/contract/runs";
import { boolean, integer, text } from "drizzle-orm/pg-core";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";

export const scheduleColumns = () => ({
  enabled: boolean("enabled").notNull(),
  intervalMinutes: integer("interval_minutes").notNull(),
  /** Runs are launched as this person, whose right is asked for again each time. */
  setBy: author("set_by"),
  nextRunAt: instant("next_run_at"),
  state: text("state", { enum: scheduleStates }).notNull().default("ok"),
  failuresInARow: integer("failures_in_a_row").notNull().default(0),
  lastError: text("last_error"),
});
