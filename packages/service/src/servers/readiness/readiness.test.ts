import { gatherEvidence, gradeReadiness, observeReadiness, wantedBy } from "@fettle/checks";
import type { ReadinessKind } from "@fettle/contract/servers";
import { type HttpTarget, parseTarget } from "@fettle/mcp";
import { startCafe } from "@fettle/samples";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { version } from "../../core/version.ts";
import { endLostRuns } from "../../runs/life/watchdog.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";
import { readinessRunKind } from "./kind.ts";

let service: TestService;
let world: World;
let cafe: Awaited<ReturnType<typeof startCafe>>;
let serverId: string;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
  cafe = await startCafe();
  serverId = await saveServer({ transportType: "http", url: `${cafe.url}?key=canary` });
});
afterAll(async () => {
  await service.close();
  await cafe.close();
});

const call = (method: string, path: string, body?: object, person: PersonName = "member") =>
  service.call(`/api/v1/projects/${world.projectId}${path}`, {
    method,
    key: world.people[person].key,
    ...(body && { body }),
  });

let saved = 0;
async function saveServer(server: object): Promise<string> {
  saved += 1;
  const { body } = await call("POST", "/servers", { name: `Server ${saved}`, enabled: true, ...server });
  return body.id;
}

const start = (publisher: string, body?: object, id = serverId) =>
  call("POST", `/servers/${id}/readiness-runs/${publisher}`, body);
const read = async (runId: string) => (await call("GET", `/readiness-runs/${runId}`)).body;
const ended = (runId: string) =>
  vi.waitFor(async () => {
    const run = await read(runId);
    expect(run.status).not.toMatch(/pending|running/);
    return run;
  }, 60_000);

async function work() {
  const worker = await service.app.jobs.work(service.app);
  onTestFinished(() => worker.stop());
}

/** As `fettle readiness check` does it. */
async function gradedHere(kind: ReadinessKind) {
  const target = parseTarget({ url: `${cafe.url}?key=canary` }) as HttpTarget;
  const look = { timeoutMs: 10_000, clientInfo: { name: "fettle", version }, ...wantedBy(kind) };
  const given = kind === "openai" ? { submissionMode: "mcp-only" as const } : {};
  const evidence = gatherEvidence(given, { target, server: await observeReadiness(target, look) });
  return gradeReadiness(kind, evidence, { evaluatedAt: "", engineVersion: version });
}

it.each([
  ["claude", "claude", undefined],
  ["directory-b", "openai", { submissionMode: "mcp-only" }],
] as const)("a saved server is graded for %s as it is on a desk", async (publisher, kind, body) => {
  await work();
  const { status, body: receipt } = await start(publisher, body);
  expect([status, receipt]).toMatchObject([
    202,
    { serverId, readinessKind: kind, status: "pending", deduped: false, includeLlmObservations: false },
  ]);
  const here = await gradedHere(kind);
  const run = await ended(receipt.runId);
  expect(run).toMatchObject({
    status: "completed",
    overallStatus: here.overallStatus,
    llmObservations: { status: "not-requested", reason: "not_requested" },
    lanes: here.lanes,
    stages: here.stages,
    attemptCount: 1,
    hasReport: true,
  });
  expect(run.reportUrl).toContain(`/p/${world.projectId}/readiness/${run.id}`);
  const { body: report } = await call("GET", `/readiness-runs/${run.id}/report?limit=500`);
  const verdicts = (findings: { id: string; status: string; missingInput?: string }[]) =>
    findings.map((finding) => [finding.id, finding.status, finding.missingInput]);
  expect(verdicts(report.findings)).toEqual(verdicts(here.findings));
  expect(report.truncated).toBe(false);
  const { body: cut } = await call("GET", `/readiness-runs/${run.id}/report?limit=3`);
  expect(cut).toMatchObject({
    returnedFindings: 3,
    totalFindings: here.findings.length,
    truncated: true,
    findings: report.findings.slice(0, 3),
  });
  expect(JSON.stringify([run, report])).not.toMatch(/canary|"(?:score|points|percent)"/);
});

