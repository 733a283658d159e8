import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { idOf, type OrganizationId, type ProjectId, type ServerId } from "@fettle/contract/core";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { plantHistory } from "../../testing/server-history/planted-history.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let organization: OrganizationId;
let key: string;
let project: ProjectId;
let at: string;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  stack.defer(() => service.close());
  organization = await makeOrganization(service.app.db, "Acme");
  key = await makeKey(service.app.db, organization, await makeMember(service.app.db, organization, "admin"));
  project = await makeProject(service.app.db, organization);
  at = `/api/v1/projects/${project}`;
});
afterAll(() => stack.disposeAsync());

let count = 0;
async function save(url: string, within = at): Promise<{ id: ServerId; path: string }> {
  const body = { name: `server ${++count}`, transportType: "http", url };
  const made = await service.call(`${within}/servers`, { method: "POST", key, body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: idOf<"server">().parse(made.body.id), path: `${within}/servers/${made.body.id}` };
}
const send = (method: string, path: string, body?: object) =>
  service.call(path, { method, key, ...(body && { body }) });
const post = (path: string, body: object = {}) => send("POST", path, body);
const get = async (path: string) => (await send("GET", path)).body;
const historyOf = async (path: string, query = "") => (await get(`${path}/history${query}`)).items;

async function bookshop(within = at) {
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  return save(shop.url, within);
}

/** Answers each call of its one tool with the next of these texts. */
async function saying(...texts: string[]) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(body || "{}");
      if (id === undefined) return response.writeHead(202).end();
      const results: Record<string, () => object> = {
        initialize: () => ({
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "saying", version: "1" },
        }),
        "tools/call": () => ({ content: [{ type: "text", text: texts.shift() }] }),
      };
      const result = results[method]?.() ?? {};
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close());
  return save(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

describe.each(["here", "apart"])("what is done with a server, asked %s,", (where) => {
  let within: string;
  beforeAll(async () => {
    const own = await makeProject(service.app.db, organization);
    within = `/api/v1/projects/${own}`;
    if (where === "apart") service.app.serverThreads.move(own);
  });

  it("is kept with who, when, how long, how it came out, and the messages behind it", async () => {
    const { path } = await bookshop(within);
    const before = Date.now();
    await post(`${path}/validate`);
    await post(`${path}/doctor`);
    await post(`${path}/tools/call`, { toolName: "search_books", parameters: { query: "swallows" } });
    await post(`${path}/tools/call`, { toolName: "no_such_tool" });
    const resources = await post(`${path}/resources`);
    await post(`${path}/resources/read`, { uri: resources.body.items[0].uri });
    await post(`${path}/check-oauth`);
    const items = await historyOf(path);
    expect(items.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)).toEqual([
      "oauth ok",
      "resource ok",
      "tool failed",
      "tool ok",
      "doctor ok",
      "health ok",
    ]);
    const call = items[3];
    expect(call).toMatchObject({ subject: "search_books", by: { name: expect.any(String) }, callId: null });
    expect(call.at).toBeGreaterThanOrEqual(before);
    expect(call.at + call.durationMs).toBeLessThanOrEqual(Date.now());
    const detail = await get(`${path}/history/${call.id}`);
    expect(detail).toMatchObject({ parameters: { query: "swallows" }, withheld: [], messagesLeftOut: 0 });
    expect(detail.result.structuredContent).toBeDefined();
    expect(detail.result.durationMs).toBeUndefined();
    const said = detail.recording.map(
      ({ direction, message }: { direction: string; message: { method?: string } }) =>
        `${direction} ${message.method ?? "answer"}`,
    );
    expect(said).toEqual(["send tools/call", "receive answer"]);
    const health = await get(`${path}/history/${items[5].id}`);
    expect(health.summary).toContain("bookshop");
    expect(JSON.stringify(health.recording)).toContain("server/discover");
  });

  it("keeps a server that cannot be reached as a failure with its code, and nothing of what was refused before it was asked", async () => {
    const { path } = await save("http://127.0.0.1:9/mcp", within);
    await post(`${path}/validate`);
    await post(`${path}/tools/call`, { toolName: "x", allowTaskResult: true });
    const items = await historyOf(path);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: "health", outcome: "failed", code: "SERVER_UNREACHABLE" });
  });
});

it("keeps no credential of the parameters, says where it stood, and asks for it when the call is made again", async () => {
  const { path } = await bookshop();
  await post(`${path}/tools/call`, {
    toolName: "search_books",
    parameters: { query: "sea", login: { password: "hunter2" } },
  });
  const [entry] = await historyOf(path);
  const detail = await get(`${path}/history/${entry.id}`);
  expect(JSON.stringify(detail)).not.toContain("hunter2");
  expect(detail).toMatchObject({ parameters: { query: "sea" }, withheld: ["/login/password"] });
  for (const body of [{}, { parameters: detail.parameters }]) {
    const refused = await post(`${path}/history/${entry.id}/run`, body);
    expect([refused.status, refused.body.details]).toMatchObject([
      400,
      { code: "SECRET_NOT_KEPT", withheld: ["/login/password"] },
    ]);
  }
  const filled = { parameters: { query: "sea", login: { password: "other" } } };
  expect((await post(`${path}/history/${entry.id}/run`, filled)).status).toBe(200);
});

