import { afterAll, beforeAll, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { askCase } from "../../testing/eval-suite.ts";

let bench: EvalBench;
let stub: EvalStub;
beforeAll(async () => {
  stub = await startEvalStub();
  bench = await evalBench(stub.url, { env: stub.env });
  await bench.service.app.work();
  const suiteId = await bench.suite(
    [askCase("asks", "How many copies of book 7?", "stock", { iterations: 3 })],
    {
      model: stub.model,
    },
  );
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId })).body;
  await bench.ended(runId);
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
});

const get = (query: string) => {
  const { service, world } = bench;
  return service.call(`/api/v1/trace-exports/otlp?projectId=${world.projectId}${query}`, {
    key: world.people.member.key,
  });
};
// biome-ignore lint/suspicious/noExplicitAny: what was answered is looked into
const spansOf = (body: any) => body.resourceSpans.flatMap((one: any) => one.scopeSpans[0].spans);

it("tells each repetition as a trace: its spans hang together, in time, with the model's words for them", async () => {
  const { status, body, headers } = await get("");
  expect(status).toBe(200);
  expect(headers.get("x-fettle-export-complete")).toBe("true");
  expect(body.resourceSpans).toHaveLength(3);
  const spans = spansOf({ resourceSpans: [body.resourceSpans[0]] });
  const [root, ...inner] = spans;
  expect(root.traceId).toMatch(/^[0-9a-f]{32}$/);
  for (const span of inner) {
    expect(span.traceId).toBe(root.traceId);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(spans.some(({ spanId }: { spanId: string }) => spanId === span.parentSpanId)).toBe(true);
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
  }
  const keys = inner.flatMap(({ attributes }: { attributes: { key: string }[] }) =>
    attributes.map(({ key }) => key),
  );
  expect(keys).toEqual(
    expect.arrayContaining([
      "gen_ai.request.model",
      "gen_ai.usage.input_tokens",
      "gen_ai.response.finish_reasons",
      "gen_ai.tool.name",
    ]),
  );
  expect(JSON.stringify(body), "nothing that was said").not.toContain("copies of book 7");
});

it("tells what was said only when it is asked to", async () => {
  expect(JSON.stringify((await get("&includeContent=true")).body)).toContain("copies of book 7");
  expect((await get("&includeContent=yes")).status).toBe(400);
});

it("goes on where the last page ended, and says when there is no more", async () => {
  const seen: string[] = [];
  let cursor = "";
  for (let page = 0; page < 3; page++) {
    const { body, headers } = await get(`&limit=1${cursor}`);
    seen.push(spansOf(body)[0].traceId);
    const next = headers.get("x-fettle-next-cursor");
    expect(headers.get("x-fettle-export-complete")).toBe(page === 2 ? "true" : null);
    cursor = `&cursor=${next}`;
  }
  expect(new Set(seen).size).toBe(3);
  expect((await get("&cursor=nonsense")).status).toBe(400);
  expect((await get("&sourceTypes=chat")).body.resourceSpans).toEqual([]);
  expect((await get("&sourceTypes=gossip")).status).toBe(400);
});
