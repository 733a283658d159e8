/** @module The local inspector over real HTTP: who is let in, what may start a process, and what is kept. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { inspectorHeader } from "@fettle/contract/inspector";
import { operations } from "@fettle/contract/operations";
import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { everythingOverStdio } from "../../../mcp/src/testing/everything-server.ts";
import { pathOf } from "../http/route-table.ts";
import { json, localInspector, type Sent } from "../testing/inspector/local-inspector.ts";
import { createRoutes, type InspectorParts } from "./routes.ts";

const servers = "/api/v1/projects/proj_local/servers";
let local: Awaited<ReturnType<typeof localInspector>>;
let bookshop: Awaited<ReturnType<typeof startBookshop>>;

beforeAll(async () => {
  [local, bookshop] = await Promise.all([localInspector(), startBookshop()]);
});
afterAll(() => Promise.all([local.stop(), bookshop.close()]));

const { send, say, save, credential } = {
  send: (path: string, sent?: Sent) => local.send(path, sent),
  say: (method: string, path: string, body?: unknown) => local.say(method, path, body),
  save: (settings: object) => local.save(settings),
  credential: () => local.credential(),
};

describe("who is let in", () => {
  /** Everything that can be asked for, each with what a stranger would have to send; and pages. */
  const asked = [
    ...createRoutes({} as InspectorParts).map(({ method, path, policy }) => ({ method, path, policy })),
    { method: "POST", path: "/api/no-such-route", policy: { auth: "token" } as const },
  ];
  const pages = ["/", "/p/proj_local/servers", "/oauth/callback"].map((path) => ({
    method: "GET",
    path,
    policy: { auth: "open" } as const,
  }));
  const touched = () => join(local.home, "started-by-a-stranger");
  let serverId = "";
  beforeAll(async () => {
    const script = `require("node:fs").writeFileSync(${JSON.stringify(touched())}, "")`;
    serverId = await save({ name: "Trap", transportType: "stdio", command: "node", args: ["-e", script] });
    await say("POST", "/api/mcp/approve", { serverId });
  });
  afterAll(() => expect(existsSync(touched())).toBe(false));

  /** Where somebody got in who should not have. */
  async function otherThan(
    status: number,
    routes: readonly { method: string; path: string }[],
    headers: () => Record<string, string>,
  ) {
    const letIn: string[] = [];
    for (const { method, path } of routes) {
      const filled = path
        .replace("{projectId}", "proj_local")
        .replace("{serverId}", serverId)
        .replaceAll(/\{\w+\}/g, "x");
      const answer = await send(filled, { method, headers: headers() });
      if (answer.status !== status) letIn.push(`${method} ${path} ${answer.status}`);
    }
    return letIn;
  }
  const own = () => ({ ...credential(), ...json });
  const withToken = asked.filter(({ policy }) => policy.auth === "token");

  it("has every operation among its routes, and few that ask for no token", () => {
    expect(asked.length).toBeGreaterThan(Object.keys(operations).length);
    expect(asked.filter(({ policy }) => policy.auth !== "token").map(({ path }) => path)).toEqual([
      "/health",
      "/api/session",
    ]);
  });

  test.each(["evil.example", "127.0.0.1.evil.example", "127.0.0.1", "localhost.evil.example:7410"])(
    "every route and page is refused under the name %s",
    async (host) => {
      expect(await otherThan(421, [...asked, ...pages], () => ({ ...own(), host }))).toEqual([]);
    },
  );

  const foreign: [string, Record<string, string>][] = [
    ["another origin", { origin: "http://127.0.0.1:1" }],
    ["no origin that it would name", { origin: "null" }],
    ["another port of this machine", { "sec-fetch-site": "same-site" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
  ];
  test.each(foreign)("every route and page is refused to %s", async (_who, sent) => {
    expect(await otherThan(403, [...asked, ...pages], () => ({ ...own(), ...sent }))).toEqual([]);
  });

  it("wants the token of this start on every route", async () => {
    const { token } = local.running().state;
    const wrong = { ...json, [inspectorHeader]: `Bearer ${"x".repeat(token.length)}` };
    expect(await otherThan(401, withToken, () => json)).toEqual([]);
    expect(await otherThan(401, withToken, () => wrong)).toEqual([]);
    expect(await otherThan(401, withToken, () => ({ ...json, cookie: `token=${token}` }))).toEqual([]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])(
    "no route that changes anything takes a body of the type %s",
    async (type) => {
      const writes = asked.filter(({ method }) => method !== "GET");
      const sent = () => ({ ...credential(), ...(type && { "content-type": type }) });
      expect(await otherThan(415, writes, sent)).toEqual([]);
    },
  );

  it("leads from localhost to its one address, and answers nothing else there", async () => {
    const { port } = new URL(local.running().url);
    const headers = { ...credential(), host: `localhost:${port}` };
    const page = await send("/p/proj_local/servers", { headers });
    expect([page.status, page.headers.location]).toEqual([
      308,
      `${local.running().url}/p/proj_local/servers`,
    ]);
    expect((await send("/api/status", { headers })).status).toBe(421);
  });

  it("takes a code once, and lets nobody try many", async () => {
    const code = new URLSearchParams(new URL(local.running().pageUrl()).hash.slice(1)).get("k");
    const enter = (given: unknown) =>
      send("/api/session", { method: "POST", headers: json, body: { code: given } });
    const first = await enter(code);
    expect(JSON.parse(first.text)).toEqual({ token: local.running().state.token });
    expect((await enter(code)).status).toBe(401);
    await enter("wrong");
    await enter("wrong");
    expect((await enter("wrong")).status).toBe(429);
  });

  it("says of itself no more than who it is", async () => {
    const { text } = await send("/health");
    expect(Object.keys(JSON.parse(text)).sort()).toEqual(["service", "startId", "version"]);
  });

  it("keeps its files to the person", () => {
    expect(statSync(join(local.home, "inspector.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(local.home, "inspector")).mode & 0o777).toBe(0o700);
  });
});

describe("a command", () => {
  it("starts only as it was approved", async () => {
    const touched = join(local.home, "started");
    const script = `require("node:fs").writeFileSync(${JSON.stringify(touched)}, "")`;
    const id = await save({ name: "Script", transportType: "stdio", command: "node", args: ["-e", script] });
    const ask = () => say("POST", `${servers}/${id}/tools`, {});
    expect((await ask()).body).toMatchObject({ details: { reason: "approval_required" } });
    expect(existsSync(touched)).toBe(false);
    await say("POST", "/api/mcp/approve", { serverId: id });
    await ask();
    expect(existsSync(touched)).toBe(true);
    rmSync(touched);
    await say("PATCH", `${servers}/${id}`, { args: ["-e", `${script};1`] });
    expect((await ask()).body).toMatchObject({ details: { reason: "approval_required" } });
    expect(existsSync(touched)).toBe(false);
    expect((await say("GET", `/api/mcp/servers/${id}/command`)).body).toEqual({
      command: "node",
      args: ["-e", `${script};1`],
      envNames: [],
      approved: false,
      before: { command: "node", args: ["-e", script], envNames: [] },
    });
    // A word of a command may be a credential.
    expect(readFileSync(join(local.home, "inspector", "servers.json"), "utf8")).not.toContain(
      "writeFileSync",
    );
  });

  it("is spoken to over stdio, and its calls are kept over a restart", async () => {
    // It speaks one era only: a slow start, which makes one of two be chosen, changes nothing in what it answers.
    const id = await save({ name: "Everything", transportType: "stdio", ...everythingOverStdio });
    await say("POST", "/api/mcp/approve", { serverId: id });
    const { body: listed } = await say("POST", `${servers}/${id}/tools`, {});
    expect((listed.items as unknown[]).length).toBeGreaterThan(10);
    const called = await say("POST", `${servers}/${id}/tools/call`, {
      toolName: "echo",
      parameters: { message: "hi" },
    });
    expect(called.status).toBe(200);
    const entries = async () => (await say("GET", `${servers}/${id}/history`)).body.items as { id: string }[];
    const [entry] = await entries();
    const saved = await say("POST", `${servers}/${id}/saved-calls`, { name: "Simple", entryId: entry!.id });
    expect(saved.status, JSON.stringify(saved.body)).toBe(201);
    await local.restart();
    expect(await entries()).toEqual([entry]);
    const again = await say("POST", `${servers}/${id}/saved-calls/${saved.body.id}/run`, {});
    expect(again.body).toMatchObject({ entry: { outcome: "ok" }, comparison: { isSame: true } });
  });
});

describe("a widget", () => {
  const widget = async (request: object = {}) => {
    const id = await save({ name: crypto.randomUUID(), transportType: "http", url: bookshop.url });
    const path = pathOf(operations.renderWidget)
      .replace("{projectId}", "proj_local")
      .replace("{serverId}", id);
    return { path, ...(await say("POST", path, { resourceUri: "ui://bookshop/shelf.html", ...request })) };
  };

  it("is shown from an origin of its own, which has no other route and takes no token", async () => {
    const { status, body, path } = await widget();
    expect(status, JSON.stringify(body)).toBe(200);
    const { origin } = new URL(String(body.documentUrl));
    expect([origin, new URL(origin).hostname]).toEqual([local.running().state.sandboxUrl, "localhost"]);
    const document = await fetch(String(body.documentUrl));
    expect(document.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*; sandbox allow-/);
    expect((await fetch(String(body.proxyUrl))).status).toBe(200);
    const elsewhere = await fetch(`${origin}/api/status`, { headers: credential() });
    expect(elsewhere.status).toBe(404);
    const page = await send("/", {});
    expect(page.headers["content-security-policy"]).toContain(`frame-src ${origin}`);
    expect((await say("GET", `${path}/${body.id}/refusals`)).body).toEqual({ items: [] });
    expect((await say("GET", `${path}/other/refusals`)).status).toBe(404);
  });

  it("is no other document of the server", async () => {
    const { status, body } = await widget({ resourceUri: "ui://bookshop/nothing.html" });
    expect(status, JSON.stringify(body)).toBeGreaterThanOrEqual(400);
  });
});

it("keeps no credential where it can be read", async () => {
  const secret = "canary-7f3a9c";
  const headers = { authorization: `Bearer ${secret}` };
  const id = await save({ name: "Bookshop", transportType: "http", url: bookshop.url, headers });
  await say("POST", `${servers}/${id}/tools/call`, {
    toolName: "search_books",
    parameters: { query: "swallows" },
  });
  const shown = await say("GET", servers);
  expect(JSON.stringify(shown.body)).not.toContain(secret);
  const files = readdirSync(local.home, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});

it("says what only the service has", async () => {
  const { status, body } = await say("GET", "/api/v1/projects/proj_local/eval-runs");
  expect([status, body.code]).toEqual([422, "FEATURE_NOT_SUPPORTED"]);
});

it("tells the terminal that no page is open", async () => {
  const { status, body } = await say("POST", "/api/mcp/command", {
    type: "navigate",
    payload: { page: "/p/proj_local/servers" },
  });
  expect(status).toBe(409);
  expect(body).toMatchObject({ status: "error", error: { code: "no_active_client" } });
});
