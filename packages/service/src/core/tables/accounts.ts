/** @module Accounts: people, their sign-ins, organizations, invitations, and every credential that proves who is calling. */
import type { ApiKeyId, DeviceId, InvitationId, OrganizationId, UserId } from "@fettle/contract/core";
import { and, isNull } from "drizzle-orm";
import { index, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { instant } from "./instant.ts";

export const users = pgTable("users", {
  id: text("id").$type<UserId>().primaryKey(),
  name: text("name").notNull(),
  /** Always in lower case, so that one address is one person. */
  email: text("email").notNull().unique(),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Of a row that belongs to a person, and goes with them. */
export const goesWithUser = () =>
  text("user_id")
    .$type<UserId>()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** Whoever made or changed something; it stays when they go. */
export const author = (name: string) =>
  text(name)
    .$type<UserId>()
    .references(() => users.id, { onDelete: "set null" });

/** Apart from `users`, so that no read of a person can carry the hash along. */
export const passwords = pgTable("passwords", {
  userId: text("user_id")
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** scrypt with its parameters and salt; see sign-in/password.ts. */
  hash: text("hash").notNull(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** A person's account at an OpenID provider. The provider's own tokens are not kept: nothing here needs them. */
export const identities = pgTable(
  "identities",
  {
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    userId: goesWithUser(),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);

/**
 * A browser that somebody has signed in with, whether or not they still are: it may try a password when strangers have used up the
 * tries. It proves nothing else.
 */
export const rememberedDevices = pgTable(
  "remembered_devices",
  {
    id: text("id").$type<DeviceId>().primaryKey(),
    userId: goesWithUser(),
    /** SHA-256 of the cookie's value, which is another one after each sign-in. */
    tokenHash: text("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    // Several people may share a browser.
    unique("remembered_devices_token").on(table.tokenHash, table.userId),
    index("remembered_devices_user").on(table.userId),
  ],
);

/** A browser that is signed in. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: goesWithUser(),
    /** SHA-256 of the cookie's value. */
    tokenHash: text("token_hash").notNull().unique(),
    /** What is forgotten when this session is ended from elsewhere. */
    deviceId: text("device_id")
      .$type<DeviceId>()
      .references(() => rememberedDevices.id, { onDelete: "set null" }),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_device").on(table.deviceId)],
);

/** A one-time link that signs a person in; the row is deleted by the use that wins. */
export const signInLinks = pgTable(
  "sign_in_links",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: goesWithUser(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("sign_in_links_user").on(table.userId)],
);

/** The states of sign-ins at an OpenID provider that have come back, kept until the sign-in would have lapsed anyway. */
export const usedStates = pgTable("used_states", {
  stateHash: text("state_hash").primaryKey(),
  expiresAt: instant("expires_at").notNull(),
});

export const organizations = pgTable("organizations", {
  id: text("id").$type<OrganizationId>().primaryKey(),
  name: text("name").notNull(),
  logoUrl: text("logo_url"),
  plan: text("plan").notNull().default("self-hosted"),
  createdBy: text("created_by")
    .$type<UserId>()
    .references(() => users.id, { onDelete: "set null" }),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

/** Of a row that belongs to an organization, and goes with it. */
export const goesWithOrganization = () =>
  text("organization_id")
    .$type<OrganizationId>()
    .notNull()
    .references(() => organizations.id, { onDelete: "cascade" });

export const organizationMembers = pgTable(
  "organization_members",
  {
    organizationId: goesWithOrganization(),
    userId: goesWithUser(),
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
    id: text("id").$type<InvitationId>().primaryKey(),
    organizationId: goesWithOrganization(),
    /** SHA-256 of the secret in the link; the link itself is shown once. */
    tokenHash: text("token_hash").notNull().unique(),
    email: text("email").notNull(),
    role: text("role", { enum: ["guest", "member", "admin", "owner"] }).notNull(),
    invitedBy: text("invited_by")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "set null" }),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
    acceptedAt: instant("accepted_at"),
    acceptedBy: text("accepted_by")
      .$type<UserId>()
      .references(() => users.id, { onDelete: "set null" }),
    revokedAt: instant("revoked_at"),
  },
  (table) => [index("invitations_organization").on(table.organizationId)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: text("id").$type<ApiKeyId>().primaryKey(),
    organizationId: text("organization_id")
      .$type<OrganizationId>()
      .references(() => organizations.id, { onDelete: "set null" }),
    /** The key acts as its creator. */
    userId: goesWithUser(),
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

/** A command line that asks to sign in, waiting ten minutes for a person's answer in the browser. */
export const cliAuthorizations = pgTable(
  "cli_authorizations",
  {
    id: text("id").primaryKey(),
    deviceName: text("device_name"),
    redirectUri: text("redirect_uri").notNull(),
    state: text("state").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("cli_authorizations_expiry").on(table.expiresAt)],
);

/** One `fettle cloud login` on one machine, from the approval in the browser until it is revoked (the row is deleted) or lapses. */
export const cliSessions = pgTable(
  "cli_sessions",
  {
    id: text("id").primaryKey(),
    userId: goesWithUser(),
    deviceName: text("device_name"),
    redirectUri: text("redirect_uri").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    codeHash: text("code_hash").notNull().unique(),
    codeExpiresAt: instant("code_expires_at").notNull(),
    codeUsedAt: instant("code_used_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("cli_sessions_user").on(table.userId)],
);

/** A used refresh token stays until it expires, so that its replay is seen and ends the session. */
export const cliTokens = pgTable(
  "cli_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    sessionId: text("session_id")
      .notNull()
      .references(() => cliSessions.id, { onDelete: "cascade" }),
    kind: text("kind", { enum: ["access", "refresh"] }).notNull(),
    usedAt: instant("used_at"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("cli_tokens_session").on(table.sessionId)],
);

/** The one-time right to make the first account: one row per data folder that printed a link, all deleted by the claim that wins. */
export const setupTokens = pgTable("setup_tokens", {
  tokenHash: text("token_hash").primaryKey(),
  createdAt: instant("created_at").notNull().defaultNow(),
});

/** Neither accepted nor taken back; whether it has lapsed is a question of the time. */
export const undecidedInvitation = and(isNull(invitations.acceptedAt), isNull(invitations.revokedAt));
export const unrevokedKey = isNull(apiKeys.revokedAt);
