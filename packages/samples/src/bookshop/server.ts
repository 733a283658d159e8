/**
 * The bookshop as an MCP server: one factory for both protocol eras, over stdio and HTTP.
 * @module
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { loopbackOnly, serveAtMcp } from "../mcp-endpoint.ts";
import { type ListenOptions, type NodeListener, nodeListener, type RunningSample } from "../serve-http.ts";
import { addReading } from "./reading.ts";
import { openShop, type Shop } from "./shop.ts";
import { addTools } from "./tools.ts";
import { WIDGET_MIME_TYPE } from "./widget.ts";

export interface BookshopHandler {
  /** Mount this on any `node:http` server; it answers MCP at whatever path it is given. */
  listener: NodeListener;
  /** Full shelves and the opening orders again. */
  reset(): void;
  close(): Promise<void>;
}

export interface RunningBookshop extends RunningSample {
  /** Full shelves and the opening orders again. */
  reset(): void;
}

// The catalogue never changes while we run; clients of the stateless era may keep these answers for an hour.
const STEADY = { ttlMs: 3_600_000, cacheScope: "public" } as const;

export interface BookshopOptions {
  /** OAuth scope that ordering needs, where requests carry tokens. */
  orderScope?: string;
}

export function createBookshopServer(shop: Shop, options: BookshopOptions = {}): McpServer {
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
  addTools(server, shop, options);
  addReading(server);
  return server;
}

/** One shop behind a web-standard handler; what the listeners below and the protected twin are made of. */
export function openBookshop(options?: BookshopOptions) {
  const shop = openShop();
  const { fetch, close } = createMcpHandler(() => createBookshopServer(shop, options));
  return { fetch, reset: shop.reset, close };
}

export function createBookshopHandler(): BookshopHandler {
  const { fetch, reset, close } = openBookshop();
  // Whoever mounts it listens on loopback, where any web page could reach it under a name of its own.
  return { listener: nodeListener(loopbackOnly(undefined, (request) => fetch(request))), reset, close };
}

export async function runBookshop(options?: ListenOptions): Promise<RunningBookshop> {
  const shop = openBookshop();
  return { ...(await serveAtMcp(shop, options)), reset: shop.reset };
}
