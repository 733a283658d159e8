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
