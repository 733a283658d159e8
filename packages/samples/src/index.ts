/**
 * MCP servers to test with. Importing this loads no MCP SDK; each sample loads what it needs when it starts.
 * @module
 */
import type { BookshopHandler, RunningBookshop } from "./bookshop/server.ts";
import type { RunningEverything } from "./everything/server.ts";
import type { ListenOptions } from "./serve-http.ts";

export type { BookshopHandler, ListenOptions, RunningBookshop, RunningEverything };

/** The demo bookshop on a port of its own, both protocol eras at `url`. */
export async function startBookshop(options?: ListenOptions): Promise<RunningBookshop> {
  const { runBookshop } = await import("./bookshop/server.ts");
  return runBookshop(options);
}

/** The demo bookshop as a `node:http` listener, to mount in a server you already run. */
export async function bookshopHandler(): Promise<BookshopHandler> {
  const { createBookshopHandler } = await import("./bookshop/server.ts");
  return createBookshopHandler();
}

/** The whole fixture contract of the official conformance suite, both protocol eras at `url`. */
export async function startEverything(options?: ListenOptions): Promise<RunningEverything> {
  const { runEverything } = await import("./everything/server.ts");
  return runEverything(options);
}
