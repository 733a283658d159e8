/**
 * Serves an MCP handler at `/mcp` of a new listener, and refuses what a web page could trick a browser into sending there.
 * @module
 */
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import {
  atPath,
  type FetchHandler,
  type ListenOptions,
  listen,
  nodeListener,
  type RunningSample,
} from "./serve-http.ts";

/** Listens, and stops `handler` together with the listener. */
export async function serveAtMcp(
  handler: { fetch: FetchHandler; close(): Promise<void> },
  options: ListenOptions = {},
): Promise<RunningSample> {
  const guarded = loopbackOnly(options.host, (request) => handler.fetch(request));
  const http = await listen(nodeListener(atPath("/mcp", guarded)), options);
  return {
    url: `${http.origin}/mcp`,
    async close() {
      await handler.close();
      await http.close();
    },
  };
}

/** DNS rebinding protection for a handler that listens on loopback; other addresses are left to their operator. */
export function loopbackOnly(host = "127.0.0.1", handler: FetchHandler): FetchHandler {
  if (!["127.0.0.1", "::1", "localhost"].includes(host)) return handler;
  return async (request) =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    handler(request);
}
