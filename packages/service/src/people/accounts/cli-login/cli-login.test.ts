import * as oauth from "openid-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cliAuthorizations, cliSessions, cliTokens } from "../../../core/tables/accounts.ts";
import { rateLimits } from "../../../core/tables/limits.ts";
import { signedInBrowser, type TestBrowser, testBrowser } from "../../../testing/browser.ts";
import { makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";

const redirectUri = "http://127.0.0.1:49152/callback";
let service: TestService;
let client: oauth.Configuration;
let browser: TestBrowser;
beforeAll(async () => {
  service = await testService();
  // An independent OAuth client finds its way by our metadata alone.
  client = await oauth.discovery(new URL(service.url), "fettle-cli", undefined, oauth.None(), {
    algorithm: "oauth2",
    execute: [oauth.allowInsecureRequests],
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.app.db.delete(rateLimits);
  browser = await signedInBrowser(service, await makePerson(service.app.db));
});

/** A command line that asks: what it keeps to itself, and where the browser ends up. */
async function ask(change: Record<string, string | undefined> = {}) {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const parameters = {
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    device_name: "ada's laptop",
    ...change,
  };
  const url = oauth.buildAuthorizationUrl(client, {});
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  const response = await fetch(url, { redirect: "manual" });
  const location = response.headers.get("location");
  const requestId = new URL(location ?? "/", service.url).searchParams.get("request") ?? "";
  return { verifier, state, response, location, requestId };
}

const answer = (id: string, verb: "approve" | "deny", from = browser) =>
  from.call(`/app/cli/authorizations/${id}/${verb}`, { method: "POST" });

/** Asks and is approved; `callback` is where the browser is sent. */
async function approved(change: Record<string, string | undefined> = {}) {
  const asked = await ask(change);
  const { body } = await answer(asked.requestId, "approve");
  return { ...asked, callback: new URL(body.redirectUrl) };
}

const redeem = ({ callback, verifier, state }: { callback: URL; verifier: string; state: string }) =>
  oauth.authorizationCodeGrant(client, callback, { pkceCodeVerifier: verifier, expectedState: state });

async function signedIn() {
  const tokens = await redeem(await approved());
  return { access: tokens.access_token, refresh: tokens.refresh_token ?? "" };
}

const me = (key: string) => service.call("/api/v1/me", { key });
const refresh = (token: string) => oauth.refreshTokenGrant(client, token);
const refused = (error: string) => expect.objectContaining({ error });

async function later<Result>(ahead: number, work: () => Promise<Result>): Promise<Result> {
  const { now } = service.app;
  service.app.now = () => Date.now() + ahead;
  try {
    return await work();
  } finally {
    service.app.now = now;
  }
}

describe("a login", () => {
  test("from asking to calling the API as the person who approved", async () => {
    const { callback, ...asked } = await approved();
    expect(asked.location).toBe(`/cli/authorize?request=${asked.requestId}`);
    expect(callback.origin + callback.pathname).toBe(redirectUri);
    expect(callback.searchParams.get("iss")).toBe(service.url);
    const tokens = await redeem({ callback, ...asked });
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    const { body } = await browser.call("/app/bootstrap");
    expect((await me(tokens.access_token)).body.id).toBe(body.user.id);
  });

  test("shows what asks before it is answered", async () => {
    const { requestId } = await ask();
    expect((await browser.call(`/app/cli/authorizations/${requestId}`)).body).toMatchObject({
      deviceName: "ada's laptop",
      redirectUri,
    });
    const { requestId: hidden } = await ask({ device_name: "x\u202egnp.exe" });
    expect((await browser.call(`/app/cli/authorizations/${hidden}`)).body.deviceName).toBeNull();
  });

  test("denied goes back with access_denied, and can no longer be approved", async () => {
    const { requestId, state } = await ask();
    const { body } = await answer(requestId, "deny");
    expect(Object.fromEntries(new URL(body.redirectUrl).searchParams)).toEqual({
      error: "access_denied",
      state,
      iss: service.url,
    });
    expect((await answer(requestId, "approve")).status).toBe(404);
  });

  test("is described to the command line", async () => {
    expect((await service.call("/api/cli/auth/config")).body).toEqual({
      issuer: service.url,
      clientId: "fettle-cli",
      authStartUrl: `${service.url}/oauth/authorize`,
      tokenEndpoint: `${service.url}/oauth/token`,
      revocationEndpoint: `${service.url}/oauth/revoke`,
      redirectUri: "http://127.0.0.1/callback",
    });
  });
});

/** The token endpoint, as a client writes to it that has no OAuth library. */
const exchange = async (login: { callback: URL; verifier: string }, redirect: string) => {
  const { body } = await service.call("/oauth/token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: "fettle-cli",
      code: login.callback.searchParams.get("code")!,
      code_verifier: login.verifier,
      redirect_uri: redirect,
    }).toString(),
  });
  return body.error ?? body.token_type;
};

