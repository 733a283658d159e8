/** @module The cookies that prove something, of a session, a remembered browser or a visit: names, attributes, and finding them among others. */
import type { IncomingHttpHeaders } from "node:http";
import type { Secret } from "@fettle/contract/secrets";
import { type AddressConfig, isHttps } from "../origin.ts";

/** A browser may be on a visit to several scenarios. */
export type CookieKind = "session" | "device" | `visit_${string}`;

/** `__Host-` makes a browser refuse the cookie from a subdomain or over plain HTTP; it needs Secure, so only HTTPS can have it. */
function cookieName(config: AddressConfig, kind: CookieKind): string {
  return `${isHttps(config) ? "__Host-" : ""}fettle_${kind}`;
}

function attributes(config: AddressConfig): string {
  return `Path=/; HttpOnly; SameSite=Lax${isHttps(config) ? "; Secure" : ""}`;
}

export function makeCookie(
  config: AddressConfig,
  kind: CookieKind,
  token: Secret,
  maxAgeSeconds: number,
): string {
  return `${cookieName(config, kind)}=${token.reveal()}; Max-Age=${maxAgeSeconds}; ${attributes(config)}`;
}

export function endedSessionCookie(config: AddressConfig): string {
  return `${cookieName(config, "session")}=; Max-Age=0; ${attributes(config)}`;
}

/** A browser sends the name once; two of them mean that somebody planted one, and neither is believed. */
export function readCookie(
  config: AddressConfig,
  kind: CookieKind,
  headers: Pick<IncomingHttpHeaders, "cookie">,
): string | undefined {
  const start = `${cookieName(config, kind)}=`;
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  return values.length === 1 ? values[0]?.slice(start.length) : undefined;
}
