/**
 * A hand between a server and the world that may change what is asked and what is answered, so that a right server does one thing wrong.
 * @module
 */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { listen, type NodeListener, nodeListener, type RunningServer } from "../serve-http.ts";

export type Bend = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

export interface BentServer extends RunningServer {
  /** Past the hand: what the server really says. */
  unbent(address: string): Promise<Response>;
}

/** Listens with the hand before the listener. */
export async function listenBent(inner: NodeListener, bend: Bend): Promise<BentServer> {
  const hidden = await listen(inner);
  const { port } = new URL(hidden.origin);
  const front = await listen(
    nodeListener((request) => bend(request, (passed) => pass(passed, Number(port)))),
  );
  return {
    origin: front.origin,
    unbent: (address) => pass(new Request(address), Number(port)),
    close: async () => void (await Promise.all([front.close(), hidden.close()])),
  };
}

/** `fetch` would set its own Host, by which the inner server knows its address. */
async function pass(request: Request, port: number): Promise<Response> {
  const url = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const headers: Record<string, string> = { ...Object.fromEntries(request.headers), host: url.host };
  delete headers["transfer-encoding"];
  if (body.length > 0) headers["content-length"] = String(body.length);
  const outgoing = httpRequest({
    host: "127.0.0.1",
    port,
    method: request.method,
    path: url.pathname + url.search,
    headers,
    agent: false,
  });
  outgoing.end(body);
  const [incoming] = await once(outgoing, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const answered = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct as Record<string, string[]>)) {
    if (name === "transfer-encoding" || name === "connection" || name === "content-length") continue;
    for (const value of values) answered.append(name, value);
  }
  const content = Buffer.concat(chunks);
  const { statusCode } = incoming;
  return new Response(content.length > 0 ? content : null, { status: statusCode, headers: answered });
}