describe("the list", () => {
  it("goes page by page through all of it, in every filter, while more is added", async () => {
    const { id, path } = await bookshop();
    await plantHistory(service.app, id, 60, (index) => ({
      kind: index % 2 ? "health" : "tool",
      outcome: index % 3 ? "ok" : "failed",
    }));
    const wanted = { "": 60, "&kind=tool": 30, "&outcome=failed": 20, "&kind=tool&outcome=failed": 10 };
    for (const [filter, most] of Object.entries(wanted)) {
      const seen: string[] = [];
      let cursor = "";
      do {
        const page = await get(`${path}/history?limit=7${filter}${cursor}`);
        seen.push(...page.items.map((entry: { id: string }) => entry.id));
        cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : "";
      } while (cursor);
      expect([filter, seen.length, new Set(seen).size]).toEqual([filter, most, most]);
      expect(seen).toEqual(seen.toSorted().reverse());
    }
  });

  it.each([
    ["a cursor of another list", "?cursor=a%20b", "query.cursor"],
    ["a kind there is not", "?kind=chat", "query.kind"],
    ["a page too long", "?limit=201", "query.limit"],
  ])("refuses %s", async (_, query, path) => {
    const server = await bookshop();
    const refused = await send("GET", `${server.path}/history${query}`);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(path)]);
  });
});

describe("a call made again", () => {
  it("is compared with the one before, place by place", async () => {
    const { path } = await saying("one", "two", "two");
    await post(`${path}/tools/call`, { toolName: "say", parameters: { n: 1 } });
    const [first] = await historyOf(path);
    const again = await post(`${path}/history/${first.id}/run`);
    expect(again.body).toMatchObject({
      entry: { kind: "tool", subject: "say", parameters: { n: 1 } },
      comparison: {
        before: { id: first.id },
        isSame: false,
        isCut: false,
        changes: [{ path: "/content/0/text", kind: "changed", before: "one", after: "two" }],
      },
    });
    const third = await post(`${path}/history/${again.body.entry.id}/run`);
    expect(third.body.comparison).toMatchObject({ isSame: true, changes: [] });
    const compared = await get(`${path}/history/${third.body.entry.id}/comparison?with=${first.id}`);
    expect(compared.changes).toHaveLength(1);
    const last = await get(`${path}/history/${third.body.entry.id}/comparison`);
    expect(last).toMatchObject({ isSame: true, before: { id: again.body.entry.id } });
  });

  it("is written down when it fails, and says what it was before", async () => {
    const shop = await startBookshop();
    const { path } = await save(shop.url);
    await post(`${path}/tools/call`, { toolName: "search_books", parameters: { query: "sea" } });
    await shop.close();
    const [first] = await historyOf(path);
    const again = await post(`${path}/history/${first.id}/run`);
    expect([again.status, again.body.entry.outcome]).toEqual([200, "failed"]);
    expect(again.body.comparison).toMatchObject({ isSame: false, before: { outcome: "ok" } });
  });

  it("keeps the digits of long numbers", async () => {
    const { path } = await saying("one", "two");
    const asked = await service.call(`${path}/tools/call`, {
      method: "POST",
      key,
      body: '{"toolName":"say","parameters":{"id":9007199254740993}}',
    });
    expect(asked.status).toBe(200);
    await service.app.history.settle();
    const { rows } = await service.app.pool.query(
      "SELECT parameters FROM server_history ORDER BY id DESC LIMIT 1",
    );
    expect(rows[0].parameters).toBe('{"id":9007199254740993}');
  });

  it("is refused for what is no call", async () => {
    const { path } = await bookshop();
    await post(`${path}/validate`);
    const [health] = await historyOf(path);
    const refused = await post(`${path}/history/${health.id}/run`);
    expect([refused.status, refused.body.details.code]).toEqual([400, "NOT_A_CALL"]);
  });
});

