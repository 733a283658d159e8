import { expect, test } from "vitest";
import {
  canonicalResource,
  checkResource,
  resourceMetadataUrls,
  serverMetadataUrls,
} from "./metadata-urls.ts";

test("resource metadata: the pointer alone, else the path's document before the root's", () => {
  expect(resourceMetadataUrls("https://a.example/mcp", "https://b.example/m")).toEqual([
    "https://b.example/m",
  ]);
  expect(resourceMetadataUrls("https://a.example/mcp?x=1")).toEqual([
    "https://a.example/.well-known/oauth-protected-resource/mcp?x=1",
    "https://a.example/.well-known/oauth-protected-resource",
  ]);
  expect(resourceMetadataUrls("https://a.example/")).toEqual([
    "https://a.example/.well-known/oauth-protected-resource",
  ]);
});

test.each([
  ["https://as.example", "2025-06-18", ["/.well-known/oauth-authorization-server"]],
  [
    "https://as.example/t",
    "2025-03-26",
    ["/.well-known/oauth-authorization-server/t", "/.well-known/oauth-authorization-server"],
  ],
  [
    "https://as.example",
    "2025-11-25",
    ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"],
  ],
  [
    "https://as.example/t",
    "2026-07-28",
    [
      "/.well-known/oauth-authorization-server/t",
      "/.well-known/openid-configuration/t",
      "/t/.well-known/openid-configuration",
    ],
  ],
])("server metadata of %s in %s", (issuer, version, paths) => {
  expect(serverMetadataUrls(issuer, version)).toEqual(paths.map((path) => `https://as.example${path}`));
});

test.each([
  ["https://a.example/mcp", "valid", true, true],
  ["https://a.example", "valid", true, true],
  ["https://a.example/mc", "valid", false, false],
  ["https://a.example/other", "valid", false, false],
  ["https://b.example/mcp", "incompatible", false, false],
  ["http://a.example/mcp", "incompatible", false, false],
  ["https://a.example/mcp#f", "invalid", false, false],
  ["urn:x", "invalid", false, false],
])("resource %s is %s for https://a.example/mcp", (advertised, state, strictBinding, rfc9728) => {
  expect(checkResource(advertised, "https://a.example/mcp")).toEqual({ state, strictBinding, rfc9728 });
});

test("the canonical resource has no fragment and no trailing slash", () => {
  expect(canonicalResource("HTTPS://A.example/mcp/#x")).toBe("https://a.example/mcp");
  expect(canonicalResource("https://a.example/")).toBe("https://a.example");
});
