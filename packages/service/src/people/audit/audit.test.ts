import { operations } from "@fettle/contract/operations";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { users } from "../../core/tables/accounts.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { endSessions, makeSignInLink } from "../accounts/admin/people.ts";
import { startSession } from "../accounts/sign-in/sessions.ts";
import { pruneAudit } from "./audit.ts";
import { isAudited } from "./audited.ts";

const dayMs = 24 * 60 * 60 * 1_000;
let now = Date.now();
let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({
    env: { FETTLE_LIMIT_KEY_BURST: "1000", FETTLE_AUDIT_DAYS: "30" },
    now: () => now,
  });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

/** Each a moment after the one before: what happens within one has no order. */
const api = (method: string, path: string, body?: object, person: PersonName = "owner") => {
  if (method !== "GET") now += 1;
  return service.call(`/api/v1${path}`, { method, key: world.people[person].key, ...(body && { body }) });
};
const page = (method: string, path: string, body: object = {}) => {
  now += 1;
  const headers = { cookie: world.people.owner.cookie, "x-fettle-app": "1", origin: service.url };
  return service.call(`/app${path}`, { method, headers, ...(method !== "DELETE" && { body }) });
};
const log = async (query = "") =>
  (await api("GET", `/organizations/${world.organizationId}/audit-log${query}`)).body;
const latest = async () => (await log("?limit=1")).items[0];

