/** @module The addresses of a service, as its configuration has them. */
import { isIPv6 } from "node:net";
import type { Config } from "./config.ts";

/** The address people use: the configured one, or the one listened on. */
export function urlOf(config: Pick<Config, "publicUrl" | "host" | "port">): string {
  return config.publicUrl?.origin ?? listeningUrl(config);
}

/**
 * Where widgets are shown from: on another host name than the app, since cookies know no ports. Undefined where an address is
 * configured for people and none for widgets.
 */
export function widgetUrlOf(
  config: Pick<Config, "publicUrl" | "widgetUrl" | "widgetPort" | "host" | "port">,
): string | undefined {
  if (config.widgetUrl) return config.widgetUrl;
  if (config.publicUrl) return undefined;
  const isNamed = new URL(listeningUrl(config)).hostname === "localhost";
  return `http://${isNamed ? "127.0.0.1" : "localhost"}:${config.widgetPort}`;
}

export function listeningUrl(config: Pick<Config, "host" | "port">): string {
  const isAny = config.host === "0.0.0.0" || config.host === "::";
  const host = isAny ? "localhost" : isIPv6(config.host) ? `[${config.host}]` : config.host;
  return `http://${host}:${config.port}`;
}
