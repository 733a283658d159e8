/** @module The addresses of a service, as its configuration has them. */
import { isIPv6 } from "node:net";
import type { Config } from "./config.ts";

/** The address people use: the configured one, or the one listened on. */
export function urlOf(config: Pick<Config, "publicUrl" | "host" | "port">): string {
  return config.publicUrl?.origin ?? listeningUrl(config);
}

export function listeningUrl(config: Pick<Config, "host" | "port">): string {
  const isAny = config.host === "0.0.0.0" || config.host === "::";
  const host = isAny ? "localhost" : isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `http://${host}:${config.port}`;
}
