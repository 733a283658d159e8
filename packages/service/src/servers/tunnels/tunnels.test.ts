import { request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import type { OrganizationId, ProjectId } from "@fettle/contract/core";
import { earlierTunnelProtocol } from "@fettle/contract/servers";
import { startBookshop } from "@fettle/samples";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { newId } from "../../core/id.ts";
import { servers } from "../../core/tables/servers.ts";
import { signedInBrowser } from "../../testing/browser.ts";
import { testDatabase } from "../../testing/database.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { answerJson, connectHost, type HostRequest, type TestHost } from "../../testing/tunnel-host.ts";
import { announce } from "../relay/store.ts";

const env = { FETTLE_LIMIT_KEY_BURST: "10000", FETTLE_SECRET_KEY: "k".repeat(40) };
let service: TestService;
let key: string;
let projectId: ProjectId;
let organization: OrganizationId;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ env });
  stack.defer(() => service.close());
  organization = await makeOrganization(service.app.db);
  key = await makeKey(service.app.db, organization, await makeMember(service.app.db, organization, "member"));
  projectId = await makeProject(service.app.db, organization);
});
afterAll(() => stack.disposeAsync());

const path = (rest = "") => `/api/v1/projects/${projectId}${rest}`;
let count = 0;
const open = async (name = `server ${++count}`, at: TestService = service) => {
  const { status, body } = await at.call(path("/tunnels"), { method: "POST", key, body: { name } });
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
};
/** Why a request was refused, and with which status. */
const refusal = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { details: { reason: string } }).details.reason,
];
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

/** Answers by asking a real server over HTTP. */
function inFrontOf(target: string) {
  return async (request: HostRequest, host: TestHost) => {
    const response = await fetch(target, {
      method: request.method,
      headers: request.headers,
      ...(request.body && { body: request.body }),
    });
    host.send({ t: "res", id: request.id, status: response.status, headers: [...response.headers] });
    for await (const chunk of response.body ?? []) host.chunk(request.id, Buffer.from(chunk).toString());
    host.send({ t: "res_end", id: request.id });
  };
}

describe("opening a tunnel", () => {
  it("saves a server with the public address, and hands out the whole grant once", async () => {
    const grant = await open("fresh");
    expect(grant).toMatchObject({
      name: "fresh",
      existed: false,
      url: expect.stringMatching(new RegExp(`^${service.url}/tunnel/${grant.slug}\\?k=ftk_`)),
      connectToken: expect.stringMatching(/^ftc_/),
      relayWsUrl: `${service.url.replace("http", "ws")}/tunnel-relay`,
      secretVersion: 1,
    });
    const server = await service.call(path(`/servers/${grant.serverId}`), { key });
    expect(server.body).toMatchObject({ transportType: "http", url: expect.stringMatching(/\?k=\*\*\*$/) });
    const { rows } = await service.app.pool.query(
      "SELECT to_jsonb(t) FROM tunnels t UNION ALL SELECT to_jsonb(s) FROM servers s",
    );
    const secret = new URL(grant.url).searchParams.get("k")!;
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`${secret}|${grant.connectToken}`));
  });

  it("takes over a server of the name, says what it was, and sends none of its headers on", async () => {
    const made = await service.call(path("/servers"), {
      method: "POST",
      key,
      body: {
        name: "Old One",
        transportType: "http",
        url: "https://old.example/mcp?key=canary",
        headers: { "X-Secret": "canary" },
      },
    });
    const grant = await open("old one");
    expect(grant).toMatchObject({
      serverId: made.body.id,
      name: "Old One",
      existed: true,
      previousTransportType: "http",
      previousUrl: "https://old.example/mcp?key=***",
    });
    const server = await service.call(path(`/servers/${grant.serverId}`), { key });
    expect(server.body.headerNames).toEqual([]);
    expect((await open("old one")).previousUrl).toBeUndefined();
  });

  it("keeps the slug and changes the secret: the old address is refused and its host dropped", async () => {
    const first = await open("again");
    const host = await connectHost(first, answerJson({ host: 1 }));
    expect((await post(first.url, {})).status).toBe(200);
    const second = await open("again");
    expect([second.slug, second.serverId, second.secretVersion]).toEqual([first.slug, first.serverId, 2]);
    expect(await host.closed).toBe(4001);
    expect((await post(first.url, {})).status).toBe(404);
    await expect(connectHost(first, answerJson({}))).rejects.toThrow("4000");
    await connectHost(second, answerJson({ host: 2 }));
    expect(await (await post(second.url, {})).json()).toEqual({ host: 2 });
  });

  it("gives one slug to two who open the same name at once", async () => {
    const [a, b] = await Promise.all([open("race"), open("race")]);
    expect([a.slug, a.serverId]).toEqual([b.slug, b.serverId]);
    expect([a.secretVersion, b.secretVersion].sort()).toEqual([1, 2]);
  });
});

