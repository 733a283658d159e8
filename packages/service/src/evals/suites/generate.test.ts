import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
let key: string;
let projects: Record<"here" | "apart", string>;
const stack = new AsyncDisposableStack();
let shopUrl: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  stack.defer(() => service.close());
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  key = await makeKey(db, organization, await makeMember(db, organization, "admin"));
  const [here, apart] = [await makeProject(db, organization), await makeProject(db, organization)];
  service.app.serverThreads.move(apart);
  projects = { here, apart };
  const shop = await startBookshop();
  stack.defer(() => shop.close());
  shopUrl = shop.url;
});
afterAll(() => stack.disposeAsync());

let made = 0;
async function makeSuite(project: string, url = shopUrl): Promise<string> {
  made += 1;
  const root = `/api/v1/projects/${project}`;
  const server = { name: `Shop ${made}`, transportType: "http", url };
  const { body: saved } = await service.call(`${root}/servers`, { method: "POST", key, body: server });
  const tests = [{ title: "First", steps: [{ id: "a", kind: "prompt", prompt: "Hello" }] }];
  const body = { name: "Suite", serverIds: [saved.id], model: "fettle/rules-1", tests };
  const { body: suite } = await service.call(`${root}/eval-suites`, { method: "POST", key, body });
  return `${root}/eval-suites/${suite.suiteId}`;
}
const generate = (suite: string, body: object = {}, headers = {}) =>
  service.call(`${suite}/cases/generate`, { method: "POST", key, body, headers });
const titles = async (suite: string): Promise<string[]> =>
  (await service.call(`${suite}/cases`, { method: "GET", key })).body.items.map(
    ({ title }: { title: string }) => title,
  );
const codeOf = ({
  status,
  body,
}: {
  status: number;
  body: { code?: string; details?: { code?: string } };
}) => [status, body.details?.code ?? body.code];

describe.each(["here", "apart"] as const)("cases generated from a server that is asked %s", (where) => {
  it("are saved, with what could not be made told, and are not made twice", async () => {
    const suite = await makeSuite(projects[where]);
    const caseMix = { simple: 2, negative: 1, complex: 1 };
    const { status, body } = await generate(suite, { caseMix });
    expect([status, body.message]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      generationModel: "fettle/rules-1",
      counts: { normal: 2, negative: 1 },
      skipped: [{ title: "complex" }],
      replayed: false,
    });
    expect(await titles(suite)).toEqual([
      "First",
      ...body.created.map(({ title }: { title: string }) => title),
    ]);
    const again = await generate(suite, { caseMix });
    expect(again.body).toMatchObject({ created: [], counts: { normal: 0, negative: 0 } });
    expect(again.body.skipped).toHaveLength(4);
  });
});

it("gives the same cases again under the same key, in the header or in the body", async () => {
  const suite = await makeSuite(projects.here);
  const first = await generate(suite, { mode: "negative" }, { "idempotency-key": "k" });
  expect(first.body.counts).toEqual({ normal: 0, negative: 5 });
  const again = await generate(suite, { mode: "negative", idempotencyKey: "k" });
  expect(again.body).toEqual({ ...first.body, replayed: true });
  expect(codeOf(await generate(suite, { idempotencyKey: "k" }))).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
  expect(await titles(suite)).toHaveLength(6);
});

it("asks the servers that are named", async () => {
  const suite = await makeSuite(projects.here, "http://127.0.0.1:9/mcp");
  expect(codeOf(await generate(suite))).toEqual([502, "SERVER_UNREACHABLE"]);
  const named = await generate(suite, {
    servers: ["Shop 1"],
    caseMix: { negative: 1 },
    caseModels: [{ model: "m" }],
  });
  expect(named.body.created).toMatchObject([{ isNegative: true, models: [{ model: "m" }] }]);
  expect(codeOf(await generate(suite, { servers: ["Nobody"] }))).toEqual([400, "UNKNOWN_SERVERS"]);
});

it.each([
  ["servers and an environment", { servers: ["Shop 1"], environmentId: "env_1" }, 400],
  ["more than may be asked for", { caseMix: { simple: 11 } }, 400],
  ["an environment that is not there", { environmentId: "env_none" }, 404],
])("refuses %s", async (_, body, status) => {
  expect((await generate(await makeSuite(projects.here), body)).status).toBe(status);
});
