import { limits } from "@fettle/contract/core";
import { startBookshop, startEverything } from "@fettle/samples";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { conformanceRuns } from "../../core/tables/conformance.ts";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { suiteReport } from "../../testing/suite-report.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { conformanceRunKind } from "./kind.ts";

let now = Date.now();
let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" }, now: () => now });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const call = (method: string, path: string, body?: object, person: PersonName = "member") =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
  });
const ingest = (path: string, body: object) => call("POST", `/conformance-ingest/${path}`, body);
const external = { kind: "external", serverUrl: "https://mcp.example/mcp?key=secret" };
const wanted = { target: external, source: "cli", requestedSuites: ["protocol", "tasks"] };
const start = async (over: object = {}) => (await ingest("runs/start", { ...wanted, ...over })).body;
const report = (runId: string, suiteKind: string, over: Parameters<typeof suiteReport>[0] = {}) =>
  ingest("runs/reports", {
    runId,
    suiteKind,
    report: suiteReport({ kind: suiteKind as "protocol", passed: ["a"], ...over }),
  });

describe("a reported run", () => {
  it("is started, reported, finished, and counted by the service", async () => {
    const begun = await start();
    expect(begun).toMatchObject({ ok: true, reused: false, projectId: world.projectId });
    expect(begun.runUrl).toContain(`/p/${world.projectId}/conformance/${begun.runId}`);
    expect((await call("GET", `/conformance-runs/${begun.runId}/report`)).status).toBe(404);
    expect((await report(begun.runId, "protocol", { failed: ["b"], couldNotRun: ["c"] })).body).toEqual({
      ok: true,
    });
    const { body: open } = await call("GET", `/conformance-runs/${begun.runId}`);
    expect(open).toMatchObject({
      status: "running",
      outcome: null,
      score: null,
      verification: "reported",
      target: { kind: "external", serverUrl: "https://mcp.example/mcp?key=***" },
    });
    expect(open.reports).toMatchObject([
      { suiteKind: "protocol", status: "reported", outcome: "failed" },
      { suiteKind: "tasks", status: "waiting", hasReport: false },
    ]);
    await report(begun.runId, "tasks");
    const { body: ended } = await ingest("runs/finalize", { runId: begun.runId });
    expect(ended).toMatchObject({ ok: true, outcome: "failed", score: 53 });
    expect((await ingest("runs/finalize", { runId: begun.runId })).body).toEqual(ended);
    expect((await call("GET", `/conformance-runs/${begun.runId}`)).body).toMatchObject({
      status: "completed",
      passed: 2,
      failed: 1,
      couldNotRun: 1,
      protocolVersion: "2025-11-25",
    });
    expect((await call("GET", `/conformance-runs/${begun.runId}/report`)).body).toMatchObject({
      totalCases: 4,
      totalFailingCases: 2,
      truncated: false,
      checks: [
        { id: "b", status: "failed", error: { message: "It answered wrongly." } },
        { id: "c", status: "skipped", skipReason: "could-not-run" },
      ],
      profiles: [{ profileId: "mcp-protocol" }, { profileId: "mcp-tasks" }],
    });
  });

  it("in which no check applied has nothing unmet and no score, and says that there was nothing to test", async () => {
    const { runId } = await start();
    await report(runId, "protocol", { passed: [], notApplicable: ["a", "b"] });
    await report(runId, "tasks", { passed: [], notApplicable: ["c"] });
    await ingest("runs/finalize", { runId });
    const told = { outcome: "passed", nothingToTest: true, score: null };
    expect((await call("GET", `/conformance-runs/${runId}`)).body).toMatchObject({
      ...told,
      reports: [told, told],
    });
    expect((await call("GET", `/conformance-runs/${runId}/report`)).body).toMatchObject(told);
    const mixed = await start();
    await report(mixed.runId, "protocol");
    await report(mixed.runId, "tasks", { passed: [], notApplicable: ["c"] });
    await ingest("runs/finalize", { runId: mixed.runId });
    expect((await call("GET", `/conformance-runs/${mixed.runId}`)).body).toMatchObject({
      nothingToTest: false,
      reports: [{ nothingToTest: false }, { nothingToTest: true }],
    });
  });

  it("with a name of its own is the same run again, and another one under that name is refused", async () => {
    const once = await start({ externalRunId: "ci-1" });
    expect(await start({ externalRunId: "ci-1" })).toMatchObject({ runId: once.runId, reused: true });
    const other = await ingest("runs/start", { ...wanted, externalRunId: "ci-1", requestedSuites: ["apps"] });
    expect([other.status, other.body.details]).toMatchObject([409, { code: "EXTERNAL_RUN_CONFLICT" }]);
    const many = await Promise.all(Array.from({ length: 8 }, () => start({ externalRunId: "ci-2" })));
    expect(new Set(many.map(({ runId }) => runId)).size).toBe(1);
    expect(many.filter(({ reused }) => !reused).length).toBe(1);
  });

  it("takes the same report twice, refuses another for the same suite, and one nobody asked for", async () => {
    const { runId } = await start();
    await report(runId, "protocol");
    expect((await report(runId, "protocol")).status).toBe(200);
    const other = await report(runId, "protocol", { failed: ["b"] });
    expect([other.status, other.body.details.code]).toEqual([409, "REPORT_CONFLICT"]);
    expect((await report(runId, "apps")).body.details.code).toBe("SUITE_NOT_REQUESTED");
    const mixed = { runId, suiteKind: "tasks", report: suiteReport({ kind: "apps" }) };
    expect((await ingest("runs/reports", mixed)).body.details.code).toBe("WRONG_KIND");
    await ingest("runs/finalize", { runId });
    expect((await report(runId, "protocol")).status).toBe(200);
    expect((await report(runId, "tasks")).body.details.code).toBe("RUN_ENDED");
  });

  it("that goes silent is ended as timed out, and one that says it is alive is not", async () => {
    const silent = await start();
    const alive = await start();
    now += limits.conformance.silenceMs - 1_000;
    expect((await ingest("runs/heartbeat", { runId: alive.runId })).body).toEqual({ ok: true });
    await endLostRuns(service.app, conformanceRunKind);
    now += 2_000;
    await endLostRuns(service.app, conformanceRunKind);
    const statusOf = async (id: string) => (await call("GET", `/conformance-runs/${id}`)).body;
    expect(await statusOf(silent.runId)).toMatchObject({ status: "timed_out", outcome: "incomplete" });
    expect(await statusOf(alive.runId)).toMatchObject({ status: "running" });
    const late = await ingest("runs/finalize", { runId: silent.runId });
    expect([late.status, late.body.details]).toMatchObject([409, { code: "RUN_ENDED", status: "timed_out" }]);
    expect((await ingest("runs/heartbeat", { runId: silent.runId })).status).toBe(409);
  });

  it("finished without a suite is incomplete and says which is missing", async () => {
    const { runId } = await start();
    await report(runId, "protocol");
    expect((await ingest("runs/finalize", { runId })).body).toMatchObject({
      outcome: "incomplete",
      score: 53,
    });
    const { body } = await call("GET", `/conformance-runs/${runId}`);
    expect(body.incompleteReason).toContain("tasks");
    expect(body.reports[1]).toMatchObject({ suiteKind: "tasks", status: "missing" });
  });

  it("can be cancelled while it goes on, and not afterwards", async () => {
    const { runId } = await start();
    expect((await call("POST", `/conformance-runs/${runId}/cancel`)).body.status).toBe("cancelled");
    expect((await call("POST", `/conformance-runs/${runId}/cancel`)).status).toBe(409);
    expect((await report(runId, "protocol")).body.details.code).toBe("RUN_ENDED");
  });

  it("is reported whole in one call, again with the same answer, to the project used last", async () => {
    const whole = {
      schemaVersion: 1,
      ...wanted,
      externalRunId: "whole",
      reports: {
        protocol: suiteReport({ passed: ["a"] }),
        tasks: suiteReport({ kind: "tasks", passed: ["t"] }),
      },
      outcome: "failed",
      score: 3,
      durationMs: 4321,
    };
    const once = await ingest("report", whole);
    expect(once.body).toMatchObject({ ok: true, outcome: "passed", score: 100 });
    expect((await ingest("report", whole)).body).toEqual(once.body);
    expect((await call("GET", `/conformance-runs/${once.body.runId}`)).body.durationMs).toBe(4321);
    const asDefault = await service.call("/api/v1/projects/default/conformance-ingest/report", {
      method: "POST",
      key: world.people.member.key,
      body: { ...whole, externalRunId: "to-default" },
    });
    expect(asDefault.status).toBe(200);
    expect((await service.call("/api/v1/projects/default", { key: world.people.member.key })).status).toBe(
      404,
    );
  });

  it("keeps no credential, whatever its evidence holds, and takes what a database could not", async () => {
    const { runId } = await start({ requestedSuites: ["protocol"], actorLabel: "a\u0000b" });
    expect(runId).toBeUndefined();
    const begun = await start({ requestedSuites: ["protocol"] });
    const evidence = suiteReport({ failed: ["leaky"] });
    evidence.groups[0]!.cases[0]!.details = {
      sent: { headers: { authorization: "Bearer canary-secret" } },
      received: "zero \u0000 byte",
    };
    const kept = await ingest("runs/reports", {
      runId: begun.runId,
      suiteKind: "protocol",
      report: evidence,
    });
    expect(kept.status).toBe(200);
    const shown = await service.call(
      `/app/projects/${world.projectId}/conformance-runs/${begun.runId}/reports/protocol`,
      { headers: { cookie: world.people.member.cookie, "x-fettle-app": "1" } },
    );
    const text = JSON.stringify(shown.body);
    expect(text).toContain("zero \\u0000 byte");
    expect(text).not.toContain("canary-secret");
  });

  it("says what went wrong in a case as a text or as an object with a message, or not at all", async () => {
    const errors: [unknown, object | undefined][] = [
      ["It hung up.", { message: "It hung up." }],
      [{ message: "It hung up.", code: -32603 }, { message: "It hung up." }],
      [null, undefined],
    ];
    for (const [error, told] of errors) {
      const { runId } = await start({ requestedSuites: ["protocol"] });
      const sent = suiteReport({ failed: ["b"] });
      Object.assign(sent.groups[0]!.cases[0]!, { error });
      const kept = await ingest("runs/reports", { runId, suiteKind: "protocol", report: sent });
      expect([error, kept.status]).toEqual([error, 200]);
      const { body } = await call("GET", `/conformance-runs/${runId}/report`);
      expect(body.checks[0].error).toEqual(told);
    }
  });

  it("whose report is refused ends once nothing more is to come, and says why", async () => {
    const read = async (id: string) => (await call("GET", `/conformance-runs/${id}`)).body;
    const spoilt: [string, (whole: ReturnType<typeof suiteReport>) => object][] = [
      ["a field of another type", (whole) => ({ report: { ...whole, groups: "none" } })],
      ["a field that nobody knows", (whole) => ({ report: whole, extra: 1 })],
      ["another kind", () => ({ report: suiteReport({ kind: "apps" }) })],
      ["no report", () => ({})],
    ];
    for (const [what, body] of spoilt) {
      const { runId } = await start({ requestedSuites: ["protocol"] });
      const sent = { runId, suiteKind: "protocol", ...body(suiteReport({ passed: ["a"] })) };
      const refused = await ingest("runs/reports", sent);
      expect([what, refused.status]).toEqual([what, 400]);
      expect(await read(runId)).toMatchObject({ status: "completed", outcome: "incomplete", failed: 0 });
      expect((await read(runId)).incompleteReason).toContain(refused.body.message);
      expect((await ingest("runs/finalize", { runId })).body).toMatchObject({ outcome: "incomplete" });
    }
    const many = await start();
    await ingest("runs/reports", { runId: many.runId, suiteKind: "protocol", report: {} });
    expect((await read(many.runId)).status).toBe("running");
    await report(many.runId, "tasks");
    expect(await read(many.runId)).toMatchObject({ status: "completed", outcome: "incomplete", passed: 1 });
    const mended = await start();
    await ingest("runs/reports", { runId: mended.runId, suiteKind: "protocol", report: {} });
    await report(mended.runId, "protocol");
    expect((await read(mended.runId)).status).toBe("running");
    await report(mended.runId, "tasks");
    expect((await ingest("runs/finalize", { runId: mended.runId })).body.outcome).toBe("passed");
    const left = await start();
    await ingest("runs/reports", { runId: left.runId, suiteKind: "protocol", report: {} });
    now += limits.conformance.refusedSilenceMs + 1_000;
    await endLostRuns(service.app, conformanceRunKind);
    expect(await read(left.runId)).toMatchObject({ status: "timed_out", outcome: "incomplete" });
    const mine = await start({ requestedSuites: ["protocol"] });
    const elsewhere = await makeWorld(service.app.db);
    const theirs = await service.call(
      `/api/v1/projects/${elsewhere.projectId}/conformance-ingest/runs/reports`,
      {
        method: "POST",
        key: elsewhere.people.member.key,
        body: { runId: mine.runId, suiteKind: "protocol" },
      },
    );
    expect([theirs.status, (await read(mine.runId)).status]).toEqual([400, "running"]);
  });

  it("is refused when it makes no sense", async () => {
    const refusals: [object, string][] = [
      [{ target: { kind: "server" } }, "body.target.serverId"],
      [{ target: { kind: "server", serverId: "srv_missing" } }, "body.target.serverId"],
      [{ target: { kind: "external", serverUrl: "https://u:p@mcp.example" } }, "body.target.serverUrl"],
      [{ requestedSuites: [] }, "body.requestedSuites"],
      [{ requestedSuites: ["tasks", "tasks"] }, "body.requestedSuites"],
      [{ source: "elsewhere" }, "body.source"],
    ];
    for (const [over, path] of refusals) {
      const refused = await ingest("runs/start", { ...wanted, ...over });
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(path)]);
    }
    const { runId } = await start();
    let deep: unknown = "x";
    for (let level = 0; level < 100; level += 1) deep = [deep];
    const nested = suiteReport({ passed: ["a"], over: { extra: deep } });
    const refused = await ingest("runs/reports", { runId, suiteKind: "protocol", report: nested });
    expect(refused.body.details.code).toBe("REPORT_TOO_DEEP");
  });
});

