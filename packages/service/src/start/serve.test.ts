import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { StartError } from "../core/start-error.ts";
import { mintToken } from "../people/accounts/tokens.ts";
import { silentLog, testDatabase } from "../testing/index.ts";
import { type Serving, serve } from "./serve.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-serve-"));
  // As root the database runs as another user, who has to get through.
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const start = (flags: Record<string, string> = {}) =>
  serve({ flags: { port: "0", data: join(folder, "data"), ...flags }, env: {}, log: silentLog });

describe("a service on its own database", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  it("says that it is alive and ready", async () => {
    expect(await (await fetch(`${service.url}/healthz`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${service.url}/readyz`)).json()).toEqual({ ready: true });
  });

  it("counts its requests for Prometheus, by operation and not by path", async () => {
    await fetch(`${service.url}/api/v1/projects/prj_secret`);
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/^fettle_http_requests_total\{operation="getProject",status="401"\} 1$/m);
    expect(text).toMatch(
      /^fettle_http_request_duration_seconds_bucket\{operation="getProject",le="\+Inf"\} 1$/m,
    );
    expect(text).toMatch(/^fettle_database_connections \d+$/m);
    expect(text).toMatch(/^fettle_jobs\{state="waiting"\} \d+$/m);
    expect(text).not.toContain("prj_secret");
  });

  it("describes its API to machines and to people, without a credential", async () => {
    const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
    expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
    const page = await fetch(`${service.url}/docs/api`);
    expect(page.headers.get("content-security-policy")).toContain("style-src 'self'");
    expect(await page.text()).toContain("List the projects the caller can see");
    const styles = await fetch(`${service.url}/docs/api.css`);
    expect(styles.headers.get("content-type")).toContain("text/css");
  });

  it("refuses a second service on the same data folder", async () => {
    await expect(start()).rejects.toMatchObject({ name: "StartError", code: "DATA_FOLDER_IN_USE" });
  });
});

it("answers what came in before a stop, and takes nothing new", async () => {
  await using database = await testDatabase();
  const env = { DATABASE_URL: database.url.reveal() };
  const service = await serve({ flags: { port: "0", data: join(folder, "stop") }, env, log: silentLog });
  // Held up in the database, the calls are under way for as long as we like.
  const holder = await database.pool.connect();
  await holder.query("BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE");
  const headers = { authorization: `Bearer ${mintToken("apiKey").token.reveal()}` };
  const underWay = Array.from({ length: 5 }, () => fetch(`${service.url}/api/v1/me`, { headers }));
  const waiting =
    "SELECT count(*)::int AS count FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted";
  await expect.poll(async () => (await holder.query(waiting)).rows[0].count).toBe(5);

  const stopped = service.stop();
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow();
  await holder.query("COMMIT");
  holder.release();
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  await stopped;
});

it("opens the sample workspace at every start, with a fresh link and the key of before until that is revoked", async () => {
  const open = () =>
    serve({ flags: { port: "0", data: join(folder, "sample") }, env: {}, sample: true, log: silentLog });
  const read = async (service: Serving, path: string, key = service.apiKey) =>
    fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

  const first = await open();
  expect(await (await read(first, "/projects")).json()).toMatchObject({
    items: [{ id: first.projectId, name: "Sample shop", organizationId: first.organizationId }],
  });
  const listServers = async (service: Serving) => {
    const answer = await read(service, `/projects/${service.projectId}/servers`);
    return ((await answer.json()) as { items: { id: string; url: string }[] }).items;
  };
  const [server] = await listServers(first);
  expect(server).toMatchObject({ name: "Bookshop", transportType: "http", enabled: true });
  const hello = await fetch(server!.url, { method: "POST", body: "{}" });
  expect(hello.status).toBeLessThan(500);
  const readSuites = async (service: Serving) => {
    const answer = await read(service, `/projects/${service.projectId}/eval-suites`);
    return ((await answer.json()) as { items: { id: string; latestRun: { result: string } | null }[] }).items;
  };
  // Its suite is played by the real engine, after the door is open.
  await vi.waitFor(
    async () => {
      const runs = await read(first, `/projects/${first.projectId}/eval-runs?status=completed`);
      expect(await runs.json()).toMatchObject({
        items: [
          { result: "failed", summary: { passed: 4, failed: 3 }, modelClass: "rules" },
          { result: "passed", summary: { passed: 4, failed: 0 } },
        ],
      });
    },
    { timeout: 60_000, interval: 2_000 },
  );
  await vi.waitFor(
    async () => {
      const scenarios = await read(first, `/projects/${first.projectId}/scenarios`);
      expect(await scenarios.json()).toMatchObject({
        items: [{ name: expect.stringContaining("sample"), sessionCount: 6 }],
      });
    },
    { timeout: 60_000, interval: 2_000 },
  );
  const suites = await readSuites(first);
  expect(suites).toMatchObject([{ name: "Bookshop desk", tags: ["sample"] }]);
  const suite = await read(first, `/projects/${first.projectId}/eval-suites/${suites[0]!.id}`);
  // Without it the sample could not be exported to a file.
  expect(await suite.json()).toMatchObject({ settings: { minimumAccuracy: 100 } });
  await first.stop();

  const second = await open();
  expect((await readSuites(second)).map(({ id }) => id)).toEqual(suites.map(({ id }) => id));
  expect([second.organizationId, second.projectId]).toEqual([first.organizationId, first.projectId]);
  expect((await read(second, "/me")).status).toBe(200);
  expect(second.apiKey).toBe(first.apiKey);
  expect((await listServers(second)).map(({ id }) => id)).toEqual([server!.id]);
  const token = second.signInUrl?.split("#token=")[1];
  const signIn = () =>
    fetch(`${second.url}/app/sign-in/link`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-fettle-app": "1" },
      body: JSON.stringify({ token }),
    });
  const signedIn = await signIn();
  expect(signedIn.status).toBe(200);
  expect((await signIn()).status).toBe(401);

  const cookie = signedIn.headers.getSetCookie()[0]!.split(";")[0]!;
  const keys = `${second.url}/app/organizations/${second.organizationId}/keys`;
  const headers = { cookie, "x-fettle-app": "1" };
  const { items } = (await (await fetch(keys, { headers })).json()) as { items: { id: string }[] };
  expect(items).toHaveLength(1);
  expect((await fetch(`${keys}/${items[0]!.id}`, { method: "DELETE", headers })).status).toBe(200);
  await second.stop();
  const third = await open();
  expect((await read(third, "/me", first.apiKey)).status).toBe(401);
  expect((await read(third, "/me")).status).toBe(200);
  await third.stop();
});

it("prints a setup link while nobody has an account, and opens no sample in a service somebody set up", async () => {
  const flags = { port: "0", data: join(folder, "own") };
  const first = await serve({ flags, env: {}, log: silentLog });
  expect(first.signInUrl).toMatch(/\/setup#token=fsu_/);
  const claimed = await fetch(`${first.url}/app/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      token: first.signInUrl?.split("#token=")[1],
      name: "Ada",
      email: "ada@example.com",
      password: "correct horse battery",
      organizationName: "Ada's",
    }),
  });
  expect(claimed.status).toBe(201);
  await first.stop();
  const second = await serve({ flags, env: {}, sample: true, log: silentLog });
  expect([second.signInUrl, second.apiKey]).toEqual([undefined, undefined]);
  await second.stop();
});

it("says which port is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const port = String((taken.address() as AddressInfo).port);
  const refusal = await start({ port }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  expect(refusal).toMatchObject({ code: "PORT_IN_USE", message: expect.stringContaining(port) });
  taken.close();
});

it("refuses to listen beyond this machine unless it was set up for that", async () => {
  await expect(start({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "BIND_REFUSED" });
});
