import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startBookshop, startHostile, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInBrowser, testBrowser } from "../../testing/browser.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { startGate } from "../../testing/gate.ts";
import { makeKey, makeMember, makePerson, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { expireJob } from "./expiry.ts";
import { findRequest } from "./store.ts";

let service: TestService;
let clock = 0;
const stack = new AsyncDisposableStack();
const env = { FETTLE_LIMIT_KEY_BURST: "10000", FETTLE_LIMIT_KEY_PER_MINUTE: "100000" };
beforeAll(async () => {
  service = await testService({ env, now: () => Date.now() + clock });
  stack.defer(() => service.close());
  await service.app.work();
});
afterAll(() => stack.disposeAsync());

async function protectedShop(options?: Parameters<typeof startProtectedBookshop>[0]) {
  const shop = await startProtectedBookshop(options);
  stack.defer(() => shop.close());
  return shop;
}

async function openShop() {
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  return shop;
}

/** Something on HTTP that a test answers for. */
async function httpServer(
  answer: Parameters<typeof createServer>[1],
): Promise<{ url: string; server: Server }> {
  const server = createServer(answer!).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  stack.defer(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}

const callTool = (key: string, projectId: string, serverId: string) =>
  service.call(`/api/v1/projects/${projectId}/servers/${serverId}/tools/call`, {
    method: "POST",
    key,
    body: { toolName: "search_books", parameters: { query: "swallows" } },
  });

describe("a server behind OAuth", () => {
  it("is connected through consent, and answers calls with the tokens it gave", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { key, projectId, browser } = person;
    const asked = await person.ask({ url: shop.url, projectId, name: "My shop" });
    expect(asked.status).toBe(201);
    expect(asked.body).toMatchObject({
      connectionRequestId: expect.stringMatching(/^scr_/),
      status: "awaiting_authorization",
      projectId,
      server: { id: null, name: "My shop", url: shop.url, enabled: null },
      handoffUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/connect#token=fcl_/),
    });
    const id = asked.body.connectionRequestId;
    expect(await person.read(id)).toEqual(asked.body);

    const consent = await browser.call(`/app/server-connections/${id}`);
    expect(consent.body).toMatchObject({
      project: { id: projectId },
      askedBy: { keyOrganization: { name: "Acme" } },
      warnings: [],
      authorization: { issuer: shop.issuer, scopes: expect.arrayContaining(["books:read"]) },
    });
    const url = await person.authorize(id);
    expect(await person.read(id)).toMatchObject({
      status: "authorizing",
      handoffUrl: asked.body.handoffUrl,
    });
    const sent = new URL(url).searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      resource: shop.url,
      redirect_uri: `${service.url}/oauth/callback`,
    });
    const answer = await shop.agree(url, `${service.url}/oauth/callback`);
    expect((await person.comeBack(answer)).body).toEqual({ connectionRequestId: id });

    const ready = await person.until(id, "ready");
    expect(ready.server).toEqual({ id: ready.serverId, name: "My shop", url: shop.url, enabled: true });
    expect(ready).not.toHaveProperty("handoffUrl");
    const called = await callTool(key, projectId, ready.serverId);
    expect([called.status, called.body.structuredContent !== undefined]).toEqual([200, true]);
    const again = await person.comeBack(answer);
    expect([again.status, again.body.details.code]).toEqual([404, "REQUEST_NOT_FOUND"]);
    const { rows } = await service.app.pool.query("SELECT * FROM server_connections WHERE id = $1", [id]);
    expect(rows[0]).toMatchObject({ sealed: null, state_hash: null });
  });

  it("fails for good when consent is denied", async () => {
    const shop = await protectedShop({ consent: "page" });
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url, projectId: person.projectId });
    await person.until(body.connectionRequestId, "awaiting_authorization");
    const { searchParams } = new URL(await person.authorize(body.connectionRequestId));
    const denied = new URL(`${service.url}/oauth/callback`);
    const parameters = { error: "access_denied", state: searchParams.get("state")!, iss: shop.issuer };
    denied.search = new URLSearchParams(parameters).toString();
    await person.comeBack(denied);
    expect((await person.read(body.connectionRequestId)).error).toMatchObject({
      code: "AUTHENTICATION_FAILED",
      retryable: false,
    });
  });

  it("sends nothing to an issuer that did not give the answer", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url, projectId: person.projectId });
    await person.until(body.connectionRequestId, "awaiting_authorization");
    const url = await person.authorize(body.connectionRequestId);
    const answer = await shop.agree(url, `${service.url}/oauth/callback`);
    answer.searchParams.set("iss", "https://elsewhere.example");
    await person.comeBack(answer);
    expect((await person.read(body.connectionRequestId)).error).toMatchObject({
      code: "AUTHENTICATION_FAILED",
      message: expect.stringContaining("another issuer"),
    });
  });

  it("lets nobody finish what another account began, and the account go once more", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url, projectId: person.projectId });
    const id = body.connectionRequestId;
    await person.until(id, "awaiting_authorization");
    const setOut = await person.authorize(id);
    const first = await shop.agree(setOut, `${service.url}/oauth/callback`);
    const stranger = await signedInBrowser(service, await makePerson(service.app.db));
    const stolen = await stranger.call("/app/server-connections/authorized", {
      method: "POST",
      body: Object.fromEntries(first.searchParams),
    });
    expect(stolen.status).toBe(404);
    expect((await stranger.call(`/app/server-connections/${id}`)).status).toBe(404);
    // Setting out again makes the first walk worthless.
    const again = await person.authorize(id);
    const clientOf = (url: string) => new URL(url).searchParams.get("client_id");
    expect(clientOf(again)).toBe(clientOf(setOut));
    const second = await shop.agree(again, `${service.url}/oauth/callback`);
    expect((await person.comeBack(first)).status).toBe(404);
    expect((await person.comeBack(second)).status).toBe(200);
    await person.until(id, "ready");
  });

  it("waits for another try when the authorization server is gone on the way back", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url, projectId: person.projectId });
    const id = body.connectionRequestId;
    await person.until(id, "awaiting_authorization");
    const answer = await shop.agree(await person.authorize(id), `${service.url}/oauth/callback`);
    await shop.close();
    const back = await person.comeBack(answer);
    expect([back.status, back.body.details.connectionRequestId]).toEqual([502, id]);
    expect(await person.read(id)).toMatchObject({
      status: "awaiting_authorization",
      error: { code: "AUTHENTICATION_FAILED", retryable: true },
    });
  });

  it("may be asked for as its saved server shows it, with the values of its address masked", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { projectId, key } = person;
    const saved = await service.call(`/api/v1/projects/${projectId}/servers`, {
      method: "POST",
      key,
      body: { name: "Shop", transportType: "http", url: `${shop.url}?key=canary` },
    });
    const { id: serverId, url } = saved.body;
    expect(url).toBe(`${shop.url}?key=***`);
    const named = await person.ask({ url, projectId, serverId });
    expect([named.status, named.body.serverId]).toEqual([201, serverId]);
    await person.until(named.body.connectionRequestId, "awaiting_authorization");
    const other = await person.ask({ url: `${shop.url}?key=another`, projectId, serverId });
    expect([other.status, other.body.details.code]).toEqual([400, "SERVER_URL_MISMATCH"]);
  });

  it("is known again: the stored credential is used, unless a new consent is asked for", async () => {
    const shop = await protectedShop();
    const person = await connectingPerson(service);
    const { projectId } = person;
    const first = await person.ask({ url: shop.url, projectId });
    const id = first.body.connectionRequestId;
    await person.until(id, "awaiting_authorization");
    await person.comeBack(await shop.agree(await person.authorize(id), `${service.url}/oauth/callback`));
    const { serverId } = await person.until(id, "ready");
    const second = await person.ask({ url: shop.url, projectId });
    expect(await person.until(second.body.connectionRequestId, "ready")).toMatchObject({ serverId });
    const third = await person.ask({ url: shop.url, projectId, reauthorize: true });
    await person.until(third.body.connectionRequestId, "awaiting_authorization");
  });
});

