import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import type { OrganizationId } from "@fettle/contract/core";
import { startBookshop, startHostile, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let organization: OrganizationId;
let key: string;
let servers: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  stack.defer(() => service.close());
  organization = await makeOrganization(service.app.db, "Acme");
  key = await makeKey(service.app.db, organization, await makeMember(service.app.db, organization, "member"));
});
afterAll(() => stack.disposeAsync());

/** In the main thread, or in one apart as the servers of a project are that has received much. */
const wheres = ["here", "apart"] as const;
type Where = (typeof wheres)[number];

function inProjectAsked(where: Where): void {
  beforeAll(async () => {
    const project = await makeProject(service.app.db, organization);
    servers = `/api/v1/projects/${project}/servers`;
    if (where === "apart") service.app.serverThreads.move(project);
  });
}

let count = 0;
async function save(url: string, more: object = {}): Promise<string> {
  const body = { name: `server ${++count}`, transportType: "http", url, ...more };
  const made = await service.call(servers, { method: "POST", key, body });
  expect(made.status).toBe(201);
  return `${servers}/${made.body.id}`;
}
const post = (path: string, body: object = {}, as = key) =>
  service.call(path, { method: "POST", key: as, body });

async function saveBookshop(): Promise<string> {
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  return save(shop.url);
}

async function saveHostile(name: string, timeout = 500): Promise<string> {
  const hostile = await startHostile(name);
  stack.defer(() => hostile.close());
  return save(hostile.url, { timeout });
}

