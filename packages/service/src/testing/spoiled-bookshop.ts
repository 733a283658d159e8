/** @module The real bookshop behind a door that can spoil its tools: what a test says of a call is answered instead of the shop's own words. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { startBookshop } from "@fettle/samples";

export interface SpoiledBookshop extends AsyncDisposable {
  url: string;
  /** What a call of the tool ends with: the words of an error. Undefined lets the shop answer. */
  spoil: (toolName: string, call: number) => string | undefined | Promise<string | undefined>;
}

export async function startSpoiledBookshop(): Promise<SpoiledBookshop> {
  const shop = await startBookshop();
  let calls = 0;
  const door = createServer(async (request, response) => {
    const body = await text(request);
    const asked = request.method === "POST" ? JSON.parse(body) : {};
    const said = asked.method === "tools/call" ? await spoiled.spoil(asked.params.name, calls++) : undefined;
    if (said !== undefined) {
      const result = { content: [{ type: "text", text: said }], isError: true };
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ jsonrpc: "2.0", id: asked.id, result }));
    }
    const passed = await fetch(shop.url, {
      method: request.method ?? "GET",
      headers: headersOf(request),
      ...(body !== "" && { body }),
    });
    const headers = [...passed.headers].filter(
      ([name]) => !/^(content-length|content-encoding|transfer-encoding)$/.test(name),
    );
    response.writeHead(passed.status, Object.fromEntries(headers));
    response.end(Buffer.from(await passed.arrayBuffer()));
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  // Of a server that listens on a port.
  const { port } = door.address() as AddressInfo;
  const spoiled: SpoiledBookshop = {
    url: `http://127.0.0.1:${port}/mcp`,
    spoil: () => undefined,
    [Symbol.asyncDispose]: async () => {
      door.closeAllConnections();
      await new Promise((resolve) => door.close(resolve));
      await shop.close();
    },
  };
  return spoiled;
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && !/^(host|connection|content-length)$/.test(name) ? [[name, value]] : [],
  );
}
