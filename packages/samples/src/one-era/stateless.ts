/**
 * A server that speaks only the stateless revision 2026-07-28 and refuses every older client: the bookshop without its past.
 * @module
 */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBookshopServer } from "../bookshop/server.ts";
import { openShop } from "../bookshop/shop.ts";
import { serveAtMcp } from "../mcp-endpoint.ts";
import type { ListenOptions, RunningSample } from "../serve-http.ts";

export function runStateless(options?: ListenOptions): Promise<RunningSample> {
  const shop = openShop();
  return serveAtMcp(
    createMcpHandler(() => createBookshopServer(shop), { legacy: "reject" }),
    options,
  );
}

export function serveStatelessOverStdio(): void {
  const shop = openShop();
  serveStdio(() => createBookshopServer(shop), { legacy: "reject" });
}