describe.each(wheres)("a healthy server, asked %s,", (where) => {
  inProjectAsked(where);

  it("answers a tool call with the server's result and the call's own milliseconds", async () => {
    const shop = await saveBookshop();
    const answer = await post(`${shop}/tools/call`, {
      toolName: "search_books",
      parameters: { query: "swallows" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.content[0].type).toBe("text");
    expect(answer.body.structuredContent).toBeDefined();
    expect(Number.isInteger(answer.body.durationMs)).toBe(true);
  });

  it("is validated, listed, read, prompted and exported", async () => {
    const shop = await saveBookshop();
    const valid = await post(`${shop}/validate`);
    expect(valid.body).toMatchObject({ success: true, status: "connected" });
    expect(valid.body.initInfo.serverVersion.name).toBe("bookshop");
    const tools = await post(`${shop}/tools`);
    expect(tools.body.items.map(({ name }: { name: string }) => name)).toContain("search_books");
    const resources = await post(`${shop}/resources`);
    const read = await post(`${shop}/resources/read`, { uri: resources.body.items[0].uri });
    expect(read.body.contents[0].uri).toBe(resources.body.items[0].uri);
    expect((await post(`${shop}/resources/templates`)).body.items.length).toBeGreaterThan(0);
    const prompts = await post(`${shop}/prompts`);
    const { name } = prompts.body.items[0];
    const prompt = await post(`${shop}/prompts/get`, {
      promptName: name,
      arguments: { reader: "a sailor", mood: "cosy" },
    });
    expect(prompt.body.messages.length).toBeGreaterThan(0);
    for (const wrong of [null, [], "x", { mood: null }]) {
      const refused = await post(`${shop}/prompts/get`, { promptName: name, arguments: wrong });
      expect([refused.status, refused.body.details?.path]).toEqual([400, "body.arguments"]);
    }
    const whole = await post(`${shop}/export`);
    expect(whole.body.tools).toHaveLength(tools.body.items.length);
    expect(new Date(whole.body.exportedAt).getTime()).toBeGreaterThan(0);
    expect((await post(`${shop}/check-oauth`)).body.useOAuth).toBe(false);
  });

  it("shows the messages behind an answer when asked, and a clean bill from the doctor", async () => {
    const shop = await saveBookshop();
    const { body } = await post(`${shop}/tools?rpc=true`);
    const [sent, received] = body._rpcLogs.slice(-2);
    expect([sent.direction, sent.message.method]).toEqual(["send", "tools/list"]);
    expect([received.direction, received.message.id]).toEqual(["receive", sent.message.id]);
    expect((await post(`${shop}/tools`)).body._rpcLogs).toBeUndefined();
    const report = await post(`${shop}/doctor`);
    expect(report.body).toMatchObject({ status: "ready", connection: { status: "connected" } });
    expect(report.body._rpcLogs).toBeUndefined();
    const watched = await post(`${shop}/doctor?rpc=true`);
    const asked = watched.body._rpcLogs.flatMap(
      ({ message }: { message: { method?: string } }) => message.method ?? [],
    );
    expect(asked).toEqual(expect.arrayContaining(["tools/list", "resources/list", "prompts/list"]));
    expect(report.body.tools.length).toBeGreaterThan(3);
  });

  it.runIf(where === "here")(
    "keeps one warm connection for many calls, and another after its settings change",
    async () => {
      const shop = await saveBookshop();
      const before = service.app.connections.size();
      await Promise.all(Array.from({ length: 8 }, () => post(`${shop}/tools`)));
      expect(service.app.connections.size()).toBe(before + 1);
      await service.call(shop, { method: "PATCH", key, body: { headers: { "X-New": "1" } } });
      expect((await post(`${shop}/tools`)).status).toBe(200);
      expect(service.app.connections.size()).toBe(before + 1);
    },
  );

  it("refuses what it cannot take, and says whose fault it is", async () => {
    const shop = await saveBookshop();
    const unknown = await post(`${shop}/tools/call`, { toolName: "no_such_tool" });
    expect([200, 400]).toContain(unknown.status);
    if (unknown.status === 400) expect(unknown.body.details.reason).toBe("REJECTED_BY_SERVER");
    else expect(unknown.body.isError).toBe(true);
    const task = await post(`${shop}/tools/call`, { toolName: "search_books", taskOptions: { ttl: 1 } });
    expect([task.status, task.body.code]).toEqual([422, "FEATURE_NOT_SUPPORTED"]);
    expect((await post(`${shop}/tools/call`, {})).status).toBe(400);
  });
});

describe.each(wheres)("a server in trouble, asked %s,", (where) => {
  inProjectAsked(where);

  it("shows the messages of a call that failed, without the secrets that were sent along", async () => {
    const shop = await saveBookshop();
    const refused = await post(`${shop}/prompts/get?rpc=true`, { promptName: "no-such-prompt" });
    const [sent, received] = refused.body.details._rpcLogs.slice(-2);
    expect([sent.message.method, received.message.error.code]).toEqual(["prompts/get", -32602]);
    expect((await post(`${shop}/prompts/get`, { promptName: "none" })).body.details._rpcLogs).toBeUndefined();

    const hostile = await startHostile("hang-at-initialize");
    stack.defer(() => hostile.close());
    const headers = { Authorization: "Bearer canary-secret" };
    const silent = await post(`${await save(hostile.url, { timeout: 500, headers })}/tools?rpc=true`);
    expect(silent.status).toBe(504);
    expect(silent.body.details._rpcLogs.map(({ direction }: { direction: string }) => direction)).toContain(
      "send",
    );
    expect(JSON.stringify(silent.body)).not.toContain("canary-secret");
  });

  it("that sends an error without an id has its tools listed, and is told of by its doctor", async () => {
    const strange = await saveHostile("answers-notifications", 30_000);
    const listed = await post(`${strange}/tools`);
    expect([listed.status, listed.body.items?.map(({ name }: { name: string }) => name)]).toEqual([
      200,
      ["echo"],
    ]);
    const examined = await post(`${strange}/doctor`);
    const told = examined.body.findings.map(({ evidence }: { evidence: object }) => evidence);
    expect(told).toMatchObject([{ check: "error-id-echo" }]);
  });

  it("that nobody answers for is SERVER_UNREACHABLE", async () => {
    const probe = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => probe.once("listening", resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const answer = await post(`${await save(`http://127.0.0.1:${port}/mcp`)}/tools`);
    expect([answer.status, answer.body.code, answer.body.details.reason]).toEqual([
      502,
      "SERVER_UNREACHABLE",
      "CONNECTION_REFUSED",
    ]);
  });

  it.each([
    [-32002, 502, "MCP_ERROR"],
    [-32603, 502, "MCP_ERROR"],
    [-32000, 502, "MCP_ERROR"],
    [42, 502, "MCP_ERROR"],
    [-32602, 400, "VALIDATION_ERROR"],
    [-32601, 422, "FEATURE_NOT_SUPPORTED"],
  ])(
    "that answers with error %i is there: its code, words and data are told",
    async (rpcCode, status, code) => {
      const server = createHttpServer(async (request, response) => {
        const chunks = await request.toArray();
        const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || "{}");
        if (id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
        const answer =
          method === "initialize"
            ? {
                result: {
                  protocolVersion: "2025-11-25",
                  capabilities: { tools: {} },
                  serverInfo: { name: "no", version: "1" },
                },
              }
            : method === "tools/call"
              ? {
                  error: {
                    code: rpcCode,
                    message: "Not today",
                    data: { field: "when", authorization: "Bearer canary-secret" },
                  },
                }
              : { error: { code: -32601, message: "What?" } };
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
      }).listen(0, "127.0.0.1");
      stack.defer(() => void server.close());
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const answer = await post(`${await save(`http://127.0.0.1:${port}/mcp`)}/tools/call`, {
        toolName: "any",
      });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.message).not.toContain("Not today");
      expect(answer.body.details.rpc).toMatchObject({
        code: rpcCode,
        message: "Not today",
        data: { field: "when" },
      });
      expect(JSON.stringify(answer.body)).not.toContain("canary");
    },
  );

  it.each([
    ["hang-on-call", "/tools/call", { toolName: "echo" }, 504, "TIMEOUT"],
    ["hang-at-initialize", "/tools", {}, 504, "TIMEOUT"],
    ["html-instead-of-json", "/tools", {}, 502, "SERVER_UNREACHABLE"],
    ["text-ids", "/tools", {}, 502, "INVALID_ANSWER"],
    ["wrong-ids", "/tools", {}, 502, "INVALID_ANSWER"],
    ["result-on-400", "/tools", {}, 502, "INVALID_ANSWER"],
    ["no-content-type", "/tools", {}, 502, "INVALID_ANSWER"],
    ["reply-events", "/tools", {}, 502, "INVALID_ANSWER"],
    ["unauthorized-with-metadata", "/validate", {}, 401, "OAUTH_REQUIRED"],
    ["unauthorized-without-metadata", "/validate", {}, 401, "OAUTH_REQUIRED"],
    ["redirect-to-metadata-address", "/tools", {}, 502, "SERVER_UNREACHABLE"],
  ])("by %s answers its own code, and the next good call works", async (name, path, body, status, code) => {
    // Who asks for a grant is asked several times before that is known.
    const answer = await post(`${await saveHostile(name, status === 401 ? 20_000 : 500)}${path}`, body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await post(`${await saveBookshop()}/tools`)).status).toBe(200);
  });

  it("by sending more than anyone may is cut off, and the next good call works", async () => {
    const answer = await post(`${await saveHostile("million-keys", 20_000)}/tools`);
    expect([answer.status, answer.body.details.reason]).toEqual([502, "ANSWER_TOO_LARGE"]);
    expect((await post(`${await saveBookshop()}/tools`)).status).toBe(200);
  });

  it("is a report from the doctor, never an error", async () => {
    const sick = await post(`${await saveHostile("html-instead-of-json", 5_000)}/doctor`);
    expect([sick.status, sick.body.status]).toEqual([200, "error"]);
    expect(sick.body.findings[0]).toMatchObject({
      code: "HTML_INSTEAD_OF_JSON",
      next: { text: expect.any(String) },
    });
    const locked = await post(`${await saveHostile("unauthorized-with-metadata", 5_000)}/doctor`);
    expect([locked.status, locked.body.status]).toEqual([200, "oauth_required"]);
  });

  it("fills its own project's calls, doctors included, and nobody else's", async () => {
    const hanging = await saveHostile("hang-at-connect", 4_000);
    const elsewhere = `/api/v1/projects/${await makeProject(service.app.db, organization)}/servers`;
    const shop = await startBookshop();
    stack.defer(() => shop.close());
    const body = { name: "shop", transportType: "http", url: shop.url };
    const made = await service.call(elsewhere, { method: "POST", key, body });
    const asked = Array.from({ length: 20 }, (_, index) =>
      post(index % 2 ? `${hanging}/doctor` : `${hanging}/tools`),
    );
    const refused = await Promise.race(asked);
    expect([refused.status, refused.body.details.reason]).toEqual([429, "LIVE_CALL_LIMIT"]);
    expect((await post(`${elsewhere}/${made.body.id}/tools`)).status).toBe(200);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  it("over stdio is refused with the way out", async () => {
    const body = { name: "stdio", transportType: "stdio", command: "node" };
    const made = await service.call(servers, { method: "POST", key, body });
    const answer = await post(`${servers}/${made.body.id}/tools`);
    expect([answer.status, answer.body.details.reason]).toEqual([422, "STDIO_NEEDS_TUNNEL"]);
  });

  it("on a private address is never contacted by a hosted service", async () => {
    await using hosted = await testService({
      env: { FETTLE_MODE: "hosted", FETTLE_LIMIT_KEY_BURST: "1000" },
    });
    let connections = 0;
    const sentinel = createServer(() => connections++).listen(0, "127.0.0.1");
    await new Promise((resolve) => sentinel.once("listening", resolve));
    const { port } = sentinel.address() as AddressInfo;
    const owner = await makeOrganization(hosted.app.db, "Hosted");
    const own = await makeKey(hosted.app.db, owner, await makeMember(hosted.app.db, owner, "member"));
    const project = await makeProject(hosted.app.db, owner);
    if (where === "apart") hosted.app.serverThreads.move(project);
    const base = `/api/v1/projects/${project}/servers`;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "2130706433",
      "0x7f.1",
      "[::ffff:127.0.0.1]",
      "127.0.0.1.",
      "0.0.0.0",
    ];
    for (const [index, host] of hosts.entries()) {
      const body = { name: `s${index}`, transportType: "http", url: `http://${host}:${port}/mcp` };
      const made = await hosted.call(base, { method: "POST", key: own, body });
      const answer = await hosted.call(`${base}/${made.body.id}/tools`, {
        method: "POST",
        key: own,
        body: {},
      });
      expect([host, answer.body.code, answer.body.details?.reason]).toEqual([
        host,
        "SERVER_UNREACHABLE",
        "BLOCKED_ADDRESS",
      ]);
    }
    await new Promise((resolve) => sentinel.close(resolve));
    expect(connections).toBe(0);
  });
});

describe.each(wheres)("a server behind OAuth, asked %s,", (where) => {
  inProjectAsked(where);

  it("wants a grant, takes imported tokens, and refreshes them once for many calls", async () => {
    const shop = await startProtectedBookshop();
    stack.defer(() => shop.close());
    const server = await save(shop.url, { useOAuth: true });
    const refused = await post(`${server}/tools`);
    expect([refused.status, refused.body.code]).toEqual([401, "OAUTH_REQUIRED"]);

    const granted = await shop.signIn();
    const other = await post(`${server}/oauth/import-tokens`, {
      serverUrl: "https://elsewhere.example/mcp",
      tokens: { access_token: granted.accessToken },
    });
    expect([other.status, other.body.details.code]).toEqual([400, "SERVER_URL_MISMATCH"]);
    const proofed = await post(`${server}/oauth/import-tokens`, {
      serverUrl: shop.url,
      tokens: { access_token: granted.accessToken, token_type: "DPoP" },
    });
    expect([proofed.status, proofed.body.details.path]).toEqual([400, "body.tokens.token_type"]);
    const give = (access_token: string) =>
      post(`${server}/oauth/import-tokens`, {
        serverUrl: shop.url,
        authorizationServerUrl: shop.issuer,
        clientInformation: { clientId: granted.clientId },
        tokens: { access_token, refresh_token: granted.refreshToken, expires_in: granted.expiresIn },
      });
    expect((await give(granted.accessToken)).body).toEqual({ imported: true, expiresAt: expect.any(Number) });
    expect((await post(`${server}/tools`)).status).toBe(200);
    // Every call at once meets a 401; a second refresh with the same token would end the grant.
    await give("spent");
    const later = await Promise.all(Array.from({ length: 6 }, () => post(`${server}/tools`)));
    expect(later.map(({ status }) => status)).toEqual(Array(6).fill(200));

    const stranger = await makeKey(
      service.app.db,
      organization,
      await makeMember(service.app.db, organization, "member"),
    );
    expect((await post(`${server}/tools`, {}, stranger)).body.code).toBe("OAUTH_REQUIRED");
    const { rows } = await service.app.pool.query("SELECT * FROM server_credentials");
    expect(JSON.stringify(rows)).not.toContain(granted.accessToken);
  });
});
