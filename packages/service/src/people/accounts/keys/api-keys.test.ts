import type { OrganizationId } from "@fettle/contract/core";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiKeys, guestTokens } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { makeMember, makeOrganization } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";

let service: TestService;
let organizationId: OrganizationId;
const browsers = {} as Record<"admin" | "member" | "other" | "guest", TestBrowser>;
beforeAll(async () => {
  service = await testService();
  const { db } = service.app;
  organizationId = await makeOrganization(db);
  browsers.admin = await signedInBrowser(service, await makeMember(db, organizationId, "admin"));
  browsers.member = await signedInBrowser(service, await makeMember(db, organizationId, "member"));
  browsers.other = await signedInBrowser(service, await makeMember(db, organizationId, "member"));
  browsers.guest = await signedInBrowser(service, await makeMember(db, organizationId, "guest"));
});
afterAll(() => service.close());

const path = (keyId = "") => `/app/organizations/${organizationId}/keys${keyId && `/${keyId}`}`;
const create = (browser: TestBrowser, body: object = { name: "ci" }) =>
  browser.call(path(), { method: "POST", body });
const revoke = (browser: TestBrowser, keyId: string) => browser.call(path(keyId), { method: "DELETE" });
const works = async (key: string) => (await service.call("/api/v1/me", { key })).status === 200;
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id);

describe("a key", () => {
  test("is shown once, works, and is kept as a hash", async () => {
    const made = await create(browsers.member, { name: "ci", expiresInDays: 90 });
    expect(made.status).toBe(201);
    const { key, ...rest } = made.body;
    expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/);
    expect(await works(key)).toBe(true);
    const listed = await browsers.member.call(path());
    expect(listed.body.items).toContainEqual({ ...rest, lastUsedAt: expect.any(Number) });
    expect(rest).toMatchObject({ name: "ci", redacted: `sk_…${key.slice(-4)}`, revokedAt: null });
    expect(rest.expiresAt - rest.createdAt).toBe(90 * 24 * 60 * 60 * 1000);
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(JSON.stringify(await service.app.db.select().from(apiKeys))).not.toContain(key);
  });

  test("is dead the moment it is revoked, also for a process that has just seen it work", async () => {
    const { key, id } = (await create(browsers.member)).body;
    const { database } = service.app.config;
    const url = database.kind === "external" ? database.url.reveal() : "";
    await using replica = await testService({ env: { DATABASE_URL: url } });
    expect((await replica.call("/api/v1/me", { key })).status).toBe(200);
    expect((await revoke(browsers.member, id)).body).toEqual({ id, revoked: true });
    expect((await replica.call("/api/v1/me", { key })).status).toBe(401);
    expect(await works(key)).toBe(false);
  });

  test("lapses when it was made to", async () => {
    const { key, id } = (await create(browsers.member, { name: "short", expiresInDays: 1 })).body;
    expect(await works(key)).toBe(true);
    await service.app.db
      .update(apiKeys)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(apiKeys.id, id));
    expect(await works(key)).toBe(false);
  });

  test("with one character changed is refused", async () => {
    const { key } = (await create(browsers.member)).body;
    const changed = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
    expect(await works(changed)).toBe(false);
  });
});

describe("who manages keys", () => {
  test("members see and revoke their own, admins everybody's", async () => {
    const { id, key } = (await create(browsers.member)).body;
    expect(idsOf(await browsers.admin.call(path()))).toContain(id);
    expect(idsOf(await browsers.other.call(path()))).not.toContain(id);
    expect((await revoke(browsers.other, id)).status).toBe(404);
    expect(await works(key)).toBe(true);
    expect((await revoke(browsers.admin, id)).status).toBe(200);
    expect(await works(key)).toBe(false);
  });

  test("guests of the organization have none", async () => {
    expect((await create(browsers.guest)).status).toBe(403);
  });

  test("another organization's admin finds nothing here", async () => {
    const { id } = (await create(browsers.member)).body;
    const elsewhere = await makeOrganization(service.app.db);
    const stranger = await signedInBrowser(service, await makeMember(service.app.db, elsewhere, "owner"));
    expect((await revoke(stranger, id)).status).toBe(404);
    const own = `/app/organizations/${elsewhere}/keys/${id}`;
    expect((await stranger.call(own, { method: "DELETE" })).status).toBe(404);
  });

  test("a key cannot list, make or revoke keys", async () => {
    const { id, key } = (await create(browsers.admin)).body;
    const answers = [
      await service.call(path(), { key }),
      await service.call(path(), { method: "POST", key, body: { name: "more" } }),
      await service.call(path(id), { method: "DELETE", key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await works(key)).toBe(true);
  });

  test("a page of another site cannot make one through a signed-in browser", async () => {
    const { cookies } = browsers.member;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await service.call(path(), { method: "POST", headers: { cookie }, body: { name: "x" } });
    expect(answer.status).toBe(403);
  });
});

describe("a guest token", () => {
  const mint = () => testBrowser(service).call("/app/guest-tokens", { method: "POST" });

  test("is minted for anyone, kept as a hash, and opens nothing but the guest reads", async () => {
    const { status, body } = await mint();
    expect(status).toBe(201);
    expect(body.token).toMatch(/^fgt_/);
    expect(JSON.stringify(await service.app.db.select().from(guestTokens))).not.toContain(body.token);
    expect((await service.call("/api/v1/me", { key: body.token })).status).toBe(401);
    expect((await service.call("/app/account/devices", { key: body.token })).status).toBe(401);
  });

  test("is not minted without end from one address", async () => {
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await mint()).status));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  });
});
