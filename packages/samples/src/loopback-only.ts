/**
 * Refuses requests that a web page could have tricked a browser into sending to a server on this machine.
 * @module
 */
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import type { FetchHandler } from "./serve-http.ts";

/** DNS rebinding protection for a handler that listens on loopback; other addresses are left to their operator. */
export function loopbackOnly(host = "127.0.0.1", handler: FetchHandler): FetchHandler {
  if (!["127.0.0.1", "::1", "localhost"].includes(host)) return handler;
  return async (request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    handler(request);
}
