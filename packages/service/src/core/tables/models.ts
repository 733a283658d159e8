/** @module Organizations' providers of models with their sealed keys, the daily limit, and every call that was paid for. */
import type { ProjectId } from "@fettle/contract/core";
import type { ModelProviderRequest } from "@fettle/contract/models";
import { bigint, date, index, integer, numeric, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author, goesWithOrganization } from "./accounts.ts";
import { instant } from "./instant.ts";

/** Exact, however many are added up. */
const dollars = (name: string) => numeric(name, { mode: "number" });
const organization = () => goesWithOrganization();

export const modelProviders = pgTable(
  "model_providers",
  {
    organizationId: organization(),
    /** `openai`, `custom:vllm`. */
    provider: text("provider").notNull(),
    /** Null: where the provider usually is. */
    baseUrl: text("base_url"),
    /** Sealed for this row and `keyOrigin`: elsewhere it cannot even be opened. */
    sealedKey: text("sealed_key"),
    keyOrigin: text("key_origin"),
    keyLastFour: text("key_last_four"),
    keySetAt: instant("key_set_at"),
    keySetBy: author("key_set_by"),
    models: jsonb("models").$type<ModelProviderRequest["models"]>().notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.provider] })],
);

/** No row, or null: no limit of the organization's own. */
export const modelBudgets = pgTable("model_budgets", {
  organizationId: organization().primaryKey(),
  dailyCapUsd: dollars("daily_cap_usd"),
  updatedAt: instant("updated_at").notNull(),
});

/** What counts against the limit of one day (UTC), in one row, so that calls made at once cannot pass it together. */
export const modelBudgetDays = pgTable(
  "model_budget_days",
  {
    organizationId: organization(),
    day: date("day", { mode: "string" }).notNull(),
    spentUsd: dollars("spent_usd").notNull().default(0),
    /** Set aside for launches and calls under way. Whatever dies without a word stays counted until the day ends. */
    heldUsd: dollars("held_usd").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.day] })],
);

/** What a launch has set aside and its calls have not taken yet; counted in `heldUsd` of its day. */
export const modelHolds = pgTable(
  "model_holds",
  {
    organizationId: organization(),
    day: date("day", { mode: "string" }).notNull(),
    sourceKind: text("source_kind").notNull(),
    sourceId: text("source_id").notNull(),
    leftUsd: dollars("left_usd").notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.day, table.sourceKind, table.sourceId] })],
);

/**
 * Calls that were sent and are not settled yet. Written before the request goes out and removed by the statement that writes the
 * call to `model_spend`, so a row that stays is a call whose process died: it may have been charged.
 */
export const modelIntents = pgTable(
  "model_intents",
  {
    id: text("id").primaryKey(),
    organizationId: organization(),
    projectId: text("project_id").$type<ProjectId>(),
    sourceKind: text("source_kind").notNull(),
    sourceId: text("source_id").notNull(),
    model: text("model").notNull(),
    /** Null: the model has no price. */
    estimateUsd: dollars("estimate_usd"),
    at: instant("at").notNull(),
  },
  (table) => [index("model_intents_organization").on(table.organizationId, table.at)],
);

/** One row for each call that a provider answered, or may have charged for without an answer. Only ever added to. */
export const modelSpend = pgTable(
  "model_spend",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organization(),
    /** No reference: what was spent stays told after the project is gone. */
    projectId: text("project_id").$type<ProjectId>(),
    sourceKind: text("source_kind").notNull(),
    sourceId: text("source_id").notNull(),
    model: text("model").notNull(),
    /** Null: the provider did not say. */
    inputTokens: integer("input_tokens"),
    outputTokens: integer("output_tokens"),
    /** Null: unknown, which is not nothing. */
    costUsd: dollars("cost_usd"),
    at: instant("at").notNull(),
  },
  (table) => [index("model_spend_organization").on(table.organizationId, table.at)],
);
