import type { OrganizationId, UserId } from "@fettle/contract/core";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invitations, organizationMembers, users } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { mailEnv, startMailServer } from "../../../testing/mail-server.ts";
import { makeMember, makeOrganization, makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";

let service: TestService;
let organizationId: OrganizationId;
let owner: TestBrowser;
let admin: TestBrowser;
beforeAll(async () => {
  service = await testService();
  organizationId = await makeOrganization(service.app.db, "Acme");
  owner = await signedInBrowser(service, await makeMember(service.app.db, organizationId, "owner"));
  admin = await signedInBrowser(service, await makeMember(service.app.db, organizationId, "admin"));
});
afterAll(() => service.close());

let count = 0;
const newAddress = () => `invited${++count}@example.com`;
const path = () => `/app/organizations/${organizationId}/invitations`;
const invite = (browser: TestBrowser, body: object) => browser.call(path(), { method: "POST", body });
const tokenOf = (url: string) => new URL(url).hash.replace("#token=", "");
const read = (token: string) =>
  testBrowser(service).call("/app/invitations/read", { method: "POST", body: { token } });
const signUp = (browser: TestBrowser, invitationToken: string) =>
  browser.call("/app/sign-up", {
    method: "POST",
    body: { invitationToken, name: "New", password: "correct horse battery" },
  });
const accept = (browser: TestBrowser, token: string) =>
  browser.call("/app/invitations/accept", { method: "POST", body: { token } });
const addressOf = async (userId: UserId) =>
  (await service.app.db.select().from(users).where(eq(users.id, userId)))[0]!.email;

describe("an invitation", () => {
  test("is a link shown once, kept as a hash, with its secret where servers never see it", async () => {
    const made = await invite(admin, { email: newAddress(), role: "member" });
    expect(made.status).toBe(201);
    expect(made.body.url).toMatch(new RegExp(`^${service.url}/join#token=fin_\\w{49}$`));
    const listed = await admin.call(path());
    expect(JSON.stringify(listed.body)).not.toContain("fin_");
    const rows = await service.app.db.select().from(invitations).where(eq(invitations.id, made.body.id));
    expect(JSON.stringify(rows)).not.toContain(tokenOf(made.body.url));
  });

  test("says who invites, to what, as what, and whether the address has an account", async () => {
    const email = newAddress();
    const { body } = await invite(owner, { email, role: "admin" });
    expect((await read(tokenOf(body.url))).body).toEqual({
      organization: { id: organizationId, name: "Acme" },
      email,
      role: "admin",
      invitedBy: "owner",
      expiresAt: body.expiresAt,
      hasAccount: false,
    });
  });

  test("in the role of owner is made by owners alone", async () => {
    expect((await invite(admin, { email: newAddress(), role: "owner" })).status).toBe(403);
    expect((await invite(owner, { email: newAddress(), role: "owner" })).status).toBe(201);
  });

  test("is refused for somebody who belongs already, or is invited already", async () => {
    const email = newAddress();
    await invite(owner, { email });
    expect(await invite(owner, { email })).toMatchObject({
      status: 409,
      body: { details: { code: "ALREADY_INVITED" } },
    });
    const member = await makeMember(service.app.db, organizationId, "guest");
    expect(await invite(owner, { email: await addressOf(member) })).toMatchObject({
      status: 409,
      body: { details: { code: "ALREADY_MEMBER" } },
    });
  });
});

describe("joining", () => {
  test("with a new account takes the invited address and role, and signs in", async () => {
    const email = newAddress();
    const { body } = await invite(owner, { email, role: "guest" });
    const browser = testBrowser(service);
    const joined = await signUp(browser, tokenOf(body.url));
    expect(joined).toMatchObject({ status: 201, body: { user: { email, name: "New" }, organizationId } });
    expect((await browser.call("/app/bootstrap")).body.organizations).toMatchObject([
      { id: organizationId, name: "Acme", role: "guest" },
    ]);
  });

  test("with an account that exists needs that account to be signed in", async () => {
    const person = await makePerson(service.app.db);
    const { body } = await invite(owner, { email: await addressOf(person) });
    const token = tokenOf(body.url);
    expect((await read(token)).body.hasAccount).toBe(true);
    expect(await signUp(testBrowser(service), token)).toMatchObject({
      status: 409,
      body: { details: { code: "ACCOUNT_EXISTS" } },
    });
    expect((await accept(testBrowser(service), token)).status).toBe(401);
    const other = await signedInBrowser(service, await makePerson(service.app.db));
    expect(await accept(other, token)).toMatchObject({
      status: 403,
      body: { details: { reason: "OTHER_ADDRESS" } },
    });
    expect((await accept(await signedInBrowser(service, person), token)).body).toEqual({ organizationId });
  });

  test("by one link from many browsers at once makes one account", async () => {
    const email = newAddress();
    const { body } = await invite(owner, { email });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => signUp(testBrowser(service), tokenOf(body.url))),
    );
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => [201, 404, 409].includes(status))).toBe(true);
    const people = await service.app.db.select().from(users).where(eq(users.email, email));
    expect(people).toHaveLength(1);
    const joined = await service.app.db
      .select()
      .from(organizationMembers)
      .where(eq(organizationMembers.userId, people[0]!.id));
    expect(joined).toHaveLength(1);
  });
});

