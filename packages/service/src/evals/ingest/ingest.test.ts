import { limits } from "@fettle/contract/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { signedInBrowser } from "../../testing/browser.ts";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { makeProject } from "../../testing/people.ts";
import type { PersonName } from "../../testing/world.ts";
import { evalRunKind } from "../runs/kind.ts";
import { findArtifact, pruneArtifacts } from "./artifacts.ts";

let now = Date.now();
let bench: EvalBench;
beforeAll(async () => {
  bench = await evalBench("http://127.0.0.1:9/mcp", { now: () => now });
});
afterAll(() => bench.service.close());

const post = (path: string, body: object) => bench.call("POST", `/eval-ingest/${path}`, body);
const read = async (path: string) => (await bench.call("GET", path)).body;
const won = {
  caseTitle: "Finds a book",
  passed: true,
  durationMs: 12,
  query: "Find it",
  tokens: { total: 7 },
};
const lost = { caseTitle: "Deletes nothing", passed: false, error: "It deleted something" };

describe("a report in one call", () => {
  it("is a finished run of its own suite, with its cases, calls and trace", async () => {
    const trace = { messages: [{ role: "user", content: "Find it" }], spans: [] };
    const actualToolCalls = [{ toolName: "search", arguments: { q: "planets" } }];
    const { status, body } = await post("report", {
      suiteName: "Shop in CI",
      externalRunId: "build-1",
      framework: "vitest",
      ci: { commitSha: "abc", branch: "main" },
      passCriteria: { minimumPassRate: 40 },
      results: [{ ...won, trace, actualToolCalls }, { ...won, externalIterationId: "second" }, lost],
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      ok: true,
      status: "completed",
      result: "failed",
      summary: { total: 3, passed: 2, failed: 1 },
    });
    const run = await read(`/eval-runs/${body.runId}`);
    expect(run).toMatchObject({
      source: "sdk",
      executionEngine: "harness:vitest",
      ci: { commitSha: "abc" },
      suiteName: "Shop in CI",
    });
    const { items } = await read(`/eval-runs/${body.runId}/iterations`);
    expect(items).toMatchObject([
      {
        title: "Finds a book",
        iterationNumber: 1,
        result: "passed",
        tokensUsed: 7,
        actualToolCalls: [{ toolName: "search" }],
      },
      { title: "Finds a book", iterationNumber: 2 },
      { title: "Deletes nothing", result: "failed", error: "It deleted something" },
    ]);
    expect(await read(`/eval-runs/${body.runId}/iterations/${items[0].id}/trace`)).toMatchObject({
      messages: [{ role: "user" }],
    });
    expect((await read(`/eval-runs/${body.runId}/iterations/${items[0].id}/steps`)).items).toHaveLength(1);
    expect(await read(`/eval-runs/${body.runId}/gate`)).toMatchObject({ status: "failed" });
  });

  it("whose tokens add up to more than can be kept is refused, and says which number", async () => {
    const tokens = { input: 1_344_082_487, output: 2_147_483_647 };
    const refused = await post("report", { suiteName: "Huge", results: [{ ...won, tokens }] });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain("tokens");
    const largest = { input: 1_000_000_000, output: 1_000_000_000 };
    const taken = await post("report", { suiteName: "Huge", results: [{ ...won, tokens: largest }] });
    expect(taken.status).toBe(200);
  });

  it("sent again is the same run, and with other results under its id it is refused", async () => {
    const report = { suiteName: "Again", externalRunId: "build-2", results: [won, won, lost] };
    const first = (await post("report", report)).body;
    const again = await post("report", report);
    expect(again).toMatchObject({ status: 200, body: { runId: first.runId, summary: { total: 3 } } });
    expect(await post("report", { ...report, results: [{ ...won, caseTitle: "New" }] })).toMatchObject({
      status: 409,
      body: { details: { code: "RUN_ENDED" } },
    });
    expect(await post("report", { ...report, evaluationConfigHash: "other" })).toMatchObject({
      status: 409,
      body: { details: { code: "EXTERNAL_RUN_DIFFERS" } },
    });
    expect((await read(`/eval-runs/${first.runId}`)).summary.total).toBe(3);
  });

  it("without an id is the same for a few moments; several at once make one suite and one run", async () => {
    const report = { suiteName: "At once", results: [won] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => post("report", report)));
    expect(new Set(answers.map(({ body }) => body.runId)).size).toBe(1);
    now += 31_000;
    const later = (await post("report", report)).body;
    expect(later.suiteId).toBe(answers[0]!.body.suiteId);
    expect(later.runId).not.toBe(answers[0]!.body.runId);
    const { cases } = await read(`/eval-runs/${later.runId}/compare`);
    expect(cases).toMatchObject([{ title: "Finds a book", status: "unchanged_passed" }]);
  });

  it("is refused where several suites have its name: neither of them is guessed", async () => {
    const report = (suiteName: string) => post("report", { suiteName, results: [won] });
    const first = (await report("Shop")).body.suiteId;
    const second = (await report("Shop, before")).body.suiteId;
    await bench.call("PATCH", `/eval-suites/${second}`, { name: "Shop" });
    now += 31_000;
    const refused = await report("Shop");
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { code: "AMBIGUOUS_NAME", path: "body.suiteName", hint: expect.any(String) } },
    });
    expect(refused.body.details.candidateIds.sort()).toEqual([first, second].sort());
  });

  it("keeps what its results say beyond what is asked for, and gives it back with the trace", async () => {
    const secret = "sk-live-0123456789abcdef0123";
    const said = { advancedConfig: { temperature: 0 }, matchOptions: { arguments: "exact" }, shard: 3 };
    const calls = [{ toolName: "search", arguments: { q: "tea" }, output: "Two books", apiKey: secret }];
    const result = { ...won, ...said, actualToolCalls: calls, expectedToolCalls: [{ toolName: "search" }] };
    const { body } = await post("report", { suiteName: "Talkative", results: [result, won] });
    const { items } = await read(`/eval-runs/${body.runId}/iterations`);
    const trace = (at: number) => read(`/eval-runs/${body.runId}/iterations/${items[at].id}/trace`);
    expect((await trace(0)).otherFields).toEqual({
      ...said,
      actualToolCalls: [{ ...calls[0], apiKey: expect.not.stringContaining(secret) }],
    });
    expect(await trace(1)).not.toHaveProperty("otherFields");
  });

  it("to the default project goes where the key's does", async () => {
    const { service, world } = bench;
    const answer = await service.call("/api/v1/projects/default/eval-ingest/report", {
      method: "POST",
      key: world.people.member.key,
      body: { suiteName: "Default", results: [won] },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ["no results", { suiteName: "Bad", results: [] }],
    ["too many results", { suiteName: "Bad", results: Array(limits.ingest.resultsPerReport + 1).fill(won) }],
    ["two ids of one case", { suiteName: "Bad", results: [{ ...won, caseId: "a", externalCaseId: "b" }] }],
  ])("with %s is refused, and leaves nothing", async (_, body) => {
    expect((await post("report", body)).status).toBe(400);
    const { items } = await read("/eval-suites");
    expect(items.some(({ name }: { name: string }) => name === "Bad")).toBe(false);
  });

  it("keeps no secrets, and takes scores only that belong to what they say they were made by", async () => {
    const secret = "sk-live-0123456789abcdef0123";
    const scores = [
      {
        scorerId: "x",
        scorerVersion: "1",
        definitionHash: "f".repeat(64),
        status: "scored",
        value: 1,
        passThreshold: 1,
        passed: true,
        deterministic: true,
      },
    ];
    const result = {
      ...won,
      error: `Authorization: Bearer ${secret}`,
      actualToolCalls: [{ toolName: "t", arguments: { apiKey: secret } }],
      trace: { messages: [{ role: "tool", headers: { authorization: `Bearer ${secret}` } }] },
      metadata: { scores, evaluationConfig: { hash: "0", definitions: [] } },
    };
    const { body } = await post("report", { suiteName: "Secretive", results: [result, lost] });
    expect(body.summary).toMatchObject({ total: 1, excluded: 1 });
    const { items } = await read(`/eval-runs/${body.runId}/iterations`);
    expect(items[0]).toMatchObject({ result: null, scoreIntegrity: "score_integrity_invalid" });
    const kept = await bench.service.app.pool.query(
      "select 1 from eval_iterations i join eval_iteration_traces t on t.iteration_id = i.id where i::text ~ $1 or t::text ~ $1",
      [secret],
    );
    expect(kept.rowCount).toBe(0);
  });
});

