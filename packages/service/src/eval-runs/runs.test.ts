import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { askCase, type CaseWanted, saveServer, saveSuite } from "../testing/eval-suite.ts";
import { type TestService, testService } from "../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../testing/world.ts";

let service: TestService;
let world: World;
let shop: Awaited<ReturnType<typeof startBookshop>>;
let server: { id: string; name: string };
beforeAll(async () => {
  shop = await startBookshop();
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000", FETTLE_LIMIT_EVAL_RUNS: "50" } });
  await service.app.work();
  world = await makeWorld(service.app.db);
  server = await saveServer(world, service.app, shop.url);
});
afterAll(async () => {
  await service.close();
  await shop.close();
});

const call = (method: string, path: string, body?: object, person: PersonName = "member") =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
  });
const suiteOf = (cases: CaseWanted[], over: Parameters<typeof saveSuite>[2] | object = {}) =>
  saveSuite(world, service.app, { serverIds: [server.id as never], ...over, cases });
const ended = (runId: string) =>
  vi.waitFor(async () => {
    const { body } = await call("GET", `/eval-runs/${runId}`);
    expect(body.status).not.toMatch(/pending|running/);
    return body;
  }, 20_000);

const finds = askCase("finds", "Search for books about planets", "search_books");
const misses = askCase("misses", "Search for books about planets", "delete_everything");

describe("a run", () => {
  it("plays every case on the suite's servers, and tells the verdict, the calls, the trace and the steps", async () => {
    const suiteId = await suiteOf([finds, misses]);
    const launched = await call("POST", "/eval-runs", { suiteId });
    expect(launched).toMatchObject({
      status: 202,
      body: { suiteId, status: "pending", servers: [{ id: server.id }], environment: null },
    });
    const { runId, viewUrl } = launched.body;
    expect(viewUrl).toContain(`/evals/suite/${suiteId}/runs/${runId}?project=${world.projectId}`);
    const run = await ended(runId);
    expect(run).toMatchObject({
      status: "completed",
      result: "failed",
      runNumber: 1,
      progress: { total: 2, settled: 2, passed: 1, failed: 1 },
      summary: { total: 2, passed: 1, failed: 1, passRate: 0.5, excluded: 0 },
      effectiveModelId: "fettle/rules-1",
      modelClass: "rules",
      scoreIntegrity: "valid",
    });
    const { body: page } = await call("GET", `/eval-runs/${runId}/iterations?order=failures`);
    expect(page.items).toMatchObject([
      { caseKey: "misses", status: "completed", result: "failed", hasTrace: true },
      { caseKey: "finds", result: "passed", actualToolCalls: [{ toolName: "search_books", isError: false }] },
    ]);
    const [failed] = page.items;
    const at = `/eval-runs/${runId}/iterations/${failed.id}`;
    const { body: trace } = await call("GET", `${at}/trace`);
    expect(trace).toMatchObject({ iterationId: failed.id, caseKey: "misses", prompts: [{ promptIndex: 0 }] });
    expect(trace.messages.length).toBeGreaterThan(1);
    expect((await call("GET", `${at}/steps`)).body.items).toMatchObject([
      { stepId: "ask", kind: "prompt", status: "ok" },
      { stepId: "called", kind: "assert", status: "fail" },
    ]);
    expect((await call("GET", `/eval-suites/${suiteId}/runs`)).body.items).toMatchObject([{ id: runId }]);
    expect((await call("GET", `/eval-runs?suiteId=${suiteId}&status=completed`)).body.items).toMatchObject([
      { id: runId },
    ]);
  });
});
