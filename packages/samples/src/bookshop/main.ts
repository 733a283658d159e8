/**
 * Runs the bookshop: `node packages/samples/src/bookshop/main.ts [--port N | --stdio]`.
 * @module
 */
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBookshopServer, runBookshop } from "./server.ts";
import { openShop } from "./shop.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, host: { type: "string" }, stdio: { type: "boolean" } },
});

if (values.stdio) {
  const shop = openShop();
  serveStdio(() => createBookshopServer(shop));
} else {
  const shop = await runBookshop({ port: Number(values.port), ...(values.host && { host: values.host }) });
  console.log(shop.url);
}
