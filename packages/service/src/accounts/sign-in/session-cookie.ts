/** @module The one cookie we set: its name, its attributes, and finding it among others. */
import type { IncomingHttpHeaders } from "node:http";
import type { Secret } from "@fettle/contract";
import { type AddressConfig, isHttps } from "../origin.ts";

/** `__Host-` makes a browser refuse the cookie from a subdomain or over plain HTTP; it needs Secure, so only HTTPS can have it. */
function cookieName(config: AddressConfig): string {
  return isHttps(config) ? "__Host-fettle_session" : "fettle_session";
}

function attributes(config: AddressConfig): string {
  return `Path=/; HttpOnly; SameSite=Lax${isHttps(config) ? "; Secure" : ""}`;
}

export function sessionCookie(config: AddressConfig, token: Secret, maxAgeSeconds: number): string {
  return `${cookieName(config)}=${token.reveal()}; Max-Age=${maxAgeSeconds}; ${attributes(config)}`;
}

export function endedSessionCookie(config: AddressConfig): string {
  return `${cookieName(config)}=; Max-Age=0; ${attributes(config)}`;
}

/** A browser sends the name once; two of them mean that somebody planted one, and neither is believed. */
export function readSessionCookie(
  config: AddressConfig,
  headers: Pick<IncomingHttpHeaders, "cookie">,
): string | undefined {
  const start = `${cookieName(config)}=`;
  const values = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  return values.length === 1 ? values[0]!.slice(start.length) : undefined;
}
