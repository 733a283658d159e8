import { expect, test } from "vitest";
import { openCommand } from "./tunnel-words.ts";

test.each([
  [undefined, "fettle cloud tunnel --server shop http://localhost:3000/mcp"],
  ["http", "fettle cloud tunnel --server shop http://localhost:3000/mcp"],
  ["stdio", "fettle cloud tunnel --server shop -- <command> <arguments>"],
] as const)("a tunnel to a server over %s is opened with: %s", (transport, command) => {
  expect(openCommand("shop", transport)).toBe(command);
});

test("a name with a space stays one word of the command", () => {
  expect(openCommand("my shop")).toContain("--server 'my shop' http");
});
