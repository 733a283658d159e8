/** @module Waits on a loopback port for the browser to bring the code back. Answers one static page and nothing else. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { operationalError } from "../cli-error.ts";

export interface LoopbackListener {
  /** Where the browser must be sent back to; with the port that was free. */
  redirectUri: string;
  /** The code, once the browser comes with our state; rejects when the person declines or time is up. */
  code: Promise<string>;
  close(): void;
}

export interface LoopbackOptions {
  /** Its path, and its port if it names one. */
  redirectUri: URL;
  state: string;
  issuer: string;
  waitMs: number;
}

export async function listenForCode({
  redirectUri,
  state,
  issuer,
  waitMs,
}: LoopbackOptions): Promise<LoopbackListener> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  // Rejected before anyone waits for it, it must not end the process.
  promise.catch(() => {});
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://loopback");
    const answer = (status: number, text: string) => response.writeHead(status, pageHeaders).end(page(text));
    if (request.method !== "GET" || url.pathname !== redirectUri.pathname) {
      return answer(404, "There is nothing here.");
    }
    // Someone else's answer; ours may still come.
    if (url.searchParams.get("state") !== state) return answer(400, "This answer belongs to another login.");
    const outcome = readAnswer(url.searchParams, issuer);
    if ("code" in outcome) {
      answer(200, "Approved. You can close this page and return to the terminal.");
      resolve(outcome.code);
    } else {
      answer(200, `Not signed in: ${outcome.reason} You can close this page.`);
      reject(operationalError(`Not signed in: ${outcome.reason}`));
    }
  });
  const port = await listen(server, Number(redirectUri.port) || 0);
  const timer = setTimeout(
    () => reject(operationalError(`Nobody approved the login within ${waitMs / 60_000} minutes.`)),
    waitMs,
  );
  const close = () => {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  };
  const place = new URL(redirectUri);
  place.hostname = "127.0.0.1";
  place.port = String(port);
  return { redirectUri: place.href, code: promise, close };
}

function readAnswer(query: URLSearchParams, issuer: string): { code: string } | { reason: string } {
  // RFC 9207: an answer of another authorization server must not be redeemed at ours.
  const answerer = query.get("iss");
  if (answerer !== null && answerer !== issuer) return { reason: "another service answered." };
  const error = query.get("error");
  if (error === "access_denied") return { reason: "the request was declined." };
  if (error !== null) return { reason: query.get("error_description") ?? error };
  const code = query.get("code");
  return code ? { code } : { reason: "the answer holds no code." };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(operationalError(`Could not listen for the browser: ${cause.message}`, { cause })),
    );
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  connection: "close",
};

function page(text: string): string {
  const escaped = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fettle</title><h1>Fettle</h1><p>${escaped}</p></html>\n`;
}
