import { hostileCommand, startHostile } from "@fettle/samples";
import { expect, test } from "vitest";
import { type CauseCode, classifyFailure } from "../classify-failure.ts";
import { asMcpError, type FailureCode, type McpError } from "../failure.ts";
import { hostedPolicy } from "../guard/policy.ts";
import { type ConnectOptions, connect } from "../session/connect.ts";
import type { Connection } from "../session/connection.ts";
import { parseTarget, type Target } from "../target.ts";
import { processMark } from "../testing/processes.ts";

const quick: ConnectOptions = {
  timeouts: { connectMs: 3_000, idleMs: 1_000, totalMs: 2_000 },
  probeMs: 1_000,
};

type Step = "connect" | "list" | "call" | "nowhere";

/** Connects, lists, calls; says where it ended and why. */
async function walk(
  target: Target,
  options: ConnectOptions = quick,
): Promise<{ at: Step; failure?: McpError; connection?: Connection }> {
  let at: Step = "connect";
  let connection: Connection | undefined;
  try {
    connection = await connect(target, options);
    at = "list";
    await connection.listTools();
    at = "call";
    await connection.callTool("echo", { text: "hi" });
    at = "nowhere";
    return { at, connection };
  } catch (error) {
    return { at, failure: asMcpError(error), ...(connection && { connection }) };
  } finally {
    await connection?.close();
  }
}

const overHttp: [name: string, at: Step, code: FailureCode | undefined, cause: CauseCode | undefined][] = [
  ["html-instead-of-json", "connect", "WRONG_CONTENT_TYPE", "HTML_INSTEAD_OF_JSON"],
  ["wrong-content-type", "connect", "WRONG_CONTENT_TYPE", "WRONG_CONTENT_TYPE"],
  ["no-content-type", "connect", "WRONG_CONTENT_TYPE", "WRONG_CONTENT_TYPE"],
  ["not-found", "connect", "HTTP_STATUS", "NOT_FOUND"],
  ["gateway-error", "connect", "HTTP_STATUS", "SERVER_ERROR"],
  ["unauthorized-without-metadata", "connect", "AUTH_REQUIRED", "TOKEN_REQUIRED"],
  ["unauthorized-with-metadata", "connect", "AUTH_REQUIRED", "OAUTH_REQUIRED"],
  ["session-amnesia", "connect", "SESSION_EXPIRED", "SESSION_LOST"],
  ["redirect-to-metadata-address", "connect", "BLOCKED_ADDRESS", "BLOCKED_ADDRESS"],
  ["redirect-loop", "connect", "REDIRECT", "REDIRECTED"],
  ["self-signed-certificate", "connect", "TLS_FAILED", "TLS_FAULT"],
  ["expired-certificate", "connect", "TLS_FAILED", "TLS_FAULT"],
  ["giant-headers", "connect", "TOO_LARGE", "ANSWER_TOO_LARGE"],
  ["hang-at-connect", "connect", "TIMEOUT", "HANGS"],
  ["hang-at-initialize", "connect", "TIMEOUT", "HANGS"],
  ["sse-never-answers", "connect", "TIMEOUT", "SSE_SILENT"],
  ["version-mismatch", "connect", "VERSION_MISMATCH", "VERSION_MISMATCH"],
  ["garbage", "connect", "INVALID_MESSAGE", "NOT_MCP"],
  ["wrong-ids", "connect", "INVALID_MESSAGE", "NOT_MCP"],
  ["slow-drip", "list", "TIMEOUT", "HANGS"],
  ["deep-nesting", "list", "TOO_LARGE", "ANSWER_TOO_LARGE"],
  ["hang-on-call", "call", "TIMEOUT", "HANGS"],
  ["death-mid-call", "call", "CONNECTION_RESET", "CONNECTION_LOST"],
  ["endless-progress", "call", "TIMEOUT", "HANGS"],
  ["duplicate-answers", "nowhere", undefined, undefined],
  ["unasked-requests", "nowhere", undefined, undefined],
  ["malformed-tool", "nowhere", undefined, undefined],
  ["cyclic-cursor", "nowhere", undefined, undefined],
  ["hostile-text", "nowhere", undefined, undefined],
  ["half-characters", "nowhere", undefined, undefined],
];

test.each(overHttp)("%s over HTTP ends at %s with %s", async (name, at, code, cause) => {
  const server = await startHostile(name);
  const started = performance.now();
  const walked = await walk(parseTarget({ url: server.url }));
  expect([walked.at, walked.failure?.code]).toEqual([at, code]);
  if (walked.failure) expect(classifyFailure(walked.failure).code).toBe(cause);
  expect(performance.now() - started).toBeLessThan(20_000);
  await server.close();
});

test.each(["huge-line", "endless-event", "gzip-bomb", "million-keys"])(
  "%s over HTTP is cut off within bounded memory",
  async (name) => {
    const server = await startHostile(name);
    const patience: ConnectOptions = { timeouts: { connectMs: 8_000, idleMs: 8_000, totalMs: 8_000 } };
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    const { at, failure } = await walk(parseTarget({ url: server.url }), patience);
    clearInterval(watch);
    expect([at, failure?.code]).toEqual(["list", "TOO_LARGE"]);
    // The server lives in this process too; together they stay far below what was sent.
    expect(peak - before).toBeLessThan(250 * 1024 * 1024);
    await server.close();
  },
);

test("hosted mode contacts no hostile server on this machine", async () => {
  const server = await startHostile("redirect-to-private-address");
  const { failure } = await walk(parseTarget({ url: server.url }), { ...quick, policy: hostedPolicy });
  expect(failure?.code).toBe("BLOCKED_ADDRESS");
  await server.close();
});

const overStdio: [name: string, at: Step, code: FailureCode | undefined][] = [
  ["crash-at-start", "connect", "PROCESS_EXITED"],
  ["garbage", "connect", "TIMEOUT"],
  ["death-mid-call", "call", "PROCESS_EXITED"],
  ["stderr-flood", "nowhere", undefined],
  ["ignores-shutdown", "nowhere", undefined],
  ["leaves-grandchild", "nowhere", undefined],
  ["noisy-stdout", "nowhere", undefined],
];

test.each(overStdio)("%s over stdio ends at %s and leaves no process", async (name, at, code) => {
  const mark = processMark();
  const target = parseTarget({ ...hostileCommand(name), env: mark.env });
  const walked = await walk(target, {
    ...quick,
    timeouts: { connectMs: 5_000, idleMs: 2_000, totalMs: 4_000 },
  });
  expect([walked.at, walked.failure?.code]).toEqual([at, code]);
  await expect.poll(mark.left).toEqual([]);
});
