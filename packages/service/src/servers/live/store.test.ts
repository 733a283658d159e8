import { afterAll, beforeAll, expect, it } from "vitest";
import { serverCredentials } from "../../core/tables/live.ts";
import { type TestApp, testApp } from "../../testing/app.ts";
import { makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { createServer } from "../saved/servers.ts";
import { findSavedServer, savedServerAlong } from "./store.ts";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

it("a server that is read along is the same as one that is looked for", async () => {
  const organization = await makeOrganization(app.db);
  const [userId, other] = [
    await makeMember(app.db, organization, "member"),
    await makeMember(app.db, organization, "member"),
  ];
  const [projectId, elsewhere] = [
    await makeProject(app.db, organization),
    await makeProject(app.db, organization),
  ];
  const { id } = await createServer(app, app.db, projectId, userId, {
    name: "shop",
    enabled: true,
    transportType: "http",
    url: "http://127.0.0.1:9/mcp",
    timeout: 5_000,
  });
  await app.db
    .insert(serverCredentials)
    .values({ serverId: id, userId, serverUrl: "http://127.0.0.1:9/mcp", sealed: "", updatedAt: new Date() });
  const along = async (project: string, user: string) => {
    const text = savedServerAlong.sql({ project: "$1", id: "$2", user: "$3" });
    const { rows } = await app.pool.query(
      `SELECT thing.* FROM (SELECT 1) AS one LEFT JOIN LATERAL (${text}) AS thing ON true`,
      [project, id, user],
    );
    return savedServerAlong.read(rows[0]);
  };
  const mine = await findSavedServer(app.db, { projectId, id, userId });
  expect(mine?.credential).toBeDefined();
  expect(await along(projectId, userId)).toEqual(mine);
  const theirs = await findSavedServer(app.db, { projectId, id, userId: other });
  expect(theirs?.credential).toBeUndefined();
  expect(await along(projectId, other)).toEqual(theirs);
  expect(await along(elsewhere, userId)).toBeUndefined();
  await app.pool.query("UPDATE servers SET deleted_at = now() WHERE id = $1", [id]);
  expect(await along(projectId, userId)).toBeUndefined();
});
