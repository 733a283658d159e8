/**
 * The bookshop as an MCP server: one factory for both protocol eras, over stdio and HTTP.
 * @module
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { loopbackOnly } from "../loopback-only.ts";
import {
  atPath,
  type FetchHandler,
  type ListenOptions,
  listen,
  type NodeListener,
  nodeListener,
} from "../serve-http.ts";
import { addReading } from "./reading.ts";
import { openShop, type Shop } from "./shop.ts";
import { addTools } from "./tools.ts";
import { WIDGET_MIME_TYPE } from "./widget.ts";

interface Bookshop {
  /** Full shelves and the opening orders again. */
  reset(): void;
  close(): Promise<void>;
}

export interface BookshopHandler extends Bookshop {
  /** Mount this on any `node:http` server; it answers MCP at whatever path it is given. */
  listener: NodeListener;
}

export interface RunningBookshop extends Bookshop {
  /** The MCP endpoint. */
  url: string;
}

// The catalogue never changes while we run; clients of the stateless era may keep these answers for an hour.
const STEADY = { ttlMs: 3_600_000, cacheScope: "public" } as const;

export function createBookshopServer(shop: Shop): McpServer {
  const server = new McpServer(
    { name: "bookshop", title: "The Lantern Bookshop", version: "1.0.0" },
    {
      instructions:
        "A small bookshop. Find books with search_books, check_stock before promising a copy, and place_order only when the customer has said yes.",
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { listChanged: false },
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [WIDGET_MIME_TYPE] } },
      },
      cacheHints: {
        "server/discover": STEADY,
        "tools/list": STEADY,
        "prompts/list": STEADY,
        "resources/list": STEADY,
        "resources/templates/list": STEADY,
        "resources/read": STEADY,
      },
    },
  );
  addTools(server, shop);
  addReading(server);
  return server;
}

/** One shop behind a web-standard handler; what the listeners below and the protected twin are made of. */
export function openBookshop(): Bookshop & { fetch: FetchHandler } {
  const shop = openShop();
  const mcp = createMcpHandler(() => createBookshopServer(shop));
  return { fetch: (request) => mcp.fetch(request), reset: shop.reset, close: mcp.close };
}

export function createBookshopHandler(): BookshopHandler {
  const { fetch, reset, close } = openBookshop();
  return { listener: nodeListener(fetch), reset, close };
}

export async function runBookshop(options: ListenOptions = {}): Promise<RunningBookshop> {
  const shop = openBookshop();
  const http = await listen(nodeListener(atPath("/mcp", loopbackOnly(options.host, shop.fetch))), options);
  return {
    url: `${http.origin}/mcp`,
    reset: shop.reset,
    async close() {
      await shop.close();
      await http.close();
    },
  };
}
