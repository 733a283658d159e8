/** @module `cloud eval run` and the reads of runs, against the real service with the sample's bookshop. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { runningShop } from "../../../testing/eval-suite.ts";
import { ask, calls, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

const sampleSuite = join(import.meta.dirname, "../../../../../samples/src/bookshop/suite.yaml");

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService();
});
afterAll(() => service?.stop());

const evals = (argv: string[], stdin?: string) =>
  service.cloud(["eval", ...argv], { ...(stdin !== undefined && { stdin }) });
const runFile = (stdin: string, ...argv: string[]) => evals(["run", "--file", "-", ...argv], stdin);

interface Case {
  id: string;
  title: string;
  passed: boolean;
}
const verdicts = (report: { cases: Case[] }) =>
  Object.fromEntries(report.cases.map(({ title, passed }) => [title, passed]));

const listSuites = async () => (await evals(["list"])).body.items as { id: string; declaredId?: string }[];
const suiteIdOf = async (declared: string) =>
  (await listSuites()).find(({ declaredId }) => declaredId === declared)?.id;

test("the sample suite gives the verdicts of the local run, in the same report", async () => {
  const local = await testWorld();
  await using shop = await runningShop();
  const here = await local.fettle(
    ...["eval", "run", "--file", sampleSuite, "--server", `bookshop=${shop.url}`],
    ...["--reporter", "json-summary"],
  );
  const hosted = await evals(["run", "--file", sampleSuite, "--wait", "--reporter", "json-summary"]);
  expect([here.exitCode, hosted.exitCode]).toEqual([1, 1]);
  const [a, b] = [JSON.parse(here.stdout), JSON.parse(hosted.stdout)];
  expect(Object.keys(verdicts(a))).toHaveLength(6);
  expect(verdicts(b)).toEqual(verdicts(a));
  expect(b).toMatchObject({ kind: "eval-run", passed: false, summary: a.summary });
});

test("without --wait one receipt is printed, and the same file and flags answer the run they started", async () => {
  const file = suiteOf({ id: "s_receipt" });
  const first = await runFile(file);
  expect([first.exitCode, first.stdout.trim().split("\n")]).toEqual([0, [expect.any(String)]]);
  expect(first.body).toMatchObject({
    project: { id: service.projectId },
    suite: { name: "s_receipt" },
    outcome: "started",
    startedCount: 1,
    failedCount: 0,
    targets: [{ status: "started", runId: first.body.runId, servers: [{ name: "Bookshop" }] }],
  });
  const again = await runFile(file, "--notes", "of no matter");
  expect([again.body.runId, again.body.deduped]).toEqual([first.body.runId, true]);
  const other = await runFile(file, "--iterations", "2");
  expect(other.body.runId).not.toBe(first.body.runId);
  const human = await runFile(file, "--format", "human");
  expect(human.stdout).toMatch(
    new RegExp(
      `^Model: fettle/rules-1 \\(from the suite\\)\\nView: \\S+/evals/suite/${first.body.suite.id}/runs/${first.body.runId}\\?project=`,
    ),
  );
});

test("a file's cases are made, changed and deleted before the launch; disabled ones stay and are left out", async () => {
  const id = "s_sync";
  const cases = async () => {
    const { body } = await evals(["cases", "list", "--suite", (await suiteIdOf(id))!]);
    return (body.items as { declaredId: string; title: string; disabled: boolean; iterations: number }[]).map(
      ({ declaredId, disabled, iterations }) => [declaredId, disabled, iterations],
    );
  };
  const many = Array.from({ length: 120 }, (_, index) =>
    oneCase(`c_${index}`, ask("list_orders"), index > 0 ? ", disabled: true" : ""),
  );
  const first = await runFile(suiteOf({ id, cases: many }), "--wait");
  expect([first.exitCode, first.body.runs[0].progress.total]).toEqual([0, 1]);
  expect(await cases()).toHaveLength(120);
  const kept = [
    oneCase("c_0", ask("list_orders"), ", repetitions: 4"),
    oneCase("c_7", ask("list_orders"), ", disabled: true"),
  ];
  const second = await runFile(suiteOf({ id, cases: kept }), "--wait");
  expect(second.exitCode).toBe(0);
  expect(await cases()).toEqual([
    ["c_0", false, 4],
    ["c_7", true, 1],
  ]);
});

test("reports are printed and written, and what became of a run is read by its parts", async () => {
  const world = await testWorld({ env: service.env });
  await writeFile(join(world.cwd, "suite.yaml"), suiteOf({ id: "s_read" }));
  const typed = ["cloud", "eval", "run", "--file", "suite.yaml", "--wait", "--quiet"];
  const junit = await world.fettle(...typed, "--reporter", "junit-xml", "--out", "results.xml");
  expect([junit.exitCode, junit.stdout]).toEqual([0, expect.stringContaining('tests="1" failures="0"')]);
  expect(await readFile(join(world.cwd, "results.xml"), "utf8")).toBe(junit.stdout);
  const human = await world.fettle(...typed, "--format", "human");
  expect(human.stdout).toMatch(/s_read: passed, 1 of 1 case passed[\s\S]*View: http/);
  const lost = await world.fettle(...typed, "--out", "suite.yaml/report.json");
  expect([lost.exitCode, JSON.parse(lost.stdout).runs[0].result]).toEqual([4, "passed"]);
  expect(lost.stderr).toContain("OUT_WRITE_FAILED");

  const { launch } = JSON.parse(lost.stdout);
  const run = ["--run", launch.runId];
  const status = await evals(["status", ...run]);
  expect(status.body.run).toMatchObject({ id: launch.runId, status: "completed", result: "passed" });
  expect(status.body.run.judges).toBeDefined();
  const { body: page } = await evals(["iterations", ...run]);
  expect(page.items).toMatchObject([{ caseKey: "c_one", result: "passed" }]);
  const one = [...run, "--iteration", page.items[0].id];
  expect((await evals(["trace", ...one])).body.trace.messages.length).toBeGreaterThan(1);
  expect((await evals(["steps", ...one])).body.items).toMatchObject([
    { stepId: "p", status: "ok" },
    { stepId: "a", status: "ok" },
  ]);
  const { body: runs } = await evals(["runs", "--suite", launch.suite.id]);
  expect(runs.items.map(({ id }: { id: string }) => id)).toContain(launch.runId);
  expect((await evals(["cancel", ...run])).exitCode).toBe(1);
});

test("a suite of the project is run by its name, and only the cases that are named", async () => {
  await runFile(suiteOf({ id: "s_named", cases: [oneCase("c_a"), oneCase("c_b", ask("shelf_info"))] }));
  const both = await evals(["run", "--suite", "s_named", "--wait"]);
  expect(both.body.runs[0].progress.total).toBe(2);
  const one = await evals(["run", "--suite", "s_named", "--case", "c_a title", "--wait"]);
  expect([one.exitCode, one.body.runs[0].progress.total]).toEqual([0, 1]);
});

describe("refused, and nothing is written", () => {
  test.each<[string, string, string[], number, string]>([
    ["a file that is not valid", "schemaVersion: '1'\n", [], 2, "SUITE_FILE_INVALID"],
    ["a body of create", '{"name":"x","serverIds":["s"],"tests":[]}', [], 2, "USAGE_ERROR"],
    [
      "too many repetitions",
      suiteOf({ id: "s_no", cases: [oneCase("c", ask("x"), ", repetitions: 11")] }),
      [],
      2,
      "REPETITIONS_CAP",
    ],
    [
      "no enabled case",
      suiteOf({ id: "s_no", cases: [oneCase("c", ask("x"), ", disabled: true")] }),
      [],
      2,
      "NO_ENABLED_CASES",
    ],
    [
      "a threshold of an enabled case",
      suiteOf({ id: "s_no", cases: [oneCase("c", ask("x"), ", passThreshold: 0.5")] }),
      [],
      2,
      "PASS_THRESHOLD_OVERRIDE_UNSUPPORTED",
    ],
    [
      "a tool policy",
      suiteOf({ id: "s_no", defaults: ", toolPolicy: { mode: readOnly }" }),
      [],
      2,
      "TOOL_POLICY_UNSUPPORTED",
    ],
    [
      "rules of validity",
      suiteOf({ id: "s_no", defaults: ", validity: { minEligibleTrials: 1 }" }),
      [],
      2,
      "VALIDITY_UNSUPPORTED",
    ],
    [
      "an approximation nobody approved",
      suiteOf({ id: "s_no", cases: [oneCase("c", ask("x"), ", import: { status: approximated }")] }),
      [],
      2,
      "APPROXIMATION_NOT_APPROVED",
    ],
    [
      "a call of a tool that is not there",
      suiteOf({ id: "s_no", cases: [oneCase("c", calls("no_tool"))] }),
      [],
      2,
      "IMPORT_REFERENCE_UNRESOLVED",
    ],
    [
      "calls where the targets cannot be told",
      suiteOf({ id: "s_no", cases: [oneCase("c", calls("list_orders"))] }),
      ["--all-targets"],
      2,
      "TOOL_DISCOVERY_UNAVAILABLE",
    ],
    ["a case that is not there", suiteOf({ id: "s_no" }), ["--case", "nobody"], 2, "CASE_NOT_FOUND"],
    ["both a suite and a file", suiteOf({ id: "s_no" }), ["--suite", "x"], 2, "USAGE_ERROR"],
    ["a report without --wait", suiteOf({ id: "s_no" }), ["--reporter", "html"], 2, "USAGE_ERROR"],
    [
      "an environment and a server",
      suiteOf({ id: "s_no" }),
      ["--environment", "e", "--server", "s"],
      2,
      "USAGE_ERROR",
    ],
    [
      "an approval without a reason",
      suiteOf({ id: "s_no" }),
      ["--allow-approximated", "c"],
      2,
      "USAGE_ERROR",
    ],
  ])("%s", async (_what, file, argv, exitCode, code) => {
    const answer = await runFile(file, ...argv);
    expect([answer.exitCode, answer.body.code]).toEqual([exitCode, code]);
    expect(answer.body.hint).toBeTypeOf("string");
    expect(await suiteIdOf("s_no")).toBeUndefined();
  });

  test("a suite that a person made is not claimed by a file, whatever its name or id", async () => {
    const json = JSON.stringify({
      name: "s_mine",
      serverIds: ["Bookshop"],
      model: "fettle/rules-1",
      tests: [{ title: "One", steps: [{ id: "p", kind: "prompt", prompt: "Use list_orders" }] }],
    });
    const mine = (await evals(["create", "--json", json])).body.suite.id;
    const byName = await runFile(suiteOf({ id: "s_mine" }), "--wait");
    expect(byName.body.launch.suite.id).not.toBe(mine);
    const byId = await runFile(suiteOf({ id: mine }), "--wait");
    expect(byId.body.launch.suite.id).not.toBe(mine);
    expect((await evals(["get", "--suite", mine])).body).toMatchObject({ origin: "api", caseCount: 1 });
  });

  test("the converse: create takes no suite file", async () => {
    const { exitCode, body } = await evals(["create", "--file", "-"], '{"schemaVersion":"1"}');
    expect([exitCode, body.code, body.hint]).toEqual([
      2,
      "USAGE_ERROR",
      expect.stringContaining("eval run --file"),
    ]);
  });
});

describe("a report of a launch that failed", () => {
  const file = suiteOf({ id: "s_never", cases: [oneCase("c", ask("x"), ", disabled: true")] });
  test.each<[string, string, Record<string, string>, number, string]>([
    ["a file that is refused", file, {}, 2, "NO_ENABLED_CASES"],
    ["no access", file, { FETTLE_API_KEY: `sk_${"x".repeat(43)}` }, 3, "UNAUTHORIZED"],
    ["nobody there", file, { FETTLE_API_URL: "http://127.0.0.1:1" }, 4, "SERVER_UNREACHABLE"],
  ])("%s is printed and written before the exit code", async (_what, stdin, env, exitCode, code) => {
    const world = await testWorld({ env: { ...service.env, ...env }, stdin });
    const argv = ["cloud", "eval", "run", "--file", "-", "--wait", "--quiet", "--out", "report.json"];
    const ran = await world.fettle(...argv, "--reporter", "json-summary");
    expect(ran.exitCode).toBe(exitCode);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      kind: "eval-run",
      passed: false,
      cases: [{ id: "launch:1", category: "launch", details: { errorCode: code } }],
    });
    expect(await readFile(join(world.cwd, "report.json"), "utf8")).toBe(ran.stdout);
    expect(JSON.parse(ran.stderr).error.code).toBe(code);
  });

  test("and of a run that was lost from sight", async () => {
    const world = await testWorld({ env: service.env, stdin: suiteOf({ id: "s_lost" }) });
    const argv = ["cloud", "eval", "run", "--file", "-", "--wait", "--wait-timeout", "1", "--quiet"];
    const ran = await world.fettle(...argv, "--out", "report.xml", "--reporter", "junit-xml");
    expect(ran.exitCode).toBe(5);
    expect(ran.stdout).toContain("TIMEOUT");
    expect(await readFile(join(world.cwd, "report.xml"), "utf8")).toBe(ran.stdout);
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: "OPERATIONAL_ERROR",
      details: { runIds: [expect.any(String)], waitErrors: [{ errorCode: "TIMEOUT" }] },
    });
  });
});

describe("with --wait the exit code says what happened", () => {
  const wait = (env: Record<string, string>, ...argv: string[]) =>
    service.cloud(["eval", "run", ...argv, "--wait"], { stdin: suiteOf({ id: "s_codes" }), env });
  test.each<[string, Record<string, string>, string[], number]>([
    ["2: no such suite", {}, ["--suite", "nobody"], 2],
    ["3: no credential", { FETTLE_API_KEY: "" }, ["--file", "-"], 3],
    [
      "3: a key that is none of the service's",
      { FETTLE_API_KEY: `sk_${"x".repeat(43)}` },
      ["--file", "-"],
      3,
    ],
    ["4: nobody answers", { FETTLE_API_URL: "http://127.0.0.1:1" }, ["--file", "-"], 4],
    ["5: it takes longer than one waits", {}, ["--file", "-", "--wait-timeout", "1"], 5],
  ])("%s", async (_what, env, argv, exitCode) => {
    expect((await wait(env, ...argv)).exitCode).toBe(exitCode);
  });
});
