/**
 * Runs the bookshop: `node packages/samples/src/bookshop/main.ts [--port N | --stdio]`.
 * @module
 */
import { enableCompileCache } from "node:module";
import { parseArgs } from "node:util";

// Tests start hundreds of them: a start that finds its code compiled costs half. So the rest is loaded after this.
enableCompileCache();
const { createBookshopServer, runBookshop } = await import("./server.ts");

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, host: { type: "string" }, stdio: { type: "boolean" } },
});

if (values.stdio) {
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const { openShop } = await import("./shop.ts");
  const shop = openShop();
  serveStdio(() => createBookshopServer(shop));
} else {
  const shop = await runBookshop({ port: Number(values.port), ...(values.host && { host: values.host }) });
  console.log(shop.url);
}
