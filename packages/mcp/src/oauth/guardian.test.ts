/** @module Whom a server's word may lead to: its pointers are held to where it is itself, and old servers have endpoints without documents. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createHttpClient } from "../guard/client.ts";
import { localPolicy } from "../guard/policy.ts";
import { findGuardian } from "./guardian.ts";

let origin: string;
let asked = 0;
const nothing = createServer((_request, response) => {
  asked++;
  response.writeHead(404).end();
});
const http = createHttpClient({ policy: localPolicy });
beforeAll(async () => {
  await new Promise<void>((resolve) => nothing.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(nothing.address() as AddressInfo).port}`;
});
afterAll(() => {
  http.close();
  nothing.closeAllConnections();
  nothing.close();
});

const find = (protocolVersion: string) =>
  findGuardian(http, {}, { serverUrl: `${origin}/mcp`, protocolVersion });

test("a server of 2025-03-26 without documents has its endpoints at its origin; a later one has none", async () => {
  expect(await find("2025-03-26")).toMatchObject({
    issuer: origin,
    resource: `${origin}/mcp`,
    metadata: { token_endpoint: `${origin}/token` },
  });
  // Documents are demanded from 2025-06-18 on.
  for (const version of ["2025-06-18", "2025-11-25"])
    await expect(find(version)).rejects.toThrow("no protected-resource metadata");
});

test("a public server's pointer to this machine is not followed", async () => {
  asked = 0;
  const challenge = { resourceMetadata: `${origin}/.well-known/oauth-protected-resource` };
  const options = { serverUrl: "https://mcp.example.com/mcp", protocolVersion: "2025-11-25" };
  await expect(findGuardian(http, { challenge, zone: "public" }, options)).rejects.toMatchObject({
    code: "OAUTH",
  });
  expect(asked).toBe(0);
});
