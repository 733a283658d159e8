import { expect, onTestFinished, test } from "vitest";
import { createHttpClient } from "../guard/client.ts";
import { localPolicy } from "../guard/policy.ts";
import { serve } from "../testing/http-server.ts";
import { readRegistration, requestRegistration } from "./registration.ts";

async function endpoint(respond: Parameters<typeof serve>[0]) {
  const server = await serve(respond);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const http = createHttpClient({ policy: localPolicy });
  onTestFinished(() => http.close());
  const request = {
    http,
    server: { registration_endpoint: `${server.origin}/register` },
    clientName: "Fettle",
    redirectUri: "http://127.0.0.1:7410/callback",
  };
  return { server, request };
}

test("registration sends what the client is, and hands over what was answered", async () => {
  const { server, request } = await endpoint((_request, response) => {
    response.writeHead(201).end('{"client_id":"us"}');
  });
  const answer = await requestRegistration({ ...request, scope: "read", also: { software_id: "tested" } });
  expect(answer).toMatchObject({ status: 201, body: { client_id: "us" }, text: '{"client_id":"us"}' });
  const [sent] = server.requests;
  expect(sent).toMatchObject({ method: "POST", url: "/register" });
  expect(sent?.headers).toMatchObject({ accept: "application/json", "content-type": "application/json" });
  expect(JSON.parse(sent?.body ?? "")).toMatchObject({
    client_name: "Fettle",
    redirect_uris: ["http://127.0.0.1:7410/callback"],
    scope: "read",
    software_id: "tested",
  });
});

test("an endpoint that a public server named is not asked on this machine", async () => {
  const { server, request } = await endpoint((_request, response) => void response.end("{}"));
  await expect(requestRegistration({ ...request, suppliedFrom: "public" })).rejects.toMatchObject({
    code: "BLOCKED_ADDRESS",
  });
  expect(server.connections()).toBe(0);
  expect((await requestRegistration({ ...request, suppliedFrom: "loopback" })).status).toBe(200);
});

test("an endpoint that stays silent is waited for until whoever asked gives up", async () => {
  const stop = new AbortController();
  const { request } = await endpoint(() => stop.abort(new Error("The person left.")));
  await expect(requestRegistration({ ...request, signal: stop.signal })).rejects.toMatchObject({
    code: "ABORTED",
  });
});

test("a redirect is not followed: what the client is goes to one place", async () => {
  const { server, request } = await endpoint((_request, response) => {
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect((await requestRegistration(request)).status).toBe(307);
  expect(server.requests).toHaveLength(1);
});

test("a server without an endpoint is told apart from one that refuses", async () => {
  const { request } = await endpoint((_request, response) => void response.end("{}"));
  await expect(requestRegistration({ ...request, server: {} })).rejects.toMatchObject({
    code: "OAUTH",
    message: "The authorization server registers no clients by itself.",
  });
});

test.each([
  [{ client_id: "us" }, { clientId: "us" }],
  [
    { client_id: "us", client_secret: "s", token_endpoint_auth_method: "client_secret_post" },
    { clientId: "us", clientSecret: "s", authentication: "client_secret_post" },
  ],
  [{ client_id: "us", client_secret: 7, token_endpoint_auth_method: "private_key_jwt" }, { clientId: "us" }],
])("an answer of %j makes the client %j", (body, client) => {
  for (const status of [200, 201, 299])
    expect(readRegistration({ status, body, text: "" })).toStrictEqual(client);
});

test.each([
  [
    400,
    { error: "invalid_redirect_uri" },
    "The registration endpoint refused: invalid_redirect_uri.",
    { status: 400, oauthError: "invalid_redirect_uri" },
  ],
  [500, {}, "The registration endpoint refused: status 500.", { status: 500, excerpt: "page" }],
  [
    199,
    { client_id: "us" },
    "The registration endpoint refused: status 199.",
    { status: 199, excerpt: "page" },
  ],
  [
    300,
    { client_id: "us" },
    "The registration endpoint refused: status 300.",
    { status: 300, excerpt: "page" },
  ],
  [
    200,
    { client_id: 7 },
    "The registration endpoint's answer holds no client_id.",
    { status: 200, excerpt: "page" },
  ],
])("an answer of %d with %j is no registration", (status, body, message, details) => {
  expect(() => readRegistration({ status, body, text: "page" })).toThrow(
    expect.objectContaining({ code: "OAUTH", message, details }),
  );
});
