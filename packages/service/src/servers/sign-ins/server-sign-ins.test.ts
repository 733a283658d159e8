/** @module Watched sign-ins against a real authorization server: stage by stage, by whom, what is kept, and what never is. */
import { startBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedInBrowser } from "../../testing/browser.ts";
import { connectingPerson } from "../../testing/connecting.ts";
import { makeMember } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let clock = 0;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  service = await testService({ now: () => Date.now() + clock });
  stack.defer(() => service.close());
});
afterAll(() => stack.disposeAsync());

async function protectedShop(options?: Parameters<typeof startProtectedBookshop>[0]) {
  const shop = await startProtectedBookshop(options);
  stack.defer(() => shop.close());
  return shop;
}

/** A person before the pages of one saved server. */
async function atServer(saved: object) {
  const person = await connectingPerson(service);
  const { projectId, key, browser } = person;
  const body = { name: "Shop", transportType: "http", ...saved };
  const { body: server } = await service.call(`/api/v1/projects/${projectId}/servers`, {
    method: "POST",
    key,
    body,
  });
  const path = `/app/projects/${projectId}/servers/${server.id}/sign-in`;
  return {
    ...person,
    server,
    path,
    look: async () => (await browser.call(path)).body.signIn,
    walk: (revision: number | null, run: "stage" | "all" = "stage") =>
      browser.call(path, { method: "POST", body: { revision, run } }),
    callTool: () =>
      service.call(`/api/v1/projects/${projectId}/servers/${server.id}/tools/call`, {
        method: "POST",
        key,
        body: { toolName: "search_books", parameters: { query: "swallows" } },
      }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON, as in every test of the service
const stages = (signIn: any) => signIn.stages.map((stage: any) => `${stage.id} ${stage.status}`);

describe("a watched sign-in", () => {
  it("goes stage by stage to a token the server takes, showing every request and no secret", async () => {
    const shop = await protectedShop();
    const person = await atServer({ url: shop.url });
    expect(await person.look()).toBeNull();
    let { body } = await person.walk(null);
    expect(stages(body.signIn).slice(0, 2)).toEqual(["challenge passed", "resource waiting"]);
    expect(body.signIn.stages[0].verdicts).toMatchObject([
      {
        id: "oauth_unauthenticated_challenge",
        status: "passed",
        rule: { word: "MUST", url: "https://www.rfc-editor.org/rfc/rfc6750#section-3" },
      },
    ]);
    expect(body.signIn.stages[0].steps[0].exchanges[0]).toMatchObject({ method: "POST", status: 401 });
    for (const stage of ["resource", "issuer", "registration"]) {
      ({ body } = await person.walk(body.signIn.revision));
      expect(stages(body.signIn)).toContain(`${stage} passed`);
    }
    ({ body } = await person.walk(body.signIn.revision));
    expect(body.signIn).toMatchObject({
      state: "awaiting_person",
      issuer: shop.issuer,
      registration: "dcr",
      scopes: expect.arrayContaining(["books:read"]),
    });
    expect(stages(body.signIn)).toContain("consent begun");
    expect((await person.callTool()).status).not.toBe(200);

    const redirectUri = `${service.url}/oauth/callback`;
    const answer = await shop.agree(body.signIn.authorizationUrl, redirectUri);
    const back = await person.comeBack(answer);
    expect(back.body).toEqual({ server: { projectId: person.projectId, serverId: person.server.id } });
    expect((await person.comeBack(answer)).status).toBe(404);
    let signIn = await person.look();
    expect(stages(signIn)).toEqual(expect.arrayContaining(["consent passed", "token waiting"]));
    signIn = (await person.walk(signIn.revision)).body.signIn;
    expect(stages(signIn)).toContain("token passed");
    signIn = (await person.walk(signIn.revision)).body.signIn;
    expect(signIn).toMatchObject({ state: "signed_in", authorizationUrl: null });
    expect(new Set(signIn.stages.map(({ status }: { status: string }) => status))).toEqual(
      new Set(["passed"]),
    );
    expect((await person.callTool()).status).toBe(200);

    const code = answer.searchParams.get("code")!;
    expect(JSON.stringify(signIn)).not.toContain(code);
    const token = signIn.stages.find(({ id }: { id: string }) => id === "token");
    expect(token.steps[0].exchanges[0].requestBody).toContain("grant_type=authorization_code");
    const { rows } = await service.app.pool.query("SELECT * FROM server_sign_ins WHERE server_id = $1", [
      person.server.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(rows)).not.toContain(answer.searchParams.get("state")!);
  });

  it("run to the end waits for the person once, and goes on by itself when they are back", async () => {
    const shop = await protectedShop();
    const person = await atServer({ url: shop.url });
    const { body } = await person.walk(null, "all");
    expect(body.signIn.state).toBe("awaiting_person");
    await person.comeBack(await shop.agree(body.signIn.authorizationUrl, `${service.url}/oauth/callback`));
    expect((await person.look()).state).toBe("signed_in");
    expect((await person.callTool()).status).toBe(200);
    // Beginning anew forgets how the last one went, and keeps what it gave.
    expect((await person.walk(null)).body.signIn.state).toBe("open");
    expect((await person.callTool()).status).toBe(200);
  });

  it("of two who take the same step one does, and an answer works for nobody else", async () => {
    const shop = await protectedShop();
    const person = await atServer({ url: shop.url });
    const { body } = await person.walk(null);
    const both = await Promise.all([person.walk(body.signIn.revision), person.walk(body.signIn.revision)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.body.details).toMatchObject({ code: "SIGN_IN_MOVED" });

    const other = await signedInBrowser(
      service,
      await makeMember(service.app.db, person.organization, "member"),
    );
    expect((await other.call(person.path)).body).toEqual({ signIn: null });
    const waiting = (await person.walk((await person.look()).revision, "all")).body.signIn;
    const answer = await shop.agree(waiting.authorizationUrl, `${service.url}/oauth/callback`);
    const stolen = await other.call("/app/server-connections/authorized", {
      method: "POST",
      body: Object.fromEntries(answer.searchParams),
    });
    expect(stolen.status).toBe(404);
    await person.comeBack(answer);
    expect((await person.look()).state).toBe("signed_in");
  });

  it("says at which step a broken server breaks off, by which rule, and may be tried again", async () => {
    const shop = await protectedShop({ broken: "wrong-issuer" });
    const person = await atServer({ url: shop.url });
    const { body } = await person.walk(null, "all");
    expect(body.signIn).toMatchObject({
      state: "failed",
      failure: { message: expect.stringContaining("issuer") },
    });
    expect(stages(body.signIn)).toContain("issuer failed");
    const again = await person.walk(body.signIn.revision, "all");
    expect(again.body.signIn.state).toBe("failed");
    expect(again.body.signIn.stages[0]).toEqual(body.signIn.stages[0]);
  });

  it("ends when consent is denied, in the authorization server's words", async () => {
    const shop = await protectedShop();
    const person = await atServer({ url: shop.url });
    const { signIn } = (await person.walk(null, "all")).body;
    const denied = new URL(`${service.url}/oauth/callback`);
    const { searchParams } = new URL(signIn.authorizationUrl);
    denied.search = new URLSearchParams({
      error: "access_denied",
      state: searchParams.get("state")!,
      iss: shop.issuer,
    }).toString();
    await person.comeBack(denied);
    const refused = await person.look();
    expect(refused).toMatchObject({
      state: "failed",
      failure: { message: expect.stringContaining("access_denied") },
    });
    // Whoever changes their mind is asked anew, as the same client.
    const again = (await person.walk(refused.revision, "all")).body.signIn;
    expect(again).toMatchObject({ state: "awaiting_person", clientId: signIn.clientId });
    await person.comeBack(await shop.agree(again.authorizationUrl, `${service.url}/oauth/callback`));
    expect((await person.look()).state).toBe("signed_in");
  });

  it("shows the issuer before a client secret that nobody has used is said to be its own", async () => {
    const shop = await protectedShop();
    const { clientId, clientSecret } = shop.registeredClient;
    const person = await atServer({ url: shop.url, useOAuth: true, clientId, clientSecret });
    const seen = (await person.walk(null, "all")).body.signIn;
    expect(seen).toMatchObject({ state: "open", issuer: shop.issuer, claimsClientSecret: true });
    expect(stages(seen)).toContain("registration waiting");
    const { signIn } = (await person.walk(seen.revision, "all")).body;
    expect(signIn).toMatchObject({ state: "awaiting_person", registration: "preregistered", clientId });
    expect(JSON.stringify(signIn)).not.toContain(clientSecret);
  });

  it("is over after an hour, and when its server moves", async () => {
    const shop = await protectedShop();
    const person = await atServer({ url: shop.url });
    const { signIn } = (await person.walk(null, "all")).body;
    clock = 61 * 60_000;
    expect(await person.look()).toMatchObject({ state: "expired", authorizationUrl: null });
    expect((await person.walk(signIn.revision)).status).toBe(409);
    clock = 0;
    const moved = await service.call(`/api/v1/projects/${person.projectId}/servers/${person.server.id}`, {
      method: "PATCH",
      key: person.key,
      body: { url: "https://elsewhere.example/mcp" },
    });
    expect(moved.status).toBe(200);
    expect(await person.look()).toBeNull();
  });

  it("tells what asks for no token, and what runs a command", async () => {
    const open = await startBookshop();
    stack.defer(() => open.close());
    const person = await atServer({ url: open.url });
    const { status, body } = await person.walk(null, "all");
    expect(status, JSON.stringify(body)).toBe(200);
    const { signIn } = body;
    expect(signIn.state).toBe("failed");
    expect(signIn.stages[0].steps[0].summary).toContain("asks for none");
    const local = await atServer({ name: "Local", transportType: "stdio", command: "node" });
    expect((await local.walk(null)).body).toMatchObject({
      code: "FEATURE_NOT_SUPPORTED",
      details: { code: "UNSUPPORTED_AUTH_METHOD" },
    });
  });
});
