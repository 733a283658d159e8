/** @module Who is let in to the inspector: the checks that come before any work, in their order. */
import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@fettle/contract/core";
import { inspectorHeader } from "@fettle/contract/inspector";

/** What a route lets in; a route without one cannot be made. */
export interface Policy {
  /** `token`: of this start. `code`: the body carries a code that is used once. `open`: holds nothing. */
  auth: "open" | "code" | "token";
  /** The most bytes of a JSON body; without it the route takes none. */
  maxBody?: number;
}

interface Knock {
  method: string;
  headers: IncomingHttpHeaders;
}

/** A name that leads here from outside (DNS rebinding) is still sent as `Host`. */
export function hostOf(headers: IncomingHttpHeaders, port: number): "ours" | "redirect" | "foreign" {
  if (headers.host === `127.0.0.1:${port}`) return "ours";
  return headers.host === `localhost:${port}` ? "redirect" : "foreign";
}

/** Another site may open a page, which holds no data, and do nothing else. */
export function refuseForeign({ method, headers }: Knock, origin: string, isPage: boolean): void {
  const site = headers["sec-fetch-site"];
  const isElsewhere = site === "cross-site" || site === "same-site";
  const isNavigation = isPage && method === "GET" && headers["sec-fetch-mode"] === "navigate";
  const isForeign = headers.origin !== undefined && headers.origin !== origin;
  if ((isElsewhere && !isNavigation) || isForeign) {
    throw new ApiError("FORBIDDEN", "This did not come from the inspector's own pages.", {
      reason: "cross_site",
    });
  }
}

export function requireToken(headers: IncomingHttpHeaders, token: string): void {
  const sent = headers[inspectorHeader];
  if (typeof sent === "string" && isSame(sent, `Bearer ${token}`)) return;
  throw new ApiError("UNAUTHORIZED", "Open the inspector from your terminal.", {
    reason: "inspector_token",
    hint: "`fettle inspector open` opens a page that is let in.",
  });
}

/** A form or a plain link of another site cannot send this type. */
export function requireJson({ method, headers }: Knock): void {
  if (method === "GET" || method === "HEAD") return;
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/json") return;
  const details = { reason: "unsupported_media_type" };
  throw new ApiError("VALIDATION_ERROR", "Send the body as application/json.", details, { status: 415 });
}

export function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
