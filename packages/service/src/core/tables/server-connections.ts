/** @module Connection requests: how far each has come, and what it needs to go on. The states are drawn in README.md. */
import type { JobId, OrganizationId, ProjectId, ServerConnectionId, ServerId } from "@fettle/contract/core";
import { type ConnectionError, connectionStatuses } from "@fettle/contract/servers";
import type { AddressZone } from "@fettle/mcp";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { goesWithUser } from "./accounts.ts";
import { instant } from "./instant.ts";
import { projects } from "./projects.ts";
import { servers } from "./servers.ts";

/** Where consent is asked for, as discovery found it. */
export interface AuthorizationPlan {
  issuer: string;
  resource: string;
  scope?: string;
  zone?: AddressZone;
  /** The authorization server's metadata, as far as it is used. */
  server: Record<string, unknown>;
}

export const serverConnections = pgTable(
  "server_connections",
  {
    id: text("id").$type<ServerConnectionId>().primaryKey(),
    userId: goesWithUser(),
    /** Made with a key: it stays within the key's organization. */
    organizationId: text("organization_id").$type<OrganizationId>(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** The saved server that is meant, or that came of it. */
    serverId: text("server_id")
      .$type<ServerId>()
      .references(() => servers.id, { onDelete: "set null" }),
    name: text("name"),
    status: text("status", { enum: connectionStatuses }).notNull().default("discovering"),
    error: jsonb("error").$type<ConnectionError>(),
    reauthorize: boolean("reauthorize").notNull().default(false),
    /** Counts the tries of the present state; a job of another number has been overtaken. */
    attempt: integer("attempt").notNull().default(1),
    /** The job that works on it, or last did. */
    jobId: text("job_id").$type<JobId>(),
    plan: jsonb("plan").$type<AuthorizationPlan>(),
    /** As people may see it. */
    shownUrl: text("shown_url").notNull(),
    /** Tells the same address again without keeping it. */
    urlHash: text("url_hash").notNull(),
    /** The address, and on the way the verifier, the client and the tokens. */
    sealed: text("sealed"),
    handoffHash: text("handoff_hash").unique(),
    /** SHA-256 of the `state` sent along; gone once it came back. */
    stateHash: text("state_hash").unique(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("server_connections_user").on(table.userId, table.createdAt),
    index("server_connections_open")
      .on(table.expiresAt)
      .where(sql`status not in ('ready', 'failed', 'expired', 'cancelled')`),
  ],
);
