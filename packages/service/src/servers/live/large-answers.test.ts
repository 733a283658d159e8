import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProjectId } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

const longId = "12345678901234567890";
/** Five mebibytes of rows, a long text with escapes, and a number that no double holds. */
const result = JSON.stringify({
  content: [{ type: "text", text: 'a "quoted"\nline with ü and 😀 '.repeat(40_000) }],
  structuredContent: {
    rows: Array.from({ length: 30_000 }, (_, id) => ({
      id,
      name: `row number ${id}`,
      note: "n".repeat(100),
    })),
    id: "the id",
  },
}).replace('"the id"', longId);

let service: TestService;
let key: string;
let newProject: () => Promise<ProjectId>;
const serversOf = (project: ProjectId) => `/api/v1/projects/${project}/servers`;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  stack.defer(() => service.close());
  const { db } = service.app;
  const organization = await makeOrganization(db);
  key = await makeKey(db, organization, await makeMember(db, organization, "member"));
  newProject = () => makeProject(db, organization);
});
afterAll(() => stack.disposeAsync());

/** A server whose every tool call has the large result. */
async function startLarge(as: "application/json" | "text/event-stream"): Promise<string> {
  const results: Record<string, string> = {
    initialize: JSON.stringify({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "large", version: "1" },
    }),
    "tools/list": '{"tools":[{"name":"all","inputSchema":{"type":"object"}}]}',
    "tools/call": result,
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { id, method } = body === "" ? {} : JSON.parse(body);
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (id === undefined) return void response.writeHead(202).end();
    const found = results[method];
    const answer = found ? `"result":${found}` : '"error":{"code":-32601,"message":"no such method"}';
    const message = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${answer}}`;
    response.writeHead(200, { "content-type": as });
    response.end(as === "text/event-stream" ? `data: ${message}\n\n` : message);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

it.each(["application/json", "text/event-stream"] as const)(
  "a large answer over %s comes through character by character, also from the thread that the second call is moved to",
  async (as) => {
    const body = { name: as, transportType: "http", url: await startLarge(as) };
    const project = await newProject();
    const saved = await service.call(serversOf(project), { method: "POST", key, body });
    for (const isApart of [false, true]) {
      expect(service.app.serverThreads.has(project)).toBe(isApart);
      const response = await fetch(`${service.url}${serversOf(project)}/${saved.body.id}/tools/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: '{"toolName":"all","parameters":{}}',
      });
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(text.replace(/,"durationMs":\d+\}$/, "}") === result).toBe(true);
      expect(text).toContain(longId);
    }
  },
);

it("several at once are all answered, a few held at a time", async () => {
  const project = await newProject();
  service.app.serverThreads.move(project);
  // A busy machine may take its time: that all are answered is meant, not when.
  const body = {
    name: "large",
    transportType: "http",
    url: await startLarge("application/json"),
    timeout: 120_000,
  };
  const saved = await service.call(serversOf(project), { method: "POST", key, body });
  const path = `${serversOf(project)}/${saved.body.id}/tools/call`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => service.call(path, { method: "POST", key, body: { toolName: "all" } })),
  );
  expect(answers.map(({ status, body }) => [status, body.structuredContent?.rows.length])).toEqual(
    answers.map(() => [200, 30_000]),
  );
});
