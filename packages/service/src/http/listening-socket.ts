/** @module The listening socket. It opens before the database does, so that probes are answered from the first moment on. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorBody } from "@fettle/contract/core";
import { StartError } from "../core/start-error.ts";

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface Front {
  port: number;
  /** From now on requests go to the service, and those to change the protocol with them. */
  open(listener: RequestListener, upgrade?: Upgrade): void;
  /** Takes no more connections, and resolves when every request is answered, or cut off after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Slow or silent clients are let go; these are for receiving a request, not for answering it. */
const timeouts = { headersTimeout: 30_000, requestTimeout: 60_000, keepAliveTimeout: 75_000 };

export interface ListenAddress {
  host: string;
  port: number;
  /** What chooses the port, for whoever finds it taken. */
  flag?: string;
}

export async function listen(address: ListenAddress): Promise<Front> {
  let listener: RequestListener = answerWhileStarting;
  let upgrade: Upgrade = refuseUpgrade;
  let isClosing = false;
  const server = createServer(timeouts, (request, response) => {
    if (isClosing) response.setHeader("connection", "close");
    listener(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    if (isClosing) refuseUpgrade(request, socket);
    else upgrade(request, socket, head);
  });
  server.on("clientError", refuseMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, address)));
    server.listen({ host: address.host.replace(/^\[(.*)\]$/, "$1"), port: address.port }, resolve);
  });

  async function close(graceMs: number): Promise<void> {
    isClosing = true;
    const closed = new Promise((resolve) => server.close(resolve));
    // A connection turns idle when its last answer is out, which raises no event.
    const sweep = setInterval(() => server.closeIdleConnections(), 20);
    const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cutOff);
  }

  return {
    port: (server.address() as AddressInfo).port,
    open: (next, nextUpgrade = refuseUpgrade) => {
      listener = next;
      upgrade = nextUpgrade;
    },
    close,
  };
}

function answerWhileStarting({ url }: IncomingMessage, response: ServerResponse): void {
  const isAlive = url === "/healthz";
  const body = isAlive
    ? { status: "ok" }
    : url === "/readyz"
      ? { ready: false, reason: "starting" }
      : starting;
  response.writeHead(isAlive ? 200 : 503, { "content-type": "application/json", "retry-after": "1" });
  response.end(JSON.stringify(body));
}

function refuseUpgrade(_request: IncomingMessage, socket: Duplex): void {
  socket.on("error", () => socket.destroy());
  const answer = "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\n\r\n";
  socket.end(answer, () => socket.destroy());
}

const starting: ErrorBody = {
  code: "UNAVAILABLE",
  message: "The service is starting. Try again in a moment.",
  details: { reason: "starting" },
};

/** What is not HTTP at all still gets an answer in our own shape; there is no request to say more about. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLong = error.code === "HPE_HEADER_OVERFLOW";
  const refusal: ErrorBody = {
    code: "VALIDATION_ERROR",
    message: isTooLong ? "The headers are too long." : "This is not a well-formed request.",
    details: { reason: isTooLong ? "headers_too_long" : "malformed_request" },
  };
  const body = JSON.stringify(refusal);
  const status = isTooLong ? "431 Request Header Fields Too Large" : "400 Bad Request";
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
  socket.end(`${head}\r\n\r\n${body}`);
}

function explain(error: NodeJS.ErrnoException, { host, port, flag = "--port" }: ListenAddress): Error {
  if (error.code === "EADDRINUSE") {
    return new StartError(
      "PORT_IN_USE",
      `Port ${port} on ${host} is taken by another program, perhaps another Fettle.`,
      `Stop it, or choose a port with ${flag}; ${flag} 0 picks a free one.`,
    );
  }
  if (error.code === "EACCES" || error.code === "EADDRNOTAVAIL") {
    return new StartError(
      "ADDRESS_UNAVAILABLE",
      `Cannot listen on ${host}:${port} (${error.code}).`,
      `Choose an address of this machine with --host, and a port above 1023 with ${flag}.`,
    );
  }
  return error;
}
