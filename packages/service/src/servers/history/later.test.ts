/** Calls answer before their history is written; nobody who reads it notices, and nothing is lost on the way. */
import { idOf, type OrganizationId, type ProjectId, type ServerId } from "@fettle/contract/core";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLog } from "../../core/log/log.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { completed } from "../live/history-draft.ts";
import { oauthDraft } from "../live/kept-calls.ts";

const stack = new AsyncDisposableStack();
const env = {
  FETTLE_LIMIT_KEY_BURST: "1000",
  FETTLE_SECRET_KEY: "shared by both processes, and long enough",
};
let logged = "";
const log = createLog({ level: "debug", format: "json", write: (line) => (logged += line) });
let database: TestDatabase;
let service: TestService;
let shopUrl: string;
let organization: OrganizationId;
let key: string;
beforeAll(async () => {
  database = stack.use(await testDatabase());
  service = stack.use(await testService({ database, env, log }));
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  shopUrl = shop.url;
  organization = await makeOrganization(database.db, "Acme");
  key = await makeKey(database.db, organization, await makeMember(database.db, organization, "owner"));
});
afterAll(() => stack.disposeAsync());

interface Saved {
  project: ProjectId;
  id: ServerId;
  path: string;
}

async function save(): Promise<Saved> {
  const project = await makeProject(database.db, organization);
  const servers = `/api/v1/projects/${project}/servers`;
  const body = { name: "shop", transportType: "http", url: shopUrl };
  const made = await service.call(servers, { method: "POST", key, body });
  return { project, id: idOf<"server">().parse(made.body.id), path: `${servers}/${made.body.id}` };
}

async function call({ path }: Pick<Saved, "path">, query = "swallows", at = service, as = key) {
  const body = { toolName: "search_books", parameters: { query } };
  const { status } = await at.call(`${path}/tools/call`, { method: "POST", key: as, body });
  expect(status).toBe(200);
}

const queriesOf = async ({ path }: Saved, at = service): Promise<string[]> => {
  const { body } = await at.call(`${path}/history`, { key });
  const details = body.items.map(({ id }: { id: string }) => at.call(`${path}/history/${id}`, { key }));
  return (await Promise.all(details)).map((detail) => detail.body.parameters.query);
};

/** While it is held, nothing can be written to the history. */
async function holdHistory(): Promise<AsyncDisposable & { let(): Promise<void> }> {
  const client = await database.pool.connect();
  await client.query("BEGIN; LOCK TABLE server_history IN EXCLUSIVE MODE");
  const holding = new AsyncDisposableStack();
  holding.defer(async () => {
    await client.query("COMMIT");
    client.release();
  });
  return { let: () => holding.disposeAsync(), [Symbol.asyncDispose]: () => holding.disposeAsync() };
}

/** Whoever waits to write to the history. */
const writers = async (): Promise<number[]> => {
  const { rows } = await database.pool.query(
    "SELECT pid FROM pg_locks WHERE relation = 'server_history'::regclass AND NOT granted",
  );
  return rows.map(({ pid }) => pid);
};

it("answers while nothing can be written, and finds the call as soon as it can", async () => {
  const server = await save();
  await using held = await holdHistory();
  await call(server, "swallows");
  await call(server, "amazons");
  const read = queriesOf(server);
  await expect.poll(writers).toHaveLength(1);
  await held.let();
  expect(await read).toEqual(["amazons", "swallows"]);
});

it("shows a call to another process without being asked again", async () => {
  await using other = await testService({ database, env });
  const server = await save();
  await call(server);
  await expect.poll(() => queriesOf(server, other)).toEqual(["swallows"]);
});

it("writes again what a lost connection left open, once", async () => {
  const server = await save();
  await using held = await holdHistory();
  await call(server, "swallows");
  await expect.poll(writers).toHaveLength(1);
  const [pid] = await writers();
  await database.pool.query("SELECT pg_terminate_backend($1)", [pid]);
  await held.let();
  await expect.poll(() => queriesOf(server)).toEqual(["swallows"]);
});

it("writes all the others when a server, a project or a person was deleted meanwhile", async () => {
  const [kept, deleted, ofProject] = [await save(), await save(), await save()];
  const theirs = await makeMember(database.db, organization, "owner");
  const theirKey = await makeKey(database.db, organization, theirs);
  await using held = await holdHistory();
  // The first write waits at the lock with what there was; what comes then is written after it.
  await call(kept, "swallows");
  await expect.poll(writers).toHaveLength(1);
  for (const server of [deleted, ofProject, kept]) await call(server, "amazons", service, theirKey);
  expect((await service.call(deleted.path, { method: "DELETE", key })).status).toBe(200);
  await held.let();
  await service.app.history.settle();
  expect(await queriesOf(kept)).toEqual(["amazons", "swallows"]);

  // What is gone altogether would be refused by the tables.
  await database.pool.query("DELETE FROM projects WHERE id = $1", [ofProject.project]);
  await database.pool.query("DELETE FROM users WHERE id = $1", [theirs]);
  for (const { project: projectId, id: serverId } of [ofProject, kept]) {
    const draft = oauthDraft(false, Date.now());
    await service.app.history.keep({ projectId, serverId, userId: theirs }, completed(draft));
  }
  const { items } = (await service.call(`${kept.path}/history`, { key })).body;
  expect(items.map(({ kind, by }: { kind: string; by: object | null }) => [kind, by === null])).toEqual([
    ["oauth", true],
    ["tool", true],
    ["tool", false],
  ]);
  const { rows } = await database.pool.query("SELECT 1 FROM server_history WHERE server_id = $1", [
    deleted.id,
  ]);
  expect(rows).toEqual([]);
  expect(logged).not.toContain("could not be written");
});

it("writes what waits before it stops", async () => {
  const server = await save();
  const stopped = await testService({ database, env });
  await using held = await holdHistory();
  await call(server, "swallows", stopped);
  const closed = stopped.close();
  await expect.poll(writers).toHaveLength(1);
  await held.let();
  await closed;
  expect(await queriesOf(server)).toEqual(["swallows"]);
});
