import { expect, test } from "vitest";
import { nameOf } from "./keep-server.ts";

test.each([
  ["node server.mjs stdio", "server"],
  ["node --import tsx src/shop.ts --port 3", "shop"],
  ["npx -y @modelcontextprotocol/server-everything@1.2.0 stdio", "server-everything"],
  ["uvx mcp-server-fetch --quiet", "mcp-server-fetch"],
  ["python3 -m mcp_server_time", "mcp-server-time"],
  ["docker run --rm -i mcp/fetch", "fetch"],
  ["/usr/local/bin/shop-mcp --stdio all", "shop-mcp"],
  ["node", "node"],
])("the server of `%s` is called %s", (line, name) => {
  const [command = "", ...args] = line.split(" ");
  expect(nameOf({ kind: "stdio", command, args, env: {} })).toBe(name);
});