it.each([
  ["openai", {}, 400, { path: "body.submissionMode" }],
  ["openai", { submissionMode: "skills-only" }, 400, { code: "PACKAGE_NOT_HOSTED" }],
  ["openai", { submissionMode: "mcp-uploaded-skills" }, 400, { code: "PACKAGE_NOT_HOSTED" }],
  ["claude", { submissionMode: "mcp-only" }, 400, {}],
  ["claude", { idempotencyKey: " " }, 400, { path: "body.idempotencyKey" }],
  ["claude", { idempotencyKey: "k".repeat(201) }, 400, { path: "body.idempotencyKey" }],
  ["claude", { includeLlmObservations: true }, 422, { reason: "no_model" }],
] as const)("%s with %j is refused with %i", async (publisher, body, status, details) => {
  const answer = await start(publisher, body);
  expect([answer.status, answer.body.details]).toMatchObject([status, details]);
});

it("a server that is a command is refused: a directory lists addresses", async () => {
  const command = await saveServer({ transportType: "stdio", command: "node" });
  const answer = await start("claude", {}, command);
  expect([answer.status, answer.body.details.code]).toEqual([400, "STDIO_SERVER"]);
});

it("the same key is the same run, for something else a conflict", async () => {
  const body = { submissionMode: "mcp-only", idempotencyKey: "once" };
  const first = await start("openai", body);
  const again = await start("directory-b", body);
  expect(again.body).toEqual({ ...first.body, deduped: true });
  const other = await start("openai", { ...body, submissionMode: "mcp-imported-skills" });
  expect([other.status, other.body.details.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
  const theirs = await start("claude", { idempotencyKey: "once" });
  expect(theirs.body.deduped).toBe(false);
});

it("runs are listed newest first, by publisher in either spelling and by server", async () => {
  const { body: newest } = await start("claude");
  const { body: all } = await call("GET", "/readiness-runs");
  expect(all.items[0].id).toBe(newest.runId);
  const times = all.items.map(({ createdAt }: { createdAt: number }) => createdAt);
  expect(times).toEqual(times.toSorted((one: number, other: number) => other - one));
  for (const word of ["openai", "directory-b"]) {
    const { body } = await call("GET", `/readiness-runs?readinessKind=${word}`);
    expect(new Set(body.items.map((run: { readinessKind: string }) => run.readinessKind))).toEqual(
      new Set(["openai"]),
    );
  }
  expect((await call("GET", "/readiness-runs?serverId=srv_none")).body.items).toEqual([]);
  expect((await call("GET", "/readiness-runs?limit=101")).status).toBe(400);
});

it("cancelling says that the request was taken; the end shows later, and nothing ends twice", async () => {
  const { body } = await start("claude");
  const { runId } = body;
  expect((await call("GET", `/readiness-runs/${runId}/report`)).status).toBe(404);
  const cancelled = await call("POST", `/readiness-runs/${runId}/cancel`);
  expect([cancelled.status, cancelled.body]).toEqual([
    200,
    { runId, projectId: world.projectId, status: "cancelled" },
  ]);
  expect(await ended(runId)).toMatchObject({
    status: "cancelled",
    overallStatus: null,
    terminalReason: "cancelled",
    hasReport: false,
    reportUrl: null,
  });
  const again = await call("POST", `/readiness-runs/${runId}/cancel`);
  expect([again.status, again.body.details.code]).toEqual([409, "RUN_ENDED"]);
  await work();
  await endLostRuns(service.app, readinessRunKind);
  expect((await read(runId)).status).toBe("cancelled");
});

it("a server that is gone fails the run; one that does not answer is incomplete", async () => {
  const gone = await saveServer({ transportType: "http", url: cafe.url });
  const dead = await saveServer({ transportType: "http", url: "https://127.0.0.1:9/mcp" });
  const runs = await Promise.all([start("claude", {}, gone), start("claude", {}, dead)]);
  await call("DELETE", `/servers/${gone}`, undefined, "owner");
  await work();
  const [failed, silent] = await Promise.all(runs.map(({ body }) => ended(body.runId)));
  expect(failed).toMatchObject({ status: "failed", terminalReason: "server_deleted", overallStatus: null });
  expect(silent).toMatchObject({ status: "completed", overallStatus: "incomplete" });
});
