/** @module Waivers of a gate: every row of their states, through the command and the service. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { gatedRuns } from "../../../testing/gated-runs.ts";

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService();
});
afterAll(() => service?.stop());

const evals = (...argv: string[]) => service.cloud(["eval", ...argv]);
const { gate, passing, failed, waive } = gatedRuns(() => service);

test("lets a failed gate pass, one at a time, until it is taken back; the run keeps its result", async () => {
  const runId = await failed();
  const first = await waive(runId);
  expect([first.exitCode, first.body]).toMatchObject([
    0,
    { status: "created", republishedChecks: 0, waiver: { runId, reason: "Known", active: true } },
  ]);
  const through = await gate(runId);
  expect([through.exitCode, through.body.gate]).toMatchObject([
    0,
    {
      outcome: "waived",
      verdicts: [
        { gate: "waiver", status: "waived" },
        { gate: "result", status: "failed" },
      ],
    },
  ]);
  const { run } = (await evals("status", "--run", runId)).body;
  expect([run.result, run.gateWaiver.id]).toEqual(["failed", first.body.waiver.id]);
  expect((await evals("status", "--run", runId, "--format", "human")).stdout).toContain("Waived until");
  const second = await waive(runId, "--reason", "Other");
  expect([second.exitCode, second.body]).toMatchObject([
    1,
    { code: "CONFLICT", details: { waiver: { id: first.body.waiver.id, reason: "Known" } } },
  ]);
  const back = await evals("gate", "--run", runId, "unwaive");
  expect([back.exitCode, back.body.status]).toEqual([0, "revoked"]);
  expect((await gate(runId)).exitCode).toBe(1);
  const nothing = await evals("gate", "unwaive", "--run", runId);
  expect([nothing.exitCode, nothing.body.code]).toEqual([2, "USAGE_ERROR"]);
  const again = await evals("gate", "unwaive", "--run", runId, "--waiver", first.body.waiver.id);
  expect([again.exitCode, again.body.status]).toEqual([0, "already_revoked"]);
});

test("ends when its time has come, whatever the service still says", async () => {
  const runId = await failed();
  const { waiver } = (await waive(runId)).body;
  const later = await service.cloud(["eval", "gate", "--run", runId], { now: () => waiver.expiresAt });
  expect([later.exitCode, later.body.gate.outcome, later.body.gate.waiver.active]).toEqual([
    1,
    "failed",
    true,
  ]);
  expect((await service.api(`/eval-runs/${runId}/gate`)).body.status).toBe("waived");
  await service.sql(`update eval_gate_waivers set expires_at = now() where run_id = '${runId}'`);
  expect((await gate(runId)).exitCode).toBe(1);
});

test.each(["7", "0d", "0m", "1w", "d", "1.5h", "-1d", "7 days", " "])(
  "for '%s' is a usage error: how long is not said",
  async (typed) => {
    const argv = ["gate", "waive", "--run", "evr_1", "--reason", "r", `--expires-in=${typed}`];
    const { exitCode, body } = await evals(...argv);
    expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
  },
);

test("for more than thirty days, of a gate that passed, or of one that shows nothing is refused", async () => {
  const runId = await failed();
  const long = await evals("gate", "waive", "--run", runId, "--reason", "r", "--expires-in", "31d");
  expect([long.exitCode, long.body.details.code]).toEqual([1, "gate_waiver_expiry_too_far"]);
  const most = await evals("gate", "waive", "--run", runId, "--reason", "r", "--expires-in", "30d");
  expect([most.exitCode, most.stderr]).toEqual([0, ""]);
  const good = await waive(await passing());
  expect([good.exitCode, good.body.details.code]).toEqual([1, "GATE_NOT_WAIVABLE"]);
  const lost = await failed();
  await service.sql(`update eval_runs set result = 'inconclusive' where id = '${lost}'`);
  expect((await waive(lost)).body.details.code).toBe("GATE_NOT_WAIVABLE");
});

test("is for those who manage the project", async () => {
  const runId = await failed();
  const become = async (role: string, grant: string) => {
    await service.sql(`update organization_members set role = '${role}'`);
    await service.sql(`update project_members set role = '${grant}'`);
  };
  await become("member", "editor");
  const { exitCode, body } = await waive(runId);
  await become("owner", "admin");
  expect([exitCode, body.code, (await gate(runId)).exitCode]).toEqual([1, "FORBIDDEN", 1]);
});

test("needs its run and its reason", async () => {
  const run = ["--run", "evr_1"];
  for (const argv of [
    ["--reason", "r", "--expires-in", "1h"],
    [...run, "--expires-in", "1h"],
    [...run, "--reason", "r"],
    [...run, "--reason", " ", "--expires-in", "1h"],
  ]) {
    expect((await evals("gate", "waive", ...argv)).exitCode).toBe(2);
  }
});
