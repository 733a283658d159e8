import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { passwords, sessions, signInLinks, users } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { makeCliToken, makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { hashPassword } from "./password.ts";
import { createSignInLink } from "./sign-in.ts";

const password = "correct horse battery";
let service: TestService;
let hash: string;
beforeAll(async () => {
  service = await testService();
  hash = await hashPassword(password);
});
afterAll(() => service.close());

/** A person with an address and a password of their own, so that no test uses up another's tries. */
async function makeAccount() {
  const userId = await makePerson(service.app.db);
  await service.app.db.insert(passwords).values({ userId, hash });
  const [row] = await service.app.db.select().from(users).where(eq(users.id, userId));
  return { userId, email: row!.email };
}

const signIn = (browser: TestBrowser, given: { email: string; password: string }) =>
  browser.call("/app/sign-in", { method: "POST", body: given });

const isSignedIn = async (browser: TestBrowser) =>
  (await browser.call("/app/account/devices")).status === 200;

describe("signing in with a password", () => {
  test("sets a cookie that scripts cannot read and other sites cannot send along", async () => {
    const { email } = await makeAccount();
    const browser = testBrowser(service);
    const answer = await signIn(browser, { email: ` ${email.toUpperCase()} `, password });
    expect(answer).toMatchObject({ status: 200, body: { user: { email, hasPassword: true } } });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^fettle_session=fse_\w{49}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("answers an unknown address and a wrong password alike", async () => {
    const { email } = await makeAccount();
    const wrong = await signIn(testBrowser(service), { email, password: "wrong" });
    const unknown = await signIn(testBrowser(service), { email: "nobody@example.com", password: "wrong" });
    expect(wrong.status).toBe(401);
    expect({ status: unknown.status, body: unknown.body }).toEqual({
      status: wrong.status,
      body: wrong.body,
    });
    expect(unknown.headers.getSetCookie()).toEqual([]);
  });

  test("from another site is refused, so that nobody is signed in to somebody else's account unawares", async () => {
    const { email } = await makeAccount();
    const answer = await testBrowser(service).call("/app/sign-in", {
      method: "POST",
      body: { email, password },
      headers: { origin: "https://evil.example" },
    });
    expect(answer.status).toBe(403);
  });

  test("can be switched off", async () => {
    const env = {
      FETTLE_SIGN_IN: "oidc",
      FETTLE_OIDC_ISSUER: "https://login.example.com",
      FETTLE_OIDC_CLIENT_ID: "fettle",
    };
    await using other = await testService({ env });
    const answer = await signIn(testBrowser(other), { email: "a@example.com", password });
    expect(answer).toMatchObject({ status: 403, body: { details: { reason: "PASSWORDS_OFF" } } });
    expect((await testBrowser(other).call("/app/bootstrap")).body.signIn).toEqual({
      password: false,
      passwordLetters: false,
      oidc: [{ id: "oidc", label: "single sign-on" }],
      sampleEmail: null,
    });
  });
});

describe("a session", () => {
  test("is kept as a hash, and begins with a token nobody knew before", async () => {
    const { email, userId } = await makeAccount();
    const browser = testBrowser(service);
    browser.cookies.set("fettle_session", "fse_planted");
    await signIn(browser, { email, password });
    const token = browser.cookies.get("fettle_session");
    expect(token).not.toBe("fse_planted");
    const rows = await service.app.db.select().from(sessions).where(eq(sessions.userId, userId));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("ends when the same browser signs in again", async () => {
    const { email, userId } = await makeAccount();
    const browser = await signedInBrowser(service, userId);
    const before = new Map(browser.cookies);
    await signIn(browser, { email, password });
    const old = testBrowser(service);
    for (const [name, value] of before) old.cookies.set(name, value);
    expect(await isSignedIn(old)).toBe(false);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("ends at sign-out, for the cookie as well as for a copy of it", async () => {
    const browser = await signedInBrowser(service, (await makeAccount()).userId);
    const copy = testBrowser(service);
    copy.cookies.set("fettle_session", browser.cookies.get("fettle_session")!);
    expect((await browser.call("/app/sign-out", { method: "POST" })).body).toEqual({ signedOut: true });
    expect(browser.cookies.has("fettle_session")).toBe(false);
    expect(await isSignedIn(copy)).toBe(false);
  });

  test("lapses after thirty days", async () => {
    const browser = await signedInBrowser(service, (await makeAccount()).userId);
    await using _ = turnClock(30 * 24 * 60 * 60 * 1000 + 1);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("says when it was last used, to within five minutes", async () => {
    const browser = await signedInBrowser(service, await makePerson(service.app.db));
    const lastUsed = async (ahead: number) => {
      await using _later = turnClock(ahead);
      await browser.call("/app/bootstrap");
      const { body } = await browser.call("/app/account/devices");
      return body.items[0].lastUsedAt;
    };
    const began = await lastUsed(0);
    expect(await lastUsed(4 * 60 * 1000)).toBe(began);
    expect(await lastUsed(6 * 60 * 1000)).toBeGreaterThanOrEqual(began + 6 * 60 * 1000);
  });

  test("is not believed when two cookies of the name arrive", async () => {
    const browser = await signedInBrowser(service, (await makeAccount()).userId);
    const cookie = `fettle_session=${browser.cookies.get("fettle_session")}`;
    const call = (header: string) => service.call("/app/account/devices", { headers: { cookie: header } });
    expect((await call(cookie)).status).toBe(200);
    expect((await call(`${cookie}; fettle_session=fse_other`)).status).toBe(401);
  });

  test("is marked for HTTPS alone where people reach the service by HTTPS", async () => {
    await using other = await testService({ env: { FETTLE_PUBLIC_URL: "https://fettle.example.com" } });
    const browser = await signedInBrowser(other, await makePerson(other.app.db));
    expect([...browser.cookies.keys()]).toEqual(["__Host-fettle_session", "__Host-fettle_device"]);
    const ended = await browser.call("/app/sign-out", { method: "POST" });
    expect(ended.headers.getSetCookie()[0]).toBe(
      "__Host-fettle_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
  });
});

describe("a sign-in link", () => {
  const redeem = (token: string) =>
    testBrowser(service).call("/app/sign-in/link", { method: "POST", body: { token } });

  test("signs in once", async () => {
    const { userId, email } = await makeAccount();
    const token = (await createSignInLink(service.app, userId)).reveal();
    expect(JSON.stringify(await service.app.db.select().from(signInLinks))).not.toContain(token);
    const browser = testBrowser(service);
    const answer = await browser.call("/app/sign-in/link", { method: "POST", body: { token } });
    expect(answer.body.user.email).toBe(email);
    expect(await isSignedIn(browser)).toBe(true);
    expect(await redeem(token)).toMatchObject({
      status: 401,
      body: { details: { reason: "LINK_USED_OR_EXPIRED" } },
    });
  });

  test("used ten times at once signs one browser in", async () => {
    const token = (await createSignInLink(service.app, (await makeAccount()).userId)).reveal();
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("lapses after ten minutes", async () => {
    const token = (await createSignInLink(service.app, (await makeAccount()).userId)).reveal();
    await using _ = turnClock(10 * 60 * 1000 + 1);
    expect((await redeem(token)).status).toBe(401);
  });
});

describe("changing the password", () => {
  const change = (browser: TestBrowser, body: object) =>
    browser.call("/app/account/password", { method: "POST", body });

  test("needs the current one, and ends every other session", async () => {
    const { userId, email } = await makeAccount();
    const [here, elsewhere] = [
      await signedInBrowser(service, userId),
      await signedInBrowser(service, userId),
    ];
    const link = (await createSignInLink(service.app, userId)).reveal();
    const cliToken = await makeCliToken(service.app.db, userId);
    const commandLineStatus = async () => (await service.call("/api/v1/me", { key: cliToken })).status;
    expect(await commandLineStatus()).toBe(200);
    const newPassword = "another horse battery";
    expect(await change(here, { newPassword })).toMatchObject({ status: 403 });
    expect(await change(here, { currentPassword: "wrong", newPassword })).toMatchObject({ status: 403 });
    expect((await change(here, { currentPassword: password, newPassword })).body).toEqual({
      changed: true,
      endedSessions: 2,
    });
    expect(await commandLineStatus()).toBe(401);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(
      (await testBrowser(service).call("/app/sign-in/link", { method: "POST", body: { token: link } }))
        .status,
    ).toBe(401);
    expect((await signIn(testBrowser(service), { email, password })).status).toBe(401);
    expect((await signIn(testBrowser(service), { email, password: newPassword })).status).toBe(200);
  });

  test("needs no current one from somebody who has none", async () => {
    const browser = await signedInBrowser(service, await makePerson(service.app.db));
    expect((await browser.call("/app/bootstrap")).body.user.hasPassword).toBe(false);
    expect((await change(browser, { newPassword: password })).status).toBe(200);
    expect((await browser.call("/app/bootstrap")).body.user.hasPassword).toBe(true);
  });

  test("refuses one that is short", async () => {
    const browser = await signedInBrowser(service, await makePerson(service.app.db));
    expect((await change(browser, { newPassword: "short" })).status).toBe(400);
  });
});

/** The service's clock runs ahead until the returned handle is disposed. */
function turnClock(ahead: number): AsyncDisposable {
  const { now } = service.app;
  service.app.now = () => Date.now() + ahead;
  return {
    [Symbol.asyncDispose]: async () => {
      service.app.now = now;
    },
  };
}
