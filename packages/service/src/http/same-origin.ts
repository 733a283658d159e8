/** @module Keeps other sites from acting through a signed-in person's browser, and other names from reaching a loopback service. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "@fettle/contract/core";

/** Our pages send it on every call; a form or a plain link of another site cannot. */
export const appHeader = "x-fettle-app";

export interface Origins {
  /** The address people use, when it is configured. */
  publicUrl: URL | undefined;
  /** Listening on loopback: then only loopback names, or the configured one, are ours. */
  isLoopback: boolean;
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
