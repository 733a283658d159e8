/** @module Signing in to a server from the local inspector: against a real authorization server, and against whoever else comes to the callback. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "@fettle/contract/core";
import { startProtectedBookshop } from "@fettle/samples";
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from "vitest";
import { localInspector, type Sent, sendTo } from "../testing/inspector/local-inspector.ts";

const servers = "/api/v1/projects/proj_local/servers";
let local: Awaited<ReturnType<typeof localInspector>>;
beforeAll(async () => {
  local = await localInspector();
});
afterAll(() => local.stop());
afterEach(() => void vi.useRealTimers());

async function atShop(saved: object = {}, options: Parameters<typeof startProtectedBookshop>[0] = {}) {
  const shop = await startProtectedBookshop(options);
  const id = await local.save({
    name: crypto.randomUUID(),
    transportType: "http",
    url: shop.url,
    ...saved,
  });
  const signIn = `/app/projects/proj_local/servers/${id}/sign-in`;
  const walk = async (revision: number | null, run: "stage" | "all") =>
    (await local.say("POST", signIn, { revision, run })).body.signIn as Record<string, unknown>;
  return {
    shop,
    id,
    [Symbol.asyncDispose]: () => shop.close(),
    look: async () => (await local.say("GET", signIn)).body.signIn as Record<string, unknown> | null,
    walk,
    /** As far as the question to the person, and what their browser would come back to. */
    async agree() {
      const waiting = await walk(null, "all");
      const question = new URL(String(waiting.authorizationUrl));
      const callback = String(question.searchParams.get("redirect_uri"));
      return { waiting, callback, answer: await shop.agree(question.href, callback) };
    },
    callTool: () =>
      local.say("POST", `${servers}/${id}/tools/call`, {
        toolName: "search_books",
        parameters: { query: "swallows" },
      }),
  };
}

const goBack = (address: string | URL, { headers, ...more }: Sent = {}) =>
  sendTo(address, { ...more, headers: { host: new URL(address).host, ...headers } });
const changed = (address: URL, edit: (query: URLSearchParams) => void) => {
  const other = new URL(address);
  edit(other.searchParams);
  return other;
};

describe("a server that wants a sign-in", () => {
  it("is signed in to by its steps, and stays so over a restart, with nothing to be read in the files", async () => {
    await using person = await atShop();
    expect((await person.callTool()).body.code).toBe("OAUTH_REQUIRED");
    expect(await person.look()).toBeNull();
    expect(await person.walk(null, "stage")).toMatchObject({ state: "open", revision: 1 });
    const { waiting, callback, answer } = await person.agree();
    expect(waiting).toMatchObject({ state: "awaiting_person", issuer: person.shop.issuer });
    const { url, state } = local.running();
    // A listener of its own, beside the pages' and the widgets'.
    expect([url, state.sandboxUrl].map((each) => new URL(each).port)).not.toContain(new URL(callback).port);
    const back = await goBack(answer);
    expect([back.status, back.headers.location]).toEqual([
      303,
      `${url}/p/proj_local/servers/${person.id}/auth`,
    ]);
    expect(back.headers["content-security-policy"]).toMatch(/^default-src 'none'/);
    expect(await person.look()).toMatchObject({ state: "signed_in" });
    expect((await person.callTool()).status).toBe(200);
    await local.restart();
    expect((await person.callTool()).status).toBe(200);
    const credentials = () => readFileSync(join(local.home, "inspector", "credentials.json"), "utf8");
    expect(credentials()).not.toMatch(/access_?token|eyJ[\w-]+\.eyJ/);
    await local.say("DELETE", `${servers}/${person.id}`);
    expect(credentials()).not.toContain(person.id);
  });

  it("gets the header that was set for it, and no other, also where it refuses that", async () => {
    await using person = await atShop({ headers: { authorization: "Bearer wrong" } });
    expect((await person.callTool()).body).toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "CREDENTIAL_REFUSED" },
    });
    expect(await person.look()).toBeNull();
  });

  test.each(["no-iss", "other-iss"])(
    "is not signed in to with an answer of %s, and says so",
    async (broken) => {
      await using person = await atShop({}, { broken });
      const { answer } = await person.agree();
      expect((await goBack(answer)).status).toBe(303);
      expect(await person.look()).toMatchObject({
        state: "failed",
        failure: { message: expect.stringContaining("issuer") },
      });
      expect((await person.callTool()).body.code).toBe("OAUTH_REQUIRED");
    },
  );

  it("has a denied consent told where the person comes back to", async () => {
    await using person = await atShop();
    const { answer } = await person.agree();
    const denied = changed(answer, (query) => {
      query.delete("code");
      query.set("error", "access_denied");
    });
    expect((await goBack(denied)).status).toBe(303);
    expect(await person.look()).toMatchObject({
      state: "failed",
      failure: { message: expect.stringContaining("access_denied") },
    });
  });
});

