import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { testService } from "../../testing/service.ts";

/** A server whose tool `wait` never answers and whose others repeat the text of their arguments. */
async function startWaiting() {
  const called = Promise.withResolvers<ServerResponse>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    if (params?.name === "wait") return called.resolve(response);
    const given = /"arguments":(\{.*?\})/.exec(body)?.[1] ?? "";
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "waiting", version: "1" },
      },
      "tools/list": { tools: ["wait", "repeat"].map((name) => ({ name, inputSchema: { type: "object" } })) },
      "tools/call": { content: [{ type: "text", text: given }] },
    };
    const result = results[method];
    const error = { code: -32601, message: "no such method" };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    /** The answer that the waiting call would get. */
    called: called.promise,
    close: () => server.close(),
  };
}

async function openMoved(stack: AsyncDisposableStack) {
  const service = stack.use(await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } }));
  const { db, serverThreads } = service.app;
  const organization = await makeOrganization(db);
  const key = await makeKey(db, organization, await makeMember(db, organization, "member"));
  const project = await makeProject(db, organization);
  serverThreads.move(project);
  const server = await startWaiting();
  stack.defer(() => void server.close());
  const servers = `/api/v1/projects/${project}/servers`;
  const body = { name: "waiting", transportType: "http", url: server.url };
  const saved = await service.call(servers, { method: "POST", key, body });
  const path = `${servers}/${saved.body.id}/tools/call`;
  const callTool = (body: string, signal?: AbortSignal) =>
    fetch(service.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
      ...(signal && { signal }),
    });
  return { server, callTool };
}

it("a caller who goes away ends the call at the server, and digits of arguments arrive as they were sent", async () => {
  await using stack = new AsyncDisposableStack();
  const { server, callTool } = await openMoved(stack);
  const leaving = new AbortController();
  const waits = callTool('{"toolName":"wait"}', leaving.signal);
  const closed = once(await server.called, "close");
  leaving.abort();
  await expect(waits).rejects.toThrow();
  await closed;
  const answer = await callTool('{"toolName":"repeat","parameters":{"n":12345678901234567890}}');
  expect(JSON.parse(await answer.text()).content[0].text).toBe('{"n":12345678901234567890}');
});

it("a thread that dies fails the calls it had with what to do, and the next call starts another", async () => {
  await using stack = new AsyncDisposableStack();
  const threads: Worker[] = [];
  const onThread = (thread: Worker) => threads.push(thread);
  process.on("worker", onThread);
  stack.defer(() => void process.off("worker", onThread));
  const { server, callTool } = await openMoved(stack);
  const waits = callTool('{"toolName":"wait"}');
  await server.called;
  expect(threads).toHaveLength(1);
  await threads[0]!.terminate();
  const failed = await waits;
  expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await failed.json()).toMatchObject({
    code: "UNAVAILABLE",
    details: { reason: "THREAD_ENDED", hint: expect.any(String) },
  });
  expect((await callTool('{"toolName":"repeat","parameters":{}}')).status).toBe(200);
  expect(threads).toHaveLength(2);
});
