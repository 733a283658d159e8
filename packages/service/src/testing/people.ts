/** @module People, organizations, projects and credentials for tests, written straight into the tables. */
import type {
  OrganizationId,
  OrganizationRole,
  ProjectGrant,
  ProjectId,
  UserId,
  Visibility,
} from "@fettle/contract/core";
import type { Database } from "../core/db/pool.ts";
import { newId } from "../core/id.ts";
import {
  apiKeys,
  cliSessions,
  cliTokens,
  guestTokens,
  organizationMembers,
  organizations,
  sessions,
  users,
} from "../core/tables/accounts.ts";
import { projectMembers, projects } from "../core/tables/projects.ts";
import { mintToken } from "../people/accounts/tokens.ts";

export async function makePerson(db: Database, name = "Someone"): Promise<UserId> {
  const id = newId("user");
  await db.insert(users).values({ id, name, email: `${id}@example.com` });
  return id;
}

export async function makeOrganization(db: Database, name = "Acme"): Promise<OrganizationId> {
  const id = newId("organization");
  await db.insert(organizations).values({ id, name });
  return id;
}

export async function join(
  db: Database,
  organizationId: OrganizationId,
  userId: UserId,
  role: OrganizationRole,
): Promise<void> {
  await db.insert(organizationMembers).values({ organizationId, userId, role });
}

/** A person who belongs to the organization. */
export async function makeMember(
  db: Database,
  organizationId: OrganizationId,
  role: OrganizationRole,
): Promise<UserId> {
  const userId = await makePerson(db, role);
  await join(db, organizationId, userId, role);
  return userId;
}

export async function makeProject(
  db: Database,
  organizationId: OrganizationId,
  options: { name?: string; visibility?: Visibility } = {},
): Promise<ProjectId> {
  const id = newId("project");
  await db.insert(projects).values({ id, organizationId, name: "Shop", ...options });
  return id;
}

export async function grant(
  db: Database,
  projectId: ProjectId,
  userId: UserId,
  role: ProjectGrant,
): Promise<void> {
  await db.insert(projectMembers).values({ projectId, userId, role });
}

/** A working API key; `change` bends its row. */
export async function makeKey(
  db: Database,
  organizationId: OrganizationId | null,
  userId: UserId,
  change: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> {
  const { token, hash } = mintToken("apiKey");
  await db.insert(apiKeys).values({
    id: newId("apiKey"),
    organizationId,
    userId,
    name: "test",
    keyHash: hash,
    lastFour: token.reveal().slice(-4),
    ...change,
  });
  return token.reveal();
}

export async function makeGuestToken(db: Database): Promise<string> {
  const { token, hash } = mintToken("guest");
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insert(guestTokens).values({ id: newId("guest"), tokenHash: hash, expiresAt });
  return token.reveal();
}

/** A browser of theirs that is signed in over plain HTTP, as the cookie it sends. */
export async function makeBrowser(db: Database, userId: UserId): Promise<string> {
  const { token, hash } = mintToken("session");
  const now = new Date();
  await db.insert(sessions).values({
    id: newId("session"),
    userId,
    tokenHash: hash,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  });
  return `fettle_session=${token.reveal()}`;
}

/** A command line of theirs that is signed in, as the access token it sends. */
export async function makeCliToken(db: Database, userId: UserId): Promise<string> {
  const { token, hash } = mintToken("cliAccess");
  const sessionId = newId("cliSession");
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insert(cliSessions).values({
    id: sessionId,
    userId,
    redirectUri: "http://127.0.0.1/callback",
    codeChallenge: "",
    codeHash: sessionId,
    codeExpiresAt: expiresAt,
    expiresAt,
  });
  await db.insert(cliTokens).values({ sessionId, tokenHash: hash, kind: "access", expiresAt });
  return token.reveal();
}
