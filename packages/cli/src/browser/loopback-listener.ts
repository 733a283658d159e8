/** @module Waits on a loopback port for a browser to come back with an answer, and keeps it waiting until it is known what to tell it. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCallbacks, type CallbackEnding } from "@fettle/mcp";
import { operationalError } from "../cli-error.ts";

export interface LoopbackListener {
  /** Where the browser must be sent back to; with the port that was free. */
  redirectUri: string;
  /** The address the browser came back to. Rejects when time is up. */
  answer: Promise<URL>;
  /** Tells the waiting browser how it ended, and stops listening. */
  finish(ending: CallbackEnding): Promise<void>;
}

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
  const ended = Promise.withResolvers<CallbackEnding>();
  let isAnswered = false;
  const answers = new Set<Promise<unknown>>();
  const server = createServer((_request, response) => void answers.add(once(response, "close")));
  const port = await listen(server, Number(options.redirectUri.port) || 0);
  const { hostname, pathname } = options.redirectUri;
  const redirectUri = new URL(`http://${hostname}:${port}${pathname}`);
  const take = (query: URLSearchParams) => {
    // Someone else's answer, or the same one again; ours may still come.
    if (isAnswered || !options.isOurs(query)) return undefined;
    isAnswered = true;
    resolve(new URL(`?${query}`, redirectUri));
    return ended.promise;
  };
  server.on("request", answerCallbacks({ redirectUri, take }));
  const timer = setTimeout(() => reject(operationalError(options.lateMessage)), options.waitMs);
  return {
    redirectUri: redirectUri.href,
    answer,
    async finish(ending) {
      clearTimeout(timer);
      ended.resolve(ending);
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
