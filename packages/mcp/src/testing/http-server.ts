/** @module Small real HTTP servers for tests: one handler, a port of its own, and a count of who connected. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface TestServer extends AsyncDisposable {
  port: number;
  origin: string;
  /** TCP connections seen; a sentinel must stay at zero. */
  connections(): number;
  requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  server: Server;
  close(): Promise<void>;
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
) => void | Promise<void>;

export async function serve(handler: Handler, server: Server = createServer()): Promise<TestServer> {
  let connections = 0;
  const requests: TestServer["requests"] = [];
  server.on("connection", () => {
    connections++;
  });
  server.on("request", async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
    await handler(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    requests,
    server,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
