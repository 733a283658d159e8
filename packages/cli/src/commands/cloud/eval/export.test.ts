/** @module `cloud eval export`: a file that reproduces the suite, or nothing and the names of what no file can say; and `cases run` and `judge`. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportSuite } from "../../../eval/suite-export.ts";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { failing, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

let service: CloudService;
beforeAll(async () => {
  service = await startCloudService();
  const config = { modelId: "fettle/rules-1", serverIds: [service.service.serverId] };
  const { body } = await service.api("/clients", { name: "Desk", config });
  for (const name of ["Day", "Night"]) await service.api("/environments", { name, hostId: body.id });
});
afterAll(() => service?.stop());

const evals = (...argv: string[]) => service.cloud(["eval", ...argv]);
async function done(...argv: string[]) {
  const { exitCode, body, stderr } = await evals(...argv);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return body;
}

const prompt = (id: string, text: string) => ({ id, kind: "prompt", prompt: text });
const called = (id: string, toolName: string) => ({
  id,
  kind: "assert",
  assertion: { type: "toolCalledAtLeastOnce", toolName },
});
const orders = [prompt("p", "Use list_orders"), called("a", "list_orders")];

/** A suite made by hand that a file can say. */
async function suite(name: string, tests: object[] = [{ title: "One", steps: orders }]): Promise<string> {
  const json = JSON.stringify({ name, serverIds: ["Bookshop"], model: "fettle/rules-1", tests });
  const { suite: its } = await done("create", "--json", json);
  await done("update", "--suite", its.id, "--min-accuracy", "90");
  return its.id;
}

async function exported(suiteId: string, ...argv: string[]) {
  const world = await testWorld({ env: service.env });
  const ran = await world.fettle("cloud", "eval", "export", "--suite", suiteId, "--quiet", ...argv);
  return { ...ran, world, body: ran.stdout ? JSON.parse(ran.stdout) : JSON.parse(ran.stderr).error };
}

test("what is exported and run again is the same suite with the same verdicts", async () => {
  const id = await suite("Whole", [
    { id: "good", title: "Good", steps: orders, runs: 3, expectedOutput: "Orders" },
    { id: "bad", title: "Bad", steps: [prompt("p", "Use list_orders"), called("a", "shelf_info")], runs: 3 },
    { id: "quiet", title: "Quiet", steps: [prompt("p", "Hello")], isNegativeTest: true },
    {
      id: "refuses",
      title: "Refuses a book that is not there",
      steps: [prompt("p", 'Check the stock of the book with bookId = "no-such-book"')],
      expectToolError: { tool: "check_stock", contains: "book_not_found" },
    },
    { id: "own", title: "Own model", steps: orders, model: "fettle/rules-1" },
  ]);
  await done(
    "cases",
    "update",
    "--suite",
    id,
    "--case",
    "own",
    "--json",
    '{"disabled":true,"intent":"Later"}',
  );
  const settings = {
    settings: { checks: [{ type: "noToolErrors" }], modelSource: "suite" },
    description: "All of it",
  };
  await done("update", "--suite", id, "--json", JSON.stringify(settings));
  await done("update", "--suite", id, "--system-prompt", "Be brief.", "--temperature", "0.5");
  await done("update", "--suite", id, "--host", "Desk");

  const { world, body, exitCode } = await exported(id);
  const path = `.fettle/evals/${id}.yaml`;
  expect([exitCode, body]).toEqual([
    0,
    { exported: true, path, suite: { id, name: "Whole" }, cases: 5, bytes: expect.any(Number) },
  ]);
  expect(await readdir(join(world.cwd, ".fettle/evals"))).toEqual([`${id}.yaml`]);
  const file = await readFile(join(world.cwd, path), "utf8");
  expect(file).toContain("repetitions: 1\n");
  expect(file).toContain("modelSource: suite\n");
  const again = await world.fettle("cloud", "eval", "run", "--file", path, "--wait", "--quiet");
  expect(again.exitCode).toBe(1);
  expect(file).toContain("    expectToolError:\n      tool: check_stock\n      contains: book_not_found\n");
  const { launch, runs } = JSON.parse(again.stdout);
  const first = await evals("run", "--suite", id, "--wait");
  const seen = ({ summary, target, result }: { summary: object; target: object; result: string }) => ({
    summary,
    target,
    result,
  });
  expect(seen(runs[0])).toEqual(seen(first.body.runs[0]));

  const facts = async (suiteId: string) => {
    const {
      name,
      description,
      environment,
      hosts,
      executionConfig,
      settings: its,
    } = await done("get", "--suite", suiteId);
    const { items } = await done("cases", "list", "--suite", suiteId);
    return {
      ...{ name, description, environment, hosts, executionConfig, accuracy: its.minimumAccuracy },
      cases: items.map(
        ({
          id: _id,
          createdAt: _made,
          updatedAt: _changed,
          checks: _checks,
          ...rest
        }: Record<string, unknown>) => rest,
      ),
    };
  };
  expect(await facts(launch.suite.id)).toEqual(await facts(id));
});

