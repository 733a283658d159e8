import type { OrganizationId, UserId } from "@fettle/contract/core";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../../core/log/log.ts";
import { identities, organizationMembers, users } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { makeMember, makeOrganization, makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { type TestProvider, testProvider } from "./testing-provider.ts";

const clientSecret = "canary-client-secret";
let provider: TestProvider;
let service: TestService;
let organizationId: OrganizationId;
let logged = "";
beforeAll(async () => {
  provider = await testProvider();
  service = await testService({
    env: {
      FETTLE_OIDC_ISSUER: provider.issuer,
      FETTLE_OIDC_CLIENT_ID: "fettle",
      FETTLE_OIDC_CLIENT_SECRET: clientSecret,
      FETTLE_OIDC_NAME: "Corp",
      FETTLE_OIDC_DOMAINS: "corp.example",
    },
    log: createLog({
      level: "debug",
      format: "json",
      write: (line) => {
        logged += line;
      },
    }),
  });
  organizationId = await makeOrganization(service.app.db, "Acme");
  await makeMember(service.app.db, organizationId, "owner");
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

let count = 0;
let subject: string;
let browser: TestBrowser;
beforeEach(() => {
  subject = `subject-${++count}`;
  browser = testBrowser(service);
});

const start = (body: object = {}, from = browser) =>
  from.call("/app/sign-in/oidc", { method: "POST", body: { providerId: "oidc", ...body } });

/** What a browser does: asks, signs in at the provider, comes back. Returns where it is sent in the end. */
async function signIn(
  options: { body?: object; as?: string; from?: TestBrowser } = {},
): Promise<string | null> {
  const from = options.from ?? browser;
  const { body } = await start(options.body, from);
  const back = await provider.signIn(body.url, options.as ?? subject);
  return (await from.call(back.pathname + back.search)).headers.get("location");
}

const whoIs = async (from: TestBrowser) => (await from.call("/app/bootstrap")).body;
const peopleWith = (email: string) => service.app.db.select().from(users).where(eq(users.email, email));

test("a provider that is down when the service starts is asked again at the next sign-in", async () => {
  expect(await start()).toMatchObject({ status: 502, body: { code: "SERVER_UNREACHABLE" } });
  provider.register({
    clientId: "fettle",
    clientSecret,
    redirectUri: `${service.url}/app/sign-in/oidc/oidc/callback`,
  });
  expect((await start()).status).toBe(200);
});

test("the way to the provider carries PKCE, state and nonce, and nothing secret", async () => {
  const { body } = await start();
  const query = new URL(body.url).searchParams;
  expect(query.get("code_challenge_method")).toBe("S256");
  for (const name of ["state", "nonce", "code_challenge"]) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
  expect(body.url).not.toContain(clientSecret);
  expect(browser.cookies.get("fettle_oidc")).not.toContain(query.get("nonce"));
});

describe("somebody new", () => {
  test("with a verified address of an allowed domain joins, and is the same person next time", async () => {
    provider.people.set(subject, { email: "Ada@Corp.example", email_verified: true, name: "Ada" });
    expect(await signIn({ body: { returnTo: "/account/keys?new=1" } })).toBe("/account/keys?new=1");
    const { user, organizations } = await whoIs(browser);
    expect(user).toMatchObject({ email: "ada@corp.example", name: "Ada", hasPassword: false });
    expect(organizations).toMatchObject([{ id: organizationId, name: "Acme", role: "member" }]);

    provider.people.set(subject, { email: "renamed@corp.example", email_verified: false });
    const later = testBrowser(service);
    expect(await signIn({ from: later })).toBe("/");
    expect((await whoIs(later)).user.id).toBe(user.id);
  });

  test.each([
    ["an unverified address", { email: "eve@corp.example", email_verified: false }, "email_not_verified"],
    ["an address nobody speaks for", { email: "eve@corp.example" }, "email_not_verified"],
    ["no address", {}, "email_not_verified"],
    ["what is no address", { email: "eve corp.example", email_verified: true }, "email_invalid"],
    ["an address and more", { email: "eve@corp.example\r\nx: y", email_verified: true }, "email_invalid"],
    [
      "a very long address",
      { email: `${"e".repeat(400)}@corp.example`, email_verified: true },
      "email_invalid",
    ],
    ["another domain", { email: "eve@evil.example", email_verified: true }, "not_invited"],
    ["a domain that ends alike", { email: "eve@notcorp.example", email_verified: true }, "not_invited"],
  ])("with %s gets nothing", async (_, claims, reason) => {
    provider.people.set(subject, claims);
    expect(await signIn()).toBe(`/login?error=${reason}`);
    expect((await whoIs(browser)).user).toBeNull();
    expect(await peopleWith("eve@corp.example")).toEqual([]);
  });

  test("with an invitation to a verified address of theirs joins in its role, whatever the domain", async () => {
    const owner = await signedInBrowser(service, await makeMember(service.app.db, organizationId, "owner"));
    const invited = await owner.call(`/app/organizations/${organizationId}/invitations`, {
      method: "POST",
      body: { email: "grace@partner.example", role: "guest" },
    });
    const invitationToken = new URL(invited.body.url).hash.replace("#token=", "");
    provider.people.set("stranger", { email: "eve@partner.example", email_verified: true });
    expect(await signIn({ body: { invitationToken }, as: "stranger" })).toBe("/login?error=not_invited");
    provider.people.set(subject, { email: "grace@partner.example", email_verified: true, name: "Grace" });
    const fresh = testBrowser(service);
    expect(await signIn({ body: { invitationToken }, from: fresh })).toBe("/");
    expect((await whoIs(fresh)).organizations).toMatchObject([{ role: "guest" }]);
    expect((await owner.call(`/app/organizations/${organizationId}/invitations`)).body.items).toMatchObject([
      { status: "accepted" },
    ]);
  });
});

describe("an account that exists", () => {
  const addressOf = async (id: UserId) =>
    (await service.app.db.select().from(users).where(eq(users.id, id)))[0]!.email;

  test("is not opened by a provider's user with the same address", async () => {
    const userId = await makePerson(service.app.db);
    provider.people.set(subject, { email: await addressOf(userId), email_verified: true });
    expect(await signIn()).toBe("/login?error=account_exists");
    expect((await whoIs(browser)).user).toBeNull();
    expect(await service.app.db.select().from(identities).where(eq(identities.userId, userId))).toEqual([]);
  });

  test("takes up the provider when its owner, signed in, asks for it; then the provider opens it", async () => {
    const userId = await makePerson(service.app.db);
    const owner = await signedInBrowser(service, userId);
    provider.people.set(subject, { email: "elsewhere@evil.example", email_verified: false });
    expect(await signIn({ body: { link: true, returnTo: "/account/profile" }, from: owner })).toBe(
      "/account/profile",
    );
    expect(await signIn()).toBe("/");
    expect((await whoIs(browser)).user.id).toBe(userId);

    const other = await signedInBrowser(service, await makePerson(service.app.db));
    expect(await signIn({ body: { link: true }, from: other })).toBe("/account/profile?error=identity_taken");
  });

  test("takes nothing up for a browser that is not signed in, or that somebody else has signed in to", async () => {
    expect((await start({ link: true })).status).toBe(401);
    const owner = await signedInBrowser(service, await makePerson(service.app.db));
    const { body } = await start({ link: true }, owner);
    const back = await provider.signIn(body.url, subject);
    const other = await signedInBrowser(service, await makePerson(service.app.db));
    for (const [name, value] of other.cookies) owner.cookies.set(name, value);
    const answer = await owner.call(back.pathname + back.search);
    expect(answer.headers.get("location")).toBe("/login?error=sign_in_expired");
    expect(await service.app.db.select().from(identities).where(eq(identities.subject, subject))).toEqual([]);
  });
});

describe("coming back", () => {
  beforeEach(() => provider.people.set(subject, { email: `${subject}@corp.example`, email_verified: true }));

  const leave = async () => provider.signIn((await start()).body.url, subject);
  const arrive = async (back: URL, from = browser) =>
    (await from.call(back.pathname + back.search)).headers.get("location");

  test("in another browser than the one that left gets nothing", async () => {
    expect(await arrive(await leave(), testBrowser(service))).toBe("/login?error=sign_in_expired");
  });

  test("with the code of somebody else's sign-in gets nothing", async () => {
    const theirs = await leave();
    const other = testBrowser(service);
    const own = await provider.signIn((await start({}, other)).body.url, subject);
    own.searchParams.set("code", theirs.searchParams.get("code") ?? "");
    expect(await arrive(own, other)).toBe("/login?error=provider_failed");
  });

  test("with another state gets nothing", async () => {
    const back = await leave();
    back.searchParams.set("state", "forged");
    expect(await arrive(back)).toBe("/login?error=provider_failed");
  });

  test("from another issuer gets nothing", async () => {
    const back = await leave();
    back.searchParams.set("iss", "https://evil.example");
    expect(await arrive(back)).toBe("/login?error=provider_failed");
  });

  test("twice signs in once", async () => {
    const back = await leave();
    const copy = testBrowser(service);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(await arrive(back)).toBe("/");
    expect(await arrive(back, copy)).toBe("/login?error=sign_in_expired");
    expect(await arrive(back)).toBe("/login?error=sign_in_expired");
  });

  test("with a state that was used gets nothing, even with a code that was not", async () => {
    const { body } = await start();
    const copy = testBrowser(service);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const [back, again] = [
      await provider.signIn(body.url, subject),
      await provider.signIn(body.url, subject),
    ];
    expect(again.searchParams.get("code")).not.toBe(back.searchParams.get("code"));
    expect(await arrive(back)).toBe("/");
    expect(await arrive(again, copy)).toBe("/login?error=sign_in_expired");
  });

  test("while somebody else takes the address says to try again, and is no error page", async () => {
    const back = await leave();
    // What a database that is down, or a race that was lost, does to the last step.
    await service.app.pool.query("ALTER TABLE identities RENAME TO identities_away");
    try {
      expect(await arrive(back)).toBe("/login?error=sign_in_failed");
    } finally {
      await service.app.pool.query("ALTER TABLE identities_away RENAME TO identities");
    }
  });

  test("to a provider that is not configured here says so in words", async () => {
    const answer = await browser.call("/app/sign-in/oidc/other/callback?code=x&state=y");
    expect(answer.headers.get("location")).toBe("/login?error=sign_in_expired");
  });

  test("refused by the provider is told so", async () => {
    const back = await leave();
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    expect(await arrive(back)).toBe("/login?error=provider_refused");
  });

  test.each([
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/..//evil.example",
    "/x/..//evil.example",
  ])("never leads on to %s", async (returnTo) => {
    const asked = await start({ returnTo });
    if (asked.status === 400) return;
    const back = await provider.signIn(asked.body.url, subject);
    const location = await arrive(back);
    expect(new URL(location!, service.url).origin).toBe(service.url);
  });
});

test("the provider's tokens and our client secret are nowhere in rows or logs", async () => {
  const rows = JSON.stringify(
    await Promise.all(
      [users, identities, organizationMembers].map((table) => service.app.db.select().from(table)),
    ),
  );
  for (const text of [rows, logged]) {
    expect(text).not.toContain(clientSecret);
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  }
  expect(logged).toContain("did not hold");
});
