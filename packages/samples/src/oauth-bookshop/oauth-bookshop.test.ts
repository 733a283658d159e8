import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProtectedBookshop, startProtectedBookshop } from "../index.ts";
import { connectHttp, ERAS, REVISION } from "../sdk-client.ts";
import { followToCallback } from "./sign-in.ts";

const CALLBACK = "http://127.0.0.1:9/callback";

let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

const post = (token?: string, url = shop.url) =>
  fetch(url, { method: "POST", ...(token && { headers: { authorization: `Bearer ${token}` } }) });
const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const form = (endpoint: string, body: Record<string, string>) =>
  fetch(endpoint, { method: "POST", body: new URLSearchParams(body) });

test("without a token the shop answers 401 and names its metadata, which names the authorization server", async () => {
  const refused = await post();
  expect(refused.status).toBe(401);
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(refused.headers.get("www-authenticate") ?? "")?.[1];
  const metadata = await (await fetch(metadataUrl!)).json();
  expect(metadata).toMatchObject({ resource: shop.url, authorization_servers: [shop.issuer] });
  const server = await (await fetch(`${shop.issuer}/.well-known/oauth-authorization-server`)).json();
  expect(server).toMatchObject({
    issuer: shop.issuer,
    registration_endpoint: expect.any(String),
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
});

test.each(ERAS)("the official client signs in from nothing in the %s era", async (era) => {
  const memory = new Map<string, unknown>();
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: "test", application_type: "native", redirect_uris: [CALLBACK] },
    clientInformation: () => memory.get("client") as never,
    saveClientInformation: (client) => void memory.set("client", client),
    tokens: () => memory.get("tokens") as never,
    saveTokens: (tokens) => void memory.set("tokens", tokens),
    saveCodeVerifier: (verifier) => void memory.set("verifier", verifier),
    codeVerifier: () => memory.get("verifier") as string,
    redirectToAuthorization: (url) => void memory.set("authorize", url),
    saveDiscoveryState: (state) => void memory.set("discovery", state),
    discoveryState: () => memory.get("discovery") as never,
  };
  const mode = era === "legacy" ? ("legacy" as const) : { pin: REVISION.modern };
  const newClient = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = () => new StreamableHTTPClientTransport(new URL(shop.url), { authProvider: provider });

  const first = transport();
  await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
  const callback = await followToCallback(memory.get("authorize") as URL, CALLBACK);
  await first.finishAuth(callback.searchParams);

  const client = newClient();
  await client.connect(transport());
  expect((await client.listTools()).tools).toHaveLength(9);
  expect(memory.get("tokens")).toMatchObject({ refresh_token: expect.any(String) });
  await client.close();
});

test("a token that may only read is asked for more when it orders", async () => {
  const { accessToken, scope } = await shop.signIn("books:read");
  expect(scope).toBe("books:read");
  const client = await connectHttp(shop.url, "modern", undefined, bearer(accessToken));
  expect((await client.callTool({ name: "list_orders" })).isError).toBeFalsy();
  const order = {
    orderReference: "x",
    customer: "x",
    items: [{ bookId: "tin-swallows", quantity: 1 }],
    delivery: "post",
  };
  await expect(client.callTool({ name: "place_order", arguments: order })).rejects.toThrow(/scope|403/i);
  await client.close();
});

test("a refresh token works once, and gives a token that works", async () => {
  const { refreshToken, clientId, tokenEndpoint } = await shop.signIn();
  const refresh = () =>
    form(tokenEndpoint, { grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId });
  const renewed = (await (await refresh()).json()) as { access_token: string; refresh_token: string };
  expect(renewed.refresh_token).not.toBe(refreshToken);
  expect((await post(renewed.access_token)).status).not.toBe(401);
  expect((await refresh()).status).toBe(400);
});

test("an expired token is refused", async () => {
  const brief = await startProtectedBookshop({ accessTokenSeconds: 1 });
  const { accessToken } = await brief.signIn();
  await expect.poll(async () => (await post(accessToken, brief.url)).status, { timeout: 60_000 }).toBe(401);
  await brief.close();
});

test("a token made for another shop, or altered, is refused", async () => {
  const other = await startProtectedBookshop();
  const { accessToken } = await other.signIn();
  expect((await post(accessToken)).status).toBe(401);
  await other.close();
  const mine = await shop.signIn();
  expect((await post(`${mine.accessToken.slice(0, -4)}AAAA`)).status).toBe(401);
});

test("a machine gets a token with its own credentials", async () => {
  const { clientId, clientSecret } = shop.machineClient;
  const response = await fetch(`${shop.issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", resource: shop.url, scope: "books:read" }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  const client = await connectHttp(shop.url, "modern", undefined, bearer(access_token));
  expect((await client.listTools()).tools).toHaveLength(9);
  await client.close();
});

test("with a consent page nothing is granted until a person agrees", async () => {
  const asking = await startProtectedBookshop({ consent: "page" });
  await expect(asking.signIn()).rejects.toThrow(/stopped at \/interaction\/.* with status 200/);
  await asking.close();
});
