/** @module The origin that widgets are shown from. It holds their documents and the frame around them, takes no credential and knows no other route. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { isObject } from "@fettle/mcp";
import { connectionAllowlist } from "./peer-guard.ts";
import { proxyPage } from "./proxy-page.ts";

export interface WidgetDocument {
  html: string;
  /** Its `Content-Security-Policy`. */
  policy: string;
  /** Of the frames it stands in. */
  allow: string;
}

export interface WidgetShelf {
  find(id: string): Promise<WidgetDocument | undefined>;
  /** What the browser refused it. */
  note(id: string, refusal: Refusal): Promise<void>;
}

/** What a browser tells of a document's policy. */
export interface Refusal {
  directive: string;
  /** What was to be loaded, without its query: a widget may put anything there. */
  blocked: string;
}

export interface SandboxOptions {
  /** Where the app is, and where this is. */
  appOrigin: string;
  origin: string;
  shelf: WidgetShelf;
}

/** Also of what is not found: nothing of this origin may ever do anything. */
const closed = "default-src 'none'; frame-ancestors 'none'; sandbox";
const reportBytes = 8_192;

export const documentPath = (id: string) => `/d/${id}`;
export const proxyPath = (id: string) => `/proxy/${id}`;
export const reportPath = (id: string) => `/r/${id}`;

type Answer = { status: number; html?: string; policy?: string };

export function createSandbox({ appOrigin, origin, shelf }: SandboxOptions): RequestListener {
  const { host } = new URL(origin);

  async function answer(request: IncomingMessage): Promise<Answer> {
    if (request.headers.host !== host) return { status: 421 };
    const [, route, id, ...more] = new URL(request.url ?? "/", origin).pathname.split("/");
    if (!id || more.length > 0) return { status: 404 };
    if (route === "r" && request.method === "POST") return takeReport(request, id);
    if (request.method !== "GET") return { status: 405 };
    const found = route === "d" || route === "proxy" ? await shelf.find(id) : undefined;
    if (!found) return { status: 404 };
    if (route === "d") return { status: 200, html: found.html, policy: found.policy };
    const { allow } = found;
    const documentUrl = `${origin}${documentPath(id)}`;
    return { status: 200, ...proxyPage({ appOrigin, documentUrl, reportPath: reportPath(id), allow }) };
  }

  async function takeReport(request: IncomingMessage, id: string): Promise<Answer> {
    if (request.headers["content-type"] !== "application/csp-report") return { status: 415 };
    if (!(Number(request.headers["content-length"]) <= reportBytes)) return { status: 413 };
    const refusal = refusalOf(await json(request).catch(() => undefined));
    if (!refusal) return { status: 400 };
    await shelf.note(id, refusal);
    return { status: 204 };
  }

  return (request, response) => {
    answer(request).then(
      (told) => send(response, told),
      () => send(response, { status: 500 }),
    );
  };
}

function send(response: ServerResponse, { status, html, policy = closed }: Answer): void {
  response.writeHead(status, {
    "content-security-policy": policy,
    "connection-allowlist": connectionAllowlist,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    // The app frames it from another origin.
    "cross-origin-resource-policy": "cross-origin",
    ...(html !== undefined && { "content-type": "text/html; charset=utf-8" }),
  });
  response.end(html);
}

function refusalOf(body: unknown): Refusal | undefined {
  const report = within(within(body)["csp-report"]);
  const directive = report["effective-directive"] ?? report["violated-directive"];
  const blocked = report["blocked-uri"];
  if (typeof directive !== "string" || typeof blocked !== "string") return undefined;
  return { directive: directive.slice(0, 100), blocked: blocked.replace(/[?#].*/s, "").slice(0, 500) };
}

function within(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
