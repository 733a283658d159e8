import { registryLimits } from "@fettle/contract/servers";
import { expect, it } from "vitest";
import { endpointOf } from "./endpoints.ts";
import { readEntries } from "./read-entries.ts";

const read = (server: unknown, isTrusted = false) => readEntries({ servers: [{ server }] }, { isTrusted });
const one = (over: object, isTrusted = false) => {
  const { entries } = read({ name: "com.example/shop", description: "x", ...over }, isTrusted);
  return entries[0]!.content;
};
const remote = (url: string, more: object = {}) => ({ remotes: [{ type: "sse", url, ...more }] });

const nonsense: [what: string, item: unknown][] = [
  ["a number", 7],
  ["nothing", null],
  ["no name", { description: "x" }],
  ["markup as a name", { name: "<img src=x onerror=alert(1)>/x" }],
  ["turned letters in a name", { name: "com.example/\u202egpj.exe" }],
  ["a name without its place", { name: "shop" }],
  ["a way out in a name", { name: "../../etc/passwd" }],
  ["an endless name", { name: `com.example/${"a".repeat(10_000)}` }],
  ["lists where texts belong", { name: ["com.example/shop"] }],
];
it.each(nonsense)("skips %s, and nothing else", (_what, item) => {
  const good = { name: "com.example/good", description: "x" };
  const { entries, skipped } = readEntries(
    { servers: [{ server: item }, { server: good }] },
    { isTrusted: true },
  );
  expect([entries.map(({ name }) => name), skipped]).toEqual([["com.example/good"], 1]);
});

const texts: [what: string, said: string, kept: string][] = [
  ["turns text round", "safe\u202etxet\u2066x", "safetxetx"],
  ["hides in text", "pay\u200bpal\u00ad", "paypal"],
  ["ends texts in databases", "a\u0000b", "ab"],
  ["makes terminals act", "\u001b[31mred\u009b2J", "[31mred2J"],
  ["is half a letter", "a\ud800b", "ab"],
  ["breaks lines", "one\r\n\ttwo\u2028three", "one two three"],
];
it.each(texts)("keeps no character that %s", (_what, said, kept) => {
  expect(one({ description: said, title: said })).toMatchObject({ description: kept, displayName: kept });
});

it("keeps markup as the text it is, for pages to show as text", () => {
  expect(one({ description: "<script>alert(1)</script>" }).description).toBe("<script>alert(1)</script>");
});

const links = ["javascript:alert(1)", "data:text/html,x", "https://u:p@example.com", "//example.com", "x"];
it.each(links)("drops the link %s", (url) => {
  expect(one({ websiteUrl: url, repository: { url } })).toMatchObject({
    websiteUrl: undefined,
    repositoryUrl: undefined,
  });
});

const unreachable: [url: string, reason: string][] = [
  ["javascript:alert(1)", "address_not_allowed"],
  ["file:///etc/passwd", "address_not_allowed"],
  ["https://user:secret@example.com/mcp", "address_not_allowed"],
  ["http://127.0.0.1/mcp", "address_not_allowed"],
  ["http://0x7f.1/mcp", "address_not_allowed"],
  ["http://localhost:3000/mcp", "address_not_allowed"],
  ["http://[::1]/mcp", "address_not_allowed"],
  ["http://169.254.169.254/latest", "address_not_allowed"],
  ["http://10.0.0.1/mcp", "address_not_allowed"],
  ["http://127.0.0.1:{port}/mcp", "address_not_allowed"],
  ["{url}", "pattern_unusable"],
  ["javascript:{code}", "pattern_unusable"],
  ["https://{a}.{b}.{c}.{d}.example.com/", "pattern_unusable"],
];
it.each(unreachable)("lets a directory on the network not name %s", (url, reason) => {
  expect(endpointOf(one(remote(url)))).toMatchObject({ unavailableReason: reason });
});

it("lets nothing in through a list of choices that it would not let in by itself", () => {
  const variables = { host: { choices: ["example.com", "127.0.0.1"] } };
  expect(endpointOf(one(remote("http://{host}/mcp", { variables })))).toMatchObject({
    unavailableReason: "address_not_allowed",
  });
});

it("lets the operator's own file name his own network", () => {
  expect(endpointOf(one(remote("http://10.0.0.1/mcp"), true)).remoteUrl).toBe("http://10.0.0.1/mcp");
});

it("takes the keys that every object has as plain names", () => {
  const hostile = JSON.parse(
    `{"name":"com.example/shop","__proto__":{"title":"x"},"constructor":1,"remotes":[{"type":"sse",
      "url":"https://{__proto__}.example.com/{constructor}",
      "variables":{"__proto__":{"choices":["a"]},"constructor":{"isRequired":true}}}]}`,
  );
  const { entries } = read(hostile);
  expect(entries[0]!.content.displayName).toBeUndefined();
  expect(endpointOf(entries[0]!.content).endpointKind).toBe("tenant");
  expect(({} as Record<string, unknown>).title).toBeUndefined();
});

it("takes one of several of a name: the latest by the registry's word, else by date, else the first", () => {
  const official = (meta: object) => ({ "io.modelcontextprotocol.registry/official": meta });
  const versions = [
    { server: { name: "a/b", version: "1" }, _meta: official({ updatedAt: "2025-01-01" }) },
    { server: { name: "a/b", version: "2" }, _meta: official({ isLatest: true, updatedAt: "2024-01-01" }) },
    { server: { name: "a/b", version: "3" }, _meta: official({ updatedAt: "2026-01-01" }) },
    { server: { name: "a/c", version: "1" } },
    { server: { name: "a/c", version: "2" } },
    { server: { name: "a/d", version: "1" }, _meta: official({ status: "deleted" }) },
  ];
  const { entries } = readEntries({ servers: versions }, { isTrusted: false });
  expect(entries.map(({ name, content }) => [name, content.version])).toEqual([
    ["a/b", "2"],
    ["a/c", "1"],
  ]);
});

it("bounds what is long and what is much", () => {
  const content = one({
    title: "t".repeat(1_000_000),
    description: "d".repeat(1_000_000),
    packages: Array.from({ length: 1_000 }, () => ({ registryType: "npm", identifier: "x", transport: {} })),
    remotes: Array.from({ length: 1_000 }, (_, at) => ({ url: `https://${at}.example.com` })),
  });
  expect(content.displayName).toHaveLength(registryLimits.titleLength);
  expect(content.description).toHaveLength(registryLimits.descriptionLength);
  expect(content.packages).toHaveLength(registryLimits.packages);
  expect(content.remotes).toHaveLength(registryLimits.remotes);
});

it("decides soon whether an address fits, however it is meant to tire the pattern", () => {
  const { remoteUrlRegex } = endpointOf(
    one({ remotes: Array.from({ length: 20 }, () => ({ url: "https://{a}.{b}.{c}/x" })) }),
  );
  const before = performance.now();
  expect(new RegExp(remoteUrlRegex!).test(`https://${"a.".repeat(900)}!`)).toBe(false);
  expect(performance.now() - before).toBeLessThan(10_000);
});
