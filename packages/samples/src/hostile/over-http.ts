/**
 * Runs a hostile server behind HTTP or HTTPS, on loopback and a port of its own.
 * @module
 */
import { once } from "node:events";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ListenOptions, RunningSample } from "../serve-http.ts";
import { answerTo, parseRequest } from "./answering.ts";
import { selfSigned } from "./certificate.ts";
import type { HostileServer, Misbehaviour } from "./hostile-server.ts";

export async function runHostile(server: HostileServer, options: ListenOptions = {}): Promise<RunningSample> {
  const behaviour = server.behave();
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const serve = () => void respond(req, res, behaviour).catch(() => res.destroy());
    behaviour.http ? behaviour.http(req, res, serve) : serve();
  };
  const http = behaviour.certificate
    ? createHttps(certificateOf(behaviour.certificate), listener)
    : createHttp(listener);
  http.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(http, "listening");
  const { port, address } = http.address() as AddressInfo;
  return {
    url: `${behaviour.certificate ? "https" : "http"}://${address}:${port}/mcp`,
    async close() {
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

async function respond(req: IncomingMessage, res: ServerResponse, behaviour: Misbehaviour): Promise<void> {
  if (!isOwnName(req.headers.host)) return void res.writeHead(403).end();
  if (req.method !== "POST") return void res.writeHead(405, { allow: "POST" }).end();
  const request = parseRequest(await text(req));
  if (!request) return void res.writeHead(202).end();
  const answer = answerTo(request, behaviour);
  switch (answer.kind) {
    case "message":
      res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.message));
      return;
    case "messages":
      res.writeHead(200, { "content-type": "text/event-stream" });
      return pipeline(Readable.from(events(answer.messages)), res);
    case "bytes":
      res.writeHead(200, { "content-type": "application/json", ...answer.headers }).flushHeaders();
      return pipeline(Readable.from(answer.bytes), res);
    case "death":
      res
        .writeHead(200, { "content-type": "application/json" })
        .write(answer.lastOutputLines, () => res.destroy());
      return;
    case "silence":
      res.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      return;
  }
}

/** Against DNS rebinding, as every server on a person's own machine should. */
function isOwnName(host = ""): boolean {
  return ["127.0.0.1", "localhost"].includes(host.replace(/:\d+$/, ""));
}

async function* events(messages: Iterable<unknown> | AsyncIterable<unknown>) {
  for await (const message of messages) yield `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function certificateOf(kind: "self-signed" | "expired") {
  const years = (count: number) => new Date(Date.now() + count * 365 * 86_400_000);
  return kind === "expired" ? selfSigned(years(-3), years(-2)) : selfSigned(years(-1), years(10));
}
