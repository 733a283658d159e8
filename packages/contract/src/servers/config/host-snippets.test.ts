import { expect, test } from "vitest";
import { hostSnippets } from "./host-snippets.ts";
import { readServerConfig } from "./read-config.ts";

const server = { name: "Book shop", url: "https://shop.example/mcp?a=1&b=2", headerNames: ["X-Api-Key"] };
const textFor = (id: string, of = server) => hostSnippets(of).find((snippet) => snippet.id === id)!.text;

const inJson = hostSnippets(server).filter(({ text }) => text.startsWith("{"));

test.each(inJson.map(({ id, text }) => [id, text]))("%s is read back as the same server", (_, text) => {
  const read = readServerConfig(text);
  expect(read.ok && read.servers).toMatchObject([
    { kind: "http", name: server.name, url: server.url, headers: { "X-Api-Key": expect.any(String) } },
  ]);
});

test("a server without headers has none in any of them", () => {
  for (const { id, text } of hostSnippets({ ...server, headerNames: [] }))
    expect(text, id).not.toMatch(/header|inputs/i);
});

test("what a shell or a table would take apart is quoted", () => {
  const hostile = { ...server, name: `a"b'c $(id)` };
  expect(textFor("claude-code", hostile)).toContain(`'a"b'\\''c $(id)'`);
  expect(textFor("claude-code")).toContain(`--header 'X-Api-Key: '"$X_API_KEY"`);
  expect(textFor("codex", hostile)).toContain('[mcp_servers."a\\"b\'c $(id)"]');
  expect(textFor("codex")).toContain('env_http_headers = { "X-Api-Key" = "X_API_KEY" }');
});
