import { expect, test } from "vitest";
import type { JsonObject } from "../../lib/json-exact.ts";
import { decideLink, decideToolCall, type Standing } from "./gate.ts";
import { widgetUris } from "./widget-link.ts";

const tools: (JsonObject & { name: string })[] = [
  { name: "look", annotations: { readOnlyHint: true } },
  { name: "buy" },
  { name: "inner", _meta: { ui: { visibility: ["app"] } } },
  { name: "secret", annotations: { readOnlyHint: true }, _meta: { ui: { visibility: ["model"] } } },
];
const fresh: Standing = { approval: "reads", allowedTools: new Set(), recent: [] };

test.each([
  ["look", fresh, "allow"],
  ["buy", fresh, "ask"],
  ["inner", fresh, "ask"],
  ["buy", { ...fresh, allowedTools: new Set(["buy"]) }, "allow"],
  ["look", { ...fresh, approval: "ask" }, "ask"],
  ["buy", { ...fresh, approval: "allow" }, "allow"],
  ["secret", { ...fresh, approval: "allow" }, "deny"],
  ["look", { ...fresh, approval: "deny" }, "deny"],
  ["look", { ...fresh, readsOnly: true }, "allow"],
  ["look", { ...fresh, approval: "ask", readsOnly: true }, "ask"],
  ["buy", { ...fresh, readsOnly: true }, "deny"],
  ["inner", { ...fresh, approval: "allow", readsOnly: true }, "deny"],
  ["secret", fresh, "deny"],
  ["unknown", fresh, "deny"],
  [{ toString: "buy" }, fresh, "deny"],
  ["look", { ...fresh, recent: Array.from({ length: 30 }, () => 99_000) }, "deny"],
  ["look", { ...fresh, recent: Array.from({ length: 30 }, () => 1_000) }, "allow"],
] as const)("a widget's call of %j is decided", (name, standing, kind) => {
  expect(decideToolCall(tools, name, standing, 100_000).kind).toBe(kind);
});

test.each([
  ["https://example.com/a", "ask"],
  ["http://example.com", "ask"],
  ["javascript:alert(1)", "deny"],
  ["data:text/html,x", "deny"],
  ["file:///etc/passwd", "deny"],
  ["https://user:word@example.com", "deny"],
  ["nothing", "deny"],
  [7, "deny"],
])("a link to %s is decided", (url, kind) => {
  expect(decideLink(url).kind).toBe(kind);
});

test.each([
  [{ ui: { resourceUri: "ui://a" }, "openai/outputTemplate": "ui://b" }, {}, ["ui://a", "ui://b"]],
  [{ ui: { resourceUri: "ui://a" }, "openai/outputTemplate": "ui://a" }, {}, ["ui://a"]],
  [{ "ui/resourceUri": "ui://c" }, {}, ["ui://c"]],
  [{ "openai/outputTemplate": "ui://b" }, {}, ["ui://b"]],
  [{}, { content: [{ type: "resource", resource: { uri: "ui://e", text: "" } }] }, ["ui://e"]],
  [{}, { content: [{ type: "resource", resource: { uri: "https://e", text: "" } }] }, []],
  [{ ui: "nonsense" }, {}, []],
])("the documents of %j with %j are %j", (_meta, result, uris) => {
  expect(widgetUris({ name: "t", _meta }, result)).toEqual(uris);
});
