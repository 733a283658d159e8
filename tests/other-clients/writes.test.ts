/** What clients send so that a write is made once and never over somebody else's: keys, tags, and what they read afterwards. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askCase } from "../../packages/service/src/testing/eval-suite.ts";
import { type JourneyBench, journeyBench } from "../../packages/service/src/testing/swarms/journey-bench.ts";

// What was answered; each test says what of it is read.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answered = any;

let bench: JourneyBench;
beforeAll(async () => {
  bench = await journeyBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

const read = async (path: string): Promise<Answered> => (await bench.call("GET", path)).body;
const post = (path: string, body: object | undefined, key?: string) =>
  bench.call("POST", path, body, {
    person: "admin",
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

const someSuite = () => bench.suite([askCase("one", "How many copies?", "stock")]);
const environment = async () => ({ environmentId: await bench.environment() });
const calledOnce = async () => {
  const at = `/servers/${bench.server.id}`;
  await post(`${at}/tools/call`, { toolName: "stock", parameters: { book: 7 } });
  const { body } = await post(`${at}/saved-calls`, {
    name: "Stock of 7",
    kind: "tool",
    subject: "stock",
    parameters: { book: 7 },
  });
  return `${at}/saved-calls/${body.id}/eval-case`;
};

const caseOfHistory = async () => {
  const at = `/servers/${bench.server.id}`;
  await post(`${at}/tools/call`, { toolName: "stock", parameters: { book: 8 } });
  const entryId = await vi.waitFor(async () => {
    const { items } = await read(`${at}/history?kind=tool`);
    expect(items.length).toBeGreaterThan(0);
    return items[0].id;
  }, 60_000);
  return `${at}/history/${entryId}/eval-case`;
};

const creates: [string, () => Promise<{ path: string; body: object; made?: () => Promise<number> }>][] = [
  [
    "a webhook",
    async () => ({
      path: "/webhooks",
      body: { name: "CI", url: "http://127.0.0.1:9/hook", events: ["verdict.turned"] },
      made: async () =>
        (await bench.call("GET", "/webhooks", undefined, { person: "admin" })).body.items.length,
    }),
  ],
  [
    "a case of a saved call",
    async () => {
      const suiteId = await someSuite();
      return {
        path: await calledOnce(),
        body: { suiteId },
        // Beside the one that the suite came with.
        made: async () => (await read(`/eval-suites/${suiteId}/cases`)).items.length - 1,
      };
    },
  ],
  [
    "a case from history",
    async () => {
      const suiteId = await someSuite();
      return {
        path: await caseOfHistory(),
        body: { suiteId },
        made: async () => (await read(`/eval-suites/${suiteId}/cases`)).items.length - 1,
      };
    },
  ],
  ["a tunnel", async () => ({ path: "/tunnels", body: { name: "shop" } })],
  ["drafts of personas", async () => ({ path: "/personas/generate", body: await environment() })],
  [
    "drafts of journeys",
    async () => ({
      path: "/journeys/generate",
      body: { ...(await environment()), persona: { name: "Ann", role: "Buyer" } },
    }),
  ],
];

describe("with an idempotency key", () => {
  it.each(creates)("%s is made once, and answered again", async (what, asked) => {
    const { path, body, made = async () => 1 } = await asked();
    const first = await post(path, body, `once ${what}`);
    expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
    const again = await post(path, body, `once ${what}`);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await made()).toBe(1);
    const other = await post(path, { ...body, name: "Another" }, `once ${what}`);
    expect([400, 409]).toContain(other.status);
  });

  it("a connection is asked for once", async () => {
    const { key } = bench.world.people.member;
    const ask = () =>
      bench.service.call("/api/v1/server-connections", {
        method: "POST",
        key,
        headers: { "idempotency-key": "connect" },
        body: { projectId: bench.world.projectId, url: bench.stub.url, name: "Stub" },
      });
    const first = await ask();
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect((await ask()).body).toEqual(first.body);
  });

  it("that is longer than 256 characters nothing is made", async () => {
    for (const length of [256, 257]) {
      const { status, body } = await post("/personas", { name: "Bo", role: "Buyer" }, "k".repeat(length));
      expect([status, body.details?.code]).toEqual(
        length === 256 ? [201, undefined] : [400, "IDEMPOTENCY_KEY_TOO_LONG"],
      );
    }
  });

  it("that is empty nothing is made", async () => {
    for (const key of ["", " "]) {
      const { status, body } = await post("/personas", { name: "Cy", role: "Buyer" }, key);
      expect([status, body.details?.code]).toEqual([400, "IDEMPOTENCY_KEY_EMPTY"]);
    }
  });

  it("what is remembered of an answer shows no credential", async () => {
    const { body } = await post("/tunnels", { name: "sealed" }, "sealed");
    const { rowCount } = await bench.service.app.pool.query(
      "select 1 from idempotent_answers where body::text like $1",
      [`%${body.connectToken}%`],
    );
    expect(rowCount).toBe(0);
  });
});

describe("a thing that has a revision", () => {
  const resources: [string, () => Promise<{ path: string; change: object }>][] = [
    [
      "an environment",
      async () => ({
        path: `/environments/${await bench.environment()}`,
        change: { name: `Renamed ${Math.random()}` },
      }),
    ],
    [
      "a persona",
      async () => {
        const { body } = await post("/personas", { name: `Ann ${Math.random()}`, role: "Buyer" });
        return { path: `/personas/${body.id}`, change: { notes: "In a hurry" } };
      },
    ],
    [
      "a server",
      async () => {
        const server = { name: `Shop ${Math.random()}`, transportType: "http", url: bench.stub.url };
        const { body } = await post("/servers", server);
        return { path: `/servers/${body.id}`, change: { timeout: 5_000 } };
      },
    ],
    ["a suite", async () => ({ path: `/eval-suites/${await someSuite()}`, change: { tags: ["nightly"] } })],
    [
      "a case",
      async () => {
        const cases = `/eval-suites/${await someSuite()}/cases`;
        const { items } = await read(cases);
        return { path: `${cases}/${items[0].id}`, change: { intent: "Stock" } };
      },
    ],
    [
      "a client",
      async () => {
        const { body } = await post("/clients", {
          name: `Desk ${Math.random()}`,
          config: { modelId: "fettle/rules-1" },
        });
        return { path: `/clients/${body.id}`, change: { set: { temperature: Math.random() } } };
      },
    ],
    ["the project", async () => ({ path: "", change: { description: `New ${Math.random()}` } })],
  ];
  const get = (path: string, headers: Record<string, string> = {}) =>
    bench.call("GET", path, undefined, { person: "admin", headers });
  const patch = (path: string, change: object, tag: string) =>
    bench.call("PATCH", path, change, { person: "admin", headers: { "if-match": tag } });

  it.each(resources)("%s is not sent again to who has it", async (_, asked) => {
    const { path } = await asked();
    const { headers } = await get(path);
    const tag = headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"\d+\.[\w-]+"$/);
    const again = await get(path, { "if-none-match": tag });
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  it.each(resources)("%s is changed by who read it last, and by nobody else", async (_, asked) => {
    const { path, change } = await asked();
    const tag = (await get(path)).headers.get("etag") ?? "";
    const first = await patch(path, change, tag);
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect((await get(path, { "if-none-match": tag })).status).toBe(200);
    const stale = await patch(path, { ...change, description: "Overwritten" }, tag);
    expect([400, 412]).toContain(stale.status);
    expect((await patch(path, change, tag)).status).toBe(412);
    const now = (await get(path)).headers.get("etag") ?? "";
    expect((await patch(path, change, now)).status).toBe(200);
    expect((await patch(path, change, '"of-another-service"')).status).toBe(412);
    expect((await patch(path, change, "*")).status).toBe(200);
  });
});

it("a scenario is made by its first publishing, and changed by the next", async () => {
  const path = `/environments/${await bench.environment()}/scenario`;
  const publish = () =>
    bench.call("PUT", path, { name: "Visitors", mode: "anyone_with_link" }, { person: "admin" });
  expect((await publish()).status).toBe(201);
  expect((await publish()).status).toBe(200);
});
