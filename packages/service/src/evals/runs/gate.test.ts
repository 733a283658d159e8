import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { askCase } from "../../testing/eval-suite.ts";

const day = 86_400_000;
let now = Date.now();
let bench: EvalBench;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  bench = await evalBench(shop.url, { now: () => now });
  await bench.service.app.work();
});
afterAll(async () => {
  await bench.service.close();
  await shop.close();
});

const finds = askCase("finds", "Search for books about planets", "search_books");
const misses = askCase("misses", "Search for books about planets", "delete_everything");
const admin = { person: "admin" } as const;
const played = async (suiteId: string, body: object = {}) => {
  now += 60_000;
  const { runId } = (await bench.call("POST", "/eval-runs", { suiteId, ...body })).body;
  await bench.ended(runId);
  return runId as string;
};
const failedRun = async () => played(await bench.suite([finds, misses]));
const gateOf = async (runId: string) => (await bench.call("GET", `/eval-runs/${runId}/gate`)).body;
const waive = (runId: string, body: object = {}, as: Parameters<EvalBench["call"]>[3] = admin) =>
  bench.call(
    "POST",
    `/eval-runs/${runId}/gate-waivers`,
    { reason: "Known", expiresAt: now + day, ...body },
    as,
  );

describe("a waiver", () => {
  it("lets a failed gate through, is told everywhere, and leaves the run's result as it is", async () => {
    const runId = await failedRun();
    expect(await gateOf(runId)).toMatchObject({
      status: "failed",
      verdict: "failed",
      gateable: true,
      waiver: null,
    });
    const made = await waive(runId);
    expect(made).toMatchObject({ status: 201, body: { status: "created", waiver: { active: true, runId } } });
    expect(await gateOf(runId)).toMatchObject({ status: "waived", verdict: "failed" });
    const { body: run } = await bench.call("GET", `/eval-runs/${runId}`);
    expect(run).toMatchObject({ result: "failed", gateWaiver: { id: made.body.waiver.id } });
    expect((await bench.call("GET", `/eval-runs/${runId}/gate-waivers`)).body).toMatchObject({
      waiver: {
        reason: "Known",
        createdByEmail: bench.world.people.admin.email,
        policySnapshot: { minimumPassRate: 100 },
      },
    });
  });

  it("in force keeps a second one out, and stays as it is", async () => {
    const runId = await failedRun();
    const { waiver } = (await waive(runId)).body;
    expect(await waive(runId, { reason: "Other" })).toMatchObject({
      status: 409,
      body: {
        code: "CONFLICT",
        status: "conflict",
        waiver: { id: waiver.id },
        details: { code: "WAIVER_IN_FORCE", status: "conflict", waiver: { id: waiver.id } },
      },
    });
    expect((await bench.call("GET", `/eval-runs/${runId}/gate-waivers`)).body.waiver.reason).toBe("Known");
  });

  it("that is revoked fails the gate again, and is revoked once", async () => {
    const runId = await failedRun();
    const { waiver } = (await waive(runId)).body;
    const revoke = () =>
      bench.call("DELETE", `/eval-runs/${runId}/gate-waivers/${waiver.id}`, undefined, admin);
    const first = await revoke();
    expect(first.body).toMatchObject({ status: "revoked", waiver: { active: false } });
    now += 1_000;
    expect((await revoke()).body).toEqual({ ...first.body, status: "already_revoked" });
    expect(await gateOf(runId)).toMatchObject({ status: "failed", waiver: null });
    expect((await waive(runId)).status).toBe(201);
    const other = await failedRun();
    const elsewhere = `/eval-runs/${other}/gate-waivers/${waiver.id}`;
    expect((await bench.call("DELETE", elsewhere, undefined, admin)).status).toBe(404);
  });

  it("ends by itself when its time has come", async () => {
    const runId = await failedRun();
    await waive(runId);
    now += day + 1;
    expect(await gateOf(runId)).toMatchObject({ status: "failed", waiver: null });
    expect((await bench.call("GET", `/eval-runs/${runId}/gate-waivers`)).body).toEqual({ waiver: null });
  });

  it.each([
    ["no reason", () => ({ reason: " " }), "gate_waiver_reason_empty"],
    ["too long a reason", () => ({ reason: "x".repeat(501) }), "gate_waiver_reason_too_long"],
    ["a time that is over", () => ({ expiresAt: now - 1 }), "gate_waiver_expiry_not_future"],
    ["more than thirty days", () => ({ expiresAt: now + 30 * day + 60_000 }), "gate_waiver_expiry_too_far"],
  ])("with %s is refused", async (_, body, code) => {
    const runId = await failedRun();
    expect(await waive(runId, body())).toMatchObject({ status: 400, body: { details: { code } } });
    expect((await gateOf(runId)).status).toBe("failed");
  });

  it("is for those who manage the project", async () => {
    const runId = await failedRun();
    expect((await waive(runId, {}, { person: "member" })).status).toBe(403);
  });

  it("is not given to a gate that passed, nor to one that shows nothing", async () => {
    const passed = await played(await bench.suite([finds]));
    expect(await gateOf(passed)).toMatchObject({ status: "passed", verdict: "passed" });
    const suiteId = await bench.suite([finds], { serverIds: [] });
    const lost = await played(suiteId, { serverIds: [bench.server.id] });
    await bench.service.app.pool.query(
      "update eval_runs set result = 'inconclusive', reasons = '{noGradeableTrials}' where id = $1",
      [lost],
    );
    expect(await gateOf(lost)).toMatchObject({ status: "incomplete", verdict: null, gateable: false });
    for (const runId of [passed, lost]) {
      expect(await waive(runId)).toMatchObject({
        status: 409,
        body: { details: { code: "GATE_NOT_WAIVABLE" } },
      });
    }
  });
});

describe("comparing", () => {
  it("tells which cases changed since the run before, since a named run, and since a commit", async () => {
    const suiteId = await bench.suite([finds, misses]);
    const before = await played(suiteId, { ci: { commitSha: "abc" } });
    const mended = JSON.stringify({
      ...misses,
      steps: finds.steps,
      iterations: 1,
      isNegative: false,
      models: [],
    });
    await bench.service.app.pool.query(
      "update eval_cases set definition = $1 where suite_id = $2 and declared_id = 'misses'",
      [mended, suiteId],
    );
    const after = await played(suiteId);
    const { body } = await bench.call("GET", `/eval-runs/${after}/compare?previewChars=20`);
    expect(body).toMatchObject({
      baseline: { policy: "previous_completed", baseRunId: before },
      passSummary: { passed: { base: 1, compare: 2, delta: 1 } },
      compatibility: { comparable: false, comparableCaseIds: ["finds"] },
    });
    expect(body.cases).toMatchObject([
      { caseKey: "misses", status: "changed", base: { outcome: "failed" }, compare: { outcome: "passed" } },
      { caseKey: "finds", status: "unchanged_passed", compare: { preview: expect.any(String) } },
    ]);
    const by = async (query: string) =>
      (await bench.call("GET", `/eval-runs/${after}/compare?${query}`)).body;
    expect((await by(`baseRunId=${before}`)).baseline).toEqual({ policy: "run", baseRunId: before });
    expect((await by("baseCommitSha=abc")).baseline).toMatchObject({
      policy: "commit_sha",
      baseRunId: before,
    });
    expect(await by("baseCommitSha=none")).toMatchObject({
      code: "NOT_FOUND",
      details: { code: "BASELINE_NOT_FOUND", baseCommitSha: "none" },
    });
    expect((await bench.call("GET", `/eval-runs/${before}/compare`)).status).toBe(404);
  });
});
