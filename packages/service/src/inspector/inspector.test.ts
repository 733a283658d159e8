/** @module The local inspector over real HTTP: who is let in, what may start a process, and what is kept. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspectorHeader, localOperationIds, operations } from "@fettle/contract";
import { startBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { everythingOverStdio } from "../../../mcp/src/testing/everything-server.ts";
import { pathOf } from "../http/route-table.ts";
import { type RunningInspector, startInspector } from "./inspector.ts";

const home = mkdtempSync(join(tmpdir(), "fettle-inspector-"));
const servers = "/api/v1/projects/proj_local/servers";
let inspector: RunningInspector;
let bookshop: Awaited<ReturnType<typeof startBookshop>>;

beforeAll(async () => {
  [inspector, bookshop] = await Promise.all([startInspector({ home, port: 0 }), startBookshop()]);
});
afterAll(async () => {
  await Promise.all([inspector.stop(), bookshop.close()]);
  rmSync(home, { recursive: true, force: true });
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** By Node's own client, because `fetch` forges no `Host`. */
function send(path: string, { method = "GET", headers = {}, body }: Sent = {}) {
  const { port } = new URL(inspector.url);
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const asked = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      asked.on("error", reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    },
  );
}

const credential = () => ({ [inspectorHeader]: `Bearer ${inspector.state.token}` });
const json = { "content-type": "application/json" };

async function say(method: string, path: string, body?: unknown) {
  const { status, text } = await send(path, { method, headers: { ...credential(), ...json }, body });
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

const save = async (settings: object) => String((await say("POST", servers, settings)).body.id);

describe("who is let in", () => {
  const addresses = [
    ["GET", "/"],
    ["GET", "/health"],
    ["GET", "/api/status"],
    ["POST", "/api/mcp/connect"],
    ["GET", servers],
  ] as const;
  test.each(addresses)("%s %s is refused under another name", async (method, path) => {
    const headers = { ...credential(), ...json, host: "evil.example" };
    expect((await send(path, { method, headers })).status).toBe(421);
  });

  test.each(addresses)("%s %s is refused to another site", async (method, path) => {
    const own = { ...credential(), ...json };
    const other = { ...own, origin: "http://127.0.0.1:1" };
    const within = { ...own, "sec-fetch-site": "same-site" };
    expect((await send(path, { method, headers: other })).status).toBe(403);
    expect((await send(path, { method, headers: within })).status).toBe(403);
  });

  const routes = [
    ["GET", "/api/status"],
    ["POST", "/api/session-codes"],
    ["GET", "/api/events"],
    ["PUT", "/api/clients"],
    ["POST", "/api/mcp/connect"],
    ["POST", "/api/mcp/approve"],
    ["POST", "/api/mcp/command"],
    ["POST", "/api/mcp/command/x/ack"],
    ["POST", "/api/shutdown"],
    ["POST", "/api/no-such-route"],
    ...localOperationIds.map((id) => [operations[id].method, pathOf(operations[id])] as const),
  ] as const;
  test.each(routes)("%s %s wants the token, and takes no form", async (method, path) => {
    expect((await send(path, { method, headers: json })).status).toBe(401);
    const wrong = { ...json, [inspectorHeader]: `Bearer ${"x".repeat(inspector.state.token.length)}` };
    expect((await send(path, { method, headers: wrong })).status).toBe(401);
    if (method === "GET") return;
    const form = { ...credential(), "content-type": "text/plain" };
    expect((await send(path, { method, headers: form })).status).toBe(415);
  });

  it("leads from localhost to its one address, and answers nothing else there", async () => {
    const { port } = new URL(inspector.url);
    const headers = { ...credential(), host: `localhost:${port}` };
    const page = await send("/p/proj_local/servers", { headers });
    expect([page.status, page.headers.location]).toEqual([308, `${inspector.url}/p/proj_local/servers`]);
    expect((await send("/api/status", { headers })).status).toBe(421);
  });

  it("takes a code once, and lets nobody try many", async () => {
    const code = new URLSearchParams(new URL(inspector.pageUrl()).hash.slice(1)).get("k");
    const enter = (given: unknown) =>
      send("/api/session", { method: "POST", headers: json, body: { code: given } });
    const first = await enter(code);
    expect(JSON.parse(first.text)).toEqual({ token: inspector.state.token });
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
    expect(statSync(join(home, "inspector.json")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "inspector")).mode & 0o777).toBe(0o700);
  });
});

