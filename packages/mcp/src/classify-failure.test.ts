import { errorStatus } from "@fettle/contract/core";
import { expect, test } from "vitest";
import { classifyFailure } from "./classify-failure.ts";
import { type FailureCode, McpError } from "./failure.ts";
import type { WireProblem } from "./wire/wire-problem.ts";

const status = (code: number, details = {}) =>
  new McpError("HTTP_STATUS", `The server answered ${code}`, { details: { status: code, ...details } });

const problem = (code: WireProblem["code"]) =>
  new McpError("TIMEOUT", "t", { details: { problems: [{ code, message: "It came so." }] } });

test.each([
  [status(404), "NOT_FOUND", "SERVER_UNREACHABLE", false],
  [status(405), "METHOD_NOT_ALLOWED", "SERVER_UNREACHABLE", false],
  [status(403), "ACCESS_DENIED", "FORBIDDEN", false],
  [status(429), "RATE_LIMITED", "SERVER_UNREACHABLE", true],
  [status(503), "SERVER_ERROR", "SERVER_UNREACHABLE", true],
  [
    status(502, { excerpt: '{"code":"SERVER_UNREACHABLE","details":{"reason":"TUNNEL_DOWN","hint":"evil' }),
    "TUNNEL_DOWN",
    "SERVER_UNREACHABLE",
    true,
  ],
  [
    status(502, { excerpt: '{"code":"SERVER_UNREACHABLE","details":{"reason":"TUNNEL_SILENT","hint":"evil' }),
    "TUNNEL_SILENT",
    "SERVER_UNREACHABLE",
    true,
  ],
  [status(400), "SERVER_REFUSES", "SERVER_UNREACHABLE", false],
  [
    status(400, { excerpt: "The plain HTTP request was sent to HTTPS port" }),
    "TLS_FAULT",
    "SERVER_UNREACHABLE",
    false,
  ],
  [new McpError("TIMEOUT", "t", { details: { phase: "idle" } }), "HANGS", "TIMEOUT", true],
  [new McpError("TIMEOUT", "t", { details: { phase: "endpoint-event" } }), "SSE_SILENT", "TIMEOUT", true],
  [
    new McpError("TIMEOUT", "t", { details: { phase: "connect", systemCode: "ETIMEDOUT" } }),
    "HOST_UNREACHABLE",
    "TIMEOUT",
    true,
  ],
  [
    new McpError("RPC_ERROR", "m", { details: { rpcCode: -32601 } }),
    "UNSUPPORTED",
    "FEATURE_NOT_SUPPORTED",
    false,
  ],
  [new McpError("RPC_ERROR", "m", { details: { rpcCode: -32004 } }), "SERVER_REFUSES", "MCP_ERROR", false],
  [new McpError("AUTH_REQUIRED", "a", { details: {} }), "TOKEN_REQUIRED", "OAUTH_REQUIRED", false],
  [
    new McpError("AUTH_REQUIRED", "a", { details: { credentialSent: true } }),
    "CREDENTIAL_REFUSED",
    "FORBIDDEN",
    false,
  ],
  [new McpError("INVALID_MESSAGE", "m"), "NOT_MCP", "INVALID_ANSWER", false],
  [new McpError("INVALID_RESULT", "m"), "NOT_MCP", "INVALID_ANSWER", false],
  [new McpError("SESSION_EXPIRED", "m"), "SESSION_LOST", "INVALID_ANSWER", true],
  [new McpError("NO_ANSWER", "m"), "STREAM_WITHOUT_ANSWER", "INVALID_ANSWER", false],
  [new McpError("TOO_LARGE", "m"), "ANSWER_TOO_LARGE", "INVALID_ANSWER", false],
  [
    new McpError("WRONG_CONTENT_TYPE", "m", { details: { excerpt: '{"jsonrpc":"2.0"' } }),
    "WRONG_CONTENT_TYPE",
    "INVALID_ANSWER",
    false,
  ],
  [
    new McpError("WRONG_CONTENT_TYPE", "m", { details: { excerpt: "It works!" } }),
    "WRONG_CONTENT_TYPE",
    "SERVER_UNREACHABLE",
    false,
  ],
  [
    new McpError("HTTP_PROTOCOL", "m", { details: { contentEncoding: "gzip" } }),
    "WRONG_ENCODING",
    "INVALID_ANSWER",
    false,
  ],
  [new McpError("HTTP_PROTOCOL", "m"), "NOT_HTTP", "SERVER_UNREACHABLE", false],
  [problem("UNKNOWN_ID"), "NOT_MCP", "INVALID_ANSWER", false],
  [problem("LINE_NOT_ENDED"), "LINE_NOT_ENDED", "INVALID_ANSWER", false],
  [problem("MALFORMED"), "STDOUT_POLLUTED", "TIMEOUT", false],
  [new Error("anything"), "CONNECTION_LOST", "SERVER_UNREACHABLE", true],
])("%s is %s", (error, code, apiCode, retryable) => {
  expect(classifyFailure(error)).toMatchObject({ code, apiCode, retryable });
});

test("a sign-in is offered where the server says how", () => {
  const details = { url: "https://a.example/mcp", challenge: { resourceMetadata: "https://a.example/m" } };
  const cause = classifyFailure(new McpError("AUTH_REQUIRED", "a", { details }));
  expect(cause).toMatchObject({
    code: "OAUTH_REQUIRED",
    next: { command: ["oauth", "login", "--url", "https://a.example/mcp"] },
  });
});

test("a draft's error number is recognised and named", () => {
  const cause = classifyFailure(new McpError("RPC_ERROR", "bad version", { details: { rpcCode: -32004 } }));
  expect(cause.next.text).toContain("-32022");
});

test("every failure has words, a next step and an API code", () => {
  const codes: FailureCode[] = [
    "ABORTED",
    "AUTH_REQUIRED",
    "BAD_OPTION",
    "BAD_TARGET",
    "BLOCKED_ADDRESS",
    "CONNECTION_CLOSED",
    "CONNECTION_REFUSED",
    "CONNECTION_RESET",
    "DNS_FAILED",
    "HTTP_PROTOCOL",
    "HTTP_STATUS",
    "INPUT_REQUIRED",
    "INVALID_MESSAGE",
    "INVALID_RESULT",
    "NETWORK",
    "NOT_SUPPORTED",
    "NO_ANSWER",
    "OAUTH",
    "PROCESS_EXITED",
    "REDIRECT",
    "RPC_ERROR",
    "SESSION_EXPIRED",
    "SPAWN_FAILED",
    "TIMEOUT",
    "TLS_FAILED",
    "TOO_LARGE",
    "VERSION_MISMATCH",
    "WRONG_CONTENT_TYPE",
  ];
  for (const code of codes) {
    const cause = classifyFailure(new McpError(code, "It failed."));
    expect(cause.summary).not.toBe("");
    expect(cause.next.text).not.toBe("");
    expect(errorStatus[cause.apiCode]).toBeTypeOf("number");
  }
});