describe("the private link", () => {
  it("says whose it is, and opens nothing to anybody else", async () => {
    const shop = await openShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url });
    const token = new URL(body.handoffUrl).hash.replace("#token=", "");
    const nobody = testBrowser(service);
    const read = (given: string) =>
      nobody.call("/app/server-connections/read", { method: "POST", body: { token: given } });
    expect((await read(token)).body).toEqual({
      connectionRequestId: body.connectionRequestId,
      account: { email: `${person.userId}@example.com` },
    });
    expect((await read(`${token.slice(0, -1)}x`)).status).toBe(404);
    expect((await nobody.call(`/app/server-connections/${body.connectionRequestId}`)).status).toBe(401);
    const { rows } = await service.app.pool.query("SELECT * FROM server_connections");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it("is given only while a person is needed, and only to whoever asked", async () => {
    const person = await connectingPerson(service);
    const { projectId, key } = person;
    const shop = await openShop();
    const free = await person.ask({ url: shop.url, projectId });
    expect(["validating", "ready"]).toContain(free.body.status);
    expect(free.body.server).toEqual({
      id: expect.toBeOneOf([null, expect.any(String)]),
      name: expect.toBeOneOf([null, expect.any(String)]),
      url: shop.url,
      enabled: expect.toBeOneOf([null, true]),
    });
    const chosen = await person.ask({ url: shop.url });
    expect(chosen.body).toMatchObject({ status: "awaiting_project", handoffUrl: expect.any(String) });
    const again = await person.ask({ url: shop.url });
    expect(again.body).toEqual(chosen.body);
    const gate = await startGate(shop.url);
    stack.defer(() => gate.close());
    gate.mode = "hold";
    const slow = await person.ask({ url: gate.url });
    expect(slow.body.status).toBe("discovering");
    gate.release();
    const found = await person.until(slow.body.connectionRequestId, "awaiting_project");
    const { body: list } = await service.call("/api/v1/server-connections", { key });
    const links = list.items.map(({ handoffUrl }: { handoffUrl?: string }) => handoffUrl);
    expect(links).toEqual([found.handoffUrl, chosen.body.handoffUrl]);
    expect(found.handoffUrl).toContain("#token=fcl_");
    for (const seen of [free.body, slow.body, (await person.post(found.connectionRequestId, "/cancel")).body])
      expect(seen).not.toHaveProperty("handoffUrl");
    const other = await connectingPerson(service);
    const path = `/api/v1/server-connections/${chosen.body.connectionRequestId}`;
    expect((await service.call(path, { key: other.key })).status).toBe(404);
  });

  it("leads to a page that is the same for everyone and runs nothing but its own script", async () => {
    const page = await service.call("/oauth/callback?code=1&state=<script>alert(1)</script>");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'sha256-/);
    expect(page.body).not.toContain("alert(1)");
    expect(page.headers.get("cache-control")).toBe("no-store");
  });

  it("lets the page choose a project, and asks which server when several fit", async () => {
    const shop = await openShop();
    const person = await connectingPerson(service);
    const { projectId, key } = person;
    for (const name of ["one", "two"])
      await service.call(`/api/v1/projects/${projectId}/servers`, {
        method: "POST",
        key,
        body: { name, transportType: "http", url: shop.url },
      });
    const ambiguous = await person.ask({ url: shop.url, projectId });
    expect([ambiguous.status, ambiguous.body.details.code]).toEqual([409, "AMBIGUOUS_SERVER"]);
    expect(ambiguous.body.details.candidates).toHaveLength(2);

    const { body } = await person.ask({ url: shop.url });
    const id = body.connectionRequestId;
    await person.until(id, "awaiting_project");
    const choose = (choice: object) =>
      person.browser.call(`/app/server-connections/${id}/project`, { method: "POST", body: choice });
    const elsewhere = await makeProject(service.app.db, person.organization, { visibility: "private" });
    expect((await choose({ projectId: elsewhere })).status).toBe(404);
    expect((await choose({ projectId })).body.details.code).toBe("AMBIGUOUS_SERVER");
    const [candidate] = ambiguous.body.details.candidates;
    expect((await choose({ projectId, serverId: candidate.id })).status).toBe(200);
    expect(await person.until(id, "ready")).toMatchObject({ projectId, serverId: candidate.id });
    expect((await choose({ projectId })).body.details.code).toBe("INVALID_STATE");
  });
});