describe("a saved call", () => {
  it("is shared, made again under its name, and compared with its last result though the history forgot it", async () => {
    const { id, path } = await saying("one", "two");
    const saved = await post(`${path}/saved-calls`, {
      name: "Greeting",
      subject: "say",
      parameters: { n: 1 },
    });
    expect([saved.status, saved.body.last]).toEqual([201, null]);
    const at = `${path}/saved-calls/${saved.body.id}`;
    const first = await post(`${at}/run`);
    expect(first.body.comparison).toMatchObject({ before: null, changes: [] });
    expect(first.body.entry.callId).toBe(saved.body.id);
    await service.app.pool.query("DELETE FROM server_history WHERE server_id = $1", [id]);
    const second = await post(`${at}/run`);
    expect(second.body.comparison.changes).toMatchObject([{ before: "one", after: "two" }]);
    expect((await get(`${path}/saved-calls/greeting`)).last).toMatchObject({
      outcome: "ok",
      summary: "two",
      entryId: second.body.entry.id,
    });
    expect((await get(`${path}/saved-calls`)).items).toHaveLength(1);
  });

  it("is made of an entry, renamed, changed, and deleted", async () => {
    const { path } = await bookshop();
    await post(`${path}/tools/call`, { toolName: "search_books", parameters: { query: "sea" } });
    const [entry] = await historyOf(path);
    const saved = await post(`${path}/saved-calls`, { name: "Sea", entryId: entry.id });
    expect(saved.body).toMatchObject({
      kind: "tool",
      subject: "search_books",
      parameters: { query: "sea" },
      last: { entryId: entry.id },
    });
    const taken = await post(`${path}/saved-calls`, { name: "sea", subject: "search_books" });
    expect([taken.status, taken.body.details.code]).toEqual([409, "NAME_TAKEN"]);
    const at = `${path}/saved-calls/${saved.body.id}`;
    const changed = await send("PATCH", at, { name: "Land", parameters: { query: "land", apiKey: "abc" } });
    expect(changed.body).toMatchObject({
      name: "Land",
      parameters: { query: "land" },
      withheld: ["/apiKey"],
    });
    expect((await send("DELETE", at)).body).toMatchObject({ id: saved.body.id, deleted: true });
    expect((await send("GET", at)).status).toBe(404);
    expect(await historyOf(path)).toHaveLength(1);
  });

  it("becomes a case of a suite, and a prompt's call does not", async () => {
    const { id, path } = await bookshop();
    const suite = await post(`${at}/eval-suites`, {
      name: "Calls",
      serverIds: [id],
      model: "fettle/rules-1",
      tests: [{ title: "One", steps: [{ id: "ask", kind: "prompt", prompt: "Hello" }] }],
    });
    const { suiteId } = suite.body;
    const saved = await post(`${path}/saved-calls`, {
      name: "Sea",
      subject: "search_books",
      parameters: { query: "sea" },
    });
    const made = await post(`${path}/saved-calls/${saved.body.id}/eval-case`, { suiteId });
    expect([made.status, made.body.case]).toMatchObject([
      201,
      {
        title: "Sea",
        steps: [
          { kind: "toolCall", toolName: "search_books", arguments: { query: "sea" } },
          { kind: "assert" },
        ],
      },
    ]);
    const prompt = await post(`${path}/saved-calls`, { name: "P", kind: "prompt", subject: "recommend" });
    const refused = await post(`${path}/saved-calls/${prompt.body.id}/eval-case`, { suiteId });
    expect([refused.status, refused.body.details.code]).toEqual([400, "NOT_A_TOOL_CALL"]);
  });
});

it("keeps an examination that nobody waited for as stopped, and as no verdict", async () => {
  const gone = new AbortController();
  const silent = createServer(() => gone.abort()).listen(0, "127.0.0.1");
  await once(silent, "listening");
  stack.defer(() => silent.closeAllConnections());
  stack.defer(() => void silent.close());
  const { id, path } = await save(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/mcp`);
  const headers = { authorization: `Bearer ${key}` };
  const asked = fetch(`${service.url}${path}/doctor`, { method: "POST", headers, signal: gone.signal });
  await expect(asked).rejects.toThrow();
  await expect
    .poll(async () => (await historyOf(path))[0])
    .toMatchObject({ kind: "doctor", outcome: "stopped" });
  expect((await get(`${at}/server-verdicts?serverId=${id}`)).items).toEqual([]);
});

it("tells the latest of each check of each server, and none of calls", async () => {
  const own = await makeProject(service.app.db, organization);
  const within = `/api/v1/projects/${own}`;
  const [first, second] = [await bookshop(within), await bookshop(within)];
  await post(`${first.path}/validate`);
  await post(`${first.path}/doctor`);
  await post(`${first.path}/tools/call`, { toolName: "search_books", parameters: { query: "sea" } });
  await plantHistory(service.app, first.id, 1, () => ({
    kind: "health",
    outcome: "failed",
    at: new Date(Date.now() + 1_000),
  }));
  const { items } = await get(`${within}/server-verdicts`);
  expect(items).toMatchObject([
    {
      serverId: first.id,
      verdicts: [
        { kind: "doctor", outcome: "ok" },
        { kind: "health", outcome: "failed" },
      ],
    },
  ]);
  expect((await get(`${within}/server-verdicts?serverId=${second.id}`)).items).toEqual([]);
});
