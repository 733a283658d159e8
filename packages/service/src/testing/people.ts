/** @module People, organizations, projects and credentials for tests, written straight into the tables. */
import { idPrefixes, type OrganizationRole, type ProjectGrant, type Visibility } from "@fettle/contract";
import {
  apiKeys,
  guestTokens,
  organizationMembers,
  organizations,
  sessions,
  users,
} from "../accounts/tables.ts";
import { mintToken } from "../accounts/tokens.ts";
import type { Database } from "../db/pool.ts";
import { newId } from "../id.ts";
import { projectMembers, projects } from "../projects/tables.ts";

export async function makePerson(db: Database, name = "Someone"): Promise<string> {
  const id = newId(idPrefixes.user);
  await db.insert(users).values({ id, name, email: `${id}@example.com` });
  return id;
}

export async function makeOrganization(db: Database, name = "Acme"): Promise<string> {
  const id = newId(idPrefixes.organization);
  await db.insert(organizations).values({ id, name });
  return id;
}

export async function join(
  db: Database,
  organizationId: string,
  userId: string,
  role: OrganizationRole,
): Promise<void> {
  await db.insert(organizationMembers).values({ organizationId, userId, role });
}

/** A person who belongs to the organization. */
export async function makeMember(
  db: Database,
  organizationId: string,
  role: OrganizationRole,
): Promise<string> {
  const userId = await makePerson(db, role);
  await join(db, organizationId, userId, role);
  return userId;
}

export async function makeProject(
  db: Database,
  organizationId: string,
  options: { name?: string; visibility?: Visibility } = {},
): Promise<string> {
  const id = newId(idPrefixes.project);
  await db.insert(projects).values({ id, organizationId, name: "Shop", ...options });
  return id;
}

export async function grant(
  db: Database,
  projectId: string,
  userId: string,
  role: ProjectGrant,
): Promise<void> {
  await db.insert(projectMembers).values({ projectId, userId, role });
}

/** A working API key; `change` bends its row. */
export async function makeKey(
  db: Database,
  organizationId: string | null,
  userId: string,
  change: Partial<typeof apiKeys.$inferInsert> = {},
): Promise<string> {
  const { token, hash } = mintToken("apiKey");
  await db.insert(apiKeys).values({
    id: newId(idPrefixes.apiKey),
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
  await db.insert(guestTokens).values({ id: newId(idPrefixes.guest), tokenHash: hash, expiresAt });
  return token.reveal();
}

/** A browser of theirs that is signed in over plain HTTP, as the cookie it sends. */
export async function makeBrowser(db: Database, userId: string): Promise<string> {
  const { token, hash } = mintToken("session");
  const now = new Date();
  await db.insert(sessions).values({
    id: newId(idPrefixes.session),
    userId,
    tokenHash: hash,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  });
  return `fettle_session=${token.reveal()}`;
}