describe("what is no server to connect to", () => {
  it.each([
    ["nothing listens", () => "http://127.0.0.1:1/mcp", "VALIDATION_FAILED", true],
    [
      "a web page",
      async () => (await httpServer((_, r) => r.end("<html>hello</html>"))).url,
      "NOT_AN_MCP_SERVER",
      false,
    ],
    ["a metadata address", () => "http://169.254.169.254/mcp", "URL_NOT_ALLOWED", false],
    [
      "a token is wanted and nobody says from whom",
      async () => {
        const hostile = await startHostile("unauthorized-without-metadata");
        stack.defer(() => hostile.close());
        return hostile.url;
      },
      "UNSUPPORTED_AUTH_METHOD",
      false,
    ],
  ])("fails when %s", async (_what, address, code, retryable) => {
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: await address(), projectId: person.projectId });
    const failed = await person.until(body.connectionRequestId, "failed", 20_000);
    expect(failed.error).toMatchObject({ code, retryable });
  });

  it.each(["ftp://mcp.example/", "not an address", "https://user:pass@mcp.example/mcp"])(
    "is refused at once as %s",
    async (url) => {
      const person = await connectingPerson(service);
      const answer = await person.ask({ url, projectId: person.projectId });
      expect([answer.status, answer.body.details.code]).toEqual([400, "URL_NOT_ALLOWED"]);
    },
  );

  it("shows no key of the address anywhere", async () => {
    const shop = await openShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: `${shop.url}?key=canary`, projectId: person.projectId });
    expect(body.server.url).toBe(`${shop.url}?key=***`);
    await person.until(body.connectionRequestId, "ready");
    const { rows } = await service.app.pool.query(
      "SELECT to_jsonb(c) FROM server_connections c UNION ALL SELECT to_jsonb(j) FROM jobs j UNION ALL SELECT to_jsonb(e) FROM events e",
    );
    expect(JSON.stringify(rows)).not.toContain("canary");
  });
});

