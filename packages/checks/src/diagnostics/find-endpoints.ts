/** @module Where else on this origin MCP is spoken, for someone who has the host right and the path wrong. */
import type { HttpTarget, NetworkPolicy } from "@fettle/mcp";
import { probe } from "./probe.ts";

/** Where servers usually stand. */
const usualPaths = ["/mcp", "/sse", "/", "/api/mcp", "/mcp/"];

export interface FindOptions {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  policy?: NetworkPolicy | undefined;
}

/** Addresses that answer as an MCP server does. No credential is sent: a path nobody chose gets none. */
export async function findEndpoints(target: HttpTarget, options: FindOptions): Promise<string[]> {
  const given = new URL(target.url);
  const below = given.pathname.replace(/\/$/, "");
  const paths = new Set([`${below}/mcp`, ...usualPaths]);
  paths.delete(given.pathname);
  const tried = await Promise.all(
    [...paths].map(async (path) => {
      const url = new URL(path, given.origin).href;
      const bare: HttpTarget = { kind: "http", url, headers: {}, transport: "auto" };
      const { status } = await probe(bare, { ...options, lookForOauth: false });
      return status === "ready" || status === "oauth_required" ? [url] : [];
    }),
  );
  return tried.flat();
}
