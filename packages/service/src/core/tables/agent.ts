/** @module Turns of the workspace agent, for as long as their keys count, and what it proposed to people. */
import type { AgentAction, AgentTurnResponse } from "@fettle/contract/agent";
import {
  type AgentActionId,
  type AgentTurnId,
  confirmSeverities,
  type OrganizationId,
  proposedKinds,
  type UserId,
} from "@fettle/contract/core";
import { sql } from "drizzle-orm";
import { boolean, index, json, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { author, users } from "./accounts.ts";
import type { StoredError } from "./chat.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const agentTurns = pgTable(
  "agent_turns",
  {
    id: text("id").$type<AgentTurnId>().primaryKey(),
    projectId: ofProject(),
    organizationId: text("organization_id").$type<OrganizationId>().notNull(),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Of the person, the project and the key; of a turn without a key, its own id. */
    scope: text("scope").notNull(),
    requestHash: text("request_hash").notNull(),
    status: text("status", { enum: ["running", "completed", "failed"] }).notNull(),
    modelStarted: boolean("model_started").notNull().default(false),
    leaseUntil: instant("lease_until").notNull(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
    answer: json("answer").$type<AgentTurnResponse>(),
    error: json("error").$type<StoredError>(),
  },
  (table) => [
    uniqueIndex("agent_turns_scope").on(table.scope),
    index("agent_turns_started").on(table.startedAt),
    index("agent_turns_running").on(table.organizationId).where(sql`${table.status} = 'running'`),
  ],
);

export const agentActions = pgTable(
  "agent_actions",
  {
    id: text("id").$type<AgentActionId>().primaryKey(),
    projectId: ofProject(),
    conversationId: text("conversation_id").notNull(),
    /** Of the turn's key, the operation and its arguments: proposed twice, it is there once. */
    scope: text("scope").notNull(),
    proposedBy: author("proposed_by"),
    operation: text("operation").notNull(),
    /** Exactly what it is called with; `agent/operation-tools.ts` has its shape. */
    arguments: json("arguments").notNull(),
    kind: text("kind", { enum: proposedKinds }).notNull(),
    severity: text("severity", { enum: confirmSeverities }).notNull(),
    /** Who else uses what it changes, one sentence each; empty where the operation alone is the reason. */
    reasons: text("reasons").array().notNull().default([]),
    state: text("state", { enum: ["open", "running", "done", "failed", "declined"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    decidedBy: author("decided_by"),
    decidedAt: instant("decided_at"),
    /** Of whoever does it: a process that died is known by its silence. */
    leaseUntil: instant("lease_until"),
    result: json("result").$type<NonNullable<AgentAction["result"]>>(),
  },
  (table) => [
    uniqueIndex("agent_actions_scope").on(table.scope),
    index("agent_actions_project").on(table.projectId, table.createdAt),
  ],
);
