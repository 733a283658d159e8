import { startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isMcpError } from "../failure.ts";
import { createHttpClient } from "../guard/client.ts";
import { localPolicy } from "../guard/policy.ts";
import { connect } from "../session/connect.ts";
import { parseTarget } from "../target.ts";
import { json, serve } from "../testing/http-server.ts";
import { authorizeWith, credentialKey, isFresh, type StoredCredential } from "./credentials.ts";
import { discoverResourceMetadata, discoverServerMetadata, readProtectedResource } from "./discovery.ts";

const http = createHttpClient({ policy: localPolicy });
let shop: Awaited<ReturnType<typeof startProtectedBookshop>>;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(async () => {
  http.close();
  await shop.close();
});

const options = (credential: StoredCredential, save?: (kept: StoredCredential) => Promise<void>) => ({
  http: async () => http,
  serverUrl: shop.url,
  protocolVersion: "2025-11-25",
  credential,
  ...(save && { save }),
});

test("without a credential the demand is told with its metadata", async () => {
  const error = await connect(parseTarget({ url: shop.url })).catch((thrown: unknown) => thrown);
  expect(isMcpError(error, "AUTH_REQUIRED") && error.details.challenge).toMatchObject({
    resourceMetadata: expect.stringContaining("/.well-known/oauth-protected-resource"),
  });
});

test("discovery walks from the server to its issuer, and each attempt is kept", async () => {
  const { found, attempts } = await discoverResourceMetadata(http, shop.url, undefined);
  const resource = readProtectedResource(found!, shop.url);
  expect(resource.authorizationServers).toEqual([shop.issuer]);
  expect(attempts.at(-1)).toMatchObject({ status: 200, contentType: "application/json" });
  const server = await discoverServerMetadata(http, shop.issuer, "2025-11-25");
  expect(server.found?.metadata.issuer).toBe(shop.issuer);
});

test("a refresh token becomes an access token under way, and the rotated one is kept", async () => {
  const signedIn = await shop.signIn();
  const kept: StoredCredential[] = [];
  const credential: StoredCredential = {
    client: { clientId: signedIn.clientId },
    tokens: { refreshToken: signedIn.refreshToken },
    grant: "refresh_token",
  };
  const authorize = authorizeWith(options(credential, async (next) => void kept.push(next)));
  await using connection = await connect(parseTarget({ url: shop.url }), { authorize });
  expect((await connection.listTools()).items.length).toBeGreaterThan(0);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject({ issuer: shop.issuer, resource: shop.url });
  expect(isFresh(kept[0]!.tokens)).toBe(true);
  const recorded = JSON.stringify(connection.recorder.read());
  expect(recorded).not.toContain(kept[0]!.tokens!.accessToken);
  await connection.close();
});

test.each([
  [undefined, false],
  [{ refreshToken: "r", expiresAt: 1_000_000 }, false],
  [{ accessToken: "a" }, true],
  [{ accessToken: "a", expiresAt: 160_001 }, true],
  [{ accessToken: "a", expiresAt: 160_000 }, false],
  [{ accessToken: "a", expiresAt: 99_000 }, false],
])("a minute before it expires a token is not used any more: %j is %s", (tokens, fresh) => {
  expect(isFresh(tokens, 100_000)).toBe(fresh);
});

test("client credentials are used where that is the grant", async () => {
  const credential: StoredCredential = { client: shop.machineClient, grant: "client_credentials" };
  await using connection = await connect(parseTarget({ url: shop.url }), {
    authorize: authorizeWith(options(credential)),
  });
  expect((await connection.listTools()).items.length).toBeGreaterThan(0);
  await connection.close();
});

test("when the issuer changes, nothing is sent", async () => {
  const credential: StoredCredential = {
    client: { clientId: "c", clientSecret: "canary-secret" },
    tokens: { refreshToken: "canary-refresh" },
    grant: "refresh_token",
    issuer: "https://old.example",
  };
  const attempt = connect(parseTarget({ url: shop.url }), { authorize: authorizeWith(options(credential)) });
  await expect(attempt).rejects.toMatchObject({
    code: "OAUTH",
    details: { pinned: "https://old.example", now: shop.issuer },
  });
});

test("metadata for another server is refused before any token request", async () => {
  await using liar = await serve((request, response) => {
    if (request.url?.startsWith("/.well-known")) {
      return json(response, {
        resource: "https://bank.example/mcp",
        authorization_servers: ["https://bank.example"],
      });
    }
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  });
  const credential: StoredCredential = {
    client: { clientId: "c" },
    tokens: { refreshToken: "canary" },
    grant: "refresh_token",
  };
  const url = `${liar.origin}/mcp`;
  const authorize = authorizeWith({ ...options(credential), serverUrl: url });
  await expect(connect(parseTarget({ url }), { authorize })).rejects.toMatchObject({
    code: "OAUTH",
    details: { state: "incompatible" },
  });
  expect(liar.requests.every((request) => !request.body.includes("canary"))).toBe(true);
});

test("a metadata pointer to plain http elsewhere is not followed", async () => {
  const { found, attempts } = await discoverResourceMetadata(http, shop.url, "http://attacker.example/m");
  expect(found).toBeUndefined();
  expect(attempts[0]?.error).toContain("not https");
});

test("the key of a credential tells issuers and resources apart", () => {
  const keys = new Set([
    credentialKey({ issuer: "a", resource: "b" }),
    credentialKey({ issuer: "a,b", resource: "" }),
    credentialKey({ issuer: "a", resource: "c" }),
  ]);
  expect(keys.size).toBe(3);
});
