/** @module Personas, journeys and the swarms that hold them. What is taken out of use stays, for the runs that name it. */
import type {
  ClientId,
  EnvironmentId,
  JourneyId,
  PersonaId,
  ServerGroupId,
  SwarmId,
} from "@fettle/contract/core";
import { personaSources, type RubricCriterion } from "@fettle/contract/visitors";
import { isNull, sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

/** Of all three. */
const kept = () => ({
  projectId: ofProject(),
  name: text("name").notNull(),
  createdBy: author("created_by"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  /** Set: out of use, and in no list. */
  archivedAt: instant("archived_at"),
});

/** Copies of ids, not references: what is gone is found missing at the next launch, and said then. */
const budget = () => ({
  environmentIds: text("environment_ids").array().$type<EnvironmentId[]>().notNull(),
  sessionsPerTarget: integer("sessions_per_target").notNull(),
  maxTurns: integer("max_turns").notNull(),
});

export const personas = pgTable(
  "personas",
  {
    id: text("id").$type<PersonaId>().primaryKey(),
    ...kept(),
    slug: text("slug").notNull(),
    role: text("role").notNull(),
    notes: text("notes").notNull(),
    source: text("source", { enum: personaSources }).notNull(),
    seedKeywords: text("seed_keywords").array(),
    avatarShape: integer("avatar_shape").notNull(),
    avatarPalette: integer("avatar_palette").notNull(),
  },
  (table) => [
    uniqueIndex("personas_slug").on(table.projectId, table.slug).where(sql`archived_at is null`),
    index("personas_project").on(table.projectId, table.createdAt),
  ],
);

export const swarms = pgTable(
  "swarms",
  {
    id: text("id").$type<SwarmId>().primaryKey(),
    ...kept(),
    ...budget(),
    description: text("description"),
  },
  (table) => [index("swarms_project").on(table.projectId, table.createdAt)],
);

export const journeys = pgTable(
  "journeys",
  {
    id: text("id").$type<JourneyId>().primaryKey(),
    ...kept(),
    ...budget(),
    goal: text("goal").notNull(),
    personaId: text("persona_id")
      .$type<PersonaId>()
      .notNull()
      .references(() => personas.id),
    swarmId: text("swarm_id")
      .$type<SwarmId>()
      .references(() => swarms.id),
    serverAttachmentId: text("server_attachment_id").$type<ServerGroupId>(),
    hostIds: text("host_ids").array().$type<ClientId[]>(),
    rubric: jsonb("rubric").$type<RubricCriterion[]>().notNull(),
    judge: jsonb("judge").$type<{ model: string | null; threshold: number }>(),
  },
  (table) => [
    index("journeys_project").on(table.projectId, table.createdAt),
    index("journeys_persona").on(table.personaId),
    index("journeys_swarm").on(table.swarmId),
  ],
);

export const livePersona = isNull(personas.archivedAt);
export const liveSwarm = isNull(swarms.archivedAt);
export const liveJourney = isNull(journeys.archivedAt);
