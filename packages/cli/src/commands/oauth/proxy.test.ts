/** @module `oauth metadata`, `oauth proxy` and `oauth debug-proxy`: what they fetch, and what they refuse to. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let origin: string;
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  const status = Number(/^\/status\/(\d+)/.exec(request.url ?? "")?.[1] ?? 200);
  if (request.url === "/inside") {
    response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
  } else if (request.url === "/stream") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end('event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n');
  } else if (request.url === "/page") {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
  } else {
    response.writeHead(status, { "content-type": "application/json", connection: "close", "x-kept": "yes" });
    response.end(
      JSON.stringify({ issuer: origin, method: request.method, body, type: request.headers["content-type"] }),
    );
  }
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const run = async (...argv: string[]) => (await testWorld()).fettle("oauth", ...argv);
const errorOf = async (...argv: string[]) => {
  const { stderr, exitCode } = await run(...argv);
  return { ...JSON.parse(stderr).error, exitCode };
};

test("metadata prints the document itself", async () => {
  const { stdout } = await run("metadata", "--url", `${origin}/doc`);
  expect(JSON.parse(stdout)).toMatchObject({ issuer: origin });
});

test.each([
  [400, "VALIDATION_ERROR"],
  [401, "UNAUTHORIZED"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [429, "RATE_LIMITED"],
  [502, "SERVER_UNREACHABLE"],
  [504, "TIMEOUT"],
  [418, "INTERNAL_ERROR"],
])("metadata answered with %i is %s", async (status, code) => {
  expect(await errorOf("metadata", "--url", `${origin}/status/${status}`)).toMatchObject({
    code,
    exitCode: 1,
  });
});

test.each([
  ["plain http elsewhere", "http://a.example/x", 2, "not https"],
  ["a private address", "https://10.0.0.1/x", 1, "private network"],
  ["a cloud's metadata", "https://169.254.169.254/x", 1, "not contacted"],
  ["a password in the address", "https://u:p@a.example/x", 2, "user name or password"],
  ["another scheme", "file:///etc/passwd", 2, "http"],
])("%s is refused by all three", async (_what, url, exitCode, words) => {
  for (const command of ["metadata", "proxy", "debug-proxy"]) {
    const error = await errorOf(command, "--url", url);
    expect(error).toMatchObject({ exitCode, message: expect.stringContaining(words) });
  }
});

test("metadata that redirects into the network is refused; a page is no document", async () => {
  expect((await errorOf("metadata", "--url", `${origin}/inside`)).message).toContain("169.254.169.254");
  expect((await errorOf("metadata", "--url", `${origin}/page`)).message).toContain("no JSON");
});

test("proxy shows the answer and follows nothing; hop-by-hop headers stay behind", async () => {
  const { stdout } = await run("proxy", "--url", `${origin}/inside`);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 302,
    headers: { location: "http://169.254.169.254/latest" },
  });
  const answer = JSON.parse((await run("proxy", "--url", `${origin}/doc`)).stdout);
  expect(answer).toMatchObject({ status: 200, headers: { "x-kept": "yes" }, finalUrl: `${origin}/doc` });
  expect(answer.headers).not.toHaveProperty("connection");
});

test("a body is JSON, text, or a form from an object", async () => {
  const sent = async (...flags: string[]) =>
    JSON.parse((await run("proxy", "--url", `${origin}/doc`, "--method", "post", ...flags)).stdout).body;
  expect(await sent("--body", '{"a":1}')).toMatchObject({ body: '{"a":1}', type: "application/json" });
  expect(await sent("--body", "plain")).toMatchObject({ body: "plain" });
  const form = "content-type: application/x-www-form-urlencoded";
  expect(await sent("--header", form, "--body", '{"a":"x y","b":2}')).toMatchObject({ body: "a=x+y&b=2" });
  expect((await errorOf("proxy", "--url", `${origin}/doc`, "--body", "x")).message).toContain("POST");
});

test("debug-proxy reads a stream, and says who answered and how fast", async () => {
  const { stdout } = await run("debug-proxy", "--url", `${origin}/stream`);
  expect(JSON.parse(stdout)).toMatchObject({
    transport: "sse",
    events: [{ event: "message" }],
    mcpResponse: { id: 1, result: {} },
    resolvedAddress: "127.0.0.1",
    durationMs: expect.any(Number),
  });
});
