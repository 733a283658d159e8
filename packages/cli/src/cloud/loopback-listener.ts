/**
 * @module Waits on a loopback port for the browser to bring the code back. The browser is kept waiting until the login is decided, and
 * then sent to the deployment's own page that says so.
 */
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { operationalError } from "../cli-error.ts";

export interface LoopbackListener {
  /** Where the browser must be sent back to; with the port that was free. */
  redirectUri: string;
  /** The code, once the browser comes with our state; rejects when the person declines or time is up. */
  code: Promise<string>;
  /** Tells the waiting browser how it ended, and stops listening. */
  finish(outcome: "signed-in" | "failed"): Promise<void>;
}

export interface LoopbackOptions {
  /** Its path, and its port if it names one. */
  redirectUri: URL;
  state: string;
  issuer: string;
  /** The deployment's page for a login that is over. */
  donePage: URL;
  waitMs: number;
}

export async function listenForCode(options: LoopbackOptions): Promise<LoopbackListener> {
  const { promise: code, resolve, reject } = Promise.withResolvers<string>();
  // Rejected before anyone waits for it, it must not end the process.
  code.catch(() => {});
  let waiting: ServerResponse | undefined;
  const answers = new Set<Promise<unknown>>();
  const server = createServer((request, response) => {
    answers.add(once(response, "close"));
    const url = new URL(request.url ?? "/", "http://loopback");
    if (request.method !== "GET" || url.pathname !== options.redirectUri.pathname) {
      return say(response, 404, "There is nothing here.");
    }
    // Someone else's answer, or the same one again; ours may still come.
    if (waiting || url.searchParams.get("state") !== options.state) {
      return say(response, 400, "This answer belongs to another login.");
    }
    const answer = readAnswer(url.searchParams, options.issuer);
    if (answer.kind === "code") {
      waiting = response;
      return resolve(answer.code);
    }
    reject(operationalError(`Not signed in: ${answer.reason}`));
    if (answer.kind === "declined") sendTo(response, `${options.donePage.href}?answer=denied`);
    else say(response, 400, `Not signed in: ${answer.reason}`);
  });
  const port = await listen(server, Number(options.redirectUri.port) || 0);
  const minutes = options.waitMs / 60_000;
  const timer = setTimeout(
    () => reject(operationalError(`Nobody approved the login within ${minutes} minutes.`)),
    options.waitMs,
  );
  return {
    redirectUri: `http://127.0.0.1:${port}${options.redirectUri.pathname}`,
    code,
    async finish(outcome) {
      clearTimeout(timer);
      if (waiting && outcome === "signed-in") sendTo(waiting, options.donePage.href);
      else if (waiting) say(waiting, 400, "Not signed in. The terminal says why.");
      server.close();
      await Promise.all(answers);
      // What a browser opened ahead and never used.
      server.closeAllConnections();
    },
  };
}

type Answer = { kind: "code"; code: string } | { kind: "declined" | "refused"; reason: string };

function readAnswer(query: URLSearchParams, issuer: string): Answer {
  // RFC 9207: an answer of another authorization server must not be redeemed at ours.
  const answerer = query.get("iss");
  if (answerer !== null && answerer !== issuer)
    return { kind: "refused", reason: "another service answered." };
  const error = query.get("error");
  if (error === "access_denied") return { kind: "declined", reason: "the request was declined." };
  if (error !== null) return { kind: "refused", reason: query.get("error_description") ?? error };
  const code = query.get("code");
  return code ? { kind: "code", code } : { kind: "refused", reason: "the answer holds no code." };
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
