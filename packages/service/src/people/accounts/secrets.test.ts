/** Plants every kind of secret through the real service, then looks for them in everything it wrote. */
import { getTableName, is, sql } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import * as oauth from "openid-client";
import { expect, test } from "vitest";
import { createLog } from "../../core/log/log.ts";
import * as tables from "../../core/tables/accounts.ts";
import { testBrowser } from "../../testing/browser.ts";
import { testService } from "../../testing/service.ts";
import { prepareSetup } from "./setup/setup.ts";
import { createSignInLink } from "./sign-in/sign-in.ts";

test("no secret that people or programs were given is in a row or a log line", async () => {
  let logged = "";
  const write = (line: string) => {
    logged += line;
  };
  await using service = await testService({ log: createLog({ level: "debug", format: "json", write }) });
  const { app } = service;
  const browser = testBrowser(service);
  const post = (path: string, body: object, from = browser) => from.call(path, { method: "POST", body });
  const secrets: Record<string, string> = {};

  secrets.setup = (await prepareSetup(app))!.reveal();
  secrets.password = "canary-password-one";
  const account = { name: "Ada", email: "ada@example.com", organizationName: "Acme" };
  const made = await post("/app/setup", { token: secrets.setup, password: secrets.password, ...account });
  secrets.session = browser.cookies.get("fettle_session")!;
  secrets.device = browser.cookies.get("fettle_device")!;
  const organization = `/app/organizations/${made.body.organizationId}`;

  const key: string = (await post(`${organization}/keys`, { name: "ci" })).body.key;
  secrets.key = key;
  await service.call("/api/v1/me", { key });
  await service.call("/api/v1/me", { key: `${key.slice(0, -1)}x` });
  await service.call(`/api/v1/me?api_key=${key}`, { key });

  const invited = await post(`${organization}/invitations`, { email: "grace@example.com" });
  secrets.invitation = new URL(invited.body.url).hash.replace("#token=", "");
  secrets.secondPassword = "canary-password-two";
  await post("/app/sign-up", { invitationToken: "fin_wrong", name: "Eve", password: secrets.secondPassword });
  const second = { invitationToken: secrets.invitation, name: "Grace", password: secrets.secondPassword };
  expect((await post("/app/sign-up", second, testBrowser(service))).status).toBe(201);

  secrets.link = (await createSignInLink(app, made.body.user.id)).reveal();
  secrets.unusedLink = (await createSignInLink(app, made.body.user.id)).reveal();
  const linked = testBrowser(service);
  await post("/app/sign-in/link", { token: secrets.link }, linked);
  secrets.linkedSession = linked.cookies.get("fettle_session")!;
  await post(
    "/app/sign-in",
    { email: account.email, password: `${secrets.password}!` },
    testBrowser(service),
  );
  secrets.guest = (await post("/app/guest-tokens", {}, testBrowser(service))).body.token;

  Object.assign(secrets, await logIn());

  const rows = await Promise.all(
    Object.values(tables)
      .filter((table) => is(table, PgTable))
      .map((table) => app.db.execute(sql`select * from ${sql.identifier(getTableName(table))}`)),
  );
  const stored = JSON.stringify(rows.map((result) => result.rows));
  expect(stored).toContain(account.email);
  expect(logged).toContain('"route":"signIn"');
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(15);
    expect(stored.includes(secret), `${name} in a row`).toBe(false);
    expect(logged.includes(secret), `${name} in a log line`).toBe(false);
  }

  async function logIn(): Promise<Record<string, string>> {
    const client = await oauth.discovery(new URL(service.url), "fettle-cli", undefined, oauth.None(), {
      algorithm: "oauth2",
      execute: [oauth.allowInsecureRequests],
    });
    const verifier = oauth.randomPKCECodeVerifier();
    const url = oauth.buildAuthorizationUrl(client, {
      redirect_uri: "http://127.0.0.1:49152/callback",
      state: "some-state",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    const asked = await service.call(url.pathname + url.search);
    const requestId = asked.headers.get("location")?.split("request=")[1];
    const approved = await browser.call(`/app/cli/authorizations/${requestId}/approve`, { method: "POST" });
    const callback = new URL(approved.body.redirectUrl);
    const tokens = await oauth.authorizationCodeGrant(client, callback, {
      pkceCodeVerifier: verifier,
      expectedState: "some-state",
    });
    await service.call("/api/v1/me", { key: tokens.access_token });
    return {
      verifier,
      code: callback.searchParams.get("code")!,
      access: tokens.access_token,
      refresh: tokens.refresh_token!,
    };
  }
});
