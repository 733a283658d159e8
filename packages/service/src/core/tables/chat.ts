/** @module Conversations, their turns and what was said. Lists read small rows; what is large lies beside them. */
import type { ChatSessionId, ChatTurnId, OrganizationId, ScenarioId, UserId } from "@fettle/contract/core";
import { toolModes } from "@fettle/contract/evals";
import {
  type ChatTurn,
  type ChatTurnRecord,
  type ChatTurnWire,
  sessionOrigins,
  sessionStatuses,
  sessionVisibilities,
} from "@fettle/contract/visitors";
import type { Message } from "@fettle/evals";
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { users } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

/** Why a turn came to nothing, for whoever asks again with the same key. */
export interface StoredError {
  code: string;
  message: string;
  status: number;
  details: Record<string, unknown>;
}

/** Null: a visitor's, who may have no account. */
const ofPerson = (name: string) =>
  text(name)
    .$type<UserId>()
    .references(() => users.id, { onDelete: "cascade" });

/** In the order of lists. */
const placeOf = ({ lastActivityAt, id }: { lastActivityAt: AnyPgColumn; id: AnyPgColumn }) =>
  [lastActivityAt, id] as const;

export const chatSessions = pgTable(
  "chat_sessions",
  {
    id: text("id").$type<ChatSessionId>().primaryKey(),
    projectId: ofProject(),
    createdBy: ofPerson("created_by"),
    origin: text("origin", { enum: sessionOrigins }).notNull(),
    title: text("title"),
    status: text("status", { enum: sessionStatuses }).notNull().default("active"),
    visibility: text("visibility", { enum: sessionVisibilities }).notNull().default("private"),
    isPinned: boolean("is_pinned").notNull().default(false),
    model: text("model").notNull(),
    toolMode: text("tool_mode", { enum: toolModes }).notNull(),
    /** What the first message settled; `visitors/chat/settled.ts` has its shape. */
    settled: json("settled").notNull(),
    /** Of the transcript: goes up with every turn that is stored. */
    version: integer("version").notNull().default(0),
    messageCount: integer("message_count").notNull().default(0),
    messageBytes: integer("message_bytes").notNull().default(0),
    turnCount: integer("turn_count").notNull().default(0),
    toolCallCount: integer("tool_call_count").notNull().default(0),
    /** Null: nobody ever counted. */
    inputTokens: integer("input_tokens"),
    outputTokens: integer("output_tokens"),
    firstMessage: text("first_message").notNull().default(""),
    /** Where it was branched off. */
    branchedFrom: text("branched_from").$type<ChatSessionId>(),
    runningTurnId: text("running_turn_id").$type<ChatTurnId>(),
    runningUntil: instant("running_until"),
    /** The turn that is under way waits for a person: it works on nothing, and counts for nothing. */
    runningWaits: boolean("running_waits").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    lastActivityAt: instant("last_activity_at").notNull(),
  },
  (table) => [
    index("chat_sessions_person").on(table.createdBy, table.lastActivityAt, table.id),
    // Lists ask for each status apart, so that one status never hides among many of another.
    index("chat_sessions_own").on(table.projectId, table.createdBy, table.status, ...placeOf(table)),
    index("chat_sessions_pinned")
      .on(table.projectId, table.createdBy, table.status, ...placeOf(table))
      .where(sql`${table.isPinned}`),
    index("chat_sessions_shared")
      .on(table.projectId, table.status, ...placeOf(table))
      .where(sql`origin <> 'scenario' and visibility = 'project'`),
    index("chat_sessions_visitors")
      .on(table.projectId, table.status, ...placeOf(table))
      .where(sql`origin = 'scenario'`),
  ],
);

export const chatTurns = pgTable(
  "chat_turns",
  {
    id: text("id").$type<ChatTurnId>().primaryKey(),
    sessionId: text("session_id")
      .$type<ChatSessionId>()
      .notNull()
      .references(() => chatSessions.id, { onDelete: "cascade" }),
    organizationId: text("organization_id").$type<OrganizationId>().notNull(),
    userId: ofPerson("user_id"),
    /** Of a visitor's: turns of one scenario are counted together, and apart from those of the organization's own people. */
    scenarioId: text("scenario_id").$type<ScenarioId>(),
    /** Of the person, the project and the key. */
    scope: text("scope").notNull(),
    requestHash: text("request_hash").notNull(),
    status: text("status", { enum: ["running", "completed", "failed"] }).notNull(),
    /** From here on it may have cost something, whatever becomes of it. */
    modelStarted: boolean("model_started").notNull().default(false),
    leaseUntil: instant("lease_until").notNull(),
    stopAsked: boolean("stop_asked").notNull().default(false),
    /** What was sent, for whoever opens the conversation before it is answered. */
    message: text("message"),
    /** Calls that wait for a person, and what was said of them. */
    pending: json("pending").$type<NonNullable<ChatTurnRecord["pendingCalls"]>>().notNull().default([]),
    /** What it has told so far, while it is under way; `visitors/chat/told-so-far.ts` has its shape. */
    told: json("told"),
    decisions: jsonb("decisions").$type<Record<string, boolean>>().notNull().default({}),
    /** Position among the turns that are part of the transcript. */
    promptIndex: integer("prompt_index"),
    messageStart: integer("message_start"),
    messageEnd: integer("message_end"),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
    /** What was answered, for whoever asks again with the same key. */
    answer: json("answer").$type<ChatTurn>(),
    error: json("error").$type<StoredError>(),
    spans: json("spans").$type<Record<string, unknown>[]>(),
    /** The messages of each call as they were on the wire. */
    wire: json("wire").$type<ChatTurnWire["calls"]>(),
  },
  (table) => [
    uniqueIndex("chat_turns_scope").on(table.scope),
    index("chat_turns_session").on(table.sessionId, table.promptIndex),
    index("chat_turns_running")
      .on(table.organizationId, table.scenarioId)
      .where(sql`${table.status} = 'running'`),
  ],
);

export const chatMessages = pgTable(
  "chat_messages",
  {
    sessionId: text("session_id")
      .$type<ChatSessionId>()
      .notNull()
      .references(() => chatSessions.id, { onDelete: "cascade" }),
    /** Position in the whole transcript. */
    index: integer("index").notNull(),
    turnId: text("turn_id").$type<ChatTurnId>().notNull(),
    /** JSON as text: what a server or a model said may hold what `jsonb` cannot. */
    message: json("message").$type<Message>().notNull(),
    /** What is searched. */
    words: text("words").notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.index] })],
);
