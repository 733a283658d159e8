/** @module A gateway that cannot reach the server any more, or a server that cannot reach what stands behind it, breaks no rule. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runProtocol } from "./run-protocol.ts";
import { startFaultyProxy } from "./testing/faulty-proxy.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const page = { headers: { "content-type": "text/html" }, body: "<h1>Try again later</h1>" };

test.each([429, 500, 502, 503, 504])("HTTP %i after the opening fails no check", async (status) => {
  const proxy = await startFaultyProxy(everything.url, {
    answer: ({ body }) =>
      ["ping", "tools/list", "resources/list", "prompts/list"].includes(String(body?.method))
        ? { status, ...page }
        : undefined,
  });
  onTestFinished(() => proxy.close());
  const report = await runProtocol(parseTarget({ url: proxy.url }), { protocolVersion: "2025-11-25" });
  expect(report.checks.filter((check) => check.status === "failed").map(({ id }) => id)).toEqual([]);
  expect(report.checks.find(({ id }) => id === "ping")).toMatchObject({ skipReason: "could-not-run" });
  expect(report.outcome).toBe("incomplete");
});

describe.each(["2025-11-25", "2026-07-28"])("in %s", (protocolVersion) => {
  test.each([
    ["the tools alone", ["tools/list"]],
    ["every list", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"]],
    ["whatever it is asked", undefined],
  ])("-32603 to %s fails no check", async (_, methods) => {
    const isOpening = (method: string) => ["initialize", "server/discover"].includes(method);
    const proxy = await startFaultyProxy(everything.url, {
      message(message, { body }) {
        const method = String(body?.method);
        const isServed = "result" in message || method.startsWith("fettle/");
        const isOut = methods ? methods.includes(method) : !isOpening(method);
        if (!("id" in message) || !isServed || !isOut) return message;
        const error = { code: -32603, message: "fetch failed" };
        return { jsonrpc: "2.0", id: message.id, error };
      },
    });
    onTestFinished(() => proxy.close());
    const report = await runProtocol(parseTarget({ url: proxy.url }), { protocolVersion });
    const failed = report.checks.filter((check) => check.status === "failed");
    expect(failed.map(({ id, error }) => [id, error?.message])).toEqual([]);
    expect(report.checks.find(({ id }) => id === "tools-list")).toMatchObject({
      skipReason: "could-not-run",
    });
    expect(report.outcome).toBe("incomplete");
  });
});