describe("a run that is reported in pieces", () => {
  const begin = async (over: object = {}) =>
    (await post("runs/start", { suiteName: "Pieces", externalRunId: `p-${Math.random()}`, ...over })).body;

  it("that has no id of the reporter's is begun anew once the one before is finished", async () => {
    const anonymous = async () => (await post("runs/start", { suiteName: "Anonymous" })).body;
    const first = await anonymous();
    expect(await anonymous()).toMatchObject({ runId: first.runId, reused: true });
    await post("runs/iterations", { runId: first.runId, results: [lost] });
    await post("runs/finalize", { runId: first.runId });
    const second = await anonymous();
    expect(second).toMatchObject({ reused: false, status: "running" });
    expect(second.runId).not.toBe(first.runId);
  });

  it("is begun once, filled without doubles and finished once", async () => {
    const externalRunId = "pieces-1";
    const { runId, reused } = await begin({ externalRunId });
    expect(reused).toBe(false);
    expect(await begin({ externalRunId })).toMatchObject({ runId, reused: true, status: "running" });
    const results = [
      { ...won, externalIterationId: "1" },
      { ...lost, externalIterationId: "2" },
    ];
    expect((await post("runs/iterations", { runId, results })).body).toEqual({
      ok: true,
      inserted: 2,
      skipped: 0,
      total: 2,
    });
    expect(
      (await post("runs/iterations", { runId, results: [...results, { ...won, externalIterationId: "3" }] }))
        .body,
    ).toEqual({
      ok: true,
      inserted: 1,
      skipped: 2,
      total: 3,
    });
    expect(await post("runs/finalize", { runId, externalRunId: "another" })).toMatchObject({ status: 409 });
    const done = await post("runs/finalize", { runId, externalRunId });
    expect(done).toMatchObject({
      status: 200,
      body: { status: "completed", result: "failed", summary: { total: 3 } },
    });
    expect((await post("runs/finalize", { runId, externalRunId })).body).toEqual(done.body);
    expect(
      await post("runs/iterations", { runId, results: [{ ...won, externalIterationId: "4" }] }),
    ).toMatchObject({
      status: 409,
      body: { details: { code: "RUN_ENDED" } },
    });
    expect((await post("runs/iterations", { runId, results })).body).toMatchObject({
      inserted: 0,
      skipped: 2,
    });
  });

  it("shows nothing for sure when fewer results came than were to come", async () => {
    const { runId } = await begin({ expectedIterations: 5 });
    await post("runs/iterations", { runId, results: [won] });
    expect((await post("runs/finalize", { runId })).body).toMatchObject({
      status: "completed",
      result: "inconclusive",
    });
    expect(await read(`/eval-runs/${runId}/gate`)).toMatchObject({ status: "incomplete" });
  });

  it("that nobody finishes ends after a day, and takes nobody's slot until then", async () => {
    const { runId } = await begin();
    now += limits.ingest.openMs + 1_000;
    await endLostRuns(bench.service.app, evalRunKind);
    expect(await read(`/eval-runs/${runId}`)).toMatchObject({ status: "timed_out", result: null });
  });

  it("of another project, or one that is played here, is not there", async () => {
    const { runId } = await begin();
    const other = await makeProject(bench.service.app.db, bench.world.organizationId);
    const { key } = bench.world.people.owner;
    const answer = await bench.service.call(`/api/v1/projects/${other}/eval-ingest/runs/finalize`, {
      method: "POST",
      key,
      body: { runId },
    });
    expect(answer.status).toBe(404);
  });
});

