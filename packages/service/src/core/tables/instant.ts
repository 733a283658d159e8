/** @module A moment as every table keeps it: to the millisecond, in UTC, a Date in the code. */
import { timestamp } from "drizzle-orm/pg-core";

export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
