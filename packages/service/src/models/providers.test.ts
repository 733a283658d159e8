import type { OrganizationId, UserId } from "@fettle/contract/core";
import type { Model, ModelRequest } from "@fettle/evals";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../../../evals/src/models/testing/model-server.ts";
import { createLog } from "../core/log/log.ts";
import { signedInBrowser, type TestBrowser } from "../testing/browser.ts";
import { makeKey, makeMember, makeOrganization } from "../testing/people.ts";
import { spellings } from "../testing/repeating-server.ts";
import { type TestService, testService } from "../testing/service.ts";
import { openModel } from "./open-model.ts";

const operatorKey = "sk-operator-canary-1111";
const organizationKey = "sk-organization-canary-2222";
const launchKey = "sk-launch-canary-3333";

let service: TestService;
let provider: ModelServer;
let logged = "";
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  provider = stack.use(await startModelServer());
  for (const key of [operatorKey, organizationKey, launchKey]) provider.keys.add(key);
  service = await testService({
    log: createLog({ level: "debug", format: "json", write: (line) => (logged += line) }),
    env: { OPENAI_API_KEY: operatorKey, OPENAI_BASE_URL: `${provider.origin}/v1` },
  });
  stack.defer(() => service.close());
});
afterAll(() => stack.disposeAsync());

interface Admin {
  organizationId: OrganizationId;
  userId: UserId;
  browser: TestBrowser;
  call(method: string, path: string, body?: object): ReturnType<TestBrowser["call"]>;
  open(name: string, oneTimeKeys?: Record<string, string>): Promise<Model>;
}

/** Of an organization of their own. */
async function makeAdmin(in_ = service): Promise<Admin> {
  const organizationId = await makeOrganization(in_.app.db);
  const userId = await makeMember(in_.app.db, organizationId, "admin");
  const browser = await signedInBrowser(in_, userId);
  return {
    organizationId,
    userId,
    browser,
    call: (method, path, body) =>
      browser.call(`/app/organizations/${organizationId}${path}`, { method, ...(body && { body }) }),
    open: (name, oneTimeKeys) =>
      openModel(in_.app, {
        organizationId,
        projectId: null,
        name,
        source: { kind: "evalRun", id: "run_1" },
        ...(oneTimeKeys && { oneTimeKeys }),
      }),
  };
}

const request: ModelRequest = {
  messages: [{ role: "user", text: "Hello" }],
  tools: [],
  toolChoice: "none",
  parameters: {},
  now: 0,
  position: { prompt: 0, step: 0 },
};
const ask = (model: Model) => model.generate(request, { signal: new AbortController().signal });
const keyOfLastCall = () => provider.requests.at(-1)?.headers.authorization;

test("the launch's key comes before the organization's, that before the operator's, and a removed one is not used again", async () => {
  const admin = await makeAdmin();
  const model = await admin.open("openai/gpt-test");
  await ask(model);
  expect(keyOfLastCall()).toBe(`Bearer ${operatorKey}`);

  const own = { apiKey: organizationKey, baseUrl: `${provider.origin}/v1` };
  expect((await admin.call("PUT", "/model-providers/openai", own)).status).toBe(200);
  await ask(model);
  expect(keyOfLastCall(), "a model that was open before").toBe(`Bearer ${organizationKey}`);

  await ask(await admin.open("openai/gpt-test", { openai: launchKey }));
  expect(keyOfLastCall()).toBe(`Bearer ${launchKey}`);

  expect((await admin.call("DELETE", "/model-providers/openai")).status).toBe(200);
  await ask(model);
  expect(keyOfLastCall()).toBe(`Bearer ${operatorKey}`);
  expect((await admin.call("DELETE", "/model-providers/openai")).status).toBe(404);
});

