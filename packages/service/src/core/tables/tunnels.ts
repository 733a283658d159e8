/** @module Tunnels: one per saved server, with its secrets hashed and the process that holds its socket. */
import type { ServerId } from "@fettle/contract/core";
import { boolean, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant.ts";
import { servers } from "./servers.ts";

export const tunnels = pgTable("tunnels", {
  serverId: text("server_id")
    .$type<ServerId>()
    .primaryKey()
    .references(() => servers.id, { onDelete: "cascade" }),
  slug: text("slug").notNull().unique(),
  isOpen: boolean("is_open").notNull(),
  /** SHA-256 of `k` in the public address. */
  secretHash: text("secret_hash").notNull(),
  secretVersion: integer("secret_version").notNull(),
  /** SHA-256 of the bearer that a host connects with. */
  connectTokenHash: text("connect_token_hash").notNull().unique(),
  connectTokenExpiresAt: instant("connect_token_expires_at").notNull(),
  /** The API key or the sign-in that opened it: the tunnel does not outlive it. Null, from before it was noted, holds nothing. */
  openedWith: text("opened_with"),
  /** The host's connection, and the process that holds it; null while there is none. */
  sessionId: text("session_id"),
  processId: text("process_id"),
  holderUrl: text("holder_url"),
  connectedAt: instant("connected_at"),
  /** When it was noticed that the host is gone; null while it is there, and before it first was. */
  droppedAt: instant("dropped_at"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
});