describe("the list of runs", () => {
  it("goes newest first, page by page, for one server or all", async () => {
    const server = { name: "listed", transportType: "http", url: "https://mcp.example/mcp" };
    const serverId = (await call("POST", "/servers", server, "owner")).body.id;
    const target = { kind: "server", serverId };
    const made: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      now += 1;
      made.unshift((await start({ target })).runId);
    }
    const list = (query: string) => call("GET", `/conformance-runs?${query}`);
    const first = (await list(`serverId=${serverId}&limit=2`)).body;
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 2));
    const second = (await list(`serverId=${serverId}&limit=2&cursor=${first.nextCursor}`)).body;
    expect(second.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(2));
    expect(second).not.toHaveProperty("nextCursor");
    expect((await list("cursor=nonsense")).status).toBe(400);
    expect((await list("limit=101")).status).toBe(400);
  });
});

describe("two runs of one server", () => {
  const judged = async (target: object, over: Parameters<typeof suiteReport>[0]) => {
    now += 1;
    const { runId } = await start({ target, requestedSuites: ["protocol"] });
    await report(runId, "protocol", over);
    await ingest("runs/finalize", { runId });
    return runId;
  };

  it("are compared by check, with the one before unless another is named", async () => {
    const target = { kind: "server", serverId: await saveServer("https://mcp.example/mcp") };
    const compare = async (id: string, query = "") =>
      (await call("GET", `/conformance-runs/${id}/compare${query}`)).body;
    const first = await judged(target, { passed: ["a", "b"], failed: ["c"] });
    expect(await compare(first)).toMatchObject({ earlier: null, turned: [], same: 0 });
    const second = await judged(target, { passed: ["b", "c"], failed: ["a"] });
    expect(await compare(second)).toMatchObject({
      outcome: "failed",
      earlier: { runId: first, outcome: "failed" },
      turned: [
        { suiteKind: "protocol", id: "a", title: "Check a", from: "passed", to: "failed", turn: "worse" },
        { id: "c", from: "failed", to: "passed", turn: "better" },
      ],
      same: 1,
    });
    const third = await judged(target, { passed: ["b", "c"], failed: ["a"] });
    expect(await compare(third)).toMatchObject({ earlier: { runId: second }, turned: [], same: 3 });
    expect(await compare(third, `?with=${first}`)).toMatchObject({ earlier: { runId: first }, same: 1 });
    expect(await compare(third, "?with=cfr_missing")).toMatchObject({
      code: "NOT_FOUND",
      details: { code: "EARLIER_RUN_NOT_FOUND" },
    });
  });

  it("are taken away as the files the command writes, once there is a report", async () => {
    const read = (id: string, query = "") => call("GET", `/conformance-runs/${id}/export${query}`);
    const { runId: empty } = await start();
    expect((await read(empty)).body.details.code).toBe("REPORT_NOT_FOUND");
    const runId = await judged(external, { passed: ["a"], failed: ["b"] });
    const { body: xml } = await read(runId, "?format=junit-xml");
    expect(xml).toMatchObject({ fileName: `${runId}.xml`, mediaType: "application/xml" });
    expect(xml.content).toContain('<testcase name="b"');
    expect(xml.content).toContain('tests="2" failures="1"');
    const summary = JSON.parse((await read(runId, "?format=json-summary")).body.content);
    expect(summary).toMatchObject({
      kind: "conformance",
      outcome: "failed",
      score: { passed: 1, failed: 1 },
    });
    const whole = JSON.parse((await read(runId)).body.content);
    expect(whole).toMatchObject({ runId, outcome: "failed", reports: { protocol: { groups: [{}] } } });
    expect((await read(runId, "?format=pdf")).status).toBe(400);
  });
});

