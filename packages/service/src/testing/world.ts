/** @module One organization with everyone who could call: each role, each grant, a stranger, and every credential they could hold. */
import type {
  ApiKeyId,
  InvitationId,
  OrganizationId,
  OrganizationRole,
  ProjectGrant,
  ProjectId,
  UserId,
} from "@fettle/contract/core";
import type { Database } from "../core/db/pool.ts";
import { newId } from "../core/id.ts";
import {
  apiKeys,
  cliSessions,
  cliTokens,
  guestTokens,
  invitations,
  organizationMembers,
  organizations,
  sessions,
  users,
} from "../core/tables/accounts.ts";
import { projectMembers, projects } from "../core/tables/projects.ts";
import { mintToken } from "../people/accounts/tokens.ts";

/** What each person is to the organization and its one project, which is public. */
export const people = {
  owner: { role: "owner", grant: null },
  admin: { role: "admin", grant: null },
  member: { role: "member", grant: null },
  /** Belongs to the organization, and sees nothing by that alone. */
  guest: { role: "guest", grant: null },
  editor: { role: "guest", grant: "editor" },
  projectAdmin: { role: "guest", grant: "admin" },
  /** Owns another organization. */
  stranger: { role: null, grant: null },
} as const satisfies Record<string, { role: OrganizationRole | null; grant: ProjectGrant | null }>;
export type PersonName = keyof typeof people;

interface Person {
  userId: UserId;
  email: string;
  key: string;
  keyId: ApiKeyId;
  cookie: string;
  cliToken: string;
}

export interface World {
  organizationId: OrganizationId;
  projectId: ProjectId;
  people: Record<PersonName, Person>;
  guestToken: string;
  revokedKey: string;
  expiredKey: string;
  /** Well formed, and nobody's. */
  unknownKey: string;
  invitation: { id: InvitationId; token: string };
}

const names = Object.keys(people) as PersonName[];

/** A dozen statements, so that a test can afford hundreds of worlds. */
export async function makeWorld(db: Database): Promise<World> {
  const organizationId = newId("organization");
  const elsewhere = newId("organization");
  const projectId = newId("project");
  const soon = new Date(Date.now() + 3_600_000);
  const past = new Date(0);
  const homeOf = (name: PersonName) => (name === "stranger" ? elsewhere : organizationId);

  const made = names.map((name) => {
    const userId = newId("user");
    const minted = { key: mintToken("apiKey"), session: mintToken("session"), cli: mintToken("cliAccess") };
    return {
      name,
      userId,
      email: `${userId}@example.com`,
      keyId: newId("apiKey"),
      sessionId: newId("session"),
      cliSessionId: newId("cliSession"),
      ...minted,
    };
  });
  const [revoked, expired] = [mintToken("apiKey"), mintToken("apiKey")];
  const owner = made.find(({ name }) => name === "owner")!;
  const keyRow = (hash: string, change: object) => ({
    id: newId("apiKey"),
    organizationId,
    userId: owner.userId,
    name: "world",
    keyHash: hash,
    lastFour: "0000",
    ...change,
  });

  await db.insert(users).values(made.map(({ userId, name, email }) => ({ id: userId, name, email })));
  await db.insert(organizations).values([
    { id: organizationId, name: "Ours" },
    { id: elsewhere, name: "Elsewhere" },
  ]);
  await db.insert(organizationMembers).values(
    made.map(({ name, userId }) => ({
      organizationId: homeOf(name),
      userId,
      role: people[name].role ?? ("owner" as const),
    })),
  );
  await db.insert(projects).values({ id: projectId, organizationId, name: "Shop" });
  await db.insert(projectMembers).values(
    made.flatMap(({ name, userId }) => {
      const { grant } = people[name];
      return grant ? [{ projectId, userId, role: grant }] : [];
    }),
  );
  await db
    .insert(apiKeys)
    .values([
      ...made.map(({ name, userId, keyId, key }) =>
        keyRow(key.hash, { id: keyId, userId, organizationId: homeOf(name) }),
      ),
      keyRow(revoked.hash, { revokedAt: past }),
      keyRow(expired.hash, { expiresAt: past }),
    ]);
  await db.insert(sessions).values(
    made.map(({ userId, sessionId, session }) => ({
      id: sessionId,
      userId,
      tokenHash: session.hash,
      expiresAt: soon,
    })),
  );
  await db.insert(cliSessions).values(
    made.map(({ userId, cliSessionId }) => ({
      id: cliSessionId,
      userId,
      redirectUri: "http://127.0.0.1/callback",
      codeChallenge: "",
      codeHash: cliSessionId,
      codeExpiresAt: past,
      expiresAt: soon,
    })),
  );
  await db.insert(cliTokens).values(
    made.map(({ cliSessionId, cli }) => ({
      sessionId: cliSessionId,
      tokenHash: cli.hash,
      kind: "access" as const,
      expiresAt: soon,
    })),
  );
  const guest = mintToken("guest");
  await db.insert(guestTokens).values({ id: newId("guest"), tokenHash: guest.hash, expiresAt: soon });
  const secret = mintToken("invitation");
  const invitationId = newId("invitation");
  await db.insert(invitations).values({
    id: invitationId,
    organizationId,
    tokenHash: secret.hash,
    email: `${invitationId}@example.com`,
    role: "member",
    expiresAt: soon,
  });

  const persons = made.map(({ name, userId, email, keyId, key, session, cli }) => [
    name,
    {
      userId,
      email,
      keyId,
      key: key.token.reveal(),
      cookie: `fettle_session=${session.token.reveal()}`,
      cliToken: cli.token.reveal(),
    },
  ]);
  return {
    organizationId,
    projectId,
    // Made from the same names, so every one of them is there.
    people: Object.fromEntries(persons) as World["people"],
    guestToken: guest.token.reveal(),
    revokedKey: revoked.token.reveal(),
    expiredKey: expired.token.reveal(),
    unknownKey: mintToken("apiKey").token.reveal(),
    invitation: { id: invitationId, token: secret.token.reveal() },
  };
}

/** What people are answered who delete the owner's run while it is in progress: whoever may not delete it is told that first. */
export const inProgressTo = (person: PersonName | undefined) =>
  person === "owner" || person === "admin" || person === "projectAdmin" ? 409 : 403;
