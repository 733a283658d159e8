/** @module A gateway that cannot reach the server any more breaks none of the server's rules. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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
