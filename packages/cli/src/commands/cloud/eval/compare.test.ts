/** @module `cloud eval compare`: what it shows, and when it decides. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { gatedRuns } from "../../../testing/gated-runs.ts";
import { oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

let service: CloudService;
let other: Awaited<ReturnType<typeof startEverything>>;
let good: string;
let bad: string;
beforeAll(async () => {
  service = await startCloudService();
  other = await startEverything();
  await service.api("/servers", { name: "Everything", enabled: true, transportType: "http", url: other.url });
});
afterAll(async () => {
  await service?.stop();
  await other?.close();
});

const at = (sha: string) => ({ GITLAB_CI: "1", CI_COMMIT_SHA: sha });
const compare = (...argv: string[]) => service.cloud(["eval", "compare", ...argv]);
const { gate, played } = gatedRuns(() => service);
const gating = "--gate-regressions";

test("two runs are shown side by side, with the one before unless another is named", async () => {
  const cases = Array.from({ length: 6 }, (_, index) => oneCase(`c_${index}`));
  const file = suiteOf({ id: "s_compare", cases });
  good = await played(file, [], at("aaa"));
  bad = await played(file, ["--server", "Everything"], at("bbb"));
  const { exitCode, body } = await compare("--run", bad);
  expect([exitCode, body]).toMatchObject([
    0,
    {
      baseline: { policy: "previous_completed", baseRunId: good },
      cases: [{ status: "regressed" }, {}, {}, {}, {}, {}],
    },
  ]);
  expect(body.gate).toBeUndefined();
  const named = await compare("--run", good, "--base-run", bad, "--format", "human");
  expect(named.stdout).toMatch(/fixed[\s\S]*run 1 beside run 2/);
  const bySha = await compare("--run", bad, "--base-sha", "aaa");
  expect(bySha.body.baseline).toMatchObject({ policy: "commit_sha", baseRunId: good });
  expect((await compare("--run", good)).body.details.code).toBe("BASELINE_NOT_FOUND");
});

test.each<[string, () => string[], number, string | undefined]>([
  ["worse than the one before", () => ["--run", bad], 1, "failed"],
  ["worse than a commit", () => ["--run", bad, "--base-sha", "aaa"], 1, "failed"],
  ["better", () => ["--run", good, "--base-run", bad], 0, "passed"],
  ["fewer than show anything", () => ["--run", bad, "--min-sample-size", "7"], 3, "incomplete"],
  ["checks that failed since", () => ["--run", bad, "--gate-deterministic-regressions"], 1, "failed"],
  [
    "a drop that is small enough",
    () => ["--run", good, "--base-run", bad, "--min-effect-size-percent", "100"],
    0,
    "passed",
  ],
  [
    "no slower than that",
    () => ["--run", good, "--base-run", bad, "--max-p95-latency-increase-ms", "600000"],
    0,
    "passed",
  ],
  ["no earlier run", () => ["--run", good], 3, "incomplete"],
  ["a commit of no run", () => ["--run", bad, "--base-sha", "ccc"], 3, "incomplete"],
  ["no such run", () => ["--run", "evr_none"], 3, "incomplete"],
])(
  "with --gate-regressions the exit code says whether it is worse: %s",
  async (_what, argv, exitCode, outcome) => {
    const told = await compare(...argv(), gating);
    expect([told.exitCode, told.body.exitCode, told.body.gate.outcome]).toEqual([
      exitCode,
      exitCode,
      outcome,
    ]);
  },
);

test.each<[string, string[]]>([
  ["a run and a commit", ["--base-run", "a", "--base-sha", "b"]],
  ["its own baseline", ["--base-run", "r"]],
  ["settings of a decision that is not asked for", ["--min-sample-size", "3"]],
  ["the same of checks", ["--gate-deterministic-regressions"]],
])("%s is a usage error", async (_what, argv) => {
  const { exitCode, body } = await compare("--run", "r", ...argv);
  expect([exitCode, body.code, body.hint]).toEqual([2, "USAGE_ERROR", expect.any(String)]);
});

test("nobody there is no verdict, and is told in the report", async () => {
  const world = await testWorld({ env: { ...service.env, FETTLE_API_URL: "http://127.0.0.1:1" } });
  const argv = ["cloud", "eval", "compare", "--run", bad, "--quiet", "--out", "report.json"];
  const ran = await world.fettle(...argv, gating);
  expect(ran.exitCode).toBe(3);
  expect(JSON.parse(await readFile(join(world.cwd, "report.json"), "utf8"))).toMatchObject({
    passed: false,
    cases: [{ id: "comparison", passed: false }],
  });
  expect((await world.fettle(...argv)).exitCode).toBe(1);
});

test("reports tell the decision beside the cases", async () => {
  const junit = await compare("--run", bad, gating, "--reporter", "junit-xml");
  expect([junit.exitCode, junit.stdout]).toEqual([1, expect.stringContaining("passRateRegression")]);
  const json = await compare("--run", bad, "--reporter", "json-summary");
  expect([json.exitCode, json.body.cases[0]]).toMatchObject([0, { id: "comparison", passed: true }]);
  expect(json.body.metadata.comparison.baseline.baseRunId).toBe(good);
});

test("cases whose repetitions disagree are told, and held against nobody", async () => {
  const file = suiteOf({ id: "s_flaky", cases: [oneCase("c")] });
  const first = await played(file);
  const second = await played(file, ["--idempotency-key", "second"]);
  for (const run of [first, second]) {
    // The rules never waver: one repetition more of each, and one that failed.
    for (const [place, result] of [
      [1, "passed"],
      [2, "failed"],
    ] as const) {
      await service.sql(
        `insert into eval_iterations select (jsonb_populate_record(kept, jsonb_build_object('id', kept.id || '-${place}',
          'ordinal', ${place}, 'iteration_number', ${place + 1}, 'result', '${result}'))).* from eval_iterations kept
          where run_id = '${run}' and ordinal = 0`,
      );
    }
  }
  const told = await compare("--run", second);
  expect(told.body.flakyCases).toEqual([{ caseKey: "c", title: "c title", passed: 2, eligible: 3 }]);
  expect((await compare("--run", second, gating, "--min-sample-size", "1")).exitCode).toBe(0);
  expect((await compare("--run", second, "--format", "human")).stdout).toContain("passed 2 of 3 times");
});

test("so many runs of one commit that they are not counted to the end: the count is a floor", async () => {
  await service.sql(
    `insert into eval_runs select (jsonb_populate_record(kept, jsonb_build_object('id', kept.id || '-' || n, 'run_number', 1000 + n,
      'idempotency_scope', null))).* from eval_runs kept, generate_series(1, 100) n where id = '${good}'`,
  );
  const told = await gate(bad, "--baseline-sha", "aaa");
  expect(told.body.baselineComparison).toMatchObject({
    baselineMatchUnique: false,
    baselineMatchCount: 100,
    baselineMatchCountTruncated: true,
    requestedBaselineCommitSha: "aaa",
    resolvedBaselineCommitSha: "aaa",
  });
});
