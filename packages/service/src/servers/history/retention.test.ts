import { idOf, type OrganizationId, type ServerId } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { plantHistory } from "../../testing/server-history/planted-history.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { pruneHistory } from "./prune.ts";

let service: TestService;
let organization: OrganizationId;
let key: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  organization = await makeOrganization(service.app.db, "Acme");
  key = await makeKey(service.app.db, organization, await makeMember(service.app.db, organization, "admin"));
});
afterAll(() => service.close());

const send = (method: string, path: string, body?: object) =>
  service.call(path, { method, key, ...(body && { body }) });
const newProject = async () => `/api/v1/projects/${await makeProject(service.app.db, organization)}`;

let count = 0;
async function save(within: string): Promise<{ id: ServerId; path: string }> {
  const body = { name: `server ${++count}`, transportType: "http", url: "http://127.0.0.1:9/mcp" };
  const made = await send("POST", `${within}/servers`, body);
  return { id: idOf<"server">().parse(made.body.id), path: `${within}/servers/${made.body.id}` };
}

const dayMs = 24 * 60 * 60 * 1000;
const kept = async (id: ServerId) =>
  (
    await service.app.pool.query("SELECT id FROM server_history WHERE server_id = $1 ORDER BY id", [id])
  ).rows.map((row) => row.id);

it("removes what is older or one too many, and nothing else", async () => {
  const within = await newProject();
  expect((await send("GET", `${within}/history-retention`)).body).toEqual({
    days: 30,
    entriesPerServer: 5_000,
    runDays: null,
  });
  const changed = await send("PATCH", `${within}/history-retention`, { days: 10, entriesPerServer: 2_100 });
  expect(changed.body).toEqual({ days: 10, entriesPerServer: 2_100, runDays: null });
  const [old, many, other] = [await save(within), await save(within), await save(await newProject())];
  const ages = [11, 10.1, 9.9, 1];
  const aged = await plantHistory(service.app, old.id, 4, (index) => ({
    at: new Date(Date.now() - ages[index]! * dayMs),
  }));
  const all = await plantHistory(service.app, many.id, 4_500);
  // Of a project that keeps thirty days.
  const theirs = await plantHistory(service.app, other.id, 2, (index) => ({
    at: new Date(Date.now() - (index ? 29 : 31) * dayMs),
  }));
  await pruneHistory(service.app);
  expect(await kept(old.id)).toEqual(aged.slice(2));
  expect(await kept(many.id)).toEqual(all.toSorted().slice(-2_100));
  expect(await kept(other.id)).toEqual(theirs.slice(1));
  await pruneHistory(service.app);
  expect((await kept(many.id)).length).toBe(2_100);
});

it("removes all of a server that was deleted", async () => {
  const { id, path } = await save(await newProject());
  await plantHistory(service.app, id, 3);
  await send("POST", `${path}/saved-calls`, { name: "Sea", subject: "search_books" });
  await send("DELETE", path);
  await pruneHistory(service.app);
  expect(await kept(id)).toEqual([]);
  expect(
    (await service.app.pool.query("SELECT 1 FROM saved_calls WHERE server_id = $1", [id])).rowCount,
  ).toBe(0);
});

it.each([{ days: 0 }, { entriesPerServer: 0 }, { days: 4_000 }, {}])("refuses %j", async (body) => {
  expect((await send("PATCH", `${await newProject()}/history-retention`, body)).status).toBe(400);
});
