import { startBookshop } from "@fettle/samples";
import { and, eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { apiKeys, organizationMembers } from "../../core/tables/accounts.ts";
import { projects } from "../../core/tables/projects.ts";
import { hashToken } from "../../people/accounts/tokens.ts";
import { testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { testService } from "../../testing/service.ts";

it("a connection kept warm in one process serves nobody whose right was ended in another", async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  const env = {
    FETTLE_LIMIT_KEY_BURST: "1000",
    FETTLE_SECRET_KEY: "shared by both processes, and long enough",
  };
  const warm = stack.use(await testService({ database, env }));
  const other = stack.use(await testService({ database, env }));
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  const { db } = other.app;
  const organization = await makeOrganization(db);
  const project = await makeProject(db, organization);
  const keep = await makeKey(db, organization, await makeMember(db, organization, "owner"));
  const servers = `/api/v1/projects/${project}/servers`;
  const body = { name: "shop", transportType: "http", url: shop.url };
  const made = await other.call(servers, { method: "POST", key: keep, body });
  const server = `${servers}/${made.body.id}`;
  const call = (key: string, path = server) =>
    warm.call(`${path}/tools/call`, { method: "POST", key, body: { toolName: "list_orders" } });
  const newKey = async () => {
    const userId = await makeMember(db, organization, "member");
    const key = await makeKey(db, organization, userId);
    expect((await call(key)).status).toBe(200);
    return { key, userId };
  };

  const revoked = await newKey();
  await db
    .update(apiKeys)
    .set({ revokedAt: new Date() })
    .where(eq(apiKeys.keyHash, hashToken(revoked.key)));
  expect((await call(revoked.key)).status).toBe(401);

  const removed = await newKey();
  const membership = [
    eq(organizationMembers.organizationId, organization),
    eq(organizationMembers.userId, removed.userId),
  ];
  await db.delete(organizationMembers).where(and(...membership));
  expect((await call(removed.key)).body.details.reason).toBe("ORPHANED_KEY");

  const shutOut = await newKey();
  await db.update(projects).set({ visibility: "private" }).where(eq(projects.id, project));
  expect((await call(shutOut.key)).status).toBe(404);

  const elsewhere = await makeProject(db, organization);
  expect((await call(keep, `/api/v1/projects/${elsewhere}/servers/${made.body.id}`)).status).toBe(404);
  expect((await call(keep)).status).toBe(200);
  expect(warm.app.connections.size()).toBe(1);

  await other.call(server, { method: "PATCH", key: keep, body: { url: "http://127.0.0.1:9/mcp" } });
  expect((await call(keep)).body.code).toBe("SERVER_UNREACHABLE");
  await other.call(server, { method: "DELETE", key: keep });
  expect((await call(keep)).status).toBe(404);
});
