import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { identities, users } from "../../../core/tables/accounts.ts";
import { type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { prepareSetup } from "../setup/setup.ts";
import { type TestProvider, testProvider } from "./testing-provider.ts";

let provider: TestProvider;
let service: TestService;
let browser: TestBrowser;
beforeEach(async () => {
  provider = await testProvider();
  service = await testService({
    env: {
      FETTLE_SIGN_IN: "oidc",
      FETTLE_OIDC_ISSUER: provider.issuer,
      FETTLE_OIDC_CLIENT_ID: "fettle",
      FETTLE_OIDC_CLIENT_SECRET: "a-client-secret",
      FETTLE_OIDC_DOMAINS: "corp.example",
    },
  });
  provider.register({
    clientId: "fettle",
    clientSecret: "a-client-secret",
    redirectUri: `${service.url}/app/sign-in/oidc/oidc/callback`,
  });
  browser = testBrowser(service);
});
afterEach(async () => {
  await service.close();
  await provider.close();
});

const first = { name: "Ada", email: "Ada@corp.example", organizationName: "Acme" };

const start = (setup: object | undefined, from = browser) =>
  from.call("/app/sign-in/oidc", { method: "POST", body: { providerId: "oidc", ...(setup && { setup }) } });

async function signIn(setup?: object, from = browser, as = "ada"): Promise<string | null> {
  const { body } = await start(setup, from);
  const back = await provider.signIn(body.url, as);
  return (await from.call(back.pathname + back.search)).headers.get("location");
}

describe("where people sign in at a provider alone", () => {
  test("the first owner sets up through it, and gets in again", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    // A provider that says nothing about the person but who they are is enough.
    provider.people.set("ada", {});
    expect(await signIn({ token, ...first })).toBe("/");
    const made = (await browser.call("/app/bootstrap")).body;
    expect(made).toMatchObject({
      setupNeeded: false,
      user: { name: "Ada", email: "ada@corp.example", hasPassword: false },
      organizations: [{ name: "Acme", role: "owner" }],
    });
    const elsewhere = testBrowser(service);
    expect(await signIn(undefined, elsewhere)).toBe("/");
    expect((await elsewhere.call("/app/bootstrap")).body.user).toEqual(made.user);
  });

  test("no account is made that only a password could open", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const body = { token, ...first, password: "correct horse battery" };
    expect(await browser.call("/app/setup", { method: "POST", body })).toMatchObject({
      status: 403,
      body: { details: { reason: "PASSWORDS_OFF" } },
    });
    expect(await service.app.db.select().from(users)).toEqual([]);
  });

  test("a wrong setup token is refused before anybody leaves for the provider", async () => {
    await prepareSetup(service.app);
    expect(await start({ token: "fsu_guess", ...first })).toMatchObject({
      status: 401,
      body: { details: { reason: "WRONG_SETUP_TOKEN" } },
    });
  });

  test("of two who set up at once the second is told that it is done", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const other = testBrowser(service);
    const [one, two] = [await start({ token, ...first }), await start({ token, ...first }, other)];
    const [backOne, backTwo] = [
      await provider.signIn(one.body.url, "ada"),
      await provider.signIn(two.body.url, "eve"),
    ];
    expect((await browser.call(backOne.pathname + backOne.search)).headers.get("location")).toBe("/");
    expect((await other.call(backTwo.pathname + backTwo.search)).headers.get("location")).toBe(
      "/setup?error=setup_done",
    );
    expect(await service.app.db.select().from(identities)).toHaveLength(1);
    expect((await other.call("/app/bootstrap")).body.user).toBeNull();
  });

  test("a sign-in before the set-up leads to the setup page with a word", async () => {
    await prepareSetup(service.app);
    provider.people.set("ada", { email: "ada@corp.example", email_verified: true });
    expect(await signIn()).toBe("/setup?error=setup_needed");
    expect(await service.app.db.select().from(users)).toEqual([]);
  });

  test("a refusal at the provider leads back to the setup page", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const { body } = await start({ token, ...first });
    const back = await provider.signIn(body.url, "ada");
    back.searchParams.delete("code");
    back.searchParams.set("error", "access_denied");
    const answer = await browser.call(back.pathname + back.search);
    expect(answer.headers.get("location")).toBe("/setup?error=provider_refused");
  });
});
