import { expect, onTestFinished, test } from "vitest";
import type { AddressZone } from "../guard/addresses.ts";
import { createHttpClient } from "../guard/client.ts";
import { localPolicy } from "../guard/policy.ts";
import { serve } from "../testing/http-server.ts";
import { readTokenAnswer, requestTokens } from "./tokens.ts";

const answer = (body: object) => ({
  status: 200,
  headers: {},
  body: { access_token: "secret-token", ...body },
  text: "",
});

test.each([[{}], [{ token_type: "Bearer" }], [{ token_type: "bearer" }], [{ token_type: "BEARER" }]])(
  "a token answered with %j is a bearer",
  (body) => {
    expect(readTokenAnswer(answer(body))).toMatchObject({ accessToken: "secret-token", tokenType: "Bearer" });
  },
);

test.each(["DPoP", "mac", "", "Bearer, DPoP", "N_A", null, 7, ["Bearer"]])(
  "a token of the type %j is never used, and nobody sees it",
  (token_type) => {
    const read = () => readTokenAnswer(answer({ token_type }));
    expect(read).toThrow(expect.objectContaining({ code: "OAUTH", hint: expect.stringContaining("Bearer") }));
    expect(read).not.toThrow("secret-token");
  },
);

test("a token endpoint that a public server named is not asked on this machine", async () => {
  await using server = await serve((_request, response) => void response.end("{}"));
  const http = createHttpClient({ policy: localPolicy });
  onTestFinished(() => http.close());
  const request = {
    http,
    server: { token_endpoint: `${server.origin}/token` },
    client: { clientId: "us", clientSecret: "secret" },
    resource: "https://mcp.example.com/mcp",
  };
  const ask = (suppliedFrom: AddressZone) =>
    requestTokens({ ...request, suppliedFrom }, { grant_type: "client_credentials" });
  await expect(ask("public")).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
  expect(server.connections()).toBe(0);
  expect((await ask("loopback")).status).toBe(200);
});

const basic = `Basic ${btoa("us:a%2Bb")}`;
test.each<[string, Record<string, unknown>, { authorization?: string; form: Record<string, string> }]>([
  ["nothing", {}, { authorization: basic, form: {} }],
  [
    "Basic",
    { token_endpoint_auth_methods_supported: ["client_secret_basic"] },
    { authorization: basic, form: {} },
  ],
  [
    "the body alone",
    { token_endpoint_auth_methods_supported: ["client_secret_post"] },
    { form: { client_id: "us", client_secret: "a+b" } },
  ],
  ["neither", { token_endpoint_auth_methods_supported: [] }, { form: { client_id: "us" } }],
])(
  "a secret goes where a server that advertises %s reads it, and nowhere else",
  async (_, advertised, sent) => {
    await using server = await serve((_request, response) => void response.end("{}"));
    const http = createHttpClient({ policy: localPolicy });
    onTestFinished(() => http.close());
    const resource = "https://mcp.example.com/mcp";
    const client = { clientId: "us", clientSecret: "a+b" };
    const asked = {
      http,
      client,
      resource,
      server: { token_endpoint: `${server.origin}/token`, ...advertised },
    };
    await requestTokens(asked, { grant_type: "client_credentials" });
    const [request] = server.requests;
    expect(request?.headers.authorization).toBe(sent.authorization);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: "client_credentials",
      resource,
      ...sent.form,
    });
  },
);
