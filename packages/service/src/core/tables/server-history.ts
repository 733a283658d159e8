/** @module What was done with saved servers, and the calls people keep to make again. */
import type { ConformanceRunId, HistoryEntryId, SavedCallId } from "@fettle/contract/core";
import { callKinds, historyKinds, historyOutcomes, verdictKinds } from "@fettle/contract/servers";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { placeById } from "../db/keyset.ts";
import { author } from "./accounts.ts";
import { conformanceRuns } from "./conformance.ts";
import { instant } from "./instant.ts";
import { goesWithServer } from "./servers.ts";

const ofServer = () => goesWithServer();

/** Ids are made of the moment an entry began, so their order is that of time; every read and the pruning go by them. */
export const serverHistory = pgTable(
  "server_history",
  {
    id: text("id").$type<HistoryEntryId>().primaryKey(),
    serverId: ofServer(),
    kind: text("kind", { enum: historyKinds }).notNull(),
    outcome: text("outcome", { enum: historyOutcomes }).notNull(),
    code: text("code"),
    subject: text("subject"),
    summary: text("summary").notNull(),
    createdBy: author("created_by"),
    at: instant("at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Also of one that was deleted since. */
    callId: text("call_id").$type<SavedCallId>(),
    runId: text("run_id")
      .$type<ConformanceRunId>()
      .references(() => conformanceRuns.id, { onDelete: "set null" }),
    /** JSON as text: what a server says may hold what a JSON column cannot. */
    parameters: text("parameters"),
    withheld: text("withheld").array().notNull().default([]),
    /** The same for calls that say the same: what an earlier result is looked for by. */
    callDigest: text("call_digest"),
    result: text("result"),
    /** It was too long to be kept. */
    isResultCut: boolean("is_result_cut").notNull().default(false),
    recording: text("recording"),
    messagesLeftOut: integer("messages_left_out").notNull().default(0),
  },
  (table) => [
    index("server_history_latest").on(table.serverId, placeById(table.id)),
    index("server_history_kind").on(table.serverId, table.kind, placeById(table.id)),
    index("server_history_outcome").on(table.serverId, table.outcome, placeById(table.id)),
    index("server_history_kind_outcome").on(table.serverId, table.kind, table.outcome, placeById(table.id)),
    index("server_history_call")
      .on(table.serverId, table.callDigest, placeById(table.id))
      .where(sql`${table.callDigest} IS NOT NULL`),
    index("server_history_run").on(table.runId).where(sql`${table.runId} IS NOT NULL`),
  ],
);

/**
 * The latest entry of each kind of check that came to an end, kept by triggers of the database in the transaction that writes or
 * deletes an entry. No reference to it: what takes an entry away puts the one before it here.
 */
export const serverVerdicts = pgTable(
  "server_verdicts",
  {
    serverId: ofServer(),
    kind: text("kind", { enum: verdictKinds }).notNull(),
    entryId: text("entry_id").$type<HistoryEntryId>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.serverId, table.kind] })],
);

export const savedCalls = pgTable(
  "saved_calls",
  {
    id: text("id").$type<SavedCallId>().primaryKey(),
    serverId: ofServer(),
    name: text("name").notNull(),
    kind: text("kind", { enum: callKinds }).notNull(),
    subject: text("subject").notNull(),
    /** JSON as text, so that long numbers keep their digits. */
    parameters: text("parameters").notNull(),
    withheld: text("withheld").array().notNull().default([]),
    /** The last time it was made; kept here, because the history forgets and the next result is compared with it. */
    lastEntryId: text("last_entry_id").$type<HistoryEntryId>(),
    lastOutcome: text("last_outcome", { enum: historyOutcomes }),
    lastSummary: text("last_summary"),
    lastAt: instant("last_at"),
    lastDurationMs: integer("last_duration_ms"),
    lastResult: text("last_result"),
    isLastCut: boolean("is_last_cut").notNull().default(false),
    createdBy: author("created_by"),
    updatedBy: author("updated_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [uniqueIndex("saved_calls_name").on(table.serverId, sql`lower(${table.name})`)],
);
