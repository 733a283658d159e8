/** @module The address this service is known by, for links and OAuth metadata. */
import type { IncomingHttpHeaders } from "node:http";
import type { Config } from "../../core/config/config.ts";

export type AddressConfig = Pick<Config, "publicUrl">;

/**
 * The configured address, or the one this caller used. A caller can only name another host to themselves: what is made from it
 * goes back in the same answer.
 */
export function originOf(config: AddressConfig, headers: Pick<IncomingHttpHeaders, "host">): string {
  return config.publicUrl?.origin ?? URL.parse(`http://${headers.host}`)?.origin ?? "http://localhost";
}

/** The same where nobody calls: for links in what is sent by itself. */
export function ownOrigin({
  publicUrl,
  internalUrl,
  port,
}: Pick<Config, "publicUrl" | "internalUrl" | "port">): string {
  return publicUrl?.origin ?? internalUrl ?? `http://localhost:${port}`;
}

/** Cookies are marked for HTTPS when people reach us by it. */
export function isHttps(config: AddressConfig): boolean {
  return config.publicUrl?.protocol === "https:";
}
