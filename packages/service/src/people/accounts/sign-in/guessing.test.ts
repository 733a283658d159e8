import type { UserId } from "@fettle/contract/core";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buckets } from "../../../core/limits/limits.ts";
import { passwords, rememberedDevices, users } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { hashPassword } from "./password.ts";

const password = "correct horse battery";
const deviceCookie = "__Host-fettle_device";
let service: TestService;
let hash: string;
beforeAll(async () => {
  // With a public address, a proxy on this machine may say where a call comes from; these tests are that proxy.
  service = await testService({ env: { FETTLE_PUBLIC_URL: "https://fettle.example.com" } });
  hash = await hashPassword(password);
});
afterAll(() => service.close());

async function makeAccount() {
  const userId = await makePerson(service.app.db);
  await service.app.db.insert(passwords).values({ userId, hash });
  const [row] = await service.app.db.select().from(users).where(eq(users.id, userId));
  return { userId, email: row!.email };
}

let lastAddress = 0;
const newAddress = () => `203.0.113.${++lastAddress}`;

const signIn = (browser: TestBrowser, address: string, given: { email: string; password: string }) =>
  browser.call("/app/sign-in", {
    method: "POST",
    body: given,
    headers: { "x-forwarded-for": address, origin: "https://fettle.example.com" },
  });

/** Uses up tries without the time that as many password checks take. */
async function exhaust(bucket: keyof typeof buckets, owner: string): Promise<void> {
  await service.app.pool.query(
    `INSERT INTO rate_limits (id, tokens, refilled_at, allowed) VALUES ($1, 0, clock_timestamp(), false)
     ON CONFLICT (id) DO UPDATE SET tokens = 0, refilled_at = clock_timestamp()`,
    [`${buckets[bucket].name}:${owner}`],
  );
}

const wrong = "wrong password";

describe("wrong passwords", () => {
  test("are answered a few times, and then neither they nor the right one are looked at from that address", async () => {
    const { email } = await makeAccount();
    const address = newAddress();
    const tries = await Promise.all(
      Array.from({ length: 11 }, () => signIn(testBrowser(service), address, { email, password: wrong })),
    );
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = await signIn(testBrowser(service), address, { email, password });
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

    // The owner, elsewhere, notices nothing.
    expect((await signIn(testBrowser(service), newAddress(), { email, password })).status).toBe(200);
  });

  test("of a stranger at the same address do not keep out a browser that has signed in before", async () => {
    const { email } = await makeAccount();
    const address = newAddress();
    const own = testBrowser(service);
    await signIn(own, address, { email, password });
    await own.call("/app/sign-out", { method: "POST", headers: { origin: "https://fettle.example.com" } });
    await exhaust("signInTogether", `${address} ${email}`);
    expect((await signIn(testBrowser(service), address, { email, password })).status).toBe(429);
    expect((await signIn(own, address, { email, password })).status).toBe(200);
  });

  test("are limited in a browser that has signed in before, too", async () => {
    const { email, userId } = await makeAccount();
    const own = testBrowser(service);
    await signIn(own, newAddress(), { email, password });
    const [device] = await devicesOf(userId);
    await exhaust("signInDevice", device!.id);
    expect((await signIn(own, newAddress(), { email, password: wrong })).status).toBe(429);
  });

  test("from all over the world are limited together, and the owner's browser still gets in", async () => {
    const { email } = await makeAccount();
    const own = testBrowser(service);
    await signIn(own, newAddress(), { email, password });
    await exhaust("signInAccount", email);
    expect((await signIn(testBrowser(service), newAddress(), { email, password })).status).toBe(429);
    expect((await signIn(own, newAddress(), { email, password })).status).toBe(200);
  });

  test("cannot be spread over the addresses that one IPv6 network has", async () => {
    const { email } = await makeAccount();
    await exhaust("signInTogether", `2001:db8:7:0::/64 ${email}`);
    const tried = await signIn(testBrowser(service), "2001:db8:7::5", { email, password });
    expect(tried.status).toBe(429);
  });

  test("do not keep somebody who is signed in from changing theirs", async () => {
    const { email, userId } = await makeAccount();
    const own = await signedInBrowser(service, userId);
    await exhaust("signInAccount", email);
    const changed = await own.call("/app/account/password", {
      method: "POST",
      body: { currentPassword: password, newPassword: "another horse battery" },
      headers: { origin: "https://fettle.example.com" },
    });
    expect(changed.status).toBe(200);
  });
});

