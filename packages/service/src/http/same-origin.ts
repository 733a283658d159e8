/** @module Keeps other sites from acting through a signed-in person's browser, and other names from reaching a loopback service. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@fettle/contract/core";
import type { Config } from "../core/config/config.ts";
import { isLoopbackHost } from "../core/config/option-values.ts";

/** Our pages send it on every call; a form or a plain link of another site cannot. */
export const appHeader = "x-fettle-app";

export interface Origins {
  /** The address people use, when it is configured. */
  publicUrl: URL | undefined;
  /** Listening on loopback: then only loopback names, or the configured one, are ours. */
  isLoopback: boolean;
}

export function originsOf({ publicUrl, host }: Pick<Config, "publicUrl" | "host">): Origins {
  return { publicUrl, isLoopback: isLoopbackHost(host) };
}

const loopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** A page that points its own name at this machine (DNS rebinding) still sends its own name as `Host`. */
export function isOurHost(host: string | undefined, origins: Origins): boolean {
  if (host === undefined) return false;
  if (origins.publicUrl && host.toLowerCase() === origins.publicUrl.host) return true;
  return !origins.isLoopback || loopbackName.test(host);
}

function isOwnOrigin(origin: string, headers: IncomingHttpHeaders, origins: Origins): boolean {
  if (origins.publicUrl)
    return origin === origins.publicUrl.origin || isLoopbackSelf(origin, headers, origins);
  return URL.parse(origin)?.host === headers.host;
}

/**
 * True when a page of another site asks at an address that is of this machine alone. At the public address any page may
 * ask for what its secret opens; here a page could come by way of rebinding, and only other programs of this machine may.
 */
export function isForeignPageHere({ host, origin }: IncomingHttpHeaders, origins: Origins): boolean {
  const { publicUrl, isLoopback } = origins;
  if (origin === undefined || (publicUrl && host?.toLowerCase() === publicUrl.host)) return false;
  if (!isLoopback && !loopbackName.test(host ?? "")) return false;
  return origin !== publicUrl?.origin && !loopbackName.test(URL.parse(origin)?.host ?? "");
}

/** Besides the public name, the machine's own browser may use the loopback address it sees. */
function isLoopbackSelf(origin: string, headers: IncomingHttpHeaders, origins: Origins): boolean {
  const host = URL.parse(origin)?.host;
  return origins.isLoopback && host !== undefined && loopbackName.test(host) && host === headers.host;
}

/**
 * Refuses a write that another site may have started. A browser session must also carry our own header, because a
 * cookie alone proves only which browser it is, not which page asked.
 */
export function refuseForeignOrigin(
  headers: IncomingHttpHeaders,
  origins: Origins,
  isBrowserSession: boolean,
): void {
  const site = headers["sec-fetch-site"];
  const isForeignSite = site !== undefined && site !== "same-origin" && site !== "none";
  const isForeignOrigin = headers.origin !== undefined && !isOwnOrigin(headers.origin, headers, origins);
  if (isForeignSite || isForeignOrigin || (isBrowserSession && headers[appHeader] !== "1")) {
    throw new ApiError("FORBIDDEN", "This change did not come from our own pages.", {
      reason: "cross_site",
      header: `${appHeader}: 1`,
    });
  }
}
