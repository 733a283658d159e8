import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { startEverything } from "@fettle/samples";
import { expect, test, vi } from "vitest";
import { testService } from "../../testing/service.ts";
import { makeWorld } from "../../testing/world.ts";

/** Each level refers twice to the next: thirty of them take years. */
const exploding = {
  type: "object",
  $ref: "#/$defs/d0",
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `d${n}`,
      n === 39 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  ),
};

/** The whole suite: twenty seconds, when nothing else runs. */
const busyMachineMs = 300_000;

test(
  "a schema that explodes in one project's run holds up no other request",
  async () => {
    await using stack = new AsyncDisposableStack();
    const service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
    stack.defer(() => service.close());
    await service.app.work();
    const world = await makeWorld(service.app.db);
    const url = await startHostileSchema(stack);
    const { key } = world.people.member;
    const call = (path: string, body?: object) =>
      service.call(`/api/v1/projects/${world.projectId}${path}`, {
        key,
        ...(body && { method: "POST", body }),
      });
    const { body: server } = await call("/servers", { name: "Exploding", transportType: "http", url });
    const order: string[] = [];
    const answered = Promise.withResolvers<void>();
    const onThread = (thread: import("node:worker_threads").Worker) => {
      order.push("judging");
      thread.once("message", () => order.push("judged"));
      call("/servers").then(({ status }) => {
        order.push(`another request: ${status}`);
        answered.resolve();
      }, answered.reject);
    };
    process.once("worker", onThread);
    stack.defer(() => void process.off("worker", onThread));
    let report: unknown;
    // On a very busy machine the tool's answer may not come within its time: then nothing is judged, and the run says so.
    while (!order.includes("judging")) {
      const { body: run, status } = await call(`/servers/${server.id}/conformance-runs`, {
        suites: ["protocol"],
      });
      expect(status, JSON.stringify(run)).toBeLessThan(300);
      await vi.waitFor(
        async () => expect((await call(`/conformance-runs/${run.runId}`)).body.status).toBe("completed"),
        { timeout: busyMachineMs, interval: 250 },
      );
      report = (await call(`/conformance-runs/${run.runId}/report`)).body;
    }
    await answered.promise;
    expect(order).toEqual(["judging", "another request: 200", "judged"]);
    // Its own watchdog ends it or, on a busy machine, ours: either way it has not passed.
    expect(report).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ id: "tool-output-schema-conformant" })]),
    });
  },
  busyMachineMs,
);

/** The sample with every fixture, whose structured tool is listed with another output schema. */
async function startHostileSchema(stack: AsyncDisposableStack): Promise<string> {
  const sample = await startEverything();
  stack.defer(() => sample.close());
  const relay = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const body = Buffer.concat(chunks);
    const answer = await fetch(new URL(request.url ?? "/", sample.url), {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "",
      ...(answer.headers.get("mcp-session-id") && {
        "mcp-session-id": answer.headers.get("mcp-session-id")!,
      }),
    });
    if (request.method === "GET") await pipeline(Readable.fromWeb(answer.body as ReadableStream), response);
    else response.end((await answer.text()).replace(/^(data: )?(\{.*\})$/gm, withHostileSchema));
  };
  const server = createServer((request, response) => {
    // Streams that stay open are ended by whoever ends first.
    relay(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()));
  const { pathname } = new URL(sample.url);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

function withHostileSchema(_whole: string, prefix: string | undefined, text: string): string {
  const message = JSON.parse(text);
  for (const tool of message.result?.tools ?? []) {
    if (tool.name === "test_structured_output") tool.outputSchema = exploding;
  }
  return (prefix ?? "") + JSON.stringify(message);
}