const devicesOf = (userId: UserId) =>
  service.app.db.select().from(rememberedDevices).where(eq(rememberedDevices.userId, userId));

describe("a remembered browser", () => {
  const passesFor = async (browser: TestBrowser, email: string) => {
    const address = newAddress();
    await exhaust("signInTogether", `${address} ${email}`);
    return (await signIn(browser, address, { email, password: wrong })).status === 401;
  };

  test("holds a cookie that opens nothing by itself, is stored as a hash, and is new after each sign-in", async () => {
    const { email, userId } = await makeAccount();
    const browser = testBrowser(service);
    const answer = await signIn(browser, newAddress(), { email, password });
    const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(deviceCookie));
    expect(line).toMatch(/; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const first = browser.cookies.get(deviceCookie)!;
    const alone = testBrowser(service);
    alone.cookies.set(deviceCookie, first);
    expect((await alone.call("/app/account/devices")).status).toBe(401);
    const rows = await devicesOf(userId);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(first);

    await signIn(browser, newAddress(), { email, password });
    expect(browser.cookies.get(deviceCookie)).not.toBe(first);
    expect(await passesFor(alone, email)).toBe(false);
    expect(await passesFor(browser, email)).toBe(true);
  });

  test("is remembered for each person who signed in with it, and for nobody else", async () => {
    const [ada, grace, eve] = [await makeAccount(), await makeAccount(), await makeAccount()];
    const shared = testBrowser(service);
    await signIn(shared, newAddress(), { email: ada.email, password });
    await signIn(shared, newAddress(), { email: grace.email, password });
    expect(await passesFor(shared, ada.email)).toBe(true);
    expect(await passesFor(shared, grace.email)).toBe(true);
    expect(await passesFor(shared, eve.email)).toBe(false);
    expect(await passesFor(shared, "nobody@example.com")).toBe(false);
  });

  test.each<[string, (own: TestBrowser, other: TestBrowser) => Promise<unknown>]>([
    [
      "its session is ended from another device",
      async (_, other) => {
        const { body } = await other.call("/app/account/devices");
        const { id } = body.items.find(({ current }: { current: boolean }) => !current);
        return other.call(`/app/account/devices/${id}`, {
          method: "DELETE",
          headers: { origin: "https://fettle.example.com" },
        });
      },
    ],
    [
      "the password is changed elsewhere",
      (_, other) =>
        other.call("/app/account/password", {
          method: "POST",
          body: { currentPassword: password, newPassword: "another horse battery" },
          headers: { origin: "https://fettle.example.com" },
        }),
    ],
  ])("is forgotten when %s", async (_, end) => {
    const { email } = await makeAccount();
    const [own, other] = [testBrowser(service), testBrowser(service)];
    await signIn(own, newAddress(), { email, password });
    await signIn(other, newAddress(), { email, password });
    expect(await end(own, other)).toMatchObject({ status: 200 });
    expect(await passesFor(own, email)).toBe(false);
    expect(await passesFor(other, email)).toBe(true);
  });

  test("is forgotten half a year after its last sign-in", async () => {
    const { email } = await makeAccount();
    const browser = testBrowser(service);
    await signIn(browser, newAddress(), { email, password });
    const { now } = service.app;
    service.app.now = () => Date.now() + 181 * 24 * 60 * 60 * 1000;
    try {
      expect(await passesFor(browser, email)).toBe(false);
    } finally {
      service.app.now = now;
    }
  });
});
