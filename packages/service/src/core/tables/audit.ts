/**
 * @module Who did what, when and from where. Entries are added and, when they are old, removed; a trigger refuses to change one.
 * People, projects and things are named by value, because an entry outlives them.
 */
import type { AuditEntryId, ProjectId, UserId } from "@fettle/contract/core";
import { auditWays } from "@fettle/contract/notices";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { jsonb } from "../db/json-columns.ts";
import { placeById } from "../db/keyset.ts";
import { goesWithOrganization } from "./accounts.ts";
import { instant } from "./instant.ts";

export const auditEntries = pgTable(
  "audit_entries",
  {
    /** Made of the moment, so that the order of ids is that of time. */
    id: text("id").$type<AuditEntryId>().primaryKey(),
    organizationId: goesWithOrganization(),
    projectId: text("project_id").$type<ProjectId>(),
    at: instant("at").notNull(),
    action: text("action").notNull(),
    userId: text("user_id").$type<UserId>(),
    userName: text("user_name"),
    way: text("way", { enum: auditWays }).notNull(),
    /** The key it was done with. */
    keyId: text("key_id"),
    ipAddress: text("ip_address"),
    targetId: text("target_id"),
    targetName: text("target_name"),
    /** The names of what was sent, and the values of the few that are no secret. */
    fields: text("fields").array().notNull().default([]),
    detail: jsonb("detail").$type<Record<string, string>>().notNull().default({}),
  },
  (table) => [
    index("audit_entries_latest").on(table.organizationId, placeById(table.id)),
    index("audit_entries_action").on(table.organizationId, table.action, placeById(table.id)),
    index("audit_entries_user").on(table.organizationId, table.userId, placeById(table.id)),
    index("audit_entries_project").on(table.organizationId, table.projectId, placeById(table.id)),
    index("audit_entries_at").on(table.at),
  ],
);
