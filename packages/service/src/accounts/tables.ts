/** @module Accounts: people, their sign-ins, organizations, invitations, and every credential that proves who is calling. */

import { sql } from "drizzle-orm";
import { boolean, index, pgTable, primaryKey, text, timestamp, unique } from "drizzle-orm/pg-core";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

// The first four are the sign-in library's; their column meanings are its own.

export const users = pgTable("users", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text("token").notNull().unique(),
    expiresAt: instant("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/** How a person proves who they are: a password, or an account at an OpenID provider. */
export const signIns = pgTable(
  "sign_ins",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    password: text("password"),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: instant("access_token_expires_at"),
    refreshTokenExpiresAt: instant("refresh_token_expires_at"),
    scope: text("scope"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("sign_ins_user").on(table.userId),
    unique("sign_ins_provider_account").on(table.providerId, table.accountId),
  ],
);

export const verifications = pgTable(
  "verifications",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("verifications_identifier").on(table.identifier)],
);

export const organizations = pgTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  logoUrl: text("logo_url"),
  plan: text("plan").notNull().default("self-hosted"),
  createdBy: text("created_by").references(() => users.id, { onDelete: "set null" }),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

export const organizationMembers = pgTable(
  "organization_members",
  {
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["guest", "member", "admin", "owner"] }).notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.organizationId, table.userId] }),
    index("organization_members_user").on(table.userId),
  ],
);

export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    /** SHA-256 of the secret in the link; the link itself is shown once. */
    tokenHash: text("token_hash").notNull().unique(),
    email: text("email").notNull(),
    role: text("role", { enum: ["guest", "member", "admin", "owner"] }).notNull(),
    invitedBy: text("invited_by").references(() => users.id, { onDelete: "set null" }),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    acceptedBy: text("accepted_by").references(() => users.id, { onDelete: "set null" }),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("invitations_organization").on(table.organizationId)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id").references(() => organizations.id, { onDelete: "set null" }),
    /** The key acts as its creator. */
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** SHA-256 of the whole key, hex. The key itself is shown once and never stored. */
    keyHash: text("key_hash").notNull().unique(),
    lastFour: text("last_four").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastUsedAt: instant("last_used_at"),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    index("api_keys_organization").on(table.organizationId),
    index("api_keys_user").on(table.userId),
  ],
);

/** Anonymous bearers for the guest allowlist; they never become a user. */
export const guestTokens = pgTable("guest_tokens", {
  id: text("id").primaryKey(),
  tokenHash: text("token_hash").notNull().unique(),
  createdAt: instant("created_at").notNull().defaultNow(),
  expiresAt: instant("expires_at").notNull(),
});

/** One `fettle cloud login` on one machine, from the approval in the browser to its revocation. */
export const cliSessions = pgTable(
  "cli_sessions",
  {
    id: text("id").primaryKey(),
    /** Null until a person approves. */
    userId: text("user_id").references(() => users.id, { onDelete: "cascade" }),
    deviceName: text("device_name"),
    redirectUri: text("redirect_uri").notNull(),
    state: text("state").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    codeHash: text("code_hash").unique(),
    codeExpiresAt: instant("code_expires_at"),
    codeUsedAt: instant("code_used_at"),
    accessTokenHash: text("access_token_hash").unique(),
    accessExpiresAt: instant("access_expires_at"),
    refreshTokenHash: text("refresh_token_hash").unique(),
    /** The one before, so that a replayed refresh token is seen and ends the session. */
    previousRefreshTokenHash: text("previous_refresh_token_hash"),
    refreshExpiresAt: instant("refresh_expires_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    requestExpiresAt: instant("request_expires_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("cli_sessions_user").on(table.userId)],
);

/** The one-time right to make the first account; the row is deleted by the claim that wins. */
export const setupTokens = pgTable("setup_tokens", {
  /** Always "setup": at most one row can exist. */
  id: text("id").primaryKey().default(sql`'setup'`),
  tokenHash: text("token_hash").notNull(),
  createdAt: instant("created_at").notNull().defaultNow(),
});
