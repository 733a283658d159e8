/** Lists that were always answered whole, and still are; whoever sends a limit reads them a page at a time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../packages/service/src/testing/eval-bench.ts";
import { startEvalStub } from "../../packages/service/src/testing/eval-stub.ts";
import { askCase } from "../../packages/service/src/testing/eval-suite.ts";

let bench: EvalBench;
let stub: Awaited<ReturnType<typeof startEvalStub>>;
let suiteId: string;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  suiteId = await bench.suite(["one", "two", "three"].map((id) => askCase(id, `Copies of ${id}?`, "stock")));
  for (const name of ["Second", "Third"]) {
    await bench.suite([askCase(name, "How many?", "stock")]);
    const server = { name, transportType: "http", url: `${stub.url}/${name}` };
    expect((await bench.call("POST", "/servers", server)).status).toBe(201);
  }
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const lists: [string, () => string][] = [
  ["servers", () => "/servers"],
  ["suites", () => "/eval-suites"],
  ["cases of a suite", () => `/eval-suites/${suiteId}/cases`],
];

describe.each(lists)("the %s", (_, path) => {
  const read = async (query: string) => (await bench.call("GET", `${path()}${query}`)).body;

  it("come in one answer to who sends no limit", async () => {
    const { items, nextCursor } = await read("");
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(nextCursor).toBeUndefined();
  });

  it("come in the same order, each once, to who reads them page by page", async () => {
    const { items: whole } = await read("");
    const seen: unknown[] = [];
    let query: string | undefined = "?limit=1";
    while (query !== undefined) {
      const { items, nextCursor }: { items: unknown[]; nextCursor?: string } = await read(query);
      expect(items).toHaveLength(1);
      seen.push(...items);
      query = nextCursor && `?limit=1&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(whole);
  });

  it("come to their end after a cursor without a limit", async () => {
    const { items: whole } = await read("");
    const { nextCursor } = await read("?limit=2");
    expect(await read(`?cursor=${nextCursor}`)).toEqual({ items: whole.slice(2) });
  });

  it("are not answered to a limit out of bounds", async () => {
    for (const limit of ["0", "201", "many"]) {
      expect((await bench.call("GET", `${path()}?limit=${limit}`)).status).toBe(400);
    }
  });
});
