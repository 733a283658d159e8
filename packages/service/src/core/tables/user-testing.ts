/** @module Scenarios, who is invited, who came, and their sessions. What is said in a session lies with all conversations. */
import type {
  ChatSessionId,
  ChatTurnId,
  EnvironmentId,
  ScenarioId,
  ScenarioMemberId,
  UserId,
  VisitorId,
} from "@fettle/contract/core";
import {
  feedbackStyles,
  type GuestExecution,
  populations,
  scenarioModes,
  sessionEnds,
} from "@fettle/contract/visitors";
import { isNull, sql } from "drizzle-orm";
import {
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author, users } from "./accounts.ts";
import { chatSessions } from "./chat.ts";
import { environments } from "./environments.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const scenarios = pgTable(
  "scenarios",
  {
    id: text("id").$type<ScenarioId>().primaryKey(),
    projectId: ofProject(),
    environmentId: text("environment_id")
      .$type<EnvironmentId>()
      .notNull()
      .references(() => environments.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    description: text("description"),
    mode: text("mode", { enum: scenarioModes }).notNull(),
    feedback: text("feedback", { enum: feedbackStyles }).notNull(),
    guestExecution: jsonb("guest_execution").$type<GuestExecution>().notNull(),
    /** Whatever was begun under a lower one is over. */
    accessVersion: integer("access_version").notNull().default(1),
    /** SHA-256 of the link's token, to find it by, and the token itself, sealed, to show it again. */
    linkHash: text("link_hash").notNull(),
    sealedLink: text("sealed_link").notNull(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Set: taken down. Its sessions are kept as long as others', and nobody reads them. */
    unpublishedAt: instant("unpublished_at"),
  },
  (table) => [
    uniqueIndex("scenarios_environment").on(table.environmentId).where(sql`${table.unpublishedAt} IS NULL`),
    uniqueIndex("scenarios_link").on(table.linkHash),
    index("scenarios_project").on(table.projectId, table.createdAt),
  ],
);

/**
 * How many sessions were begun, also those that are deleted since. Each database connection counts in a row of its own (`slot`), so
 * that visitors who begin at the same moment do not wait for one another; the sum is the count.
 */
export const scenarioTallies = pgTable(
  "scenario_tallies",
  {
    scenarioId: text("scenario_id")
      .$type<ScenarioId>()
      .notNull()
      .references(() => scenarios.id, { onDelete: "cascade" }),
    population: text("population", { enum: populations }).notNull(),
    slot: integer("slot").notNull(),
    sessions: integer("sessions").notNull(),
  },
  (table) => [primaryKey({ columns: [table.scenarioId, table.population, table.slot] })],
);

export const published = isNull(scenarios.unpublishedAt);

const ofScenario = () =>
  text("scenario_id")
    .$type<ScenarioId>()
    .notNull()
    .references(() => scenarios.id, { onDelete: "cascade" });

export const scenarioMembers = pgTable(
  "scenario_members",
  {
    id: text("id").$type<ScenarioMemberId>().primaryKey(),
    scenarioId: ofScenario(),
    email: text("email").notNull(),
    /** Of a link that is theirs alone. */
    linkHash: text("link_hash").notNull(),
    sealedLink: text("sealed_link").notNull(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("scenario_members_email").on(table.scenarioId, table.email),
    uniqueIndex("scenario_members_link").on(table.linkHash),
  ],
);

/** Somebody who came by a link. A guest is known by a cookie alone. */
export const scenarioVisitors = pgTable(
  "scenario_visitors",
  {
    id: text("id").$type<VisitorId>().primaryKey(),
    scenarioId: ofScenario(),
    /** SHA-256 of the cookie's value. */
    tokenHash: text("token_hash").notNull(),
    /** The one they came under. */
    accessVersion: integer("access_version").notNull(),
    userId: text("user_id")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Came by a link of their own. */
    memberId: text("member_id")
      .$type<ScenarioMemberId>()
      .references(() => scenarioMembers.id, { onDelete: "set null" }),
    /** Of the project: they may use up what its people may. */
    isOfProject: boolean("is_of_project").notNull(),
    displayName: text("display_name"),
    deviceKind: text("device_kind"),
    language: text("language"),
    consentedAt: instant("consented_at"),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    /** The day (UTC) they last began a session on, and how many on that day; an erased one stays counted. */
    begunOn: date("begun_on"),
    begunCount: integer("begun_count").notNull().default(0),
  },
  (table) => [
    uniqueIndex("scenario_visitors_token").on(table.tokenHash),
    index("scenario_visitors_user").on(table.scenarioId, table.userId),
    index("scenario_visitors_member").on(table.memberId),
    index("scenario_visitors_seen").on(table.lastSeenAt),
  ],
);

/** Calls of one tool in a session: how many, and how many of them failed. */
export type ToolUse = Record<string, { server: string; calls: number; errors: number }>;

export const scenarioSessions = pgTable(
  "scenario_sessions",
  {
    /** One id for the session and its conversation. */
    id: text("id")
      .$type<ChatSessionId>()
      .primaryKey()
      .references(() => chatSessions.id, { onDelete: "cascade" }),
    scenarioId: ofScenario(),
    /** Null: the visitor is forgotten. */
    visitorId: text("visitor_id")
      .$type<VisitorId>()
      .references(() => scenarioVisitors.id, { onDelete: "set null" }),
    accessVersion: integer("access_version").notNull(),
    population: text("population", { enum: populations }).notNull(),
    authType: text("auth_type", { enum: ["signedIn", "guest"] }).notNull(),
    recency: text("recency", { enum: ["new", "returning"] }).notNull(),
    displayName: text("display_name"),
    deviceKind: text("device_kind"),
    language: text("language"),
    ended: text("ended", { enum: sessionEnds }),
    endedAt: instant("ended_at"),
    authInterrupted: boolean("auth_interrupted").notNull().default(false),
    toolErrorCount: integer("tool_error_count").notNull().default(0),
    tools: jsonb("tools").$type<ToolUse>().notNull().default({}),
    /** How long each turn took. */
    latencies: integer("latencies").array().notNull().default([]),
    rating: doublePrecision("rating"),
    comment: text("comment"),
    ratingCount: integer("rating_count").notNull().default(0),
    isNegative: boolean("is_negative").notNull().default(false),
    startedAt: instant("started_at").notNull(),
    lastActivityAt: instant("last_activity_at").notNull(),
  },
  (table) => [
    index("scenario_sessions_latest").on(table.scenarioId, table.lastActivityAt, table.id),
    index("scenario_sessions_auth").on(table.scenarioId, table.authType, table.lastActivityAt, table.id),
    index("scenario_sessions_population").on(
      table.scenarioId,
      table.population,
      table.lastActivityAt,
      table.id,
    ),
    index("scenario_sessions_rated")
      .on(table.scenarioId, table.lastActivityAt, table.id)
      .where(sql`${table.ratingCount} > 0`),
    index("scenario_sessions_negative")
      .on(table.scenarioId, table.lastActivityAt, table.id)
      .where(sql`${table.isNegative}`),
    index("scenario_sessions_visitor").on(table.visitorId, table.startedAt),
    index("scenario_sessions_open")
      .on(table.scenarioId, table.lastActivityAt, table.id)
      .where(sql`${table.ended} IS NULL`),
  ],
);

export const scenarioRatings = pgTable(
  "scenario_ratings",
  {
    sessionId: text("session_id")
      .$type<ChatSessionId>()
      .notNull()
      .references(() => scenarioSessions.id, { onDelete: "cascade" }),
    turnId: text("turn_id").$type<ChatTurnId>().notNull(),
    style: text("style", { enum: ["stars", "thumbs"] }).notNull(),
    value: integer("value").notNull(),
    comment: text("comment"),
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.turnId, table.style] })],
);

