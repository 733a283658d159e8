/** @module Answers the inspector's requests: the door first, then the route, then the page. */

import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { ApiError, type ErrorBody } from "@fettle/contract/core";
import { mayHoldLongNumber, parseExactNumbers } from "@fettle/contract/formats";
import { missing, noRoute } from "../core/routing/not-found.ts";
import { secureHeaders } from "../http/secure-headers.ts";
import { cacheControl, findWebFolder, openSite, policyOf } from "../http/site.ts";
import { hostOf, type Policy, refuseForeign, requireJson, requireToken } from "./admission.ts";
import type { Answer, Route } from "./routes.ts";

export interface ListenerParts {
  routes: readonly Route[];
  url: string;
  /** The one other origin a page may frame. */
  sandboxUrl: string;
  port: number;
  token: string;
  stopping: AbortSignal;
}

const types: Record<string, string> = {
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
  ".woff2": "font/woff2",
  ".png": "image/png",
};

export function createListener(parts: ListenerParts): RequestListener {
  const { routes, url, port, token, stopping } = parts;
  const table = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  const sendPage = pages(parts.sandboxUrl);
  const headers = secureHeaders(undefined);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const host = hostOf(request.headers, port);
    if (host === "foreign") throw misdirected();
    const { pathname, searchParams, search } = new URL(request.url ?? "/", url);
    const found = table.flatMap(({ route, pattern }) => {
      const match = pattern.exec(pathname);
      return match ? [{ route, params: decoded(match.groups ?? {}) }] : [];
    });
    const isPage = found.length === 0 && !/^\/(api|app)(\/|$)/.test(pathname);
    if (host === "redirect") {
      if (!isPage || method !== "GET") throw misdirected();
      response.writeHead(308, { location: `${url}${pathname}${search}` }).end();
      return;
    }
    refuseForeign({ method, headers: request.headers }, url, isPage);
    if (isPage) {
      if (method !== "GET" && method !== "HEAD") throw notAllowed(["GET", "HEAD"]);
      return sendPage(request, response, pathname);
    }
    response.setHeader("cache-control", "no-store");
    const one = found.find(({ route }) => route.method === method);
    if (found.length > 0 && !one) throw notAllowed(found.map(({ route }) => route.method));
    const policy: Policy = one?.route.policy ?? { auth: "token" };
    requireJson({ method, headers: request.headers });
    if (policy.auth === "token") requireToken(request.headers, token);
    if (!one) throw noRoute();
    const left = new AbortController();
    response.once("close", () => {
      if (!response.writableEnded) left.abort();
    });
    const told = await one.route.handle({
      params: one.params,
      query: Object.fromEntries(searchParams),
      body: await readBody(request, policy.maxBody, one.route.exactNumbers ?? false),
      signal: AbortSignal.any([left.signal, stopping]),
      request,
      response,
    });
    if (told) send(response, told);
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, failureOf(error));
    });
  };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}

function failureOf(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, body: error.toBody() };
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  const body: ErrorBody = { code: "INTERNAL_ERROR", message: "Something in the inspector broke." };
  return { status: 500, body };
}

const misdirected = () =>
  new ApiError(
    "FORBIDDEN",
    "The inspector is not called by that name.",
    { reason: "unknown_host" },
    { status: 421 },
  );

const notAllowed = (methods: readonly string[]) =>
  new ApiError(
    "VALIDATION_ERROR",
    "This address does not take that method.",
    { reason: "method_not_allowed", allow: methods },
    { status: 405 },
  );

async function readBody(
  request: IncomingMessage,
  most: number | undefined,
  exactNumbers: boolean,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > (most ?? 0)) {
      throw new ApiError(
        "VALIDATION_ERROR",
        "The body is too large.",
        { reason: "body_too_large", most },
        { status: 413 },
      );
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("no object");
    return exactNumbers && mayHoldLongNumber(text) ? parseExactNumbers(text) : value;
  } catch {
    throw new ApiError("VALIDATION_ERROR", "The body must be a JSON object.", { reason: "malformed_json" });
  }
}

function pages(
  frames: string,
): (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void> {
  const folder = findWebFolder();
  if (folder === undefined) {
    return () => {
      throw missing("The web app is not built here.", "`npm run build` builds it.");
    };
  }
  const site = openSite(folder);
  const policy = policyOf(site, frames);
  // Says to the pages that they are on somebody's own machine, and which of them are there.
  const marker = `<meta name="fettle-local-pages" content="${site.localPages.join(" ")}">`;
  return async (request, response, path) => {
    const found = site.find(path, request.headers.cookie);
    if (found.kind === "document") {
      response.writeHead(found.status, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": policy,
        "cache-control": "no-cache",
      });
      response.end(found.html.replace("<head>", `<head>${marker}`));
      return;
    }
    const { bytes, headers } = found.isPacked
      ? await site.unfold(found.name, request.headers["accept-encoding"])
      : {
          bytes: readFileSync(join(folder, found.name)),
          headers: { "content-type": types[extname(found.name)] ?? "application/octet-stream" },
        };
    response.writeHead(200, { ...headers, "cache-control": cacheControl(found.isImmutable) });
    response.end(bytes);
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw new ApiError("VALIDATION_ERROR", "The address is not well formed.", { reason: "malformed_url" });
  }
}