let saved = 0;
async function saveServer(url: string): Promise<string> {
  saved += 1;
  return (await call("POST", "/servers", { name: `server ${saved}`, transportType: "http", url }, "owner"))
    .body.id;
}

/** A worker for as long as the test takes. */
async function working() {
  const worker = await service.app.jobs.work(service.app);
  const read = async (id: string) => (await call("GET", `/conformance-runs/${id}`)).body;
  return {
    ended: (id: string) =>
      vi.waitFor(
        async () => {
          const run = await read(id);
          expect(run.completedAt).not.toBeNull();
          return run;
        },
        { timeout: 60_000, interval: 100 },
      ),
    [Symbol.asyncDispose]: () => worker.stop(),
  };
}

describe("a run made here", () => {
  it("goes through the suites on the saved server, with evidence for each check", async () => {
    const shop = await startBookshop();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => shop.close());
    await using worker = await working();
    const serverId = await saveServer(shop.url);
    const { status, body } = await call("POST", `/servers/${serverId}/conformance-runs`, {
      idempotencyKey: "k",
    });
    expect([status, body]).toMatchObject([202, { status: "queued", deduped: false, serverId }]);
    const again = await call("POST", `/servers/${serverId}/conformance-runs`, { idempotencyKey: "k" });
    expect(again.body).toMatchObject({ runId: body.runId, deduped: true });
    const run = await worker.ended(body.runId);
    expect(run).toMatchObject({
      status: "completed",
      failed: 0,
      verification: "hosted",
      source: "api",
    });
    expect(run.score).toBeGreaterThan(90);
    expect(run.reports.every(({ hasReport }: { hasReport: boolean }) => hasReport)).toBe(true);
  });

  it("executes the tools that were named, and says what it was started with", async () => {
    const shop = await startBookshop();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => shop.close());
    await using worker = await working();
    const serverId = await saveServer(shop.url);
    const fixtures = {
      toolCalls: [{ toolName: "search_books", arguments: { query: "a mark to be found again" } }],
      promptGets: [],
    };
    const asked = { suites: ["protocol"], protocolVersion: "2025-11-25", idempotencyKey: "once" };
    const path = `/servers/${serverId}/conformance-runs`;
    const { body } = await call("POST", path, { ...asked, fixtures });
    expect((await call("POST", path, asked)).body.details.code).toBe("IDEMPOTENCY_CONFLICT");
    const run = await worker.ended(body.runId);
    expect(run.options).toEqual({ protocolVersion: "2025-11-25", fixtures });
    const { content } = (await call("GET", `/conformance-runs/${run.id}/export`)).body;
    expect(content).toContain("a mark to be found again");
    const tooMany = { toolCalls: Array.from({ length: 21 }, () => ({ toolName: "x" })) };
    expect((await call("POST", path, { fixtures: tooMany })).status).toBe(400);
  });

  it("makes and follows tasks where the server has tools for that", async () => {
    const everything = await startEverything();
    await using closing = new AsyncDisposableStack();
    closing.defer(() => everything.close());
    await using worker = await working();
    const serverId = await saveServer(everything.url);
    const { body } = await call("POST", `/servers/${serverId}/conformance-runs`, { suites: ["tasks"] });
    const run = await worker.ended(body.runId);
    expect(run).toMatchObject({ outcome: "passed", failed: 0, score: 100 });
    expect(run.reports).toMatchObject([{ suiteKind: "tasks", hasReport: true }]);
  });

  it("on a server that does not answer is incomplete, never failed, and says why", async () => {
    await using worker = await working();
    const serverId = await saveServer("http://127.0.0.1:9/mcp");
    const { body } = await call("POST", `/servers/${serverId}/conformance-runs`, { suites: ["protocol"] });
    const run = await worker.ended(body.runId);
    expect(run).toMatchObject({ status: "completed", outcome: "incomplete", failed: 0 });
    expect(run.incompleteReason).not.toBe("");
  });

  it("is stopped before its job begins, and one whose job is gone is ended", async () => {
    const serverId = await saveServer("http://127.0.0.1:9/mcp");
    const begin = async () => (await call("POST", `/servers/${serverId}/conformance-runs`, {})).body.runId;
    const stopped = await begin();
    expect((await call("POST", `/conformance-runs/${stopped}/cancel`)).body.status).toBe("cancelled");
    const lost = await begin();
    const [row] = await service.app.db.select().from(conformanceRuns).where(eq(conformanceRuns.id, lost));
    await service.app.jobs.cancel(row!.jobId!);
    await endLostRuns(service.app, conformanceRunKind);
    expect((await call("GET", `/conformance-runs/${lost}`)).body).toMatchObject({ status: "timed_out" });
  });

  it("is refused for what the service cannot run", async () => {
    const serverId = await saveServer("http://127.0.0.1:9/mcp");
    const ask = (id: string, body: object) => call("POST", `/servers/${id}/conformance-runs`, body);
    expect((await ask(serverId, { suites: ["oauth"] })).body.details.code).toBe("SUITE_NOT_HOSTED");
    const stdio = await call(
      "POST",
      "/servers",
      { name: "local", transportType: "stdio", command: "x" },
      "owner",
    );
    expect((await ask(stdio.body.id, {})).body.details.reason).toBe("STDIO_NEEDS_TUNNEL");
    expect((await ask("srv_missing", {})).status).toBe(404);
  });
});