test("a custom provider that is removed cannot be called, by a model that was open before either", async () => {
  const admin = await makeAdmin();
  await admin.call("PUT", "/model-providers/custom:mine", {
    baseUrl: `${provider.origin}/v1`,
    apiKey: organizationKey,
  });
  const model = await admin.open("custom:mine:m");
  await ask(model);
  await admin.call("DELETE", "/model-providers/custom:mine");
  const before = provider.requests.length;
  await expect(ask(model)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE" });
  expect(provider.requests).toHaveLength(before);
});

test("one organization's key is nobody else's", async () => {
  const [ours, theirs] = [await makeAdmin(), await makeAdmin()];
  await ours.call("PUT", "/model-providers/custom:mine", {
    baseUrl: `${provider.origin}/v1`,
    apiKey: organizationKey,
  });
  await expect(theirs.open("custom:mine:m")).rejects.toMatchObject({ status: 400 });
  const listed = await theirs.call("GET", "/model-providers");
  expect(JSON.stringify(listed.body)).not.toContain("custom:mine");
  const seen = await service.call(`/api/v1/models?organizationId=${ours.organizationId}`, {
    key: await makeKey(service.app.db, theirs.organizationId, theirs.userId),
  });
  expect(seen.status).toBe(404);
});

test.each([
  ["a name that no provider has", { acme: "k" }],
  ["a custom provider that nobody set up", { "custom:constructor": "k" }],
])("a launch's key under %s is refused rather than left unused", async (_, keys) => {
  const admin = await makeAdmin();
  await expect(admin.open("openai/gpt-test", keys)).rejects.toMatchObject({ status: 400 });
});

const elsewhere = "http://127.0.0.1:9/v1";
test.each([
  ["another port", elsewhere, true],
  ["the usual address", null, true],
  ["another path", "/v2", false],
])("moved to %s, a key goes along only inside its origin", async (_, to, isDropped) => {
  const admin = await makeAdmin();
  const at = "/model-providers/anthropic";
  await admin.call("PUT", at, { baseUrl: `${provider.origin}/v1`, apiKey: organizationKey });
  const baseUrl = to === "/v2" ? provider.origin + to : to;
  const moved = await admin.call("PUT", at, { baseUrl });
  expect(moved.body).toMatchObject({
    credentialsDropped: isDropped ? ["apiKey"] : [],
    available: !isDropped,
    key: isDropped ? null : { lastFour: "2222" },
  });
});

test("a key that was moved to another address behind our back is not opened there", async () => {
  const admin = await makeAdmin();
  await admin.call("PUT", "/model-providers/custom:mine", {
    baseUrl: `${provider.origin}/v1`,
    apiKey: organizationKey,
  });
  await service.app.pool.query("UPDATE model_providers SET base_url = $1 WHERE organization_id = $2", [
    elsewhere,
    admin.organizationId,
  ]);
  await expect(admin.open("custom:mine:m")).rejects.toMatchObject({ details: { code: "MODEL_UNAVAILABLE" } });
  await service.app.pool.query("UPDATE model_providers SET key_origin = $1 WHERE organization_id = $2", [
    new URL(elsewhere).origin,
    admin.organizationId,
  ]);
  await expect(admin.open("custom:mine:m")).rejects.toMatchObject({ details: { code: "MODEL_UNAVAILABLE" } });
});

test("the operator's key never goes to an address that an organization typed", async () => {
  const admin = await makeAdmin();
  const set = await admin.call("PUT", "/model-providers/openai", { baseUrl: `${provider.origin}/theirs` });
  expect(set.body).toMatchObject({ source: "organization", available: false });
  await expect(admin.open("openai/gpt-test")).rejects.toMatchObject({ status: 400 });
});

/** What is refused when it is typed, and what only when it is called because a name says nothing of where it leads. */
const forbidden: [address: string, when: "typed" | "called"][] = [
  ["http://169.254.169.254/latest", "typed"],
  ["http://[fd00:ec2::254]/v1", "typed"],
  ["http://127.0.0.1:9/v1", "typed"],
  ["http://2130706433/v1", "typed"],
  ["http://0x7f.1/v1", "typed"],
  ["http://[::ffff:127.0.0.1]/v1", "typed"],
  ["http://10.0.0.1/v1", "typed"],
  ["http://192.168.1.1/v1", "typed"],
  ["http://0.0.0.0/v1", "typed"],
  ["http://user:secret@example.com/v1", "typed"],
  ["https://example.com/v1?key=secret", "typed"],
  ["file:///etc/passwd", "typed"],
  ["gopher://example.com/", "typed"],
  ["not an address", "typed"],
  ["http://localhost/v1", "called"],
];

test("a hosted service does not let an organization's address lead into its own network", async () => {
  await using hosted = await testService({ env: { FETTLE_MODE: "hosted" } });
  const admin = await makeAdmin(hosted);
  for (const [baseUrl, when] of forbidden) {
    const saved = await admin.call("PUT", "/model-providers/custom:mine", {
      baseUrl,
      apiKey: organizationKey,
    });
    if (when === "typed") {
      expect(saved.status, baseUrl).toBe(400);
      expect(saved.body.details.path).toBe("body.baseUrl");
      continue;
    }
    expect(saved.status, baseUrl).toBe(200);
    const tried = await admin.call("POST", "/model-providers/custom:mine/test", { model: "m" });
    expect(tried.body, baseUrl).toMatchObject({ ok: false, code: "MODEL_CONFIGURATION_INVALID" });
  }
});

test("a provider that sends the caller elsewhere is not followed with the key", async () => {
  const admin = await makeAdmin();
  await using trap = await startModelServer();
  provider.will({ kind: "status", status: 307, headers: { location: `${trap.origin}/v1/chat/completions` } });
  await admin.call("PUT", "/model-providers/custom:mine", {
    baseUrl: `${provider.origin}/v1`,
    apiKey: organizationKey,
  });
  const tried = await admin.call("POST", "/model-providers/custom:mine/test", { model: "m" });
  expect(tried.body).toMatchObject({ ok: false });
  expect(trap.requests).toEqual([]);
});

test.each(["openai", "anthropic", "google", "custom:mine"])(
  "%s can be tried, and tells what is wrong",
  async (name) => {
    const admin = await makeAdmin();
    const at = `/model-providers/${name}`;
    const baseUrl = name === "google" ? `${provider.origin}/v1beta` : `${provider.origin}/v1`;
    await admin.call("PUT", at, { baseUrl, apiKey: organizationKey });
    expect((await admin.call("POST", `${at}/test`, { model: "m" })).body).toMatchObject({
      ok: true,
      text: "done",
    });
    await admin.call("PUT", at, { baseUrl, apiKey: "sk-wrong-canary-4444" });
    const refused = await admin.call("POST", `${at}/test`, { model: "m" });
    expect(refused.body).toMatchObject({ ok: false, code: "MODEL_KEY_REFUSED", status: 401 });
    await admin.call("PUT", at, { baseUrl: elsewhere, apiKey: organizationKey });
    const unreached = await admin.call("POST", `${at}/test`, { model: "m" });
    expect(unreached.body).toMatchObject({ ok: false, code: "MODEL_CONNECTION" });
  },
);

test("a key that is told to wait is waited for by everyone who uses it, and nobody else", async () => {
  const [ours, theirs] = [await makeAdmin(), await makeAdmin()];
  for (const [admin, apiKey] of [
    [ours, organizationKey],
    [theirs, launchKey],
  ] as const) {
    await admin.call("PUT", "/model-providers/custom:waits", { baseUrl: `${provider.origin}/v1`, apiKey });
  }
  provider.will({ kind: "status", status: 429, headers: { "retry-after-ms": "1500" } });
  const first = provider.requests.length;
  const told = ask(await ours.open("custom:waits:m"));
  await expect.poll(() => provider.requests.length).toBe(first + 1);
  const more = ask(await ours.open("custom:waits:m"));
  await ask(await theirs.open("custom:waits:m"));
  await Promise.all([told, more]);
  const keys = provider.requests.slice(first).map(({ headers }) => headers.authorization);
  expect(keys).toEqual(
    [organizationKey, launchKey, organizationKey, organizationKey].map((key) => `Bearer ${key}`),
  );
});

test("members see the state of providers and change nothing; keys of the API see neither", async () => {
  const admin = await makeAdmin();
  const member = await makeMember(service.app.db, admin.organizationId, "member");
  const browser = await signedInBrowser(service, member);
  const at = `/app/organizations/${admin.organizationId}/model-providers`;
  expect((await browser.call(at)).status).toBe(200);
  expect((await browser.call(`${at}/openai`, { method: "PUT", body: { apiKey: "k" } })).status).toBe(403);
  const key = await makeKey(service.app.db, admin.organizationId, admin.userId);
  expect((await service.call(at, { key })).status).toBe(403);
});

test("models are listed with what is known of them, the organization's for its own people", async () => {
  const admin = await makeAdmin();
  const price = { inputPerMTok: 0.4, outputPerMTok: 1.6 };
  await admin.call("PUT", "/model-providers/custom:mine", {
    baseUrl: `${provider.origin}/v1`,
    models: [{ model: "small", price }, { model: "large" }],
  });
  await admin.call("PUT", "/model-providers/mistral", { models: [{ model: "tiny" }] });
  const key = await makeKey(service.app.db, admin.organizationId, admin.userId);
  const { status, body } = await service.call("/api/v1/models", { key });
  expect(status).toBe(200);
  // The catalog's own models come after those that somebody wrote down.
  expect(body.items.slice(0, 4)).toMatchObject([
    {
      id: "fettle/rules-1",
      deterministic: true,
      available: true,
      source: "builtin",
      capabilities: { tools: true },
    },
    { id: "custom:mine:large", provider: "custom:mine", available: true, source: "organization" },
    { id: "custom:mine:small", name: "small", price },
    { id: "mistral/tiny", available: false, unavailableReason: "it has no key" },
  ]);
  expect(body.items[1]).not.toHaveProperty("price");
  expect(body.providers).toContainEqual({ provider: "openai", source: "env", available: true });
  const anyone = await admin.browser.call("/api/v1/models");
  expect(idsIn(anyone.body).filter((id) => !id.startsWith("openai/"))).toEqual(["fettle/rules-1"]);
});

const idsIn = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);

