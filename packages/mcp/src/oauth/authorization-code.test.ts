import { startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient } from "../guard/client.ts";
import { localPolicy } from "../guard/policy.ts";
import {
  authorizationFault,
  checkAnswerIssuer,
  createAuthorizationRequest,
  scopeToAsk,
} from "./authorization-code.ts";
import { findGuardian } from "./guardian.ts";
import { clientMetadata, registerClient } from "./registration.ts";
import { exchangeCode } from "./tokens.ts";

let shop: Awaited<ReturnType<typeof startProtectedBookshop>>;
const http = createHttpClient({ policy: localPolicy });
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(async () => {
  http.close();
  await shop.close();
});

const redirectUri = "http://127.0.0.1:1/callback";

it("registers, asks, and trades the code for tokens of the resource", async () => {
  const guardian = await findGuardian(http, {}, { serverUrl: shop.url, protocolVersion: "2025-11-25" });
  expect(guardian).toMatchObject({ issuer: shop.issuer, resource: shop.url });
  expect(authorizationFault(guardian.metadata)).toBeUndefined();
  const client = await registerClient({ http, server: guardian.metadata, clientName: "test", redirectUri });
  const asked = createAuthorizationRequest({
    server: guardian.metadata,
    clientId: client.clientId,
    redirectUri,
    resource: guardian.resource,
    scope: "books:read",
  });
  const { searchParams } = await shop.agree(asked.url, redirectUri);
  expect(searchParams.get("state")).toBe(asked.state);
  checkAnswerIssuer(guardian.metadata, guardian.issuer, searchParams.get("iss") ?? undefined);
  const trade = {
    http,
    server: guardian.metadata,
    client,
    resource: guardian.resource,
    code: searchParams.get("code")!,
    redirectUri,
  };
  const tokens = await exchangeCode({ ...trade, codeVerifier: asked.codeVerifier });
  expect(tokens).toMatchObject({
    accessToken: expect.any(String),
    refreshToken: expect.any(String),
    scope: "books:read",
  });
  await expect(exchangeCode({ ...trade, codeVerifier: asked.codeVerifier })).rejects.toMatchObject({
    code: "OAUTH",
    details: { oauthError: "invalid_grant" },
  });
});

describe("what may be believed", () => {
  const promised = { authorization_response_iss_parameter_supported: true };
  it.each([
    ["promised and equal", promised, "https://a.example", true],
    ["promised and missing", promised, undefined, false],
    ["promised and another", promised, "https://b.example", false],
    ["not promised and missing", {}, undefined, true],
    ["not promised and another", {}, "https://b.example", false],
    ["equal but for a slash", promised, "https://a.example/", false],
  ])("issuer %s", (_case, server, iss, isBelieved) => {
    const check = () => checkAnswerIssuer(server, "https://a.example", iss);
    if (isBelieved) expect(check).not.toThrow();
    else expect(check).toThrow("issuer");
  });
});

it.each([
  ["no endpoint", {}, "authorization_endpoint"],
  [
    "no PKCE",
    { authorization_endpoint: "https://a.example/a", token_endpoint: "https://a.example/t" },
    "PKCE",
  ],
  [
    "only plain PKCE",
    {
      authorization_endpoint: "https://a.example/a",
      token_endpoint: "https://a.example/t",
      code_challenge_methods_supported: ["plain"],
    },
    "S256",
  ],
])("an authorization server with %s is not asked", (_case, server, word) => {
  expect(authorizationFault(server)).toContain(word);
});

it("sends a browser to https, or to this machine, and nowhere else", () => {
  const server = {
    authorization_endpoint: "http://a.example/a",
    token_endpoint: "https://a.example/t",
    code_challenge_methods_supported: ["S256"],
  };
  const ask = (authorization_endpoint: string) =>
    createAuthorizationRequest({
      server: { ...server, authorization_endpoint },
      clientId: "c",
      redirectUri,
      resource: "https://a.example/mcp",
    });
  expect(() => ask("http://a.example/a")).toThrow("not https");
  expect(() => ask("javascript:alert(1)")).toThrow("http");
  expect(ask("https://a.example/a?tenant=1").url).toContain("?tenant=1&response_type=code");
});

it.each([
  ["what was given", {}, "a b", "a b"],
  ["all that is known", { scopes_supported: ["a", "b"] }, undefined, "a b"],
  ["nothing when nothing is known", {}, undefined, undefined],
  [
    "a refresh token where it is a scope",
    { scopes_supported: ["a", "offline_access"] },
    "a",
    "a offline_access",
  ],
])("asks for %s", (_case, server, given, asked) => {
  expect(scopeToAsk(server, given)).toBe(asked);
});

it("is a native application when it comes back to this machine", () => {
  const of = (uri: string) => clientMetadata({ clientName: "c", redirectUri: uri }, "none").application_type;
  expect([of("http://127.0.0.1:7400/oauth/callback"), of("https://fettle.example/oauth/callback")]).toEqual([
    "native",
    "web",
  ]);
});
