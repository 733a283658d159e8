/** The browser login of another command line, which sends neither `response_type` nor `client_id` and knows no OAuth library. */
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signedInBrowser, type TestBrowser } from "../../packages/service/src/testing/browser.ts";
import { makePerson } from "../../packages/service/src/testing/people.ts";
import { type TestService, testService } from "../../packages/service/src/testing/service.ts";

let service: TestService;
let browser: TestBrowser;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
beforeEach(async () => {
  browser = await signedInBrowser(service, await makePerson(service.app.db));
});

const redirectUri = "http://127.0.0.1:49152/callback";
const config = async () => (await service.call("/api/cli/auth/config")).body;

/** Where the browser is sent when a command line opens it with these parameters. */
async function open(over: Record<string, string | undefined> = {}) {
  const verifier = randomBytes(32).toString("base64url");
  const asked = {
    redirect_uri: redirectUri,
    state: "state-of-another-client",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...over,
  };
  const url = new URL((await config()).authStartUrl);
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) url.searchParams.set(name, value);
  const { headers } = await fetch(url, { redirect: "manual" });
  return { verifier, location: new URL(headers.get("location") ?? "/", service.url) };
}

async function post(address: string, form: Record<string, string>) {
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams(form) });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

const whoami = async (token: string | undefined) =>
  (await service.call("/api/v1/me", token === undefined ? {} : { key: token })).status;

async function login() {
  const { verifier, location } = await open();
  const { body } = await browser.call(
    `/app/cli/authorizations/${location.searchParams.get("request")}/approve`,
    { method: "POST" },
  );
  const code = new URL(body.redirectUrl).searchParams.get("code") ?? "";
  return post((await config()).tokenEndpoint, {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

describe("a login that sends neither response_type nor client_id", () => {
  it("signs in, refreshes, is somebody, and signs out", async () => {
    const { tokenEndpoint, revocationEndpoint } = await config();
    const first = await login();
    expect([first.status, first.body.token_type]).toEqual([200, "Bearer"]);
    expect(await whoami(first.body.access_token)).toBe(200);
    const second = await post(tokenEndpoint, {
      grant_type: "refresh_token",
      refresh_token: first.body.refresh_token ?? "",
    });
    expect(second.status, JSON.stringify(second.body)).toBe(200);
    expect(await whoami(second.body.access_token)).toBe(200);
    await post(revocationEndpoint, { token: second.body.refresh_token ?? "" });
    expect(await whoami(second.body.access_token)).toBe(401);
    const third = await post(tokenEndpoint, {
      grant_type: "refresh_token",
      refresh_token: second.body.refresh_token ?? "",
    });
    expect([third.status, third.body.error]).toEqual([400, "invalid_grant"]);
  });

  it("may send an empty response_type, which says as little", async () => {
    const { location } = await open({ response_type: "" });
    expect(location.searchParams.get("request")).toBeTruthy();
  });

  it.each([
    ["no challenge", { code_challenge: undefined }],
    ["no challenge method", { code_challenge_method: undefined }],
    ["a plain challenge", { code_challenge_method: "plain" }],
    ["another response type", { response_type: "token" }],
  ])("is refused with %s", async (_, over) => {
    const { location } = await open(over);
    expect(location.searchParams.get("error")).toBe("invalid_request");
  });

  it("gets no token as a client that nobody knows", async () => {
    const { tokenEndpoint } = await config();
    const { status, body } = await post(tokenEndpoint, {
      grant_type: "refresh_token",
      client_id: "evil",
      refresh_token: "x",
    });
    expect([status, body.error]).toEqual([401, "invalid_client"]);
  });
});