describe("a link is worth nothing", () => {
  const isDead = async (token: string) => {
    const answers = [await read(token), await signUp(testBrowser(service), token)];
    return answers.every(({ status }) => status === 404);
  };

  test("once used", async () => {
    const { body } = await invite(owner, { email: newAddress() });
    await signUp(testBrowser(service), tokenOf(body.url));
    expect(await isDead(tokenOf(body.url))).toBe(true);
  });

  test("once taken back, which cannot be done twice", async () => {
    const { body } = await invite(owner, { email: newAddress() });
    const revoke = () => admin.call(`${path()}/${body.id}`, { method: "DELETE" });
    expect((await revoke()).body).toEqual({ id: body.id, revoked: true });
    expect((await revoke()).status).toBe(409);
    expect(await isDead(tokenOf(body.url))).toBe(true);
  });

  test("after seven days, which is also when the address may be invited again", async () => {
    const email = newAddress();
    const { body } = await invite(owner, { email });
    const { now } = service.app;
    service.app.now = () => Date.now() + 7 * 24 * 60 * 60 * 1000 + 1;
    try {
      expect(await isDead(tokenOf(body.url))).toBe(true);
      const listed = await owner.call(path());
      expect(listed.body.items.find(({ id }: { id: string }) => id === body.id).status).toBe("expired");
      expect((await invite(owner, { email })).status).toBe(201);
    } finally {
      service.app.now = now;
    }
  });

  test("when it was made up", async () => {
    expect(await isDead("fin_guess")).toBe(true);
  });
});

test("another organization's invitation cannot be taken back", async () => {
  const { body } = await invite(owner, { email: newAddress() });
  const elsewhere = await makeOrganization(service.app.db);
  const stranger = await signedInBrowser(service, await makeMember(service.app.db, elsewhere, "owner"));
  expect((await stranger.call(`${path()}/${body.id}`, { method: "DELETE" })).status).toBe(404);
  const own = `/app/organizations/${elsewhere}/invitations/${body.id}`;
  expect((await stranger.call(own, { method: "DELETE" })).status).toBe(404);
});

test("goes out as a letter where mail is set up, and the answer says whether it did", async () => {
  await using mail = await startMailServer();
  await using other = await testService({ env: mailEnv(mail) });
  await other.app.work();
  const acme = await makeOrganization(other.app.db);
  const inviting = await signedInBrowser(other, await makeMember(other.app.db, acme, "owner"));
  const email = "grace@example.com";
  const { body } = await inviting.call(`/app/organizations/${acme}/invitations`, {
    method: "POST",
    body: { email },
  });
  expect(body).toMatchObject({ invited: true, status: "pending" });
  const { text } = await mail.letterTo(email);
  expect(text).toContain(`http://fettle.example.com/join#token=${tokenOf(body.url)}`);
  const joined = await testBrowser(other).call("/app/sign-up", {
    method: "POST",
    body: { invitationToken: tokenOf(body.url), name: "Grace", password: "correct horse battery" },
  });
  expect(joined.status).toBe(201);
  expect((await invite(owner, { email: newAddress() })).body.invited).toBe(false);
});
