/** @module The suite on the sample with every feature: nothing to fault in either era, over HTTP and over stdio. */
import { type JsonObject, parseTarget, Recorder } from "@fettle/mcp";
import {
  hostileCommand,
  type RunningSample,
  sampleCommand,
  startBookshop,
  startEverything,
  startHostile,
} from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ProtocolReport } from "./protocol-report.ts";
import { runProtocol } from "./run-protocol.ts";
import { type ProxiedRequest, startFaultyProxy } from "./testing/faulty-proxy.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const revisions = ["2025-11-25", "2026-07-28"] as const;

function notPassed({ checks }: ProtocolReport): (string | undefined)[][] {
  return checks
    .filter(({ status, skipReason }) => status === "failed" || skipReason === "could-not-run")
    .map(({ id, error }) => [id, error?.message]);
}

describe("a good server", () => {
  test.each(revisions)("has nothing to fault in %s over HTTP", async (protocolVersion) => {
    const report = await runProtocol(parseTarget({ url: everything.url }), { protocolVersion });
    expect(notPassed(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "passed", protocolVersion, transport: "streamable-http" });
  });

  test.each(revisions)("has nothing to fault in %s over stdio", async (protocolVersion) => {
    const report = await runProtocol(parseTarget(sampleCommand("everything")), { protocolVersion });
    expect(notPassed(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "passed", protocolVersion, transport: "stdio" });
  });
});

test("a revision that does not exist, and a check that does not, are refused before anything is touched", async () => {
  const target = parseTarget({ url: "http://127.0.0.1:9/mcp" });
  await expect(runProtocol(target, { protocolVersion: "2030-01-01" })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
  await expect(runProtocol(target, { checkIds: ["no-such-check"] })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
});

test("nobody there is an error, not a failed check", async () => {
  await expect(runProtocol(parseTarget({ url: "http://127.0.0.1:9/mcp" }))).rejects.toMatchObject({
    code: "CONNECTION_REFUSED",
  });
});

test("tools that say they are read-only are called when that is allowed, and no others", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const target = parseTarget({ url: bookshop.url });
  const statusOf = ({ checks }: ProtocolReport, wanted: string) =>
    checks.find(({ id }) => id === wanted)?.status;
  const shy = await runProtocol(target);
  expect(statusOf(shy, "tools-call-text")).toBe("skipped");
  const recorder = new Recorder();
  const report = await runProtocol(target, { callReadOnly: true, recorder });
  expect(notPassed(report)).toEqual([]);
  expect(statusOf(report, "tools-call-text")).toBe("passed");
  const bodies = recorder
    .read()
    .entries.flatMap((entry) => (entry.kind === "http" ? [entry.requestBody ?? ""] : []));
  const calls = bodies.filter((body) => body.includes('"tools/call"'));
  expect(calls.some((body) => body.includes('"search_books"'))).toBe(true);
  expect(calls.filter((body) => body.includes('"place_order"'))).toEqual([]);
});

test("a server without fixtures passes, and none of its tools is called", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const recorder = new Recorder();
  const report = await runProtocol(parseTarget({ url: bookshop.url }), { recorder });
  expect(notPassed(report)).toEqual([]);
  expect(report.outcome).toBe("passed");
  const bodies = recorder
    .read()
    .entries.flatMap((entry) => (entry.kind === "http" ? [entry.requestBody ?? ""] : []));
  const calls = bodies.filter((body) => body.includes('"tools/call"'));
  expect(calls.every((body) => body.includes("fettle-no-such-tool"))).toBe(true);
});

test("a tool named as a fixture is called, and held to its output schema", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const { checks } = await runProtocol(parseTarget({ url: bookshop.url }), {
    checkIds: ["tool-output-schema-conformant"],
    fixtures: { toolCalls: [{ toolName: "search_books", arguments: { query: "sea" } }], promptGets: [] },
  });
  expect(checks).toMatchObject([{ id: "tool-output-schema-conformant", status: "passed" }]);
});

const isStranger = ({ headers }: ProxiedRequest) => headers.authorization === undefined;

test.each([
  ["nobody gave a token", undefined, () => false, "skipped", "No token was given"],
  ["the server asks for none", "t-1", () => false, "skipped", "does not refuse initialize"],
  ["the server always asks", "t-1", isStranger, "passed", undefined],
] as const)("a session id beside the token: %s", async (_, accessToken, refuses, status, words) => {
  const proxy = await startFaultyProxy(everything.url, {
    answer: (request) => (refuses(request) ? { status: 401 } : undefined),
  });
  onTestFinished(() => proxy.close());
  const { checks } = await runProtocol(parseTarget({ url: proxy.url, ...(accessToken && { accessToken }) }), {
    protocolVersion: "2025-11-25",
    checkIds: ["session-is-no-login"],
  });
  expect(checks).toMatchObject([
    { status, ...(words && { error: { message: expect.stringContaining(words) } }) },
  ]);
});

test("noise on stdout is told, and a line that is too long is not taken for noise", async () => {
  const stdout = async (name: string) => {
    const report = await runProtocol(parseTarget(hostileCommand(name)), { checkIds: ["stdio-clean-stdout"] });
    return report.checks[0]?.status;
  };
  expect(await Promise.all([stdout("noisy-stdout"), stdout("giant-tool-list")])).toEqual([
    "failed",
    "passed",
  ]);
});

test("a process that stays when its input ends is told: advice since 2026-07-28, a note before", async () => {
  const judge = async (name: string) => {
    const report = await runProtocol(parseTarget(hostileCommand(name)), { checkIds: ["stdio-shutdown"] });
    return report.checks.map(({ status, rule, warnings }) => [status, rule?.word, warnings?.length]);
  };
  expect(await judge("ignores-shutdown")).toEqual([["passed", "inferred", 1]]);
});

test("a server that offers another revision than the one pinned could not be judged by it", async () => {
  const proxy = await startFaultyProxy(everything.url, {
    message: (message, { body }) => {
      if (body?.method === "initialize") (message.result as JsonObject).protocolVersion = "2025-03-26";
      return message;
    },
  });
  onTestFinished(() => proxy.close());
  const { checks } = await runProtocol(parseTarget({ url: proxy.url }), {
    protocolVersion: "2025-11-25",
    checkIds: ["server-initialize"],
  });
  expect(checks).toMatchObject([{ skipReason: "could-not-run" }]);
});

test("what is more than we accept could not be judged; it is not the server's fault", async () => {
  const hostile = await startHostile("million-keys");
  onTestFinished(() => hostile.close());
  const report = await runProtocol(parseTarget({ url: hostile.url }), {
    checkIds: ["tools-list", "wire-schema-valid"],
  });
  expect(report.checks.filter(({ status }) => status === "failed")).toEqual([]);
  expect(report.outcome).toBe("incomplete");
});

test("no credential is in what a run says", async () => {
  const target = parseTarget({
    url: everything.url,
    accessToken: "canary-token",
    headers: { "x-key": "canary-header" },
  });
  const report = await runProtocol(target, { protocolVersion: "2026-07-28" });
  expect(report.passed).toBe(true);
  expect(JSON.stringify(report)).not.toContain("canary");
});
