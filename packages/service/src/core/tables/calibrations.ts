/** @module Calibrations: recorded sessions played again with the persona driver in the visitor's place, and how far both lie apart. */
import type { CalibrationId, EnvironmentId, JobId } from "@fettle/contract/core";
import {
  type CalibrationReport,
  type CalibrationSource,
  calibrationStates,
  personaDrivers,
} from "@fettle/contract/visitors";
import { index, integer, json, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const calibrations = pgTable(
  "calibrations",
  {
    id: text("id").$type<CalibrationId>().primaryKey(),
    projectId: ofProject(),
    status: text("status", { enum: calibrationStates }).notNull(),
    error: text("error"),
    source: jsonb("source").$type<CalibrationSource>().notNull(),
    environmentId: text("environment_id").$type<EnvironmentId>().notNull(),
    environmentName: text("environment_name").notNull(),
    personaDriver: text("persona_driver", { enum: personaDrivers }).notNull(),
    model: text("model").notNull(),
    sessionsTotal: integer("sessions_total").notNull(),
    /** What is played, and where: `journey-runs/calibrations/frozen.ts` has its shape. Null once it is over: what visitors said is kept in one place only. */
    frozen: json("frozen"),
    /** What was measured so far, session by session: a successor goes on behind it. */
    played: jsonb("played").notNull().default([]),
    report: jsonb("report").$type<CalibrationReport>(),
    jobId: text("job_id").$type<JobId>(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [index("calibrations_project").on(table.projectId, table.createdAt, table.id)],
);
