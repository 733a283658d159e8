/** @module Waits on a loopback port for a browser to come back with an answer, and keeps it waiting until it is known what to tell it. */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { operationalError } from "../cli-error.ts";

export interface LoopbackListener {
  /** Where the browser must be sent back to; with the port that was free. */
  redirectUri: string;
  /** The address the browser came back to. Rejects when time is up. */
  answer: Promise<URL>;
  /** Tells the waiting browser how it ended, and stops listening. */
  finish(ending: Ending): Promise<void>;
}

export type Ending = { kind: "page"; address: string } | { kind: "text"; status: 200 | 400; text: string };

export interface LoopbackOptions {
  /** Its host and path, and its port if it names one. */
  redirectUri: URL;
  /** Someone else's answer is turned away, and waiting goes on. */
  isOurs(query: URLSearchParams): boolean;
  waitMs: number;
  /** Said when nobody came. */
  lateMessage: string;
}

export async function listenOnLoopback(options: LoopbackOptions): Promise<LoopbackListener> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<URL>();
  // Rejected before anyone waits for it, it must not end the process.
  answer.catch(() => {});
  let waiting: ServerResponse | undefined;
  const answers = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    answers.add(once(response, "close"));
    const url = new URL(request.url ?? "/", redirectUri);
    if (request.method !== "GET" || url.pathname !== options.redirectUri.pathname) {
      return say(response, 404, "There is nothing here.");
    }
    // Someone else's answer, or the same one again; ours may still come.
    if (waiting || !options.isOurs(url.searchParams)) {
      return say(response, 400, "This answer belongs to another login.");
    }
    waiting = response;
    resolve(url);
  });
  const port = await listen(server, Number(options.redirectUri.port) || 0);
  const redirectUri = `http://${options.redirectUri.hostname}:${port}${options.redirectUri.pathname}`;
  const timer = setTimeout(() => reject(operationalError(options.lateMessage)), options.waitMs);
  return {
    redirectUri,
    answer,
    async finish(ending) {
      clearTimeout(timer);
      if (waiting && ending.kind === "page") sendTo(waiting, ending.address);
      else if (waiting && ending.kind === "text") say(waiting, ending.status, ending.text);
      server.close();
      await Promise.all(answers);
      // What a browser opened ahead and never used.
      server.closeAllConnections();
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(operationalError(`Could not listen for the browser: ${cause.message}`, { cause })),
    );
    // Listening on an address and port, it has one.
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const headers = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  connection: "close",
};

function sendTo(response: ServerResponse, address: string): void {
  response.writeHead(303, { ...headers, location: address }).end();
}

/** Plain text, so that nothing in it can be markup. */
function say(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      ...headers,
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    })
    .end(`${text}\n`);
}
