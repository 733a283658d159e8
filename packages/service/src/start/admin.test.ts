import { access } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { keepAliveMs } from "../core/events/sse.ts";
import { emptyDatabase, silentLog, testDatabase } from "../testing/index.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openAdmin } from "./admin.ts";
import { serve } from "./serve.ts";

const sampleEmail = "sample@fettle.local";

async function post(url: string, path: string, body: object, cookie = "") {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-fettle-app": "1", cookie },
    body: JSON.stringify(body),
  });
  const set = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
  return { status: answer.status, cookie: set.join("; ") };
}

/** As a browser opens a sign-in link. */
const open = (link: string) =>
  post(new URL(link).origin, "/app/sign-in/link", { token: link.split("#token=")[1] });

const isSignedIn = async (url: string, cookie: string) =>
  (await fetch(`${url}/app/account/devices`, { headers: { cookie } })).status === 200;

test("beside a service on its own database, and after it, an operator lists people, lets them in and signs them out", async () => {
  const given = { flags: { data: join(temporaryFolder(), "data") }, env: {}, log: silentLog };
  const service = await serve({ ...given, flags: { ...given.flags, port: "0" }, sample: true });
  const { url, apiKey } = service;
  const admin = await openAdmin(given);
  expect(await admin.listPeople()).toMatchObject([
    {
      email: sampleEmail,
      hasPassword: false,
      hasProvider: false,
      organizations: [{ role: "owner" }],
      lastSeenAt: null,
    },
  ]);

  const made = await admin.makeSignInLink({ email: " Sample@Fettle.local", forgetPassword: false });
  expect(made).toMatchObject({ email: sampleEmail, isServing: true });
  expect(made.url).toContain(`${url}/login#token=fsl_`);
  const { status, cookie } = await open(made.url);
  expect(status).toBe(200);
  expect(await isSignedIn(url, cookie)).toBe(true);
  expect((await open(made.url)).status).toBe(401);
  expect((await admin.listPeople())[0]!.lastSeenAt).toBeGreaterThan(Date.now() - 10 * 60 * 1000);

  const stream = await fetch(`${url}/app/events?topics=account`, { headers: { cookie } });
  const heard = stream.text();
  const unused = await admin.makeSignInLink({ email: sampleEmail, forgetPassword: false });
  expect(await admin.endSessions({ email: sampleEmail, apiKeys: false })).toEqual({
    email: sampleEmail,
    browsers: 1,
    commandLines: 0,
    apiKeys: 0,
  });
  const endedAt = performance.now();
  expect(await isSignedIn(url, cookie)).toBe(false);
  // An open page hears of it at once, not at the stream's next sign of life.
  expect(await heard).toContain("event: reset");
  expect(performance.now() - endedAt).toBeLessThan(keepAliveMs);
  expect((await open(unused.url)).status).toBe(401);
  const withKey = () => fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${apiKey}` } });
  expect((await withKey()).status).toBe(200);
  expect(await admin.endSessions({ email: sampleEmail, apiKeys: true })).toMatchObject({ apiKeys: 1 });
  expect((await withKey()).status).toBe(401);
  await admin.close();
  await service.stop();

  const stopped = await openAdmin(given);
  const same = await stopped.makeSignInLink({ email: sampleEmail, forgetPassword: false });
  await stopped.close();
  // Where it ran last, not where one runs that was told nothing.
  expect(same.url).toContain(`${url}/login#token=fsl_`);
  expect(same.isServing).toBe(false);

  const later = await openAdmin({
    ...given,
    flags: { ...given.flags, publicUrl: "https://fettle.example.com" },
  });
  const early = await later.makeSignInLink({ email: sampleEmail, forgetPassword: false });
  await later.close();
  expect(early).toMatchObject({ isServing: false });
  expect(early.url).toMatch(/^https:\/\/fettle\.example\.com\/login#token=fsl_/);
});

test("on a database of the operator's, a forgotten password is replaced, and whoever used the old one is out", async () => {
  await using database = await testDatabase();
  const env = { DATABASE_URL: database.url.reveal(), FETTLE_HOME: temporaryFolder() };
  const service = await serve({ flags: { port: "0" }, env, log: silentLog });
  const { url } = service;
  const email = "ada@example.com";
  const token = service.signInUrl?.split("#token=")[1];
  const first = { token, name: "Ada", email, organizationName: "Acme", password: "forgotten by Ada" };
  const before = await post(url, "/app/setup", first);
  expect(before.status).toBe(201);

  const admin = await openAdmin({ flags: { publicUrl: url }, env, log: silentLog });
  const link = await admin.makeSignInLink({ email, forgetPassword: true });
  expect(await isSignedIn(url, before.cookie)).toBe(false);
  expect((await post(url, "/app/sign-in", { email, password: first.password })).status).toBe(401);
  const { cookie } = await open(link.url);
  const password = "remembered by Ada";
  expect((await post(url, "/app/account/password", { newPassword: password }, cookie)).status).toBe(200);
  expect((await post(url, "/app/sign-in", { email, password })).status).toBe(200);

  const unknown = admin.makeSignInLink({ email: "eve@example.com", forgetPassword: true });
  await expect(unknown).rejects.toMatchObject({ code: "NOT_FOUND" });
  await admin.close();
  await service.stop();
});

test("a folder or database that Fettle never used is refused, and nothing is made of it", async () => {
  const folder = join(temporaryFolder(), "mistyped");
  const mistyped = openAdmin({ flags: { data: folder }, env: {}, log: silentLog });
  await expect(mistyped).rejects.toMatchObject({ code: "DATABASE_NOT_FOUND" });
  await expect(access(folder)).rejects.toThrow("ENOENT");

  const connectionString = (await emptyDatabase()).reveal();
  const empty = openAdmin({ env: { DATABASE_URL: connectionString }, log: silentLog });
  await expect(empty).rejects.toMatchObject({ code: "DATABASE_NOT_FOUND" });
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query("select 1 from pg_tables where schemaname in ('public', 'drizzle')");
  await client.end();
  expect(rows).toEqual([]);
});

test("a database of an older Fettle is left as it is", async () => {
  await using database = await testDatabase();
  await database.pool.query(
    "delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)",
  );
  const older = openAdmin({ env: { DATABASE_URL: database.url.reveal() }, log: silentLog });
  await expect(older).rejects.toMatchObject({ code: "DATABASE_OLDER" });
});