describe("the list of tunnels", () => {
  it("says whether a machine is connected, and nothing that would open one", async () => {
    const { db } = service.app;
    const organization = await makeOrganization(db);
    const userId = await makeMember(db, organization, "member");
    const browser = await signedInBrowser(service, userId);
    const project = await makeProject(db, organization);
    const own = await makeKey(db, organization, userId);
    const list = async () => (await browser.call(`/app/projects/${project}/tunnels`)).body;
    expect(await list()).toEqual({ items: [] });
    const tunnels = `/api/v1/projects/${project}/tunnels`;
    const { body: grant } = await service.call(tunnels, { method: "POST", key: own, body: { name: "dev" } });
    const state = async () => (await list()).items[0];
    expect(await state()).toEqual({
      serverId: grant.serverId,
      serverName: "dev",
      slug: grant.slug,
      path: `/tunnel/${grant.slug}`,
      state: "offline",
      since: expect.any(Number),
    });
    const host = await connectHost(grant, answerJson({}));
    expect(await state()).toMatchObject({ state: "connected" });
    host.close();
    await expect.poll(async () => (await state()).state).toBe("offline");
    await service.call(`${tunnels}/${grant.serverId}/close`, { method: "POST", key: own });
    expect(await state()).toMatchObject({ state: "closed" });
  });
});

describe("a tunnel whose process was killed, and whose host never came back", () => {
  it("is offline once it has been silent for three heartbeats; a living one says so and stays connected", async () => {
    let now = Date.now();
    await using own = await testService({ env, now: () => now });
    const { db, pool } = own.app;
    const organization = await makeOrganization(db);
    const project = await makeProject(db, organization);
    const userId = await makeMember(db, organization, "member");
    const ownKey = await makeKey(db, organization, userId);
    const browser = await signedInBrowser(own, userId);
    const opened = async (name: string) =>
      (await own.call(`/api/v1/projects/${project}/tunnels`, { method: "POST", key: ownKey, body: { name } }))
        .body;
    const states = async () =>
      (await browser.call(`/app/projects/${project}/tunnels`)).body.items.map(
        ({ serverName, state }: { serverName: string; state: string }) => `${serverName} ${state}`,
      );
    await connectHost(await opened("living"), answerJson({}));
    await connectHost(await opened("left behind"), answerJson({}));
    // As a killed process leaves it: the row names a session that nobody holds.
    await pool.query(
      "UPDATE tunnels SET session_id = 'tns_gone', process_id = 'prc_gone' WHERE server_id IN (SELECT id FROM servers WHERE name = 'left behind')",
    );
    expect(await states()).toEqual(["left behind connected", "living connected"]);
    now += 80_000;
    // Notifications that may have been missed make the process look its sessions through, as each heartbeat does.
    await pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'fettle listener' AND datname = current_database()",
    );
    await expect.poll(states, { timeout: 60_000 }).toEqual(["left behind offline", "living connected"]);
  });
});

