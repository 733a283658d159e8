/** @module Saved servers: what is known of an MCP server, and its secrets in one sealed column. */
import type { PluginVersionId, RegistryConnectionId, SandboxImageId, ServerId } from "@fettle/contract/core";
import type { CardScope, EndpointKind } from "@fettle/contract/servers";
import { eq, isNull, sql } from "drizzle-orm";
import { boolean, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author } from "./accounts.ts";
import { instant } from "./instant.ts";
import { pluginVersions } from "./plugins.ts";
import { ofProject } from "./projects.ts";

/** What may be shown; everything that could hold a secret is sealed instead. */
export interface ServerSettings {
  timeout?: number;
  clientCapabilities?: Record<string, unknown>;
  useOAuth?: boolean;
  oauthScopes?: string[];
  clientId?: string;
  oauthResourceUrl?: string;
  oauthProtocolMode?: string;
  oauthProtocolVersion?: string;
  oauthRegistrationStrategy?: string;
  oauthAllowPathScopedIssuer?: boolean;
  authMethod?: string;
  registrationMode?: string;
  authServerMode?: "fettle" | "own";
  useXaa?: boolean;
  xaaAuthzIssuer?: string;
  xaaAllowPathScopedIssuer?: boolean;
  xaaSubject?: string;
  xaaEmail?: string;
  xaaIdentityAssertionFormat?: string;
  xaaClientAuth?: string;
  hasBearerToken?: boolean;
  /** Of a stdio server. */
  sandboxImageId?: SandboxImageId | null;
}

/** From which registry it was installed, and what of it. */
export interface ServerProvenance {
  connectionId: RegistryConnectionId;
  kind: "registry" | "catalog";
  /** Id of the card or entry. */
  from: string;
  source: string;
  scope?: CardScope | undefined;
  name: string;
  version?: string | undefined;
  contentHash?: string | undefined;
  endpointKind?: EndpointKind | undefined;
  connectedAt: number;
}

export const servers = pgTable(
  "servers",
  {
    id: text("id").$type<ServerId>().primaryKey(),
    projectId: ofProject(),
    name: text("name").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    transportType: text("transport_type", { enum: ["stdio", "http"] }).notNull(),
    settings: jsonb("settings").$type<ServerSettings>().notNull().default({}),
    /** Address, headers, command, arguments, environment and client secret: any of them may hold a credential. */
    sealed: text("sealed").notNull(),
    createdBy: author("created_by"),
    /** Set: a component of that version, which alone changes it. */
    pluginVersionId: text("plugin_version_id")
      .$type<PluginVersionId>()
      .references(() => pluginVersions.id, { onDelete: "cascade" }),
    /** Null: somebody entered it. */
    provenance: jsonb("provenance").$type<ServerProvenance>(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    /** Kept, so that runs and groups that name the server still know what it was called. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    index("servers_project").on(table.projectId),
    index("servers_listed")
      .on(table.projectId, table.updatedAt, table.id)
      .where(sql`${table.deletedAt} IS NULL AND ${table.pluginVersionId} IS NULL`),
    uniqueIndex("servers_name")
      .on(table.projectId, sql`lower(${table.name})`)
      .where(sql`${table.deletedAt} IS NULL AND ${table.pluginVersionId} IS NULL`),
  ],
);

/** Of a row that belongs to a server, and goes with it. */
export const goesWithServer = () =>
  text("server_id")
    .$type<ServerId>()
    .notNull()
    .references(() => servers.id, { onDelete: "cascade" });

export const liveServer = isNull(servers.deletedAt);
/** Saved by people: a plugin's servers are reached through the plugin, and come and go with it. */
export const ownServer = isNull(servers.pluginVersionId);
export const enabledServer = eq(servers.enabled, true);
/** Of a stdio server: the image it names. */
export const chosenImage = sql<string | null>`${servers.settings} ->> 'sandboxImageId'`;
