/**
 * @module Insights: the envelope of each scope, what is kept of each conversation to mine it, and what becomes of a problem from
 * scope to scope. A family is what scopes follow one another in: a suite, a scenario, a project's swarms.
 */
import type { JobId } from "@fettle/contract/core";
import {
  type ActionableFinding,
  findingSeverities,
  findingStatuses,
  type InsightScope,
  insightScopeKinds,
} from "@fettle/contract/insights";
import { type Analysis, type ReasonCode, type UnitFacts, unitKinds } from "@fettle/insights";
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
} from "drizzle-orm/pg-core";
import { jsonb, searchedJson } from "../db/json-columns.ts";
import { author, goesWithOrganization } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

/** How the asking stands; the drawing is in insights/README.md. */
export const askingStates = ["not_requested", "pending", "completed", "failed"] as const;

const inFamily = () => ({
  projectId: ofProject(),
  familyKind: text("family_kind").notNull(),
  familyId: text("family_id").notNull(),
});

const ofScope = () => ({
  scopeKind: text("scope_kind", { enum: insightScopeKinds }).notNull(),
  scopeId: text("scope_id").notNull(),
});

export const insights = pgTable(
  "insights",
  {
    ...ofScope(),
    ...inFamily(),
    scope: jsonb("scope").$type<InsightScope>().notNull(),
    status: text("status", { enum: askingStates }).notNull(),
    reasonCode: text("reason_code").$type<ReasonCode>(),
    error: jsonb("error").$type<{ code: string; message: string }>(),
    /** Read by processes of 0.1 that run beside newer ones: what a cancel brought back. Nothing writes it any more. */
    before: jsonb("before").$type<Before>(),
    /** Raised with every asking and cancel: a job of an older one has nothing to say any more. */
    generation: integer("generation").notNull().default(0),
    /** Somebody asked, so that a model may write, too. */
    withModel: boolean("with_model").notNull().default(false),
    analysis: json("analysis").$type<Analysis>(),
    /** Of the rules that made the analysis. */
    minerVersion: integer("miner_version").notNull().default(1),
    jobId: text("job_id").$type<JobId>(),
    requestedBy: author("requested_by"),
    generatedAt: instant("generated_at"),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.scopeKind, table.scopeId] }),
    index("insights_project").on(table.projectId),
    index("insights_family").on(table.projectId, table.familyId, table.generatedAt),
  ],
);

export interface Before {
  status: (typeof askingStates)[number];
  error: { code: string; message: string } | null;
}

/** Small facts of one conversation, made once: mining again reads no transcript again. */
export const insightFacts = pgTable(
  "insight_facts",
  {
    unitKind: text("unit_kind", { enum: unitKinds }).notNull(),
    unitId: text("unit_id").notNull(),
    projectId: ofProject(),
    version: integer("version").notNull(),
    /** Changes when what is known of the conversation does. */
    stamp: text("stamp").notNull(),
    facts: json("facts").$type<UnitFacts>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.unitKind, table.unitId] }),
    index("insight_facts_project").on(table.projectId),
  ],
);

/** How it fares, as it is after the last scope; worked out from the sightings. */
const lifecycle = () => ({
  status: text("status", { enum: findingStatuses }).notNull(),
  occurrenceCount: integer("occurrence_count").notNull(),
  lastCount: integer("last_count").notNull(),
  firstSeenAt: instant("first_seen_at").notNull(),
  lastSeenAt: instant("last_seen_at").notNull(),
  resolvedAt: instant("resolved_at"),
  lastScopeId: text("last_scope_id").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

export const insightSignals = pgTable(
  "insight_signals",
  {
    ...inFamily(),
    fingerprint: text("fingerprint").notNull(),
    detector: text("detector").notNull(),
    subject: jsonb("subject").$type<{ kind: string; id: string; label: string }>().notNull(),
    ...lifecycle(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.familyId, table.fingerprint] })],
);

/** What one scope showed of a signal, also when it showed nothing though it could have. */
export const insightSightings = pgTable(
  "insight_sightings",
  {
    ...inFamily(),
    ...ofScope(),
    fingerprint: text("fingerprint").notNull(),
    at: instant("at").notNull(),
    count: integer("count").notNull(),
    exercised: integer("exercised").notNull(),
    /** How many units each of its findings touched. */
    findings: jsonb("findings").$type<Record<string, number>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.familyId, table.fingerprint, table.scopeId] }),
    index("insight_sightings_scope").on(table.scopeKind, table.scopeId),
  ],
);

/** In the order of lists. */
const placeOf = (table: Record<"lastSeenAt" | "findingId" | "familyId", AnyPgColumn>) =>
  [table.lastSeenAt, table.findingId, table.familyId] as const;

export const insightFindings = pgTable(
  "insight_findings",
  {
    ...inFamily(),
    familyLabel: text("family_label").notNull(),
    findingId: text("finding_id").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** As it was last seen. */
    finding: searchedJson("finding").$type<ActionableFinding>().notNull(),
    severity: text("severity", { enum: findingSeverities }).notNull(),
    lastScopeKind: text("last_scope_kind", { enum: insightScopeKinds }).notNull(),
    ...lifecycle(),
    /** Said by a person; nothing that is mined changes it. */
    dismissedAt: instant("dismissed_at"),
    dismissedBy: author("dismissed_by"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.familyId, table.findingId] }),
    index("insight_findings_project").on(table.projectId, ...placeOf(table)),
    index("insight_findings_family").on(table.projectId, table.familyId, table.lastSeenAt, table.findingId),
    index("insight_findings_status").on(table.projectId, table.status, ...placeOf(table)),
    index("insight_findings_severity").on(table.projectId, table.severity, ...placeOf(table)),
    index("insight_findings_dismissed")
      .on(table.projectId, ...placeOf(table))
      .where(sql`${table.dismissedAt} is not null`),
  ],
);

/** Summaries by models, counted for each organization and day. */
export const insightLedger = pgTable(
  "insight_ledger",
  {
    organizationId: goesWithOrganization(),
    /** UTC's, as `2026-01-31`. */
    day: text("day").notNull(),
    used: integer("used").notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.day] })],
);
