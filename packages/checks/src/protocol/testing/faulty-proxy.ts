/** @module A proxy before a good server that brings in exactly one fault. */
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { JsonObject } from "@fettle/mcp";

export interface ProxiedRequest {
  method: string;
  /** What was asked for at the proxy; the server is always asked at its own address. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  rawHeaders: readonly string[];
  /** The name header came with blanks around it, which no parser keeps. */
  hasBlankName: boolean;
  text: string;
  /** The parsed body, when it is one message; change it here and the change is sent on. */
  body: JsonObject | undefined;
}

export interface Head {
  status: number;
  headers: IncomingHttpHeaders;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array | JsonObject;
}

export interface Fault {
  /** Answers instead of the server; undefined lets the request through. */
  answer?(request: ProxiedRequest): Reply | undefined;
  /** Changes the request before the server sees it. */
  request?(request: ProxiedRequest): void;
  /** Changes the status and headers of what comes back. */
  head?(head: Head, request: ProxiedRequest): void;
  /** Changes a message that comes back; undefined drops it, several replace it. */
  message?(message: JsonObject, request: ProxiedRequest): JsonObject | JsonObject[] | undefined;
  /** Changes the lines of an event that comes back. */
  event?(lines: string, request: ProxiedRequest): string;
  /** Ends a stream after this message. */
  endsStream?(message: JsonObject, request: ProxiedRequest): boolean;
  /** The whole body of an answer that is no stream. */
  text?(text: string, request: ProxiedRequest): string;
}

export interface FaultyProxy {
  url: string;
  close(): Promise<void>;
}

export async function startFaultyProxy(upstream: string, fault: Fault): Promise<FaultyProxy> {
  const server = createServer((incoming, outgoing) => {
    serve(upstream, fault, incoming, outgoing).catch(() => outgoing.destroy());
  });
  // On a busy machine a kept-alive connection would be closed just as the next request is on its way.
  server.keepAliveTimeout = 0;
  server.on("connection", noticeBlanks);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(
  upstream: string,
  fault: Fault,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const asked = await readRequest(incoming);
  const own = fault.answer?.(asked);
  if (own) {
    const isMessage = typeof own.body === "object" && !(own.body instanceof Uint8Array);
    const body = isMessage ? JSON.stringify(own.body) : (own.body ?? "");
    const json = isMessage ? { "content-type": "application/json" } : {};
    outgoing.writeHead(own.status, { ...json, ...own.headers }).end(body);
    return;
  }
  fault.request?.(asked);
  const sent = request(upstream, { method: asked.method, headers: sentHeaders(asked), agent: false });
  outgoing.once("close", () => sent.destroy());
  sent.end(asked.text);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const { connection: _connection, "keep-alive": _keepAlive, ...headers } = answer.headers;
  const head: Head = { status: answer.statusCode ?? 0, headers };
  fault.head?.(head, asked);
  const isStream = (answer.headers["content-type"] ?? "").startsWith("text/event-stream");
  if (fault.message || fault.text) delete head.headers["content-length"];
  outgoing.writeHead(head.status, head.headers as Record<string, string>);
  outgoing.flushHeaders();
  if (isStream) await relayEvents(answer, outgoing, fault, asked);
  else outgoing.end(changedBody(await textOf(answer), fault, asked));
}

const blankNames = new WeakMap<Socket, boolean>();

/** Parsers strip blanks around a header's value, so they are looked for in the bytes. */
function noticeBlanks(socket: Socket): void {
  socket.on("data", (chunk: Buffer) => {
    const [, blanks] = /^mcp-name:( *)/im.exec(chunk.toString("latin1")) ?? [];
    if (blanks !== undefined) blankNames.set(socket, blanks.length > 1);
  });
}

async function readRequest(incoming: IncomingMessage): Promise<ProxiedRequest> {
  const text = await textOf(incoming);
  const asked: ProxiedRequest = {
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    headers: { ...incoming.headers },
    rawHeaders: incoming.rawHeaders,
    hasBlankName: blankNames.get(incoming.socket) ?? false,
    text,
    body: undefined,
  };
  const parsed = parse(text);
  if (parsed) asked.body = parsed;
  return asked;
}

function sentHeaders(asked: ProxiedRequest): IncomingHttpHeaders {
  if (asked.body) asked.text = JSON.stringify(asked.body);
  const {
    "content-length": _length,
    "transfer-encoding": _encoding,
    connection: _connection,
    ...rest
  } = asked.headers;
  return asked.text === "" ? rest : { ...rest, "content-length": String(Buffer.byteLength(asked.text)) };
}

function changedBody(text: string, fault: Fault, asked: ProxiedRequest): string {
  const message = parse(text);
  const changed =
    message && fault.message ? changedMessages(message, fault, asked).map(stringify).join("") : text;
  return fault.text?.(changed, asked) ?? changed;
}

function changedMessages(message: JsonObject, fault: Fault, asked: ProxiedRequest): JsonObject[] {
  const changed = fault.message ? fault.message(message, asked) : message;
  return changed === undefined ? [] : [changed].flat();
}

/** Event by event; the fields other than data stay as they were. */
async function relayEvents(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  fault: Fault,
  asked: ProxiedRequest,
): Promise<void> {
  let rest = "";
  answer.setEncoding("utf8");
  for await (const chunk of answer) {
    rest += chunk;
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const event = rest.slice(0, end);
      const changed = changedEvent(event, fault, asked);
      outgoing.write(fault.event?.(changed, asked) ?? changed);
      rest = rest.slice(end + 2);
      const message = messageIn(event);
      if (message && fault.endsStream?.(message, asked)) return void outgoing.end();
    }
  }
  outgoing.end(rest);
}

function messageIn(event: string): JsonObject | undefined {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  return data === undefined ? undefined : parse(data);
}

function changedEvent(event: string, fault: Fault, asked: ProxiedRequest): string {
  const message = messageIn(event);
  if (!message) return `${event}\n\n`;
  const messages = changedMessages(message, fault, asked);
  return messages
    .map((changed, index) => {
      // Two events with one id would be a fault of their own.
      const lines = index < messages.length - 1 ? event.replace(/^id:.*\n/m, "") : event;
      return `${lines.replace(/^data:.*$/m, () => `data: ${stringify(changed)}`)}\n\n`;
    })
    .join("");
}

const stringify = (value: JsonObject) => JSON.stringify(value);

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

async function textOf(stream: IncomingMessage): Promise<string> {
  let text = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream) text += chunk;
  return text;
}