test("an environment by its name, a file-owned suite under its declared id, and no file replaced unasked", async () => {
  const id = await suite("Inside");
  await done("environments", "set", "--suite", id, "--environment", "Day");
  await service.sql(`update eval_suites set server_ids = '{}' where id = '${id}'`);
  const { world, body } = await exported(id, "--out", "suite.yaml");
  expect(body.path).toBe("suite.yaml");
  expect(await readFile(join(world.cwd, "suite.yaml"), "utf8")).toContain("target:\n  environment: Day\n");
  const argv = ["cloud", "eval", "export", "--suite", id, "--out", "suite.yaml", "--quiet"];
  const again = await world.fettle(...argv);
  expect([again.exitCode, JSON.parse(again.stderr).error.code]).toEqual([2, "USAGE_ERROR"]);
  expect((await world.fettle(...argv, "--force")).exitCode).toBe(0);
  const ran = await world.fettle("cloud", "eval", "run", "--file", "suite.yaml", "--wait", "--quiet");
  expect(JSON.parse(ran.stdout).runs[0].target).toMatchObject({ kind: "environment", name: "Day" });

  await service.cloud(["eval", "run", "--file", "-", "--wait"], { stdin: suiteOf({ id: "s_owned" }) });
  const owned = await exported("s_owned");
  expect(owned.body.path).toBe(".fettle/evals/s_owned.yaml");
});

test("what a file uploaded is exported as that file, and running it again finds the suite it came from", async () => {
  const checks = "assertions: [{ type: noToolErrors }, { type: toolCallCountUnder, calls: 3 }]";
  const stdin = suiteOf({
    id: "s_round",
    defaults: ", passThreshold: 0.5, temperature: 0.5",
    cases: [
      oneCase("good", undefined, `, ${checks}, repetitions: 2`),
      oneCase("bad", failing, `, ${checks.replace("assertions", "checks")}`),
      oneCase("bare"),
      oneCase("off", undefined, ", disabled: true"),
    ],
  });
  const { body: first } = await service.cloud(["eval", "run", "--file", "-", "--wait"], { stdin });
  const { id } = first.launch.suite;
  const facts = async () => {
    const { updatedAt: _changed, sourceHash: _bytes, ...suite } = await done("get", "--suite", id);
    return { suite, cases: (await done("cases", "list", "--suite", id)).items };
  };
  const before = await facts();
  const { world, body, exitCode } = await exported(id);
  expect([exitCode, body]).toMatchObject([
    0,
    { exported: true, path: ".fettle/evals/s_round.yaml", cases: 4 },
  ]);
  const again = await world.fettle("cloud", "eval", "run", "--file", body.path, "--wait", "--quiet");
  expect(again.exitCode).toBe(1);
  const { launch, runs } = JSON.parse(again.stdout);
  expect([launch.suite.id, runs[0].summary]).toEqual([id, first.runs[0].summary]);
  expect(await facts()).toEqual(before);
  expect((await exported(id, "--out", "again.yaml")).body.bytes).toBe(body.bytes);
});