test("known models are listed where their provider can be used, each once, whoever named it", async () => {
  const admin = await makeAdmin();
  const key = await makeKey(service.app.db, admin.organizationId, admin.userId);
  const listed = async () => (await service.call("/api/v1/models", { key })).body;
  expect(idsIn(await listed()).filter((id) => id.startsWith("anthropic/"))).toEqual([]);
  const price = { inputPerMTok: 7, outputPerMTok: 8 };
  await admin.call("PUT", "/model-providers/anthropic", {
    apiKey: "sk-test",
    models: [{ model: "claude-haiku-4.5", price }],
  });
  const { items } = await listed();
  const haiku = items.filter(({ id }: { id: string }) => /haiku-4[.-]5/.test(id));
  expect(haiku).toMatchObject([{ id: "anthropic/claude-haiku-4.5", contextTokens: 200_000, price }]);
  expect(items).toContainEqual(
    expect.objectContaining({
      id: "anthropic/claude-opus-5-5",
      refuses: ["temperature", "forced tool calls"],
      price: { inputPerMTok: 4, outputPerMTok: 20, cachedInputPerMTok: 0.2, cacheWritePerMTok: 5 },
      available: true,
    }),
  );
});

test("no key is in an answer, a row, an error or a log line, in any of its spellings", async () => {
  const canary = 'sk-proj-canary"/9+x=Zq81';
  const admin = await makeAdmin();
  const told: Record<string, unknown> = {};
  const note = async (what: string, answer: Promise<{ body: unknown }>) => {
    told[what] = (await answer).body;
  };
  const settings = { baseUrl: `${provider.origin}/v1`, apiKey: canary };
  for (const name of ["openai", "anthropic", "custom:mine"]) {
    await note(`set ${name}`, admin.call("PUT", `/model-providers/${name}`, settings));
    // Refused with the key quoted.
    await note(`test ${name}`, admin.call("POST", `/model-providers/${name}/test`, { model: "m" }));
  }
  await note("refused", admin.call("PUT", "/model-providers/openai", { ...settings, baseUrl: "file:///x" }));
  await note(
    "too much",
    admin.call("PUT", "/model-providers/openai", { ...settings, more: canary.slice(0, 3) }),
  );
  await note("moved", admin.call("PUT", "/model-providers/openai", { baseUrl: elsewhere }));
  await note("list", admin.call("GET", "/model-providers"));
  await note("models", admin.browser.call(`/api/v1/models?organizationId=${admin.organizationId}`));
  const brought = await admin
    .open("openai/m", { openai: canary })
    .then(ask)
    .catch((error: unknown) => error);
  const failed = await admin
    .open("custom:mine:m")
    .then(ask)
    .catch((error: unknown) => error);
  for (const [what, error] of Object.entries({ brought, failed })) {
    expect(error).toBeInstanceOf(Error);
    told[what] = [
      String(error),
      JSON.stringify(error),
      (error as Error).stack,
      String((error as Error).cause),
    ];
  }
  const { rows: tables } = await service.app.pool.query(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  for (const { name } of tables) {
    told[`rows of ${name}`] = JSON.stringify((await service.app.pool.query(`SELECT * FROM "${name}"`)).rows);
  }
  told.log = logged;
  expect(JSON.stringify(told["test openai"])).toContain("401");
  for (const [where, what] of Object.entries(told)) {
    const text = typeof what === "string" ? what : JSON.stringify(what);
    for (const spell of Object.values(spellings)) {
      expect(text.includes(spell(canary)), where).toBe(false);
      expect(text.includes(JSON.stringify(spell(canary)).slice(1, -1)), where).toBe(false);
    }
  }
  expect(told.list).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ key: expect.objectContaining({ lastFour: "Zq81" }) }),
    ]),
  });
});
