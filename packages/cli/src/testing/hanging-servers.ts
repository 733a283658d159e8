/** @module Servers that stop answering, each at another stage: what `--timeout` must hold against. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

export interface HangingServer extends AsyncDisposable {
  flags: string[];
  url?: string;
  /** Told when somebody comes. */
  onConnection?(heard: () => void): void;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string, origin: string) => void;

/** Accepts, reads, and never says a word. */
async function mute(scheme: "http" | "https"): Promise<HangingServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}).resume());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    flags: ["--url", url],
    onConnection: (heard) => server.once("connection", heard),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function overHttp(answer: Answer): Promise<HangingServer> {
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    let body = "";
    for await (const chunk of request) body += chunk;
    answer(request, response, body, `http://${request.headers.host}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return {
    url,
    flags: ["--url", url],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function overStdio(script: string): Promise<HangingServer> {
  return {
    flags: ["--command", process.execPath, "--args=-e", `--args=${script}`],
    async [Symbol.asyncDispose]() {},
  };
}

const stream = { "content-type": "text/event-stream" };

function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** The opening of 2025-11-25. It stands alone: a child process is made of its text, too. */
function opened(text: string): object | undefined {
  let message: { id: unknown; method: string; params: { protocolVersion: string } };
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { id, method, params } = message;
  if (method === "server/discover") {
    return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
  }
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "stuck", version: "1" };
  const capabilities = { tools: {}, resources: {}, prompts: {} };
  const result = { protocolVersion: params.protocolVersion, capabilities, serverInfo };
  return { jsonrpc: "2.0", id, result };
}

/** Guards its server and answers what it must, up to one endpoint. */
const guardedUpTo =
  (stuck: "resource" | "metadata" | "register" | "token"): Answer =>
  (request, response, _body, origin) => {
    const { pathname } = new URL(request.url ?? "/", origin);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      if (stuck === "resource") return;
      json(response, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    } else if (pathname.startsWith("/.well-known/")) {
      if (stuck === "metadata") return;
      json(response, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        grant_types_supported: ["authorization_code", "client_credentials"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "none"],
      });
    } else if (pathname === "/register") {
      if (stuck === "register") return;
      json(response, { client_id: "c", client_secret: "s", redirect_uris: [] }, 201);
    } else if (pathname === "/authorize" || pathname === "/token") {
      return;
    } else {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const challenge = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
      json(response, { error: "unauthorized" }, 401, challenge);
    }
  };

export const hangingServers = {
  "never says a word": () => mute("http"),
  "never shakes hands for TLS": () => mute("https"),
  "sends half a body": () =>
    overHttp((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"jsonrpc":"2.0",');
    }),
  "opens a stream and says nothing in it": () =>
    overHttp((_, response) => response.writeHead(200, stream).flushHeaders()),
  "keeps a stream busy with comments": () =>
    overHttp((_, response) => {
      response.writeHead(200, stream);
      const beat = setInterval(() => response.write(": still here\n\n"), 100);
      response.on("close", () => clearInterval(beat));
    }),
  "is stuck after initialize": () =>
    overHttp((request, response, body) => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const answer = opened(body);
      if (answer) json(response, answer);
      else if (!body.includes('"id"')) response.writeHead(202).end();
    }),
  "is a process that says nothing": () => overStdio("process.stdin.resume()"),
  "is a process that is stuck after initialize": () =>
    overStdio(
      `require("readline").createInterface({ input: process.stdin }).on("line", (line) => { const answer = (${opened})(line); if (answer) console.log(JSON.stringify(answer)); })`,
    ),
  "is a process that is stuck and does not leave when told": () =>
    overStdio(
      `for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {}); setInterval(() => {}, 1000); require("readline").createInterface({ input: process.stdin }).on("line", (line) => { const answer = (${opened})(line); if (answer) console.log(JSON.stringify(answer)); })`,
    ),
  "is a process that only talks to itself": () =>
    overStdio(
      `process.stdin.resume(); setInterval(() => console.log(JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "busy" } })), 100)`,
    ),
  "never tells who guards it": () => overHttp(guardedUpTo("resource")),
  "has a guardian that says nothing of itself": () => overHttp(guardedUpTo("metadata")),
  "has a guardian that never registers": () => overHttp(guardedUpTo("register")),
  "has a guardian that gives no token": () => overHttp(guardedUpTo("token")),
} satisfies Record<string, () => Promise<HangingServer>>;