describe("what no file can say is named, and nothing is written", () => {
  const settings = (change: object) => (id: string) =>
    done("update", "--suite", id, "--json", JSON.stringify({ settings: change }));
  const ofCase = (change: object) => async (id: string) => {
    const { items } = await done("cases", "list", "--suite", id);
    const json = JSON.stringify(change);
    await done("cases", "update", "--suite", id, "--case", items[0].id, "--json", json);
  };
  const sql = (statement: string) => (id: string) => service.sql(statement.replaceAll("$ID", `'${id}'`));
  const model = (name: string, provider?: string) => ({ model: name, ...(provider && { provider }) });
  test.each<[string, (id: string) => Promise<unknown>, string]>([
    [
      "several environments",
      (id) => done("environments", "set", "--suite", id, "--environment", "Day", "Night"),
      "environmentIds",
    ],
    [
      "saved servers beside an environment",
      (id) => done("environments", "set", "--suite", id, "--environment", "Day"),
      "environment.servers",
    ],
    [
      "a sandbox image",
      sql("update eval_suites set sandbox_image_id = 'img_1' where id = $ID"),
      "environment.computerEnvironment",
    ],
    ["automatic grading", (id) => done("update", "--suite", id, "--judge", "on"), "settings.judge"],
    ["other match options", settings({ matchOptions: { toolCallOrder: "exact" } }), "settings.matchOptions"],
    ["a floor above a case's count", settings({ minimumIterations: 2 }), "settings.minimumIterations"],
    ["tool errors that do not count", settings({ failOnToolError: false }), "settings.failOnToolError"],
    [
      "several models of a case",
      ofCase({ models: [model("fettle/rules-1"), model("openai/x")] }),
      "cases[0].models",
    ],
    ["another provider", ofCase({ models: [model("x", "openai")] }), "cases[0].models"],
    ["a scenario", ofCase({ scenario: "Why not" }), "cases[0].scenario"],
    [
      "checks that replace",
      ofCase({ checks: { mode: "replace", list: [{ type: "noToolErrors" }] } }),
      "cases[0].checks",
    ],
    [
      "checks that extend",
      ofCase({ checks: { mode: "extend", list: [{ type: "noToolErrors" }] } }),
      "cases[0].checks",
    ],
    ["match options of a case", ofCase({ matchOptions: { arguments: "exact" } }), "cases[0].matchOptions"],
    [
      "settings of a case",
      ofCase({ advancedConfig: { temperature: 1 } }),
      "cases[0].advancedConfig.temperature",
    ],
    [
      "how careful a case is",
      ofCase({ advancedConfig: { toolMode: "read_only" } }),
      "cases[0].advancedConfig.toolMode",
    ],
    ["a case from elsewhere", ofCase({ import: { status: "approximated", note: "n" } }), "cases[0].import"],
    [
      "a check of the suite that nobody knows",
      sql(
        `update eval_suites set settings = jsonb_set(settings::jsonb, '{checks}', '[{"type":"new"}]') where id = $ID`,
      ),
      "settings.checks[0]",
    ],
    ["no model", sql("update eval_suites set model = null where id = $ID"), "executionConfig.model"],
    [
      "no minimum accuracy",
      sql(
        "update eval_suites set settings = jsonb_set(settings::jsonb, '{minimumAccuracy}', 'null') where id = $ID",
      ),
      "settings.minimumAccuracy",
    ],
    ["no name", sql("update eval_suites set name = ' ' where id = $ID"), "name"],
    ["no target", sql("update eval_suites set server_ids = '{}' where id = $ID"), "target"],
    ["no cases", sql("delete from eval_cases where suite_id = $ID"), "cases"],
    [
      "an id that is none",
      sql("update eval_cases set declared_id = 'a b' where suite_id = $ID"),
      "cases[0].id",
    ],
    [
      "an id of the suite that is none",
      sql("update eval_suites set declared_id = 'ä' || id where id = $ID"),
      "id",
    ],
    [
      "more than a file holds",
      sql(
        "update eval_cases set definition = jsonb_set(definition::jsonb, '{expectedOutput}', to_jsonb(repeat('x', 1048576))) where suite_id = $ID",
      ),
      "",
    ],
  ])("%s", async (what, change, pointer) => {
    const id = await suite(what);
    await change(id);
    const { exitCode, body, world } = await exported(id);
    expect([exitCode, body.exported, body.path]).toEqual([1, false, null]);
    expect(body.findings.map(({ code }: { code: string }) => code)).toContain("UNSUPPORTED_SUITE_EXPORT");
    expect(body.findings.map((one: { pointer: string }) => one.pointer)).toContain(pointer);
    expect(await readdir(world.cwd)).toEqual([]);
  });
});