describe("a command line that goes by the configuration document", () => {
  test("need not say which client it is: there is only one", async () => {
    const login = await approved({ client_id: undefined });
    expect(await exchange(login, redirectUri)).toBe("Bearer");
  });

  test("redeems its code with the document's redirectUri, whichever port it listened on", async () => {
    const { body } = await service.call("/api/cli/auth/config");
    expect(await exchange(await approved(), body.redirectUri)).toBe("Bearer");
    expect(await exchange(await approved(), "http://127.0.0.1/other")).toBe("invalid_grant");
  });
});

describe("asking", () => {
  test.each([
    ["another client", { client_id: "evil" }],
    ["a client without a name", { client_id: "" }],
    ["no place to return to", { redirect_uri: undefined }],
    ["a place on another machine", { redirect_uri: "https://evil.example/callback" }],
    ["a place that only looks local", { redirect_uri: "http://127.0.0.1.evil.example:80/" }],
  ])("with %s sends the browser nowhere", async (_, change) => {
    const { response } = await ask(change);
    expect(response.status).toBe(400);
    expect(response.headers.get("location")).toBeNull();
  });

  test.each([
    ["no challenge", { code_challenge: undefined }],
    ["a challenge in plain text", { code_challenge_method: "plain" }],
    ["no challenge method", { code_challenge_method: undefined }],
    ["a token instead of a code", { response_type: "token" }],
    ["no state", { state: undefined }],
  ])("with %s goes back with the reason", async (_, change) => {
    const { location } = await ask(change);
    expect(location).toContain(redirectUri);
    expect(new URL(location!).searchParams.get("error")).toBe("invalid_request");
  });

  test("gives nothing without a signed-in person's answer", async () => {
    const { requestId } = await ask();
    expect((await answer(requestId, "approve", testBrowser(service))).status).toBe(401);
    const { access } = await signedIn();
    const path = `/app/cli/authorizations/${requestId}/approve`;
    expect((await service.call(path, { method: "POST", key: access })).status).toBe(403);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await service.call(path, { method: "POST", headers: { cookie } })).status).toBe(403);
    expect((await answer(requestId, "approve")).status).toBe(200);
  });

  test("lapses after ten minutes", async () => {
    const { requestId } = await ask();
    await later(10 * 60 * 1000 + 1, async () => {
      expect((await answer(requestId, "approve")).status).toBe(404);
    });
  });

  test("answered ten times at once is answered once", async () => {
    const { requestId } = await ask();
    const answers = await Promise.all(Array.from({ length: 10 }, () => answer(requestId, "approve")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe("a code", () => {
  test("works once; used again, it ends the session it began", async () => {
    const login = await approved();
    const tokens = await redeem(login);
    expect((await me(tokens.access_token)).status).toBe(200);
    await expect(redeem(login)).rejects.toEqual(refused("invalid_grant"));
    expect((await me(tokens.access_token)).status).toBe(401);
  });

  test("is worth nothing with another verifier, and is then spent", async () => {
    const login = await approved();
    const other = { ...login, verifier: oauth.randomPKCECodeVerifier() };
    await expect(redeem(other)).rejects.toEqual(refused("invalid_grant"));
    await expect(redeem(login)).rejects.toEqual(refused("invalid_grant"));
  });

  test("is worth nothing for another return address", async () => {
    const login = await approved();
    login.callback.port = "49153";
    await expect(redeem(login)).rejects.toEqual(refused("invalid_grant"));
  });

  test("lapses after a minute", async () => {
    const login = await approved();
    await later(60_001, () => expect(redeem(login)).rejects.toEqual(refused("invalid_grant")));
  });

  test("used ten times at once yields no working session", async () => {
    const login = await approved();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(login)));
    const won = results.filter((result) => result.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect((await me(won[0]!.value.access_token)).status).toBe(401);
  });
});

describe("a refresh token", () => {
  test("gives new tokens, and the access token in use goes on working", async () => {
    const before = await signedIn();
    const after = await refresh(before.refresh);
    expect(after.refresh_token).not.toBe(before.refresh);
    expect((await me(after.access_token)).status).toBe(200);
    expect((await me(before.access)).status).toBe(200);
  });

  test("that comes back later ends the session, also for whoever refreshed last", async () => {
    const first = await signedIn();
    const second = await refresh(first.refresh);
    const third = await refresh(second.refresh_token ?? "");
    await later(60_000, () => expect(refresh(first.refresh)).rejects.toEqual(refused("invalid_grant")));
    expect((await me(third.access_token)).status).toBe(401);
    await expect(refresh(third.refresh_token ?? "")).rejects.toEqual(refused("invalid_grant"));
  });

  test("used by two commands at the same moment serves one and keeps the session", async () => {
    const { refresh: token } = await signedIn();
    const results = await Promise.allSettled([refresh(token), refresh(token), refresh(token)]);
    const won = results.filter((result) => result.status === "fulfilled");
    expect(won).toHaveLength(1);
    expect((await me(won[0]!.value.access_token)).status).toBe(200);
  });

  test("lasts ninety days, counted anew at each use", async () => {
    const day = 24 * 60 * 60 * 1000;
    const { refresh: token } = await signedIn();
    const { refresh_token } = await later(89 * day, () => refresh(token));
    const again = await later(178 * day, () => refresh(refresh_token ?? ""));
    await later(269 * day, () =>
      expect(refresh(again.refresh_token ?? "")).rejects.toEqual(refused("invalid_grant")),
    );
  });

  test("is no access token, and an access token refreshes nothing", async () => {
    const tokens = await signedIn();
    expect((await me(tokens.refresh)).status).toBe(401);
    await expect(refresh(tokens.access)).rejects.toEqual(refused("invalid_grant"));
  });
});

describe("revoking", () => {
  test.each(["access", "refresh"] as const)("the %s token ends the whole session", async (which) => {
    const tokens = await signedIn();
    await oauth.tokenRevocation(client, tokens[which]);
    expect((await me(tokens.access)).status).toBe(401);
    await expect(refresh(tokens.refresh)).rejects.toEqual(refused("invalid_grant"));
  });

  test("an unknown token is no error", async () => {
    await oauth.tokenRevocation(client, "fca_unknown");
  });

  test("the device in the browser ends it too; somebody else's device cannot be revoked", async () => {
    const { access } = await signedIn();
    const { body } = await browser.call("/app/account/devices");
    const device = body.items.find(({ kind }: { kind: string }) => kind === "cli");
    expect(device).toMatchObject({ name: "ada's laptop", current: false });
    const path = `/app/account/devices/${device.id}`;
    const stranger = await signedInBrowser(service, await makePerson(service.app.db));
    expect((await stranger.call(path, { method: "DELETE" })).status).toBe(404);
    expect((await me(access)).status).toBe(200);
    expect((await browser.call(path, { method: "DELETE" })).body).toEqual({ id: device.id, revoked: true });
    expect((await me(access)).status).toBe(401);
    expect((await browser.call(path, { method: "DELETE" })).status).toBe(404);
  });
});

describe("the token endpoint", () => {
  const post = (form: string | Record<string, string>, type = "application/x-www-form-urlencoded") =>
    service.call("/oauth/token", {
      method: "POST",
      body: new URLSearchParams(form).toString(),
      headers: { "content-type": type },
    });

  test.each([
    ["another client", { client_id: "evil", grant_type: "refresh_token" }, 401, "invalid_client"],
    [
      "a grant we do not know",
      { client_id: "fettle-cli", grant_type: "password" },
      400,
      "unsupported_grant_type",
    ],
    ["a missing token", { client_id: "fettle-cli", grant_type: "refresh_token" }, 400, "invalid_request"],
    [
      "a made-up token",
      { client_id: "fettle-cli", grant_type: "refresh_token", refresh_token: "fcr_guess" },
      400,
      "invalid_grant",
    ],
  ])("answers %s as RFC 6749 says", async (_, form, status, error) => {
    const answered = await post(form);
    expect(answered).toMatchObject({ status, body: { error, error_description: expect.any(String) } });
    expect(answered.headers.get("cache-control")).toBe("no-store");
  });

  test("refuses a parameter sent twice", async () => {
    const answered = await post("client_id=fettle-cli&grant_type=refresh_token&client_id=evil");
    expect(answered).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  test("takes forms alone", async () => {
    const answered = await post({ client_id: "fettle-cli" }, "application/json");
    expect(answered.status).toBeGreaterThanOrEqual(400);
  });

  test("slows down whoever tries and tries", async () => {
    const answers = await Promise.all(Array.from({ length: 35 }, () => post({ client_id: "evil" })));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  });
});

test("nothing of a login is in the database as it travels", async () => {
  const login = await approved();
  const tokens = await redeem(login);
  const { db } = service.app;
  const rows = JSON.stringify([
    await db.select().from(cliAuthorizations),
    await db.select().from(cliSessions),
    await db.select().from(cliTokens),
  ]);
  const secrets = [
    login.callback.searchParams.get("code"),
    login.verifier,
    tokens.access_token,
    tokens.refresh_token,
  ];
  for (const secret of secrets) expect(rows).not.toContain(secret);
});

test("a command line cannot manage keys, members or devices", async () => {
  const { access } = await signedIn();
  const { body } = await browser.call("/app/organizations", { method: "POST", body: { name: "Acme" } });
  for (const path of [`/app/organizations/${body.id}/keys`, "/app/account/devices"]) {
    expect((await service.call(path, { key: access })).status).toBe(403);
  }
});
