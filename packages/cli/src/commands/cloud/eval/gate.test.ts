/** @module `cloud eval gate`, by the table of decisions: the command and the service say the same, and nothing but a verdict exits 1. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { gatedRuns } from "../../../testing/gated-runs.ts";
import { ask, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

let service: CloudService;
let other: Awaited<ReturnType<typeof startEverything>>;
beforeAll(async () => {
  service = await startCloudService();
  other = await startEverything();
  await service.api("/servers", { name: "Everything", enabled: true, transportType: "http", url: other.url });
});
afterAll(async () => {
  await service?.stop();
  await other?.close();
});

const evals = (...argv: string[]) => service.cloud(["eval", ...argv]);
const { gate, played, passing, failed, waive } = gatedRuns(() => service);

const eligibility = (status: string, gateable: boolean) =>
  `import_eligibility = '${JSON.stringify({
    status,
    gateable,
    reasons: [],
    importedCaseCount: 1,
    claimedExactCaseIds: [],
    approvedApproximationCaseIds: [],
    issues: [],
  })}'`;

describe("the decision: eligibility first, then the verdict, then a waiver", () => {
  const inconclusive = "result = 'inconclusive', reasons = '{noGradeableTrials}'";
  test.each<[string, "passed" | "failed" | "waived", string, string, number]>([
    ["passed", "passed", "", "passed", 0],
    ["failed", "failed", "", "failed", 1],
    ["failed and waived", "waived", "", "waived", 0],
    ["imports incomplete", "passed", eligibility("incomplete", true), "incomplete", 3],
    ["imports incomplete, failed", "failed", eligibility("incomplete", false), "incomplete", 3],
    ["imports incomplete, waived", "waived", eligibility("incomplete", true), "incomplete", 3],
    ["not gateable under any status", "failed", eligibility("legacy", false), "incomplete", 3],
    ["not gateable, eligible, waived", "waived", eligibility("eligible", false), "incomplete", 3],
    ["legacy goes the ordinary way", "failed", eligibility("legacy", true), "failed", 1],
    ["eligible goes the ordinary way", "failed", eligibility("eligible", true), "failed", 1],
    ["eligible and waived", "waived", eligibility("eligible", true), "waived", 0],
    ["cancelled", "failed", "status = 'cancelled', result = null", "incomplete", 3],
    ["cancelled, waived", "waived", "status = 'cancelled', result = null", "incomplete", 3],
    ["out of time", "failed", "status = 'timed_out', result = null", "incomplete", 3],
    ["crashed", "failed", "status = 'failed', result = null", "incomplete", 3],
    ["still running", "failed", "status = 'running', result = null", "incomplete", 3],
    ["inconclusive", "passed", inconclusive, "incomplete", 3],
    ["inconclusive, waived", "waived", inconclusive, "incomplete", 3],
  ])("%s", async (_what, kind, change, outcome, exitCode) => {
    const runId = await (kind === "passed" ? passing() : failed());
    if (kind === "waived") expect((await waive(runId)).exitCode).toBe(0);
    if (change) await service.sql(`update eval_runs set ${change} where id = '${runId}'`);
    const decided = await gate(runId);
    expect([decided.exitCode, decided.body.exitCode, decided.body.gate.outcome]).toEqual([
      exitCode,
      exitCode,
      outcome,
    ]);
    const { body } = await service.api(`/eval-runs/${runId}/gate`);
    expect([body.status, body.gateable]).toEqual([outcome, outcome !== "incomplete"]);
    // Closed again, so that nobody waits for it.
    await service.sql(`update eval_runs set status = 'completed' where id = '${runId}'`);
  });
});

describe("thresholds", () => {
  let runId: string;
  test.each<[string, string[], number]>([
    ["a rate that is met", ["--min-pass-rate-percent", "50"], 0],
    ["a rate that is not", ["--min-pass-rate-percent", "50.1"], 1],
    ["no check broke", ["--no-gating-score-errors"], 0],
    ["a check that held", ["--min-scorer-pass-rate", "step:a=50"], 0],
    ["a check that did not", ["--min-scorer-pass-rate", "step:a=51"], 1],
    ["a mean that is met", ["--min-mean-score", "step:a=0.5"], 0],
    ["a mean that is not", ["--min-mean-score", "step:a=0.51"], 1],
    ["the worst of several", ["--min-pass-rate-percent", "1", "--min-mean-score", "step:a=1"], 1],
  ])("%s", async (_what, argv, exitCode) => {
    runId ??= await failed();
    expect((await gate(runId, ...argv)).exitCode).toBe(exitCode);
  });

  test("scores that do not fit their definitions gate nothing", async () => {
    const tampered = await failed();
    await service.sql(`update eval_iterations set scores = '[]' where run_id = '${tampered}'`);
    const { exitCode, body } = await gate(tampered, "--min-mean-score", "step:a=0");
    expect([exitCode, body.gate.verdicts[0].status]).toEqual([3, "non_gateable"]);
  });
});

describe("a baseline", () => {
  const cases = (count: number) => Array.from({ length: count }, (_, index) => oneCase(`c_${index}`));
  const six = suiteOf({ id: "s_base", cases: cases(6) });
  const at = (sha: string) => ({ GITLAB_CI: "1", CI_COMMIT_SHA: sha });
  let base: string;
  let same: string;
  let worse: string;
  test("that is no better lets the gate pass; a drop that shows fails it", async () => {
    base = await played(six, [], at("aaa"));
    same = await played(six, ["--idempotency-key", "same"], at("bbb"));
    worse = await played(six, ["--server", "Everything"], at("ccc"));
    const good = await gate(same, "--baseline", base);
    expect([good.exitCode, good.body.baselineComparison]).toMatchObject([
      0,
      {
        requestedBaselineKind: "run",
        requestedBaselineRunId: base,
        resolvedBaselineCommitSha: "aaa",
        baselineMatchUnique: true,
        baseRunId: base,
        compareRunId: same,
        compatibility: { caseSetChanged: false, iterationWeightingEqual: true, incompatibleCases: [] },
      },
    ]);
    const bad = await gate(worse, "--baseline", base);
    expect([bad.exitCode, bad.body.gate.verdicts]).toMatchObject([
      1,
      [
        { gate: "result", status: "failed" },
        { gate: "passRateRegression", status: "failed" },
      ],
    ]);
    expect((await gate(same, "--baseline", worse)).exitCode).toBe(0);
    const human = await gate(worse, "--baseline", base, "--format", "human");
    expect(human.stdout).toMatch(
      /regressed[\s\S]*c_0 title[\s\S]*passRateRegression[\s\S]*The gate failed\./,
    );
  });

  test("that failed just as much does not let a failed run pass", async () => {
    const asBad = await played(six, ["--server", "Everything", "--idempotency-key", "as-bad"], at("eee"));
    const { exitCode, body } = await gate(worse, "--baseline", asBad);
    expect([exitCode, body.gate.verdicts]).toMatchObject([
      1,
      [
        { gate: "result", status: "failed" },
        { gate: "passRateRegression", status: "passed" },
      ],
    ]);
  });

  test("is found by the beginning of its commit, unless several begin so", async () => {
    const [one, two] = ["abcd1234", "abcd5678"].map((start) => `${start}${"0".repeat(32)}`);
    const of = (sha = "") => played(six, ["--idempotency-key", sha], at(sha));
    const first = await of(one);
    const short = await gate(worse, "--baseline-sha", "ABCD");
    expect(short.body.baselineComparison).toMatchObject({
      baseRunId: first,
      requestedBaselineCommitSha: "ABCD",
      resolvedBaselineCommitSha: one,
    });
    await of(two);
    expect((await gate(worse, "--baseline-sha", "abcd1")).body.baselineComparison.baseRunId).toBe(first);
    const several = await gate(worse, "--baseline-sha", "abcd");
    expect([several.exitCode, several.body.choices]).toEqual([2, [one, two]]);
  });

  test("is found by its commit; which of several is told, and a commit of no finished run is no verdict", async () => {
    const found = await gate(worse, "--baseline-sha", "aaa");
    expect([found.exitCode, found.body.baselineComparison]).toMatchObject([
      1,
      { requestedBaselineKind: "commitSha", requestedBaselineCommitSha: "aaa", baseRunId: base },
    ]);
    const second = await played(six, ["--idempotency-key", "again"], at("aaa"));
    const several = await gate(worse, "--baseline-sha", "aaa");
    expect(several.body.baselineComparison).toMatchObject({
      baselineMatchUnique: false,
      baselineMatchCount: 2,
      baselineMatchCountTruncated: false,
      baseRunId: second,
      resolvedBaselineCommitSha: "aaa",
    });
    const none = await gate(worse, "--baseline-sha", "ddd");
    expect([none.exitCode, none.body.gate, none.body.baselineComparison.baseRunId]).toMatchObject([
      3,
      { outcome: "incomplete", verdicts: [{ gate: "baseline", message: expect.stringContaining("ddd") }] },
      null,
    ]);
  });

  test("that cannot be read, has no verdict, or whose imports may not count is no verdict", async () => {
    expect((await gate(worse, "--baseline", "evr_none")).exitCode).toBe(3);
    const set = (change: string) => service.sql(`update eval_runs set ${change} where id = '${same}'`);
    for (const [change, back] of [
      ["result = 'inconclusive'", "result = 'passed'"],
      ["status = 'cancelled', result = null", "status = 'completed', result = 'passed'"],
      [eligibility("incomplete", true), "import_eligibility = null"],
      [eligibility("eligible", false), "import_eligibility = null"],
    ] as const) {
      await set(change);
      expect((await gate(worse, "--baseline", same)).exitCode).toBe(3);
      await set(back);
    }
  });

  test("its four settings", async () => {
    const own = ["--min-pass-rate-percent", "0"];
    const exits = async (...argv: string[]) =>
      (await gate(worse, "--baseline", base, ...own, ...argv)).exitCode;
    expect(await exits("--min-sample-size", "6")).toBe(1);
    expect(await exits("--min-sample-size", "7")).toBe(3);
    expect(await exits("--min-effect-size-percent", "100")).toBe(1);
    expect(await exits("--gate-deterministic-regressions")).toBe(1);
    const slower = (ms: string) => gate(same, "--baseline", base, "--max-p95-latency-increase-ms", ms);
    expect((await slower("600000")).exitCode).toBe(0);
  });

  test("of other cases gates nothing as a whole; a check of one case that fails now still fails", async () => {
    const changed = (what: string, lines: readonly string[]) =>
      played(suiteOf({ id: "s_base", cases: lines }), ["--server", "Everything", "--notes", what]);
    const populations: [string, string[], string][] = [
      ["added", [...cases(6), oneCase("c_more")], "case_added"],
      ["removed", cases(5), "case_removed"],
      [
        "changed",
        [...cases(5), oneCase("c_5", ask("list_orders now", "list_orders"))],
        "scenario_config_changed",
      ],
      [
        "checks",
        [...cases(5), oneCase("c_5", ask("list_orders", "shelf_info"))],
        "evaluation_config_changed",
      ],
    ];
    for (const [what, lines, reason] of populations) {
      const run = await changed(what, lines);
      const latency = ["--max-p95-latency-increase-ms", "600000"];
      const own = ["--min-pass-rate-percent", "0"];
      const { exitCode, body } = await gate(run, "--baseline", base, ...own, ...latency);
      expect([what, exitCode, body.gate.verdicts.map(({ status }: { status: string }) => status)]).toEqual([
        what,
        3,
        ["passed", "non_gateable", "non_gateable"],
      ]);
      expect(JSON.stringify(body.baselineComparison.compatibility.incompatibleCases)).toContain(reason);
      const checks = await gate(run, "--baseline", base, "--gate-deterministic-regressions");
      expect([what, checks.exitCode]).toEqual([what, 1]);
    }
    const fewer = await played(six, ["--idempotency-key", "fewer"]);
    await service.sql(`delete from eval_iterations where run_id = '${fewer}' and case_key = 'c_5'`);
    const unequal = await gate(fewer, "--baseline", base);
    expect([unequal.exitCode, unequal.body.baselineComparison.compatibility]).toMatchObject([
      3,
      { iterationWeightingEqual: false },
    ]);
  });
});

describe("asked so, it is a usage error", () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  test.each<[string, string[], RegExp]>([
    ["no run", ["gate"], /--run/],
    ["two baselines", ["gate", "--run", "r", "--baseline", "b", "--baseline-sha", "c"], /exclude/],
    ["a commit as a run", ["gate", "--run", "r", "--baseline", sha], /--baseline-sha/],
    ["its own baseline", ["gate", "--run", "r", "--baseline", "r"], /own/],
    ["a blank baseline", ["gate", "--run", "r", "--baseline", " "], /baseline/],
    ["a sample size alone", ["gate", "--run", "r", "--min-sample-size", "3"], /compare/],
    ["an effect alone", ["gate", "--run", "r", "--min-effect-size-percent", "3"], /compare/],
    ["checks alone", ["gate", "--run", "r", "--gate-deterministic-regressions"], /compare/],
    ["latency alone", ["gate", "--run", "r", "--max-p95-latency-increase-ms", "3"], /compare/],
    ["a rate above all", ["gate", "--run", "r", "--min-pass-rate-percent", "101"], /100/],
    ["a scorer without a number", ["gate", "--run", "r", "--min-mean-score", "step:a"], /scorer=/],
    ["a scorer twice", ["gate", "--run", "r", "--min-mean-score", "a=1", "--min-mean-score", "a=0"], /twice/],
    ["--wait-timeout alone", ["gate", "--run", "r", "--wait-timeout", "5"], /--wait/],
  ])("%s", async (_what, argv, said) => {
    const { exitCode, body } = await evals(...argv);
    expect([exitCode, body.code]).toEqual([2, "USAGE_ERROR"]);
    expect(`${body.message} ${body.hint}`).toMatch(said);
  });

  test("a scorer that the run does not have, or that has no name", async () => {
    const { exitCode, body } = await gate(await passing(), "--min-mean-score", "nobody=1");
    expect([exitCode, body.code, body.choices]).toEqual([2, "USAGE_ERROR", ["no-tool-errors", "step:a"]]);
  });
});

describe("what is no verdict about the server never exits 1", () => {
  test.each<[string, Record<string, string>, string[]]>([
    ["nobody answers", { FETTLE_API_URL: "http://127.0.0.1:1" }, []],
    ["a key of nobody's", { FETTLE_API_KEY: `sk_${"x".repeat(43)}` }, []],
    ["no credential", { FETTLE_API_KEY: "" }, []],
    ["no such run", {}, []],
    ["no such run to wait for", {}, ["--wait"]],
    ["no such project", {}, ["--project", "nobody"]],
  ])("%s: 3, and the report says so", async (_what, env, argv) => {
    const world = await testWorld({ env: { ...service.env, ...env } });
    const ran = await world.fettle(
      ...["cloud", "eval", "gate", "--run", "evr_none", "--quiet", ...argv],
      ...["--out", "report.json", "--reporter", "json-summary"],
    );
    expect([ran.exitCode, ran.stderr]).toEqual([3, ""]);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      passed: false,
      cases: [{ id: "gate", category: "gate", passed: false, details: { verdicts: [{ gate: "fetch" }] } }],
    });
    expect(await readFile(join(world.cwd, "report.json"), "utf8")).toBe(ran.stdout);
  });

  test("a run that takes longer than one waits", async () => {
    const runId = await passing();
    await service.sql(`update eval_runs set status = 'running', result = null where id = '${runId}'`);
    const { exitCode, body } = await gate(runId, "--wait", "--wait-timeout", "1");
    await service.sql(`update eval_runs set status = 'completed' where id = '${runId}'`);
    expect([exitCode, body.gate.verdicts[0].message]).toEqual([3, expect.stringContaining("TIMEOUT")]);
  });

  test("a report that cannot be written; a failed verdict stays one", async () => {
    const [good, bad] = [await passing(), await failed()];
    const nowhere = ["--out", "/dev/null/report.json"];
    expect((await gate(good, ...nowhere)).exitCode).toBe(3);
    expect((await gate(bad, ...nowhere)).exitCode).toBe(1);
  });
});

describe("reports", () => {
  test("tell the decision beside the cases; one that is waived is skipped and keeps what failed", async () => {
    const runId = await failed();
    const json = async () => JSON.parse((await gate(runId, "--reporter", "json-summary")).stdout);
    expect(await json()).toMatchObject({
      passed: false,
      cases: [
        { id: "gate", passed: false, classification: "breaking", error: expect.stringContaining("result") },
        { category: "eval" },
        { category: "eval" },
      ],
    });
    await waive(runId);
    expect(await json()).toMatchObject({
      passed: true,
      cases: [
        {
          id: "gate",
          title: "Gate (waived)",
          passed: true,
          classification: "informational",
          waiver: { reason: "Known" },
          error: expect.stringContaining("failed"),
        },
        {},
        {},
      ],
      metadata: { waiver: { reason: "Known" } },
    });
    const junit = (await gate(runId, "--reporter", "junit-xml")).stdout;
    expect(junit).toContain('<skipped message="Waived: Known"/>');
    expect((await gate(runId, "--reporter", "html")).stdout).toMatch(
      /Gate \(waived\)[\s\S]*waived[\s\S]*Known/,
    );
  });
});
