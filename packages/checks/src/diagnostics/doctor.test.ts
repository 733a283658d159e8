import { createServer } from "node:net";
import { parseTarget } from "@fettle/mcp";
import {
  hostileCommand,
  sampleCommand,
  startBookshop,
  startHostile,
  startLegacySse,
  startProtectedBookshop,
  startStateless,
} from "@fettle/samples";
import { describe, expect, onTestFinished, test } from "vitest";
import { patient } from "../../../mcp/src/testing/patience.ts";
import { doctor } from "./doctor.ts";
import { doctorChecks } from "./doctor-report.ts";
import { judgeDoctor } from "./doctor-verdict.ts";
import { examine } from "./examine.ts";

async function running<T extends { url: string; close(): Promise<void> }>(start: Promise<T>): Promise<T> {
  const sample = await start;
  onTestFinished(() => sample.close());
  return sample;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hostile = async (name: string) => ({ url: (await running(startHostile(name))).url });
const elsewhere = async () => {
  const { url } = await running(startBookshop());
  return { url: url.replace("/mcp", "/wrong") };
};

describe("healthy servers are ready", () => {
  test.each([
    [
      "the bookshop over HTTP",
      async () => ({ url: (await running(startBookshop())).url }),
      "streamable-http",
    ],
    ["the bookshop over stdio", async () => sampleCommand("bookshop"), "stdio"],
    ["an old SSE server", async () => ({ url: (await running(startLegacySse())).url }), "sse"],
    ["a stateless server", async () => ({ url: (await running(startStateless())).url }), "streamable-http"],
  ])("%s", async (_, start, transport) => {
    const report = await doctor(parseTarget(await start()), { timeoutMs: 15_000 });
    expect(report).toMatchObject({ status: "ready", error: null, findings: [], initInfo: { transport } });
    expect(Object.keys(report.checks)).toEqual([...doctorChecks]);
    expect(report.tools.length).toBeGreaterThan(0);
  });
});

/** [what is broken, how to reach it, the cause named, how the API names it, words of the next command] */
const broken: [
  string,
  () => Promise<{ url: string } | { command: string; args: string[] }>,
  string,
  string,
  string?,
][] = [
  [
    "a dead host",
    async () => ({ url: `http://127.0.0.1:${await freePort()}/mcp` }),
    "CONNECTION_REFUSED",
    "SERVER_UNREACHABLE",
    "--retries",
  ],
  [
    "a name that does not exist",
    async () => ({ url: "http://nothing.invalid/mcp" }),
    "HOST_NOT_FOUND",
    "SERVER_UNREACHABLE",
    "nslookup",
  ],
  ["a wrong path", elsewhere, "NOT_FOUND", "SERVER_UNREACHABLE", "/mcp"],
  [
    "401 with metadata",
    async () => ({ url: (await running(startProtectedBookshop())).url }),
    "OAUTH_REQUIRED",
    "OAUTH_REQUIRED",
    "oauth login",
  ],
  [
    "401 without metadata",
    () => hostile("unauthorized-without-metadata"),
    "TOKEN_REQUIRED",
    "OAUTH_REQUIRED",
    "--access-token",
  ],
  [
    "an expired certificate",
    () => hostile("expired-certificate"),
    "TLS_FAULT",
    "SERVER_UNREACHABLE",
    "openssl",
  ],
  [
    "a web page",
    () => hostile("html-instead-of-json"),
    "HTML_INSTEAD_OF_JSON",
    "SERVER_UNREACHABLE",
    "server probe",
  ],
  ["a server that hangs", () => hostile("hang-at-connect"), "HANGS", "TIMEOUT", "--timeout"],
  ["a command that hangs", async () => hostileCommand("hang-at-initialize"), "HANGS", "TIMEOUT", "--timeout"],
  [
    "an event stream that never answers",
    () => hostile("sse-never-answers"),
    "SSE_SILENT",
    "TIMEOUT",
    "--timeout",
  ],
  [
    "a crash at start",
    async () => hostileCommand("crash-at-start"),
    "CRASHED_AT_START",
    "SERVER_UNREACHABLE",
    "crash-at-start",
  ],
  [
    "a command that is not there",
    async () => ({ command: "no-such-command", args: [] }),
    "COMMAND_NOT_FOUND",
    "SERVER_UNREACHABLE",
    "which",
  ],
  [
    "a wrong content type",
    () => hostile("wrong-content-type"),
    "WRONG_CONTENT_TYPE",
    "INVALID_ANSWER",
    "server probe",
  ],
  [
    "a version that never was",
    () => hostile("version-mismatch"),
    "VERSION_MISMATCH",
    "FEATURE_NOT_SUPPORTED",
    "server probe",
  ],
  ["a failing gateway", () => hostile("gateway-error"), "SERVER_ERROR", "SERVER_UNREACHABLE", "--retries"],
];

test.each(broken)("%s is named, with a next step, in time", async (_, start, cause, apiCode, words) => {
  const target = parseTarget(await start());
  const timeoutMs = await patient(2_500);
  const started = performance.now();
  const report = await doctor(target, { timeoutMs });
  expect(performance.now() - started).toBeLessThan(timeoutMs + (await patient(1_000)));
  expect(report.findings[0]).toMatchObject({ severity: "error", code: cause });
  expect(report.error?.code).toBe(apiCode);
  expect(report.status).toBe(apiCode === "OAUTH_REQUIRED" ? "oauth_required" : "error");
  const { text, command = [] } = report.findings[0]!.next;
  expect(text).not.toBe("");
  expect(command.join(" ")).toContain(words);
});

test("one malformed tool leaves the others and makes the verdict partial", async () => {
  const report = await doctor(parseTarget(await hostile("malformed-tool")), { timeoutMs: 5_000 });
  expect(report.status).toBe("partial");
  expect(report.tools.length).toBeGreaterThan(0);
  expect(report.checks.tools.status).toBe("error");
  expect(report.findings.map(({ code }) => code)).toContain("MALFORMED_ITEM");
});

test("a list that never ends is cut off without hiding the other lists", async () => {
  const report = await doctor(parseTarget(await hostile("slow-drip")), { timeoutMs: await patient(3_000) });
  expect(report.status).toBe("partial");
  expect(report.checks.tools).toMatchObject({ status: "error" });
  expect(report.checks.connection.status).toBe("ok");
});

test("a list that runs in a circle is told once, and its items are not called malformed", async () => {
  const report = await doctor(parseTarget(await hostile("cyclic-cursor")), { timeoutMs: 5_000 });
  expect(report.status).toBe("ready");
  expect(report.findings.map(({ code }) => code)).toEqual(["LIST_CUT_SHORT"]);
});

test("an answer too wide to read is told at once, over stdio too", async () => {
  const report = await doctor(parseTarget(hostileCommand("million-keys")), { timeoutMs: 10_000 });
  expect(report.findings[0]).toMatchObject({ check: "tools", code: "ANSWER_TOO_LARGE" });
});

test("the same observations, stored and read back, give the same report", async () => {
  const observations = await examine(parseTarget(await hostile("malformed-tool")), { timeoutMs: 5_000 });
  const stored = JSON.parse(JSON.stringify(observations));
  expect(judgeDoctor(stored)).toEqual(JSON.parse(JSON.stringify(judgeDoctor(observations))));
});

test("noise on stdout is a warning, not a fault", async () => {
  const report = await doctor(parseTarget(hostileCommand("noisy-stdout")), { timeoutMs: 5_000 });
  expect(report.status).toBe("ready");
  expect(report.findings[0]).toMatchObject({ severity: "warning", code: "STDOUT_POLLUTED" });
});

test("what a person passed as a secret is nowhere in the report", async () => {
  const { url } = await running(startBookshop());
  const headers = { "x-api-key": "canary-header-value" };
  const target = parseTarget({ url: `${url}?key=1`, headers, accessToken: "canary-access-token" });
  const report = JSON.stringify(await doctor(target, { timeoutMs: 5_000 }));
  expect(report).not.toContain("canary");
  expect(report).toContain("x-api-key");
});
