import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { identities, passwords, signInLinks, users } from "../../../core/tables/accounts.ts";
import { signedInBrowser, testBrowser } from "../../../testing/browser.ts";
import { type MailServer, mailEnv, startMailServer } from "../../../testing/mail-server.ts";
import { makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { passwordLetterJob } from "./forgotten-password.ts";
import { hashPassword } from "./password.ts";
import { createSignInLink } from "./sign-in.ts";

const oldPassword = "correct horse battery";
const newPassword = "another horse battery";
let service: TestService;
let mail: MailServer;
let hash: string;
let ahead = 0;
beforeAll(async () => {
  mail = await startMailServer();
  service = await testService({ env: mailEnv(mail), now: () => Date.now() + ahead });
  await service.app.work();
  hash = await hashPassword(oldPassword);
});
afterAll(async () => {
  await service.close();
  await mail[Symbol.asyncDispose]();
});

async function makeAccount(password = true) {
  const { db } = service.app;
  const userId = await makePerson(db, "Ada");
  if (password) await db.insert(passwords).values({ userId, hash });
  const [row] = await db.select().from(users).where(eq(users.id, userId));
  return { userId, email: row!.email };
}

/** From a network of its own each time, so that no test uses up another's tries. */
const ask = (email: string, headers = {}) =>
  testBrowser(service).call("/app/sign-in/forgotten", { method: "POST", body: { email }, headers });
const choose = (token: string, browser = testBrowser(service)) =>
  browser.call("/app/sign-in/new-password", { method: "POST", body: { token, password: newPassword } });
const signIn = async (email: string, password: string) =>
  (await testBrowser(service).call("/app/sign-in", { method: "POST", body: { email, password } })).status;

async function letterFor(email: string) {
  await ask(email);
  const { text } = await mail.letterTo(email);
  const [, origin = "", token = ""] = /(\S+)\/new-password#token=(\w+)/.exec(text) ?? [];
  return { text, origin, token };
}

/** Every letter that was asked for has been written, or never will be. */
const isSettled = () =>
  vi.waitFor(async () => {
    const { rows } = await service.app.db.execute(
      sql`select 1 from jobs where state in ('waiting', 'running') and name in (${passwordLetterJob.name}, 'mail.send')`,
    );
    expect(rows).toEqual([]);
  }, 60_000);

describe("a forgotten password", () => {
  beforeAll(() => service.app.db.execute(sql`delete from rate_limits`));

  test("is replaced through a letter, which signs in here and out everywhere else", async () => {
    const { userId, email } = await makeAccount();
    const elsewhere = await signedInBrowser(service, userId);
    const { token, origin } = await letterFor(email);
    expect(origin).toBe("http://fettle.example.com");
    const browser = testBrowser(service);
    const answer = await choose(token, browser);
    expect(answer).toMatchObject({ status: 200, body: { user: { email }, endedSessions: 1 } });
    expect((await browser.call("/app/account/devices")).status).toBe(200);
    expect((await elsewhere.call("/app/account/devices")).status).toBe(401);
    expect([await signIn(email, oldPassword), await signIn(email, newPassword)]).toEqual([401, 200]);
    expect(await choose(token)).toMatchObject({
      status: 401,
      body: { details: { reason: "LINK_USED_OR_EXPIRED" } },
    });
  });

  test("answers alike whether or not there is an account, and writes only to people who have a password", async () => {
    const known = await makeAccount();
    const byProvider = await makeAccount(false);
    await service.app.db
      .insert(identities)
      .values({ issuer: "https://login.example.com", subject: byProvider.userId, userId: byProvider.userId });
    const addresses = [known.email, byProvider.email, "nobody@example.com"];
    const answers = await Promise.all(addresses.map((email) => ask(email)));
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(
      addresses.map(() => ({ status: 202, body: { asked: true } })),
    );
    await mail.letterTo(known.email);
    await isSettled();
    const written = mail.letters.flatMap(({ readers }) => readers);
    expect(addresses.filter((email) => written.includes(email))).toEqual([known.email]);
  });

  test("leads to the configured address, whatever host the request names", async () => {
    const { email } = await makeAccount();
    await ask(email, { host: "evil.example", "x-forwarded-host": "evil.example" });
    expect((await mail.letterTo(email)).text).not.toContain("evil");
  });

  test("link lapses after an hour", async () => {
    const { token } = await letterFor((await makeAccount()).email);
    ahead = 60 * 60 * 1000 + 1;
    try {
      expect((await choose(token)).status).toBe(401);
    } finally {
      ahead = 0;
    }
  });

  test("link and sign-in link are not each other's, and used ten times at once one wins", async () => {
    const { userId, email } = await makeAccount();
    const { token } = await letterFor(email);
    const signInLink = (await createSignInLink(service.app, userId)).reveal();
    expect((await choose(signInLink)).status).toBe(401);
    const asLink = await testBrowser(service).call("/app/sign-in/link", { method: "POST", body: { token } });
    expect(asLink.status).toBe(401);
    const stored = JSON.stringify(await service.app.db.select().from(signInLinks));
    expect(stored).not.toContain(token);
    const answers = await Promise.all(Array.from({ length: 10 }, () => choose(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("asked for again and again fills no mailbox, and is slowed down", async () => {
    await service.app.db.execute(sql`delete from rate_limits`);
    const { email } = await makeAccount();
    const statuses = [];
    for (let n = 0; n < 12; n++) {
      statuses.push((await ask(email)).status);
      await isSettled();
    }
    expect(statuses).toEqual([...Array(10).fill(202), 429, 429]);
    expect(mail.letters.filter(({ readers }) => readers.includes(email))).toHaveLength(5);
  });
});

test("without mail, nobody is promised a letter", async () => {
  await using other = await testService();
  const browser = testBrowser(other);
  expect((await browser.call("/app/bootstrap")).body.signIn.passwordLetters).toBe(false);
  const answer = await browser.call("/app/sign-in/forgotten", {
    method: "POST",
    body: { email: "ada@example.com" },
  });
  expect(answer).toMatchObject({
    status: 422,
    body: { code: "FEATURE_NOT_SUPPORTED", details: { reason: "NO_MAIL" } },
  });
});
