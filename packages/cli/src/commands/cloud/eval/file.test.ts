/** @module What a suite file sends with `cloud eval run --file`: approvals, the key of its launch, its defaults, and the CI it was launched from. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { ask, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService();
});
afterAll(() => service?.stop());

const evals = (argv: string[], stdin?: string) =>
  service.cloud(["eval", ...argv], { ...(stdin !== undefined && { stdin }) });
const runFile = (stdin: string, ...argv: string[]) => evals(["run", "--file", "-", ...argv], stdin);
const suiteIdOf = async (declared: string) =>
  ((await evals(["list"])).body.items as { id: string; declaredId?: string }[]).find(
    ({ declaredId }) => declaredId === declared,
  )?.id;

describe("an approximated case", () => {
  const imported = (status: string, more = "") => `, import: { status: ${status}, note: n }${more}`;
  const approximated = (id: string) =>
    suiteOf({ id, cases: [oneCase("c", ask("list_orders"), imported("approximated"))] });
  test("counts where this launch approves it; who and when is the service's to say, and no later run has it", async () => {
    const file = approximated("s_approved");
    const approve = ["--allow-approximated", "c", "--approval-reason", " looked at "];
    const ran = await runFile(file, ...approve, "--wait");
    expect([ran.exitCode, ran.body.runs[0].approvals]).toMatchObject([
      0,
      {
        cases: [{ caseKey: "c" }],
        reason: "looked at",
        approvedBy: expect.any(String),
        approvedAt: expect.any(Number),
      },
    ]);
    const later = await runFile(file);
    expect([later.exitCode, later.body.code]).toEqual([2, "APPROXIMATION_NOT_APPROVED"]);
    const id = (await suiteIdOf("s_approved"))!;
    const suite = await evals(["run", "--suite", id]);
    expect([suite.exitCode, suite.body.details.code]).toEqual([1, "APPROXIMATION_NOT_APPROVED"]);
    const scheduled = await evals(["schedule", "--suite", id, "--enable", "--interval", "60"]);
    expect([scheduled.exitCode, scheduled.body.details.code]).toEqual([1, "APPROXIMATION_NOT_APPROVED"]);
  });

  test.each<[string, string, string[], string]>([
    ["of nobody's", oneCase("c"), ["x"], "UNKNOWN_CASE"],
    ["that was not imported", oneCase("c"), ["c"], "NATIVE_CASE"],
    ["that is exact", oneCase("c", ask("x"), imported("exact")), ["c"], "EXACT_NEEDS_NO_APPROVAL"],
    ["that could not be imported", oneCase("c", ask("x"), imported("unsupported")), ["c"], "NOT_APPROVABLE"],
    [
      "that is disabled",
      oneCase("c", ask("x"), imported("approximated", ", disabled: true")),
      ["c"],
      "CASE_DISABLED",
    ],
    [
      "that is not selected",
      oneCase("c", ask("x"), imported("approximated")),
      ["c", "--case", "also"],
      "CASE_NOT_SELECTED",
    ],
  ])("%s is not approved: %s", async (_what, line, argv, code) => {
    const file = suiteOf({ id: "s_unapproved", cases: [line, oneCase("also")] });
    const { exitCode, body } = await runFile(file, "--approval-reason", "r", "--allow-approximated", ...argv);
    expect([exitCode, body.code, body.details.approvals]).toMatchObject([
      2,
      "IMPORT_APPROVAL_INVALID",
      [{ case: argv[0], code, message: expect.any(String) }],
    ]);
    expect(await suiteIdOf("s_unapproved")).toBeUndefined();
  });

  test.each<[string, string[]]>([
    ["with --suite", ["--suite", "s", "--allow-approximated", "c", "--approval-reason", "r"]],
    ["without a reason", ["--file", "-", "--allow-approximated", "c"]],
    ["a reason alone", ["--file", "-", "--approval-reason", "r"]],
    ["a blank reason", ["--file", "-", "--allow-approximated", "c", "--approval-reason", " "]],
    ["too long a reason", ["--file", "-", "--allow-approximated", "c", "--approval-reason", "r".repeat(501)]],
    ["a case twice", ["--file", "-", "--allow-approximated", "c", "c", "--approval-reason", "r"]],
  ])("%s is a usage error", async (_what, argv) => {
    const { exitCode, body } = await evals(["run", ...argv], approximated("s_usage"));
    expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
  });
});

describe("the key of a file's launch", () => {
  test("is of the file and every knob that bears on the run, and of no other", async () => {
    const file = suiteOf({ id: "s_key", cases: [oneCase("c_a"), oneCase("c_b")] });
    const runOf = async (...argv: string[]) => {
      const { exitCode, body, stderr } = await runFile(file, ...argv, "--wait");
      expect([exitCode, stderr]).toEqual([0, ""]);
      return body.launch.runId as string;
    };
    const knobs = [
      [],
      ["--iterations", "3"],
      ["--case", "c_a"],
      ["--min-pass-rate", "50"],
      ["--exclude-skills"],
      ["--match-options", '{"toolCallOrder":"any"}'],
      ["--server", "Bookshop"],
      ["--refresh-snapshot"],
    ];
    const runs: string[] = [];
    for (const argv of knobs) runs.push(await runOf(...argv));
    expect(new Set(runs).size).toBe(knobs.length);
    expect(await runOf("--notes", "other")).toBe(runs[0]);
    expect(await runOf("--idempotency-key", "mine")).not.toBe(runs[0]);
    expect(await runOf("--idempotency-key", "mine")).toBe(await runOf("--idempotency-key", "mine"));
    const other = await runFile(`${file}# another file\n`, "--wait");
    expect(runs).not.toContain(other.body.launch.runId);
  });
});

test("a run tells the commit, branch and pull request of its CI, and is found by its commit", async () => {
  const env = {
    GITLAB_CI: "1",
    CI_COMMIT_SHA: "c0ffee",
    CI_COMMIT_REF_NAME: "mine",
    CI_MERGE_REQUEST_IID: "7",
  };
  const argv = ["eval", "run", "--file", "-", "--wait"];
  const { body } = await service.cloud(argv, { stdin: suiteOf({ id: "s_ci" }), env });
  expect(body.runs[0].ci).toEqual({
    provider: "gitlab",
    commitSha: "c0ffee",
    branch: "mine",
    pullRequest: "7",
  });
  const found = await evals(["runs", "--commit-sha", "c0ffee"]);
  expect(found.body.items.map(({ id }: { id: string }) => id)).toEqual([body.launch.runId]);
});

test("omitted defaults stay unset, said ones are sent, and repetitions are no floor", async () => {
  await runFile(suiteOf({ id: "s_bare", defaults: ", passThreshold: 0.29" }), "--wait");
  const bare = (await evals(["get", "--suite", "s_bare"])).body;
  expect([bare.executionConfig, bare.settings.minimumAccuracy, bare.settings.minimumIterations]).toEqual([
    { model: "fettle/rules-1", systemPrompt: null, temperature: null },
    29,
    null,
  ]);
  await runFile(suiteOf({ id: "s_full", defaults: ", systemPrompt: Be kind, temperature: 0.5" }), "--wait");
  expect((await evals(["get", "--suite", "s_full"])).body.executionConfig).toEqual({
    model: "fettle/rules-1",
    systemPrompt: "Be kind",
    temperature: 0.5,
  });
});

test("a threshold that is no exact percentage is refused, not rounded; a disabled case's own is ignored", async () => {
  const odd = await runFile(suiteOf({ id: "s_odd", defaults: ", passThreshold: 0.33333" }));
  expect([odd.exitCode, odd.body.details.findings[0].code]).toEqual([2, "PASS_THRESHOLD_NOT_REPRESENTABLE"]);
  const cases = [oneCase("c"), oneCase("d", ask("x"), ", passThreshold: 0.5, disabled: true")];
  expect((await runFile(suiteOf({ id: "s_disabled", cases }), "--wait")).exitCode).toBe(0);
});