describe("places", () => {
  it("are five to an account, also when six are asked for at once", async () => {
    const { url } = await httpServer(() => {});
    const person = await connectingPerson(service);
    const { projectId } = person;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => person.ask({ url: `${url}/${n}`, projectId })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409]);
    const refused = answers.find(({ status }) => status === 409)!.body;
    const open = answers.filter(({ status }) => status === 201).map(({ body }) => body.connectionRequestId);
    expect(refused).toMatchObject({ code: "CONFLICT", details: { code: "ACTIVE_REQUEST_LIMIT", limit: 5 } });
    expect(refused.details.openRequestIds.sort()).toEqual(open.sort());
    const listed = await service.call("/api/v1/server-connections", { key: person.key });
    expect(listed.body.items).toHaveLength(5);

    const cancelled = await person.post(open[0]!, "/cancel");
    expect(cancelled.body.status).toBe("cancelled");
    expect((await person.post(open[0]!, "/cancel")).body.status).toBe("cancelled");
    expect((await person.ask({ url: `${url}/7`, projectId })).status).toBe(201);
    for (const { connectionRequestId } of (
      await service.call("/api/v1/server-connections", { key: person.key })
    ).body.items)
      await person.post(connectionRequestId, "/cancel");
  });

  it("are not taken twice for the same address and project; a new consent takes the old one's place", async () => {
    const { url } = await httpServer(() => {});
    const person = await connectingPerson(service);
    const { projectId } = person;
    const first = await person.ask({ url, projectId });
    const same = await person.ask({ url, projectId });
    expect(same.body.connectionRequestId).toBe(first.body.connectionRequestId);
    const anew = await person.ask({ url, projectId, reauthorize: true });
    expect(anew.body.connectionRequestId).not.toBe(first.body.connectionRequestId);
    expect((await person.read(first.body.connectionRequestId)).status).toBe("cancelled");
    await person.post(anew.body.connectionRequestId, "/cancel");
  });

  it("are free again after an hour", async () => {
    const shop = await openShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url });
    await person.until(body.connectionRequestId, "awaiting_project");
    clock += 3_600_000;
    try {
      expect((await person.read(body.connectionRequestId)).status).toBe("expired");
      const late = await person.post(body.connectionRequestId, "/retry-validation");
      expect([late.status, late.body.details.code]).toEqual([409, "REQUEST_EXPIRED"]);
      expect((await person.post(body.connectionRequestId, "/cancel")).body.status).toBe("expired");
    } finally {
      clock -= 3_600_000;
    }
  });

  it("are freed by the minute's job when nobody looks", async () => {
    const shop = await openShop();
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: shop.url });
    await person.until(body.connectionRequestId, "awaiting_project");
    clock += 3_600_000;
    try {
      await service.app.jobs.enqueue(expireJob, {});
      await expect
        .poll(() => findRequest(service.app.db, body.connectionRequestId))
        .toMatchObject({ status: "expired", sealed: null });
    } finally {
      clock -= 3_600_000;
    }
  });

  it("belong to whoever asked, and to the organization of the key", async () => {
    const { url } = await httpServer(() => {});
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url, projectId: person.projectId });
    const id = body.connectionRequestId;
    const { db } = service.app;
    const colleague = await makeKey(
      db,
      person.organization,
      await makeMember(db, person.organization, "owner"),
    );
    const other = await connectingPerson(service);
    for (const key of [colleague, other.key]) {
      const read = await service.call(`/api/v1/server-connections/${id}`, { key });
      expect([read.status, read.body.details.code]).toEqual([404, "REQUEST_NOT_FOUND"]);
    }
    expect((await other.ask({ url, projectId: person.projectId })).status).toBe(404);
    await person.post(id, "/cancel");
  });
});