describe("a request through a tunnel", () => {
  it("fails at once while nobody is connected, and after the host has gone", async () => {
    const grant = await open();
    const down = await post(grant.url, {});
    expect(await refusal(down)).toEqual([502, "TUNNEL_DOWN"]);
    const host = await connectHost(grant, answerJson({}));
    expect((await post(grant.url, {})).status).toBe(200);
    host.close();
    await host.closed;
    await expect.poll(async () => (await post(grant.url, {})).status).toBe(502);
  });

  it("carries body and headers there and back, but nothing that is ours", async () => {
    const grant = await open();
    const host = await connectHost(grant, (request, self) => {
      self.send({
        t: "res",
        id: request.id,
        status: 201,
        headers: [
          ["content-type", "application/json"],
          ["mcp-session-id", "s1"],
          ["set-cookie", "fettle_session=evil"],
          ["location", "https://evil.example"],
          ["x-other", "1"],
        ],
      });
      self.chunk(request.id, `{"got":${request.body.length}}`);
      self.send({ t: "res_end", id: request.id });
    });
    const big = "x".repeat(300_000);
    const answer = await post(`${grant.url}&page=2`, big, {
      authorization: `Bearer ${key}`,
      cookie: "fettle_session=mine",
      "mcp-protocol-version": "2025-11-25",
      "x-api-key": "for the server",
    });
    expect([answer.status, await answer.json()]).toEqual([201, { got: big.length + 2 }]);
    expect(answer.headers.get("mcp-session-id")).toBe("s1");
    for (const name of ["set-cookie", "location", "x-other"]) expect(answer.headers.get(name)).toBeNull();
    const [request] = host.requests;
    expect(request).toMatchObject({
      method: "POST",
      url: "/?page=2",
      headers: { "mcp-protocol-version": "2025-11-25", "x-api-key": "for the server" },
    });
    for (const name of ["authorization", "cookie", "host"]) expect(request!.headers[name]).toBeUndefined();
  });

  it("is refused from a page of another site at this machine's own address, before anybody hears of it", async () => {
    const grant = await open();
    const host = await connectHost(grant, answerJson({ fine: true }));
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await fetch(grant.url, { method, headers: { origin: "https://evil.example" } });
      expect(await refusal(answer), method).toEqual([403, "cross_site"]);
    }
    expect(host.requests).toEqual([]);
    const ours = await post(grant.url, {}, { origin: "http://localhost:6274" });
    expect(await ours.json()).toEqual({ fine: true });
    expect(host.requests[0]!.headers.origin).toBeUndefined();
  });

  it("goes through at the public address from a page of any site", async () => {
    await using proxied = await testService({ env: { ...env, FETTLE_PUBLIC_URL: "https://fettle.example" } });
    const { db } = proxied.app;
    const organization = await makeOrganization(db);
    const own = await makeKey(db, organization, await makeMember(db, organization, "member"));
    const tunnels = `/api/v1/projects/${await makeProject(db, organization)}/tunnels`;
    const { body: grant } = await proxied.call(tunnels, { method: "POST", key: own, body: { name: "far" } });
    expect(grant.url).toMatch(/^https:\/\/fettle\.example\/tunnel\//);
    const here = (address: string, scheme: string) =>
      address.replace(/^\w+:\/\/fettle\.example/, proxied.url.replace("http", scheme));
    await connectHost({ ...grant, relayWsUrl: here(grant.relayWsUrl, "ws") }, answerJson({ fine: true }));
    const statusFor = (host: string) =>
      new Promise((resolve, reject) => {
        const headers = { host, origin: "https://client.example" };
        const asking = httpRequest(here(grant.url, "http"), { method: "POST", agent: false, headers });
        asking.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
        asking.end("{}");
      });
    expect(await statusFor("fettle.example")).toBe(200);
    expect(await statusFor(new URL(proxied.url).host)).toBe(403);
  });

  it("cannot put a page on our origin", async () => {
    const grant = await open();
    await connectHost(grant, (request, host) => {
      host.send({ t: "res", id: request.id, status: 200, headers: [["content-type", "text/html"]] });
      host.chunk(request.id, "<script>alert(1)</script>");
      host.send({ t: "res_end", id: request.id });
    });
    const answer = await fetch(grant.url);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("hears a stream as it comes, and the host hears when its reader leaves", async () => {
    const grant = await open();
    const host = await connectHost(grant, (request, self) => {
      self.send({ t: "res", id: request.id, status: 200, headers: [["content-type", "text/event-stream"]] });
    });
    const leaving = new AbortController();
    // The status line comes before the first event does.
    const answer = await fetch(grant.url, { signal: leaving.signal });
    const reader = answer.body!.getReader();
    const { id } = host.requests[0]!;
    for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
      host.chunk(id, event);
      expect(Buffer.from((await reader.read()).value!).toString()).toBe(event);
    }
    leaving.abort();
    await expect.poll(() => host.heard.at(-1)).toMatchObject({ t: "abort", id, code: "client_gone" });
  });

  it("is bounded: bodies, requests under way, answers nobody reads", async () => {
    const grant = await open();
    const host = await connectHost(grant, () => {});
    const large = await post(grant.url, "x".repeat(4 * 1024 * 1024 + 10));
    expect(await refusal(large)).toEqual([413, "body_too_large"]);
    // Without a length nobody knows beforehand; it is cut off when it is too much.
    const endless = new Promise<number | undefined>((resolve) => {
      const sending = httpRequest(grant.url, { method: "POST", agent: false }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      sending.on("error", () => resolve(undefined));
      const piece = Buffer.alloc(512 * 1024);
      for (let n = 0; n < 10; n++) sending.write(piece);
      sending.end();
    });
    expect(await endless).toBe(413);
    await expect.poll(() => host.heard.at(-1)).toMatchObject({ t: "abort", code: "too_large" });
    const leaving = new AbortController();
    const waiting = Array.from({ length: 64 }, () =>
      fetch(grant.url, { signal: leaving.signal }).catch(() => {}),
    );
    await expect.poll(() => host.requests.length, { timeout: 60_000 }).toBe(64);
    const refused = await post(grant.url, {});
    expect(await refusal(refused)).toEqual([429, "TUNNEL_BUSY"]);
    leaving.abort();
    await Promise.all(waiting);
  });

  it("that sends more than it was given credit for loses that request, and no other", async () => {
    const grant = await open();
    const host = await connectHost(grant, (request) => {
      if (request.url === "/?q=small") return answerJson({ small: true })(request, host);
      host.send({ t: "res", id: request.id, status: 200, headers: [["content-type", "application/json"]] });
      // More than the connection's own buffers take.
      host.chunk(request.id, "x".repeat(32 * 1024 * 1024));
    });
    const unread = httpRequest(grant.url, { agent: false }, (answer) => answer.on("error", () => {}));
    unread.on("error", () => {}).end();
    await expect
      .poll(() => host.heard.at(-1), { timeout: 60_000 })
      .toMatchObject({ t: "abort", code: "overloaded" });
    expect(await (await fetch(`${grant.url}&q=small`)).json()).toEqual({ small: true });
  });

  it("of an earlier make, which knows no credit, is still understood", async () => {
    const grant = await open();
    const host = await connectHost(
      grant,
      (request) => answerJson({ length: request.body.length, answer: "y".repeat(3_000_000) })(request, host),
      earlierTunnelProtocol,
    );
    expect(host.heard).toEqual([
      expect.objectContaining({
        t: "hello",
        proto: "fettle-tunnel.v1",
        limits: expect.not.objectContaining({ window: expect.anything() }),
      }),
    ]);
    const answer = (await (await post(grant.url, "x".repeat(2_000_000))).json()) as {
      length: number;
      answer: string;
    };
    expect([answer.length, answer.answer.length]).toEqual([2_000_002, 3_000_000]);
    expect(host.heard).toHaveLength(1);
  });

  it.each<[string, [string, string]]>([
    ["a line break in a value", ["mcp-session-id", "a\r\nset-cookie: x=1"]],
    ["a control character in a value", ["content-type", "text/plain\u0000"]],
    ["a character that HTTP has not", ["mcp-session-id", "\u{1f600}"]],
    ["a name that is none", ["bad name", "1"]],
    ["no name", ["", "1"]],
  ])(
    "whose host answers with %s is refused as the host's fault, and the next goes through",
    async (_, header) => {
      const grant = await open();
      let isBad = true;
      const host = await connectHost(grant, (request, host) => {
        if (!isBad) return answerJson({ fine: true })(request, host);
        host.send({
          t: "res",
          id: request.id,
          status: 200,
          headers: [["content-type", "application/json"], header],
        });
        host.send({ t: "res_end", id: request.id });
      });
      expect(await refusal(await post(grant.url, {}))).toEqual([502, "TUNNEL_UPSTREAM_ERROR"]);
      isBad = false;
      expect(await (await post(grant.url, {})).json()).toEqual({ fine: true });
      expect(host.heard.at(-1)).toMatchObject({ t: "abort", code: "upstream_error" });
    },
  );

  it.each([999, 600, 101, 100, 0, -1])(
    "whose host answers with the status %i loses that request, and keeps its tunnel",
    async (status) => {
      const grant = await open();
      const host = await connectHost(grant, (request, host) => {
        if (request.url === "/?q=fine") return answerJson({ fine: true })(request, host);
        host.send({ t: "res", id: request.id, status, headers: [] });
        host.send({ t: "res_end", id: request.id });
      });
      expect(await refusal(await post(grant.url, {}))).toEqual([502, "TUNNEL_UPSTREAM_ERROR"]);
      expect(await (await post(`${grant.url}&q=fine`, {})).json()).toEqual({ fine: true });
      expect(host.heard.at(-1)).toMatchObject({ t: "abort", code: "upstream_error" });
    },
  );

  it("passes on nothing that Connection names, in either direction", async () => {
    const grant = await open();
    const host = await connectHost(grant, (request, host) => {
      const headers: [string, string][] = [
        ["content-type", "application/json"],
        ["Connection", "close, Mcp-Hop"],
        ["mcp-hop", "1"],
        ["mcp-end", "2"],
      ];
      host.send({ t: "res", id: request.id, status: 200, headers });
      host.chunk(request.id, "{}");
      host.send({ t: "res_end", id: request.id });
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { connection: "keep-alive, X-Hop", "x-hop": "1", "x-end": "2" };
      httpRequest(grant.url, { agent: false, headers }, resolve).on("error", reject).end();
    });
    answer.resume();
    expect([answer.headers["mcp-hop"], answer.headers["mcp-end"]]).toEqual([undefined, "2"]);
    const { headers } = host.requests[0]!;
    expect([headers["x-hop"], headers["x-end"], headers.connection]).toEqual([undefined, "2", undefined]);
  });

  it("that breaks off half way is broken off, never taken for whole", async () => {
    const grant = await open();
    await connectHost(grant, (request, host) => {
      host.send({ t: "res", id: request.id, status: 200, headers: [["content-type", "application/json"]] });
      host.chunk(request.id, '{"half":');
      host.send({ t: "abort", id: request.id, code: "upstream_error" });
    });
    await expect(post(grant.url, {}).then((answer) => answer.text())).rejects.toThrow();
  });
});

describe("a host", () => {
  it("gives way to the next with the same grant", async () => {
    const grant = await open();
    const first = await connectHost(grant, answerJson({ host: 1 }));
    await connectHost(grant, answerJson({ host: 2 }));
    expect(await first.closed).toBe(4001);
    expect(await (await post(grant.url, {})).json()).toEqual({ host: 2 });
  });

  it("is sent away when the tunnel is closed; the server stays, and opening again revives the slug", async () => {
    const grant = await open("closing");
    const host = await connectHost(grant, answerJson({}));
    const closed = await service.call(path(`/tunnels/${grant.serverId}/close`), { method: "POST", key });
    expect(closed.body).toEqual({ serverId: grant.serverId, status: "closed" });
    expect(await host.closed).toBe(4002);
    const dead = await post(grant.url, {});
    expect(await refusal(dead)).toEqual([502, "TUNNEL_CLOSED"]);
    await expect(connectHost(grant, answerJson({}))).rejects.toThrow("4000");
    expect((await service.call(path(`/servers/${grant.serverId}`), { key })).status).toBe(200);
    expect((await open("closing")).slug).toBe(grant.slug);
  });

  it.each([
    ["is revoked", "UPDATE api_keys SET revoked_at = now() WHERE user_id = $1"],
    ["expires", "UPDATE api_keys SET expires_at = now() WHERE user_id = $1"],
    ["has an owner who is removed", "DELETE FROM organization_members WHERE user_id = $1"],
  ])("is sent away, and stays out, when the key that opened the tunnel %s", async (_what, change) => {
    const { db, pool } = service.app;
    const { grant, userId } = await openAsSomebodyNew();
    const host = await connectHost(grant, answerJson({}));
    expect((await post(grant.url, {})).status).toBe(200);
    await pool.query(change, [userId]);
    expect(await refusal(await post(grant.url, {}))).toEqual([502, "TUNNEL_DOWN"]);
    expect(await host.closed).toBe(4003);
    expect(host.requests).toHaveLength(1);
    await expect(connectHost(grant, answerJson({}))).rejects.toThrow("4003");
    // Whoever may still open it does so under their own key.
    const { name } = (await db.select().from(servers).where(eq(servers.id, grant.serverId)))[0]!;
    const next = await open(name);
    await connectHost(next, answerJson({ host: 2 }));
    expect(await (await post(next.url, {})).json()).toEqual({ host: 2 });
  });

  it("is sent away though nobody calls, once its sign-in has ended", async () => {
    const { db, pool } = service.app;
    const { grant } = await openAsSomebodyNew();
    const userId = await makeMember(db, organization, "member");
    const sessionId = newId("cliSession");
    await pool.query(
      `INSERT INTO cli_sessions (id, user_id, redirect_uri, code_challenge, code_hash, code_expires_at, expires_at)
       VALUES ($1, $2, '', '', $1, now(), now() + interval '1 hour')`,
      [sessionId, userId],
    );
    await pool.query("UPDATE tunnels SET opened_with = $1 WHERE slug = $2", [sessionId, grant.slug]);
    const host = await connectHost(grant, answerJson({}));
    expect((await post(grant.url, {})).status).toBe(200);
    await pool.query("DELETE FROM cli_sessions WHERE id = $1", [sessionId]);
    await announce(db, grant.serverId);
    expect(await host.closed).toBe(4003);
  });

  it("with a grant from before openers were noted asks for a new one", async () => {
    const grant = await open();
    await service.app.pool.query("UPDATE tunnels SET opened_with = NULL WHERE slug = $1", [grant.slug]);
    await expect(connectHost(grant, answerJson({}))).rejects.toThrow("4000");
  });

  it("whose token has expired asks for a new grant", async () => {
    const grant = await open();
    const { pool } = service.app;
    await pool.query(
      "UPDATE tunnels SET connect_token_expires_at = now() - interval '1 second' WHERE slug = $1",
      [grant.slug],
    );
    await expect(connectHost(grant, answerJson({}))).rejects.toThrow("4000");
    expect(await refusal(await post(grant.url, {}))).toEqual([502, "TUNNEL_DOWN"]);
  });

  async function openAsSomebodyNew() {
    const { db } = service.app;
    const userId = await makeMember(db, organization, "member");
    const own = await makeKey(db, organization, userId);
    const body = { name: `server ${++count}` };
    const { body: grant } = await service.call(path("/tunnels"), { method: "POST", key: own, body });
    return { grant, userId };
  }

  it("is sent away when its server is removed", async () => {
    const grant = await open();
    const host = await connectHost(grant, answerJson({}));
    await service.call(path(`/servers/${grant.serverId}`), { method: "DELETE", key });
    expect(await host.closed).toBe(4002);
    expect((await post(grant.url, {})).status).toBe(404);
  });

  it("hears what became of its tunnel, whichever notice made the relay look", async () => {
    const { db, pool } = service.app;
    const grant = await open();
    const host = await connectHost(grant, answerJson({}));
    // As when the notice of a removal is overtaken by the one of the host's own coming.
    await pool.query("UPDATE servers SET deleted_at = now() WHERE id = $1", [grant.serverId]);
    await announce(db, grant.serverId);
    expect(await host.closed).toBe(4002);
  });

  it.each([
    ["without a token", {}],
    ["with an API key", { authorization: "Bearer key" }],
  ])("is refused %s", async (_what, headers) => {
    const bearer = "authorization" in headers ? { authorization: `Bearer ${key}` } : {};
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/tunnel-relay`, "fettle-tunnel.v1", {
      headers: bearer,
    });
    expect(await new Promise((resolve) => socket.on("close", resolve))).toBe(4000);
  });

  it("is no web page", async () => {
    const grant = await open();
    const socket = new WebSocket(grant.relayWsUrl, "fettle-tunnel.v1", {
      headers: { authorization: `Bearer ${grant.connectToken}` },
      origin: "https://evil.example",
    });
    const status = await new Promise((resolve) => {
      socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
      socket.on("error", () => {});
    });
    expect(status).toBe(403);
  });

  it("that speaks nonsense is let go, and its callers are told", async () => {
    const grant = await open();
    const host = await connectHost(grant, ({ id }, self) => {
      // A request is the relay's to send.
      self.send({ t: "req", id, method: "GET", url: "/", headers: [], hasBody: false });
    });
    expect((await post(grant.url, {})).status).toBe(502);
    expect(await host.closed).toBe(1002);
  });
});

describe("the service's own calls", () => {
  const call = (at: TestService, serverId: string, rest: string, body: object = {}) =>
    at.call(path(`/servers/${serverId}${rest}`), { method: "POST", key, body });

  it("go through a tunnel, also where private addresses are out of bounds", async () => {
    await using shop = await bookshop();
    const database = await testDatabase();
    await using hosted = await testService({ env: { ...env, FETTLE_MODE: "hosted" }, database });
    const organization = await makeOrganization(hosted.app.db);
    const member = await makeMember(hosted.app.db, organization, "member");
    const own = await makeKey(hosted.app.db, organization, member);
    const base = `/api/v1/projects/${await makeProject(hosted.app.db, organization)}`;
    const send = (rest: string, body: object = {}) =>
      hosted.call(base + rest, { method: "POST", key: own, body });
    const { body: grant } = await send("/tunnels", { name: "shop" });
    expect(grant.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    const down = await send(`/servers/${grant.serverId}/tools`);
    expect([down.status, down.body.code]).toEqual([502, "SERVER_UNREACHABLE"]);
    expect(down.body.details).toMatchObject({
      reason: "TUNNEL_DOWN",
      hint: "The tunnel is down; run `fettle cloud tunnel --server shop` beside the server.",
    });
    await connectHost(grant, inFrontOf(shop.url));
    const called = await send(`/servers/${grant.serverId}/tools/call`, {
      toolName: "search_books",
      parameters: { query: "swallows" },
    });
    expect([called.status, called.body.structuredContent !== undefined]).toEqual([200, true]);
    expect((await send(`/servers/${grant.serverId}/doctor`)).body.status).toBe("ready");

    // Another server that borrows the address, or that a tunnel redirects to, stays out of bounds.
    let visits = 0;
    const sentinel = createTcpServer(() => visits++).listen(0, "127.0.0.1");
    await new Promise((resolve) => sentinel.once("listening", resolve));
    const { port } = sentinel.address() as AddressInfo;
    const borrowed = await send("/servers", { name: "b", transportType: "http", url: grant.url });
    const blocked = await send(`/servers/${borrowed.body.id}/tools`);
    expect(blocked.body.details.reason).toBe("BLOCKED_ADDRESS");
    const { body: evil } = await send("/tunnels", { name: "evil" });
    await connectHost(evil, (request, host) => {
      const location = `http://127.0.0.1:${port}/`;
      host.send({ t: "res", id: request.id, status: 307, headers: [["location", location]] });
      host.send({ t: "res_end", id: request.id });
    });
    expect((await send(`/servers/${evil.serverId}/tools`)).status).toBe(502);
    expect(visits).toBe(0);
    sentinel.close();
    await database.close();
  });

  it("and everybody else's find the process that holds the socket", async () => {
    await using shop = await bookshop();
    const database = await testDatabase();
    const here = await testService({ env, database });
    await using there = await testService({ env, database });
    const organization = await makeOrganization(here.app.db);
    key = await makeKey(here.app.db, organization, await makeMember(here.app.db, organization, "member"));
    projectId = await makeProject(here.app.db, organization);
    const grant = await open("shop", here);
    const host = await connectHost(grant, inFrontOf(shop.url));
    const address = grant.url.replace(here.url, there.url);
    const listed = await call(there, grant.serverId, "/tools");
    expect(listed.body.items.length).toBeGreaterThan(0);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const headers = { accept: "application/json, text/event-stream" };
    expect((await post(address, ping, headers)).status).toBeLessThan(500);
    // Opened anew at the other process, the host here is dropped.
    const second = await open("shop", there);
    expect(await host.closed).toBe(4001);
    const moved = await connectHost({ ...second, relayWsUrl: grant.relayWsUrl }, inFrontOf(shop.url));
    expect((await call(there, grant.serverId, "/tools")).status).toBe(200);
    await here.close();
    expect(await moved.closed).toBe(1012);
    const down = await post(second.url.replace(here.url, there.url), ping, headers);
    expect(down.status).toBe(502);
    await database.close();
  });
});

async function bookshop() {
  const shop = await startBookshop();
  return { url: shop.url, [Symbol.asyncDispose]: () => shop.close() };
}