describe("the callback's own listener", () => {
  const hostile: [string, (answer: URL) => ReturnType<typeof goBack>, number][] = [
    [
      "a state that was guessed",
      (answer) => goBack(changed(answer, (q) => q.set("state", "x".repeat(43)))),
      400,
    ],
    ["a shorter state", (answer) => goBack(changed(answer, (q) => q.set("state", "x"))), 400],
    ["no state", (answer) => goBack(changed(answer, (q) => q.delete("state"))), 400],
    ["an empty state", (answer) => goBack(changed(answer, (q) => q.set("state", ""))), 400],
    ["a second state", (answer) => goBack(changed(answer, (q) => q.append("state", "other"))), 400],
    ["a second code", (answer) => goBack(changed(answer, (q) => q.append("code", "other"))), 400],
    ["another name", (answer) => goBack(answer, { headers: { host: "evil.example" } }), 421],
    ["another name and our port", (a) => goBack(a, { headers: { host: `evil.example:${a.port}` } }), 421],
    ["the name localhost", (a) => goBack(a, { headers: { host: `localhost:${a.port}` } }), 421],
    ["a POST", (answer) => goBack(answer, { method: "POST" }), 404],
    ["a HEAD", (answer) => goBack(answer, { method: "HEAD" }), 404],
    ["OPTIONS", (answer) => goBack(answer, { method: "OPTIONS" }), 404],
    ["a picture of another site", (a) => goBack(a, { headers: { "sec-fetch-dest": "image" } }), 403],
    ["a frame of another site", (a) => goBack(a, { headers: { "sec-fetch-dest": "iframe" } }), 403],
    ["a script of another site", (a) => goBack(a, { headers: { "sec-fetch-dest": "empty" } }), 403],
  ];
  test.each(hostile)(
    "turns away %s, and the right answer still comes after it",
    async (_who, come, status) => {
      await using person = await atShop();
      const { answer } = await person.agree();
      const refused = await come(answer);
      expect([refused.status, refused.headers.location]).toEqual([status, undefined]);
      expect(await person.look()).toMatchObject({ state: "awaiting_person" });
      expect((await goBack(answer)).status).toBe(303);
      expect(await person.look()).toMatchObject({ state: "signed_in" });
    },
  );

  it("takes an answer once, also when it comes twice at once", async () => {
    await using person = await atShop();
    const { answer } = await person.agree();
    const both = await Promise.all([goBack(answer), goBack(answer)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 400]);
    expect((await goBack(answer)).status).toBe(400);
    expect(await person.look()).toMatchObject({ state: "signed_in" });
  });

  it("waits for nobody who began too long ago, began anew, or whose server has moved or gone", async () => {
    await using person = await atShop();
    const late = await person.agree();
    vi.useFakeTimers({ now: Date.now() + limits.connections.lifetimeMs + 1, toFake: ["Date"] });
    expect((await goBack(late.answer)).status).toBe(400);
    vi.useRealTimers();
    const { answer: forgotten } = await person.agree();
    const { answer: moved } = await person.agree();
    expect((await goBack(forgotten)).status).toBe(400);
    await local.say("PATCH", `${servers}/${person.id}`, { url: "http://127.0.0.1:9/mcp" });
    expect((await goBack(moved)).status).toBe(400);
    await local.say("PATCH", `${servers}/${person.id}`, { url: person.shop.url });
    const { answer: gone } = await person.agree();
    await local.say("DELETE", `${servers}/${person.id}`);
    expect((await goBack(gone)).status).toBe(400);
  });

  it("serves nothing else, whoever asks, and the pages' listener takes no answer", async () => {
    await using person = await atShop();
    const { callback, answer } = await person.agree();
    for (const path of ["/", "/health", "/api/status", "/oauth/callback/", "/oauth", "//oauth/callback"]) {
      const asked = await goBack(new URL(callback).origin + path, { headers: local.credential() });
      expect([path, asked.status]).toEqual([path, 404]);
      expect(asked.headers["content-type"]).toMatch(/^text\/plain/);
    }
    const elsewhere = new URL(`${answer.pathname}${answer.search}`, local.running().url);
    const page = await goBack(elsewhere, { headers: { "sec-fetch-mode": "navigate" } });
    expect(page.headers.location).toBeUndefined();
    const handed = await local.say(
      "POST",
      "/app/server-connections/authorized",
      Object.fromEntries(answer.searchParams),
    );
    expect(handed.body.code).toBe("FEATURE_NOT_SUPPORTED");
    expect(await person.look()).toMatchObject({ state: "awaiting_person" });
  });
});
