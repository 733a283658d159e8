import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBrowser } from "../../../testing/browser.ts";
import { makePerson } from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { type TestProvider, testProvider } from "./testing-provider.ts";

let provider: TestProvider;
let service: TestService;
beforeAll(async () => {
  provider = await testProvider();
  service = await testService({
    env: {
      FETTLE_OIDC_ISSUER: provider.issuer,
      FETTLE_OIDC_CLIENT_ID: "fettle",
      FETTLE_OIDC_CLIENT_SECRET: "a-client-secret",
      FETTLE_OIDC_DOMAINS: "corp.example",
    },
  });
  await makePerson(service.app.db);
  provider.register({
    clientId: "fettle",
    clientSecret: "a-client-secret",
    redirectUri: `${service.url}/app/sign-in/oidc/oidc/callback`,
  });
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** Sends JSON without end, as fast as it is read, and counts. */
function endless(): { listener: RequestListener; sent: () => number; ended: Promise<void> } {
  let sent = 0;
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const chunk = Buffer.alloc(64 * 1024, " ");
  const listener: RequestListener = (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.on("drain", more);
    response.on("close", () => resolve());
    more();
  };
  return { listener, sent: () => sent, ended };
}

const start = (from = testBrowser(service)) =>
  from.call("/app/sign-in/oidc", { method: "POST", body: { providerId: "oidc" } });

/** What is in the sockets' buffers of two ends counts as sent. */
const atMost = 16 * 1024 * 1024;

test("a discovery document without end is given up, and asked for again at the next sign-in", async () => {
  const { listener, sent, ended } = endless();
  provider.instead.set("/.well-known/openid-configuration", listener);
  expect(await start()).toMatchObject({ status: 502, body: { code: "SERVER_UNREACHABLE" } });
  await ended;
  expect(sent()).toBeLessThan(atMost);
  provider.instead.clear();
  expect((await start()).status).toBe(200);
});

test.each(["/jwks", "/token", "/me"])("an answer without end at %s is given up", async (path) => {
  const { listener, sent, ended } = endless();
  provider.instead.set(path, listener);
  provider.people.set("ada", { email: "ada@corp.example", email_verified: true });
  const browser = testBrowser(service);
  const { body } = await start(browser);
  const back = await provider.signIn(body.url, "ada");
  const answer = await browser.call(back.pathname + back.search);
  expect(answer.headers.get("location")).toBe("/login?error=provider_failed");
  await ended;
  expect(sent()).toBeLessThan(atMost);
  provider.instead.clear();
});
