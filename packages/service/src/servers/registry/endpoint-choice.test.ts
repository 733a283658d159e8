import { expect, test } from "vitest";
import { chooseEndpoint } from "./endpoint-choice.ts";
import type { Endpoint } from "./endpoints.ts";

const perOrganization = {
  endpointKind: "tenant",
  remoteUrlRegex: "^https://mcp\\.example\\.com/[^/?#\\s]{1,200}/mcp$",
} as Endpoint;
const perHost = {
  endpointKind: "tenant",
  remoteUrlRegex: "^https://[^/?#\\s]{1,200}\\.example\\.com$",
} as Endpoint;

test.each([
  [perOrganization, "https://mcp.example.com/acme/mcp"],
  [perHost, "https://acme.example.com"],
])("takes an address as the entry has it", (endpoint, url) => {
  expect(chooseEndpoint(endpoint, url)).toBe(url);
});

test.each([
  "https://mcp.example.com/../mcp",
  "https://mcp.example.com/./mcp",
  "https://mcp.example.com/%2e%2e/mcp",
])("takes no address that leads elsewhere than it says: %s", (url) => {
  expect(() => chooseEndpoint(perOrganization, url)).toThrow("does not allow this address");
});
