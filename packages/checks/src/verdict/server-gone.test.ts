/** @module When a server counts as gone, and what is not held against it then. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { McpError, parseTarget } from "@fettle/mcp";
import { startEverything } from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { startFaultyProxy } from "../protocol/testing/faulty-proxy.ts";
import type { CheckResult } from "./check-result.ts";
import { goneServer, isSilence, withoutServer } from "./server-gone.ts";

async function answering(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end("It says something else.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test.each([502, 503, 504])(
  "a gateway that answers %i stands before a server that is gone",
  async (status) => {
    const gone = await goneServer(parseTarget({ url: await answering(status) }), {});
    expect(gone).toMatchObject({ code: "HTTP_STATUS", details: { status } });
  },
);

test.each([200, 401, 404, 500])("a server that answers %i is there, whatever it says", async (status) => {
  expect(await goneServer(parseTarget({ url: await answering(status) }), {})).toBeUndefined();
});

test("looking for a server leaves no session behind", async () => {
  const everything = await startEverything();
  onTestFinished(() => everything.close());
  const methods: string[] = [];
  const proxy = await startFaultyProxy(everything.url, {
    request: ({ method }) => void methods.push(method),
  });
  onTestFinished(() => proxy.close());
  expect(
    await goneServer(parseTarget({ url: proxy.url }), { protocolVersion: "2025-11-25" }),
  ).toBeUndefined();
  expect(methods.filter((method) => method === "DELETE")).toHaveLength(1);
});

test("a port where nobody listens and a command that is not there are gone", async () => {
  expect(await goneServer(parseTarget({ url: "http://127.0.0.1:9/mcp" }), {})).toMatchObject({
    code: "CONNECTION_REFUSED",
  });
  expect(await goneServer(parseTarget({ command: "/no/such/command", args: [] }), {})).toMatchObject({
    code: "SPAWN_FAILED",
  });
});

test.each([
  [new McpError("TIMEOUT", "x"), true],
  [new McpError("PROCESS_EXITED", "x"), true],
  [new DOMException("x", "TimeoutError"), true],
  [new DOMException("x", "AbortError"), false],
  [new McpError("RPC_ERROR", "x"), false],
  [new Error("TIMEOUT"), false],
])("%s is silence: %s", (error, silence) => {
  expect(isSilence(error)).toBe(silence);
});

test("what passed or does not apply stays when the server goes away; the rest is nobody's verdict", () => {
  const gone = new McpError("CONNECTION_REFUSED", "Nobody listens.");
  const base = { id: "a", category: "core", title: "t", description: "d", durationMs: 1 };
  const passed: CheckResult = { ...base, status: "passed" };
  const absent: CheckResult = { ...base, status: "skipped", skipReason: "not-applicable" };
  expect(withoutServer(passed, gone)).toBe(passed);
  expect(withoutServer(absent, gone)).toBe(absent);
  const warnings = [{ word: "SHOULD" as const, message: "shorter" }];
  for (const status of ["failed", "skipped"] as const) {
    expect(withoutServer({ ...base, status, warnings, error: { message: "no answer" } }, gone)).toEqual({
      ...base,
      status: "skipped",
      skipReason: "could-not-run",
      isOutage: true,
      error: { message: "The server stopped answering during the run: Nobody listens." },
    });
  }
});