test("a case without steps, which the service itself does not tell", async () => {
  const id = await suite("Stepless");
  const hosted = {
    suite: await done("get", "--suite", id),
    cases: [{ ...(await done("cases", "list", "--suite", id)).items[0], steps: [] }],
    environmentName: null,
    serverNames: new Map<string, string>(),
  };
  expect(exportSuite(hosted)).toMatchObject({ ok: false, findings: [{ pointer: "cases[0].steps" }] });
});

describe("cases run", () => {
  test("runs one case as a run of its own, against one target", async () => {
    const id = await suite("Single", [
      { id: "a", title: "First", steps: orders },
      { title: "Second", steps: orders },
    ]);
    const started = await done("cases", "run", "--suite", id, "--case", "First", "--iterations", "2");
    expect(started).toMatchObject({
      suite: { id, name: "Single" },
      case: { title: "First" },
      servers: [{ name: "Bookshop" }],
      environment: null,
      runId: expect.any(String),
      status: "pending",
    });
    await done("gate", "--run", started.runId, "--wait");
    const { items } = await done("iterations", "--run", started.runId);
    expect(items.map(({ title }: { title: string }) => title)).toEqual(["First"]);
    const composed = await done("cases", "run", "--suite", id, "--case", "Second", "--compose-host", "Desk");
    expect(composed.composed.environment).toMatchObject({ adhoc: true, created: true });
    expect(composed.environment.id).toBe(composed.composed.environment.id);
    await done("gate", "--run", composed.runId, "--wait");
  });

  test.each<[string, string[], number, string]>([
    ["all targets", ["--all-targets"], 2, "USAGE_ERROR"],
    ["an environment and a client", ["--environment", "Day", "--host", "Desk"], 2, "USAGE_ERROR"],
    ["composing in an environment", ["--compose-host", "Desk", "--environment", "Day"], 2, "USAGE_ERROR"],
    ["a case that is not there", ["--case", "Thrid"], 2, "CASE_NOT_FOUND"],
    ["an environment that is not attached", ["--environment", "Day"], 1, "VALIDATION_ERROR"],
  ])("refuses %s", async (what, argv, exitCode, code) => {
    const id = await suite(`Refused ${what}`, [{ title: "Third", steps: orders }]);
    const answer = await evals("cases", "run", "--suite", id, "--case", "Third", ...argv);
    expect([answer.exitCode, answer.body.code]).toEqual([exitCode, code]);
  });

  test("several attached need one to be named", async () => {
    const id = await suite("Several");
    await done("environments", "set", "--suite", id, "--environment", "Day", "Night");
    const { exitCode, body } = await evals("cases", "run", "--suite", id, "--case", "One");
    expect([exitCode, body.code]).toEqual([1, "TARGET_REQUIRED"]);
  });
});

describe("judge", () => {
  test("asks for grades, which are read from the status and change no result", async () => {
    const stdin = suiteOf({
      id: "s_judge",
      cases: [oneCase("good", undefined, ", expectedOutput: Orders"), oneCase("bad", failing)],
    });
    const { body } = await service.cloud(["eval", "run", "--file", "-", "--wait"], { stdin });
    const { runId } = body.launch;
    expect(body.runs[0].judges.goalCompletion.status).toBeNull();
    const off = await evals("judge", "--run", runId);
    expect([off.exitCode, off.body.details.code]).toEqual([1, "JUDGE_NOT_ENABLED"]);
    const asked = await done("judge", "--run", runId, "--enable", "--judge-threshold", "0.5");
    expect(asked.judge).toMatchObject({ runId, status: "pending" });
    await expect
      .poll(async () => (await done("status", "--run", runId)).run.judges.goalCompletion.status, {
        timeout: 60_000,
      })
      .toBe("completed");
    const { run } = await done("status", "--run", runId);
    expect([run.result, run.judges.goalCompletion]).toMatchObject([
      "failed",
      { threshold: 0.5, cases: [{}] },
    ]);
    expect((await evals("status", "--run", runId, "--format", "human")).stdout).toMatch(
      /Judge goalCompletion: \d\/\d passed at threshold 0.5/,
    );
    const blank = await evals("judge", "--run", runId, "--judge-threshold", " ");
    expect([blank.exitCode, blank.body.code]).toEqual([2, "USAGE_ERROR"]);
  });
});
