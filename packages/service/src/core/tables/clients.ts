/** @module Clients, and the configs they point at: a config is written once under the digest of its content. */
import type { ClientId, ServerId } from "@fettle/contract/core";
import { isNull, sql } from "drizzle-orm";
import { boolean, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { ofProject } from "./projects.ts";

export const clientConfigs = pgTable(
  "client_configs",
  {
    projectId: ofProject(),
    id: text("id").notNull(),
    /** Canonical JSON, as text: the database must not write it anew. */
    config: text("config").notNull(),
    // Read off the config, so that lists and look-ups need not open it.
    modelId: text("model_id").notNull(),
    serverIds: text("server_ids").array().$type<ServerId[]>().notNull(),
    serverCount: integer("server_count").notNull(),
    hasComputer: boolean("has_computer").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** Whom a client that nobody picks from a list belongs to. */
export interface OwnerScope {
  kind: "scenario";
  scenarioId: string;
  [field: string]: unknown;
}

export const clients = pgTable(
  "clients",
  {
    id: text("id").$type<ClientId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    configId: text("config_id").notNull(),
    /** Set: the private backing of a scenario, left out of lists. */
    ownerScope: jsonb("owner_scope").$type<OwnerScope>(),
    createdBy: author("created_by"),
    updatedBy: author("updated_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Kept, so that environments and runs that name the client can say which one is gone. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.configId],
      foreignColumns: [clientConfigs.projectId, clientConfigs.id],
    }),
    index("clients_project").on(table.projectId).where(sql`${table.deletedAt} IS NULL`),
  ],
);

export const liveClient = isNull(clients.deletedAt);