/** What each server offered when a session began; the contents lie with those of eval runs, once for each. */
export const scenarioSessionTools = pgTable(
  "scenario_session_tools",
  {
    sessionId: text("session_id")
      .$type<ChatSessionId>()
      .notNull()
      .references(() => scenarioSessions.id, { onDelete: "cascade" }),
    serverId: text("server_id").notNull(),
    serverName: text("server_name").notNull(),
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.serverId] })],
);

/** The sessions of some days, as they were when somebody looked at them. */
export const scenarioWindows = pgTable(
  "scenario_windows",
  {
    /** Of the scenario and the days: written down again, it stays the same window. */
    id: text("id").primaryKey(),
    scenarioId: ofScenario(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    frozenAt: instant("frozen_at").notNull(),
    /** The newest; `sessionCount` says of how many. */
    sessionIds: text("session_ids").array().$type<ChatSessionId[]>().notNull(),
    sessionCount: integer("session_count").notNull(),
    /** The newest of what was there: whatever is newer came since. */
    usedUntil: instant("used_until"),
    ratedUntil: instant("rated_until"),
  },
  (table) => [index("scenario_windows_scenario").on(table.scenarioId, table.endAt)],
);

const dollars = (name: string) => numeric(name, { mode: "number" }).notNull().default(0);

/** What visitors' models have cost on a day; held: set aside for calls that are under way. */
export const scenarioSpendDays = pgTable(
  "scenario_spend_days",
  {
    scenarioId: ofScenario(),
    day: date("day", { mode: "string" }).notNull(),
    spentUsd: dollars("spent_usd"),
    heldUsd: dollars("held_usd"),
  },
  (table) => [primaryKey({ columns: [table.scenarioId, table.day] })],
);
