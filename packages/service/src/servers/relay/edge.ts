/** @module The public face of tunnels: proves the address's secret, passes the request on, and keeps what comes back harmless here. */

import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError, limits } from "@fettle/contract/core";
import { endToEnd } from "@fettle/contract/formats";
import type { TunnelHeaders } from "@fettle/contract/servers";
import type { Pool } from "pg";
import { newId } from "../../core/id.ts";
import type { Log } from "../../core/log/log.ts";
import { missing } from "../../core/routing/not-found.ts";
import { failureOf } from "../../http/errors.ts";
import { isForeignPageHere, type Origins } from "../../http/same-origin.ts";
import { hashToken, recogniseToken } from "../../people/accounts/tokens.ts";
import { parseTunnelAddress, relayedHeader } from "./address.ts";
import { tooLarge } from "./failure.ts";
import type { Relay } from "./relay.ts";
import type { RelayAnswer } from "./relay-session.ts";
import { findKnown, type TunnelRow } from "./store.ts";

export interface EdgeParts {
  pool: Pick<Pool, "query">;
  log: Log;
  forward: Relay["forward"];
  origins: Origins;
}

/** `public`: anyone with the address, maybe a browser. `own`: the service itself, which sees everything as it came. */
export type Viewer = "public" | "own";

export async function serveTunnelRequest(
  parts: EdgeParts,
  request: IncomingMessage,
  response: ServerResponse,
  viewer: Viewer,
): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  try {
    const answer = await passOn(parts, request, left.signal);
    writeHead(response, answer, viewer);
    await pipeline(Readable.from(answer.body), response);
  } catch (error) {
    if (left.signal.aborted) return;
    // Half an answer cannot be taken back: the broken connection says that it is not whole.
    if (response.headersSent) response.destroy();
    else sendFailure(parts.log, response, error);
    // What is left of a refused body is read and forgotten; the connection would stay half full otherwise.
    request.resume();
  }
}

async function passOn(parts: EdgeParts, request: IncomingMessage, signal: AbortSignal): Promise<RelayAnswer> {
  if (isForeignPageHere(request.headers, parts.origins)) {
    throw new ApiError("FORBIDDEN", "A page of another site may not use a tunnel of this machine.", {
      reason: "cross_site",
    });
  }
  const address = parseTunnelAddress(request.url ?? "");
  const tunnel = address && (await findKnown(parts.pool, "slug", address.slug));
  if (!address || !tunnel || !opens(tunnel, address.secret)) {
    throw missing(
      "There is no such tunnel, or its address has changed.",
      "Read the tunnel's address where it was opened.",
    );
  }
  const { method = "GET", headers } = request;
  if (Number(headers["content-length"] ?? 0) > limits.tunnels.requestBytes) {
    throw tooLarge(limits.tunnels.requestBytes);
  }
  return parts.forward(
    tunnel,
    { method, url: address.url, headers: requestHeaders(headers), body: bodyOf(request), signal },
    { secret: address.secret, isRelayed: headers[relayedHeader] !== undefined },
  );
}

export function opens(tunnel: Pick<TunnelRow, "secretHash">, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashToken(secret)), Buffer.from(tunnel.secretHash));
}

function bodyOf(request: IncomingMessage): AsyncIterable<Uint8Array> | undefined {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0;
  // Whoever stops reading leaves the connection whole, so that the refusal can still be sent on it.
  return hasBody ? request.iterator({ destroyOnReturn: false }) : undefined;
}

/** About us, besides what is of the connection to us: none of it is for the server behind. */
const ours = new Set([
  "expect",
  "host",
  "accept-encoding",
  "cookie",
  "origin",
  "referer",
  "forwarded",
  relayedHeader,
]);

function requestHeaders(headers: IncomingHttpHeaders): TunnelHeaders {
  const sent = Object.entries(headers).flatMap(
    ([name, value]): TunnelHeaders =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  return endToEnd(sent).filter(
    ([name, value]) => !ours.has(name) && !/^(x-forwarded-|sec-)/.test(name) && !isOurCredential(name, value),
  );
}

/** A key of this service sent along by mistake must not reach whoever runs the tunnel. */
function isOurCredential(name: string, value: string): boolean {
  return name === "authorization" && recogniseToken(value.replace(/^bearer +/i, "").trim()) !== undefined;
}

const passedBack =
  /^(content-type|cache-control|allow|retry-after|www-authenticate|last-event-id|mcp-[a-z-]+)$/;
const harmlessTypes = /^(application\/json|text\/event-stream|text\/plain)\s*(;|$)/i;

/**
 * What a stranger's server says must not act on our own origin: no cookie, no redirect, no document. A page opened
 * from here is a download in a sandbox.
 */
function writeHead(response: ServerResponse, { status, headers }: RelayAnswer, viewer: Viewer): void {
  const isPublic = viewer === "public";
  const kept = endToEnd(headers).filter(([name]) => {
    const lower = name.toLowerCase();
    return isPublic ? passedBack.test(lower) : !ours.has(lower);
  });
  for (const [name, value] of kept) response.appendHeader(name, value);
  if (isPublic) {
    response.setHeader("content-security-policy", "sandbox; default-src 'none'; frame-ancestors 'none'");
    response.setHeader("x-content-type-options", "nosniff");
    if (!harmlessTypes.test(String(response.getHeader("content-type") ?? "application/json"))) {
      response.setHeader("content-type", "application/octet-stream");
      response.setHeader("content-disposition", "attachment");
    }
  }
  response.writeHead(status);
  // An event stream may have nothing to say for long; whoever waits should know that it is open.
  response.flushHeaders();
}

function sendFailure(log: Log, response: ServerResponse, error: unknown): void {
  const failure = failureOf(error, newId("request"));
  if (failure.isOurs) log.error("a tunnel request failed", { error });
  for (const [name, value] of Object.entries(failure.headers ?? {})) response.setHeader(name, value);
  response.writeHead(failure.status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(failure.body));
}
