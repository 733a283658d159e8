/** @module The bare minimum that serves a folder: a process of its own, to hold others against. Says its address on the first line. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

const [folder = "."] = process.argv.slice(2);
const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const start = readFileSync(join(folder, "index.html"));

const server = createServer(({ url = "/" }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  if (pathname === "/") return void response.writeHead(200, { "content-type": "text/html" }).end(start);
  try {
    const file = readFileSync(join(folder, pathname));
    response.writeHead(200, { "content-type": types[extname(pathname)] ?? "application/octet-stream" });
    response.end(file);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