describe("a command", () => {
  it("starts only as it was approved", async () => {
    const touched = join(home, "started");
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
    await inspector.stop();
    inspector = await startInspector({ home, port: 0 });
    expect(await entries()).toEqual([entry]);
    const again = await say("POST", `${servers}/${id}/saved-calls/${saved.body.id}/run`, {});
    expect(again.body).toMatchObject({ entry: { outcome: "ok" }, comparison: { isSame: true } });
  });
});

describe("a server that wants a sign-in", () => {
  const atShop = async (saved: object = {}) => {
    const shop = await startProtectedBookshop();
    const id = await save({ name: crypto.randomUUID(), transportType: "http", url: shop.url, ...saved });
    const signIn = `/app/projects/proj_local/servers/${id}/sign-in`;
    return {
      shop,
      id,
      [Symbol.asyncDispose]: () => shop.close(),
      look: async () => (await say("GET", signIn)).body.signIn as Record<string, unknown> | null,
      walk: async (revision: number | null, run: "stage" | "all") =>
        (await say("POST", signIn, { revision, run })).body.signIn as Record<string, unknown>,
      comeBack: (answer: URL) =>
        say("POST", "/app/server-connections/authorized", Object.fromEntries(answer.searchParams)),
      callTool: async () =>
        say("POST", `${servers}/${id}/tools/call`, {
          toolName: "search_books",
          parameters: { query: "swallows" },
        }),
    };
  };

  it("is signed in to by its steps, and stays so over a restart, with nothing to be read in the files", async () => {
    await using person = await atShop();
    expect((await person.callTool()).body.code).toBe("OAUTH_REQUIRED");
    expect(await person.look()).toBeNull();
    const first = await person.walk(null, "stage");
    expect(first).toMatchObject({ state: "open", revision: 1 });
    const waiting = await person.walk(Number(first.revision), "all");
    expect(waiting).toMatchObject({ state: "awaiting_person", issuer: person.shop.issuer });
    const callback = await send("/oauth/callback?code=x&state=y", {
      headers: { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
    });
    expect([callback.status, callback.headers["content-security-policy"]]).toEqual([
      200,
      expect.stringMatching(/^default-src 'none'/),
    ]);
    const answer = await person.shop.agree(
      String(waiting.authorizationUrl),
      `${inspector.url}/oauth/callback`,
    );
    expect((await person.comeBack(answer)).body).toEqual({
      server: { projectId: "proj_local", serverId: person.id },
    });
    expect((await person.comeBack(answer)).status).toBe(404);
    expect(await person.look()).toMatchObject({ state: "signed_in" });
    expect((await person.callTool()).status).toBe(200);
    await inspector.stop();
    inspector = await startInspector({ home, port: 0 });
    expect((await person.callTool()).status).toBe(200);
    const kept = readFileSync(join(home, "inspector", "credentials.json"), "utf8");
    expect(kept).not.toMatch(/access_?token|eyJ[\w-]+\.eyJ/);
    await say("DELETE", `${servers}/${person.id}`);
    expect(readFileSync(join(home, "inspector", "credentials.json"), "utf8")).not.toContain(person.id);
  });

  it("gets the header that was set for it, and no other, also where it refuses that", async () => {
    await using person = await atShop({ headers: { authorization: "Bearer wrong" } });
    expect((await person.callTool()).body).toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "CREDENTIAL_REFUSED" },
    });
    expect(await person.look()).toBeNull();
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
    expect([origin, new URL(origin).hostname]).toEqual([inspector.state.sandboxUrl, "localhost"]);
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
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
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
