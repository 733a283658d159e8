/** @module Directories of servers as they were last read, and the cards of organizations. */
import type { CatalogServerId, OrganizationId, RegistryCardId } from "@fettle/contract/core";
import {
  cardStatuses,
  type DirectoryPackage,
  type DirectoryRemote,
  directoryRowTypes,
  endpointKinds,
  unavailableReasons,
  verifiedTiers,
} from "@fettle/contract/servers";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { author, organizations } from "./accounts.ts";
import { instant } from "./instant.ts";

/** One page of a directory as it was last fetched, so that what has not changed is not sent again. */
export interface FetchedPage {
  etag: string;
  names: string[];
  nextCursor?: string | undefined;
}

export const registrySources = pgTable("registry_sources", {
  source: text("source").primaryKey(),
  lastSyncedAt: instant("last_synced_at"),
  upstreamFetchedAt: instant("upstream_fetched_at"),
  lastFault: text("last_fault"),
  skippedCount: integer("skipped_count").notNull().default(0),
  /** By address. */
  pages: jsonb("pages").$type<Record<string, FetchedPage>>().notNull().default({}),
});

/** What an entry says, cleaned and bounded; its hash is made of exactly this. */
export interface DirectoryContent {
  displayName?: string | undefined;
  description: string;
  version?: string | undefined;
  status: "active" | "deprecated";
  /** Those whose address is one; what is no address, or leads where it may not, was left out. */
  remotes: DirectoryRemote[];
  leftOut?: "address_not_allowed" | "pattern_unusable" | undefined;
  packages: DirectoryPackage[];
  websiteUrl?: string | undefined;
  repositoryUrl?: string | undefined;
}

export const directoryServers = pgTable(
  "directory_servers",
  {
    id: text("id").$type<CatalogServerId>().primaryKey(),
    source: text("source")
      .notNull()
      .references(() => registrySources.source, { onDelete: "cascade" }),
    name: text("name").notNull(),
    content: jsonb("content").$type<DirectoryContent>().notNull(),
    contentHash: text("content_hash").notNull(),
    /** Name, title and description in lower case. */
    searchText: text("search_text").notNull(),
    /** The rest is worked out of the content, to be filtered by. */
    rowType: text("row_type", { enum: directoryRowTypes }).notNull(),
    endpointKind: text("endpoint_kind", { enum: endpointKinds }),
    verifiedTier: text("verified_tier", { enum: verifiedTiers }).notNull(),
    unavailableReason: text("unavailable_reason", { enum: unavailableReasons }),
    updatedAt: instant("updated_at").notNull(),
    /** It is in its directory no more. Kept, because servers were installed from it. */
    removedAt: instant("removed_at"),
  },
  (table) => [
    uniqueIndex("directory_servers_name").on(table.source, table.name),
    index("directory_servers_order").on(table.name, table.id).where(sql`${table.removedAt} IS NULL`),
  ],
);

export const registryCards = pgTable(
  "registry_cards",
  {
    id: text("id").$type<RegistryCardId>().primaryKey(),
    /** Null: the operator's, for every organization. */
    organizationId: text("organization_id")
      .$type<OrganizationId>()
      .references(() => organizations.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    displayName: text("display_name"),
    description: text("description").notNull(),
    category: text("category"),
    tags: text("tags").array().notNull(),
    publisher: text("publisher"),
    status: text("status", { enum: cardStatuses }).notNull(),
    url: text("url").notNull(),
    useOAuth: boolean("use_oauth").notNull(),
    oauthScopes: text("oauth_scopes").array().notNull(),
    createdBy: author("created_by"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [uniqueIndex("registry_cards_name").on(sql`coalesce(${table.organizationId}, '')`, table.name)],
);