describe("validation", () => {
  it("is tried again by itself, and at once when asked", async () => {
    const shop = await openShop();
    const gate = await startGate(shop.url);
    stack.defer(() => gate.close());
    const person = await connectingPerson(service);
    const { body } = await person.ask({ url: gate.url });
    const id = body.connectionRequestId;
    await person.until(id, "awaiting_project");
    const early = await person.post(id, "/retry-validation");
    expect([early.status, early.body.details.code]).toEqual([409, "INVALID_STATE"]);
    gate.mode = "refuse";
    await person.browser.call(`/app/server-connections/${id}/project`, {
      method: "POST",
      body: { projectId: person.projectId },
    });
    await expect.poll(async () => (await person.read(id)).error?.code).toBe("VALIDATION_FAILED");
    expect((await person.read(id)).status).toBe("validating");
    const before = gate.count;
    gate.mode = "pass";
    expect((await person.post(id, "/retry-validation")).body.status).toBe("validating");
    await person.until(id, "ready");
    expect(gate.count).toBeGreaterThan(before);
  });
});

describe("an address looked at before it is saved", () => {
  it("tells what the server calls itself, made free in the project, else its host; and keeps nothing", async () => {
    const open = await openShop();
    const { browser, projectId } = await connectingPerson(service);
    const look = (body: object) =>
      browser.call(`/app/projects/${projectId}/servers/look`, { method: "POST", body });
    const first = await look({ url: open.url });
    expect(first.body).toEqual({ answers: true, name: expect.stringContaining("Bookshop") });
    const { name } = first.body;
    const saved = { name, transportType: "http", url: open.url };
    const path = `/api/v1/projects/${projectId}/servers`;
    expect((await browser.call(path, { method: "POST", body: saved })).status).toBe(201);
    expect((await look({ url: open.url })).body.name).toBe(`${name} 2`);
    const guarded = await protectedShop();
    expect((await look({ url: guarded.url })).body).toEqual({ answers: false, name: "127.0.0.1" });
    expect((await look({ url: "http://169.254.169.254/mcp" })).body.answers).toBe(false);
    expect((await look({ url: "ftp://x" })).status).toBe(400);
    expect((await browser.call(path)).body.items).toHaveLength(1);
  });
});