describe("an address for a file", () => {
  const address = async () => new URL((await post("artifacts/upload-url", {})).body.uploadUrl).pathname;
  const upload = (path: string, content: string | Buffer) =>
    fetch(`${bench.service.url}${path}`, {
      method: "POST",
      headers: { "content-type": "image/png" },
      body: content,
    });

  it("takes one file, once, which members of the project can read for two weeks", async () => {
    const path = await address();
    const answer = await upload(path, "picture");
    expect(answer.status, await answer.clone().text()).toBe(200);
    const { storageId } = (await answer.json()) as { storageId: string };
    expect((await upload(path, "another")).status).toBe(404);
    const { app } = bench.service;
    const kept = await findArtifact(app, bench.world.projectId, storageId);
    expect(kept).toMatchObject({ contentType: "image/png", size: 7 });
    const page = `/app/projects/${bench.world.projectId}/eval-artifacts/${storageId}`;
    const open = async (person: PersonName) => {
      const { cookies } = await signedInBrowser(bench.service, bench.world.people[person].userId);
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      return fetch(`${bench.service.url}${page}`, { headers: { "x-fettle-app": "1", cookie } });
    };
    const file = await open("member");
    expect(await file.text()).toBe("picture");
    expect(file.headers.get("content-disposition")).toBe("attachment");
    expect((await open("stranger")).status).toBe(404);
    now += (limits.ingest.artifacts.keptDays * 24 + 1) * 3_600_000;
    await pruneArtifacts(app);
    expect(await findArtifact(app, bench.world.projectId, storageId)).toBeUndefined();
  });

  it("is of no use after ten minutes, nor for a file that is too large", async () => {
    const late = await address();
    now += limits.ingest.artifacts.ticketMs + 1_000;
    expect((await upload(late, "x")).status).toBe(404);
    expect((await upload(await address(), Buffer.alloc(limits.ingest.artifacts.bytes + 1))).status).toBe(400);
  });
});
