/** @module Runs the bookshop sample beside the service, on a loopback port of its own. It is loaded when it is first called. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { codeOf } from "@fettle/contract/core";
import { type BookshopHandler, bookshopHandler } from "@fettle/samples";

export interface Bookshop {
  url: string;
  close(): Promise<void>;
}

/** The wanted port keeps the saved address good over restarts; when it is taken, any other will do. */
export async function startBookshop(wantedPort: number): Promise<Bookshop> {
  let shop: Promise<BookshopHandler> | undefined;
  const listener: RequestListener = (request, response) => {
    shop ??= bookshopHandler();
    shop.then(({ listener }) => listener(request, response));
  };
  const server = createServer(listener);
  server.listen(wantedPort, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      await (await shop)?.close();
    },
  };
}
