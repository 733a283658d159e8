/** @module The sample workspace that `npm start` opens: made once, found again at every later start, with the same key and a fresh link. */
import { createHmac } from "node:crypto";
import type { ApiKeyId, OrganizationId, ProjectId, ServerId, UserId } from "@fettle/contract/core";
import type { Secret } from "@fettle/contract/secrets";
import { and, asc, eq } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import { holdNameLock } from "../../core/db/name-lock.ts";
import type { Querier } from "../../core/db/pool.ts";
import { organizations } from "../../core/tables/accounts.ts";
import { projects } from "../../core/tables/projects.ts";
import { createApiKey, revokeApiKey } from "../../people/accounts/keys/api-keys.ts";
import { listLiveKeys } from "../../people/accounts/keys/store.ts";
import { sampleEmail } from "../../people/accounts/sample-account.ts";
import { claimSetup, prepareSetup } from "../../people/accounts/setup/setup.ts";
import { createSignInLink } from "../../people/accounts/sign-in/sign-in.ts";
import { findPersonByEmail } from "../../people/accounts/sign-in/store.ts";
import { type Minted, tokenFrom } from "../../people/accounts/tokens.ts";
import { createProject } from "../../people/projects/projects.ts";
import { createServer, updateServer } from "../../servers/saved/servers.ts";
import { listServers } from "../../servers/saved/store.ts";
import { sampleEvalsJob } from "./evals.ts";
import { sampleShelfJob } from "./shelf.ts";
import { sampleSwarmJob } from "./swarm.ts";
import { sampleVisitsJob } from "./visits.ts";

const projectName = "Sample shop";
const serverName = "Bookshop";
const keyName = "npm start";

export interface SampleWorkspace {
  signInToken: Secret;
  apiKey: string;
  organizationId: OrganizationId;
  projectId: ProjectId;
  /** The bookshop as the project has it saved. */
  serverId: ServerId;
}

/**
 * Makes or finds the workspace; undefined when this service was set up by somebody else, whose account is not ours to open.
 *
 * @param bookshopUrl where the sample MCP server answers in this process.
 */
export async function openSampleWorkspace(
  app: App,
  bookshopUrl: string,
): Promise<SampleWorkspace | undefined> {
  const owner = await findOwner(app);
  if (!owner) return undefined;
  const { userId, organizationId } = owner;
  const made = await app.db.transaction(async (tx) => {
    // Two processes started at once make one project.
    await holdNameLock(tx, `sample ${organizationId}`);
    const { projectId, isNew } = await findOrMakeProject(app, tx, owner);
    const serverId = await pointServer(app, tx, { projectId, userId, url: bookshopUrl });
    // Played when the door is open: nobody waits for it.
    const visitors = app.config.sampleVisitors ? [sampleVisitsJob, sampleSwarmJob, sampleShelfJob] : [];
    for (const job of isNew ? [sampleEvalsJob, ...visitors] : []) {
      await app.jobs.enqueue(job, { projectId, serverId, userId }, { inTransaction: tx });
    }
    return { projectId, serverId };
  });
  return {
    signInToken: await createSignInLink(app, userId),
    apiKey: await findOrMakeKey(app, owner),
    organizationId,
    ...made,
  };
}

interface Owner {
  userId: UserId;
  organizationId: OrganizationId;
}

async function findOwner(app: App): Promise<Owner | undefined> {
  const token = await prepareSetup(app);
  if (token) {
    return claimSetup(app, {
      token: token.reveal(),
      name: "Sample Owner",
      email: sampleEmail,
      organizationName: "Sample organization",
    });
  }
  const person = await findPersonByEmail(app.db, sampleEmail);
  if (!person) return undefined;
  const [made] = await app.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.createdBy, person.id))
    .orderBy(asc(organizations.createdAt))
    .limit(1);
  return made && { userId: person.id, organizationId: made.id };
}

async function findOrMakeProject(
  app: App,
  db: Querier,
  { userId, organizationId }: Owner,
): Promise<{ projectId: ProjectId; isNew: boolean }> {
  const [found] = await db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.organizationId, organizationId), eq(projects.name, projectName)));
  if (found) return { projectId: found.id, isNew: false };
  const caller = { kind: "session", userId, sessionId: "", via: "cli" } as const;
  const made = await createProject(app, db, caller, {
    organizationId,
    name: projectName,
    description: "A small bookshop to try everything on.",
    // Pages mark a project with this icon as a sample.
    icon: "sample",
  });
  return { projectId: made.id, isNew: true };
}

/** The bookshop listens on whichever port is free, so its address may change from start to start. */
async function pointServer(
  app: App,
  db: Querier,
  place: { projectId: ProjectId; userId: UserId; url: string },
): Promise<ServerId> {
  const { projectId, userId, url } = place;
  const saved = (await listServers(db, projectId)).find(({ name }) => name === serverName);
  if (saved) {
    await updateServer(app, db, saved, userId, { url });
    return saved.id;
  }
  const made = await createServer(app, db, projectId, userId, {
    name: serverName,
    enabled: true,
    transportType: "http",
    url,
  });
  return made.id;
}

/**
 * The key that was printed before, as long as nobody has revoked it: it stands in scripts and in `.env` files by now. Only its hash
 * is stored; the key is made again from its id and the service's own secret key, so that it is in no file and no row, and whoever
 * has the one secret that must be kept anyway has learnt nothing more. With another secret key it cannot be made again, and a
 * live key that nobody can print is ended.
 */
async function findOrMakeKey(app: App, { userId, organizationId }: Owner): Promise<string> {
  const asking = { organizationId, userId, role: "owner" } as const;
  const live = await listLiveKeys(app.db, { organizationId, userId, name: keyName }, new Date(app.now()));
  const kept = live.find(({ id, keyHash }) => keyOf(app, id).hash === keyHash);
  for (const { id } of live) if (id !== kept?.id) await revokeApiKey(app, asking, id);
  if (kept) return keyOf(app, kept.id).token.reveal();
  return (await createApiKey(app, asking, { name: keyName }, (id) => keyOf(app, id))).key;
}

function keyOf(app: App, keyId: ApiKeyId): Minted {
  const bytes = createHmac("sha256", app.vault.deriveKey("sample API key")).update(keyId).digest();
  return tokenFrom("apiKey", bytes);
}