describe("the audit log", () => {
  it("says who did what to what, when and from where, by page and by key, and keeps no value that may be secret", async () => {
    const { projectId, organizationId, people } = world;
    const made = await api("POST", `/projects/${projectId}/servers`, {
      name: "shop",
      transportType: "http",
      url: "https://mcp.example/mcp?key=canary-url",
      headers: { authorization: "Bearer canary-header" },
    });
    expect(await latest()).toMatchObject({
      action: "createProjectServer",
      what: operations.createProjectServer.summary,
      at: now,
      by: { userId: people.owner.userId },
      way: "key",
      keyId: people.owner.keyId,
      ipAddress: "127.0.0.1",
      projectId,
      targetId: made.body.id,
      targetName: "shop",
      fields: expect.arrayContaining(["url", "headers"]),
    });
    await api("PATCH", `/projects/${projectId}/servers/${made.body.id}`, {
      headers: { "x-api-key": "canary-2" },
    });
    expect(await latest()).toMatchObject({
      action: "updateProjectServer",
      targetName: "shop",
      fields: ["headers"],
    });
    await api("DELETE", `/projects/${projectId}/servers/${made.body.id}`);
    expect(await latest()).toMatchObject({
      action: "deleteProjectServer",
      targetId: made.body.id,
      targetName: "shop",
    });
    await page("PATCH", `/organizations/${organizationId}/members/${people.member.userId}`, {
      role: "admin",
    });
    expect(await latest()).toMatchObject({
      action: "updateMember",
      way: "browser",
      targetId: people.member.userId,
      detail: { role: "admin" },
    });
    await page("PATCH", `/organizations/${organizationId}/members/${people.member.userId}`, {
      role: "member",
    });
    const key = await page("POST", `/organizations/${organizationId}/keys`, { name: "CI" });
    expect(key.status).toBe(201);
    expect(await latest()).toMatchObject({ action: "createApiKey", targetName: "CI", targetId: key.body.id });
    await page("DELETE", `/organizations/${organizationId}/keys/${key.body.id}`);
    expect(await latest()).toMatchObject({ action: "revokeApiKey", targetId: key.body.id });
    const other = await page("POST", "/organizations", { name: "Elsewhere" });
    expect(other.status).toBe(201);
    expect((await latest()).action).toBe("revokeApiKey");
    await page("PATCH", "/account", { name: "Ada Owner" });
    expect(await latest()).toMatchObject({
      action: "updateProfile",
      fields: ["name"],
      targetName: null,
      detail: {},
    });
    const everything = JSON.stringify(await log("?limit=200"));
    expect(everything).not.toContain("canary");
    expect(everything).not.toContain(key.body.key);
  });

  it("names the plugin of a version that was uploaded", async () => {
    const file = (text: string) => Buffer.from(text).toString("base64");
    await page("POST", `/projects/${world.projectId}/plugins`, {
      files: { "plugin.json": file('{"name":"shelves"}') },
    });
    expect(await latest()).toMatchObject({ action: "uploadPlugin", targetName: "shelves" });
  });

  it("has an entry for a wrong password, and for what an operator does on the machine itself", async () => {
    const { app } = service;
    const { userId } = world.people.owner;
    const [person] = await app.db.select().from(users).where(eq(users.id, userId));
    const about = { by: null, targetId: userId, targetName: person!.email };
    now += 1;
    await service.call("/app/sign-in", {
      method: "POST",
      headers: { "x-fettle-app": "1", origin: service.url },
      body: { email: person!.email, password: "canary-wrong-password" },
    });
    await vi.waitFor(
      async () => expect(await latest()).toMatchObject({ ...about, action: "signInFailed", way: "browser" }),
      60_000,
    );
    now += 1;
    await makeSignInLink(app, { email: person!.email, forgetPassword: false });
    expect(await latest()).toMatchObject({ ...about, action: "adminSignInLink", way: "operator" });
    now += 1;
    await endSessions(app, { email: person!.email, apiKeys: false });
    expect(await latest()).toMatchObject({
      ...about,
      action: "adminSignOut",
      what: "Sign out everywhere (fettle admin)",
      way: "operator",
    });
    expect(JSON.stringify(await log("?limit=200"))).not.toContain("canary");
  });

  it("has an entry for a sign-in in each organization of the person, and none for what is refused or only looked at", async () => {
    const { projectId, people, organizationId } = world;
    const before = await latest();
    await api("GET", `/projects/${projectId}/servers`);
    await api("POST", `/projects/${projectId}/servers`, { name: "", transportType: "http" });
    await api("PATCH", `/projects/${projectId}`, { name: "Mine" }, "member");
    expect((await latest()).id).toBe(before.id);
    now += 1;
    await startSession(service.app, people.guest.userId, { ip: "203.0.113.7", headers: {} });
    expect(await latest()).toMatchObject({
      action: "signIn",
      what: "Sign in",
      by: { userId: people.guest.userId },
      ipAddress: "203.0.113.7",
      projectId: null,
    });
    const { rows } = await service.app.db.execute(
      sql`select organization_id from audit_entries where action = 'signIn' and user_id = ${people.guest.userId}`,
    );
    expect(rows).toEqual([{ organization_id: organizationId }]);
  });

  it("is read by pages and filters, by owners alone", async () => {
    const { projectId, organizationId, people } = world;
    for (let n = 0; n < 5; n++) {
      now += 1_000;
      await api("PATCH", `/projects/${projectId}`, { description: `number ${n}` }, n % 2 ? "admin" : "owner");
    }
    const first = await log("?action=updateProject&limit=2");
    const second = await log(`?action=updateProject&limit=2&cursor=${first.nextCursor}`);
    const third = await log(`?action=updateProject&limit=2&cursor=${second.nextCursor}`);
    const ids = [first, second, third].flatMap(({ items }) => items.map(({ id }: { id: string }) => id));
    expect(new Set(ids).size).toBe(5);
    expect(third.nextCursor).toBeUndefined();
    expect((await log(`?userId=${people.admin.userId}&action=updateProject`)).items).toHaveLength(2);
    expect((await log(`?since=${now}&projectId=${projectId}`)).items).toHaveLength(1);
    expect((await log(`?until=${now}&action=updateProject`)).items).toHaveLength(4);
    expect((await log("?action=updateProject&projectId=proj_none")).items).toEqual([]);
    for (const person of ["admin", "member", "guest"] as const) {
      expect((await api("GET", `/organizations/${organizationId}/audit-log`, undefined, person)).status).toBe(
        403,
      );
    }
    expect(
      (await api("GET", `/organizations/${organizationId}/audit-log`, undefined, "stranger")).status,
    ).toBe(404);
  });

  it("is never changed, and loses what is older than the operator keeps, and nothing else", async () => {
    await expect(service.app.db.execute(sql`update audit_entries set action = 'nothing'`)).rejects.toThrow();
    const before = await log("?limit=200");
    expect(before.keptDays).toBe(30);
    await pruneAudit(service.app);
    expect((await log("?limit=200")).items).toEqual(before.items);
    now += 30 * dayMs + 1;
    await api("PATCH", `/projects/${world.projectId}`, { description: "new" });
    await pruneAudit(service.app);
    expect((await log("?limit=200")).items).toMatchObject([{ action: "updateProject" }]);
  });

  it("covers keys, members, roles, invitations, servers, publishing, settings and deletions", () => {
    const all = Object.values(operations);
    const deletes = all.filter(
      ({ id, method }) => method === "DELETE" && /^(delete|remove|revoke|uninstall|unpublish)/.test(id),
    );
    expect(deletes.filter((each) => !isAudited(each)).map(({ id }) => id)).toEqual(["deleteChatSession"]);
    const named = [
      operations.createApiKey,
      operations.updateMember,
      operations.createInvitation,
      operations.publishScenario,
    ];
    expect(named.map(isAudited)).toEqual([true, true, true, true]);
    expect(all.filter(({ method }) => method === "GET").some(isAudited)).toBe(false);
  });
});
