/** @module What `cloud eval run` runs against: saved servers, attached and composed targets, several at once, and what their exit codes add up to. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CloudService, startCloudService } from "../../../testing/cloud-service.ts";
import { ask, calls, failing, oneCase, suiteOf } from "../../../testing/hosted-suite.ts";
import { testWorld } from "../../../testing/world.ts";

let service: CloudService;
let other: Awaited<ReturnType<typeof startEverything>>;

const cloud = async (...argv: string[]) => service.cloud(argv);
const evals = (...argv: string[]) => service.cloud(["eval", ...argv]);
const runFile = (stdin: string, ...argv: string[]) =>
  service.cloud(["eval", "run", "--file", "-", ...argv], { stdin });

async function made(...argv: string[]): Promise<{ id: string }> {
  const { exitCode, body, stderr } = await cloud(...argv);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return body;
}

async function posted(path: string, asked: object): Promise<string> {
  const { status, body } = await service.api(path, asked);
  expect([status, body.code]).toEqual([201, undefined]);
  return body.id;
}
const server = (name: string) =>
  posted("/servers", { name, enabled: true, transportType: "http", url: other.url });
const client = (name: string, serverIds: string[]) =>
  posted("/clients", { name, config: { modelId: "fettle/rules-1", serverIds } });
const environment = (name: string, hostId: string) => posted("/environments", { name, hostId });

/** A suite made by hand, so that nothing of a file's is attached. */
async function suite(name: string, attached: { environments?: string[]; hosts?: string[] } = {}, steps = "") {
  const asked = JSON.parse(
    steps ||
      '[{"id":"p","kind":"prompt","prompt":"Use list_orders"},{"id":"a","kind":"assert","assertion":{"type":"toolCalledAtLeastOnce","toolName":"list_orders"}}]',
  );
  const body = {
    name,
    serverIds: ["Bookshop"],
    model: "fettle/rules-1",
    tests: [{ title: "One", steps: asked }],
  };
  const { suite: its } = (await evals("create", "--json", JSON.stringify(body))).body;
  const { environments = [], hosts = [] } = attached;
  if (environments.length > 0) {
    await made("eval", "environments", "set", "--suite", name, "--environment", ...environments);
  }
  if (hosts.length > 0) await made("eval", "update", "--suite", name, "--host", ...hosts);
  return its.id as string;
}

beforeAll(async () => {
  // One slot: several targets fit into it only as one group.
  service = await startCloudService({ FETTLE_LIMIT_EVAL_RUNS: "1" });
  other = await startEverything();
  const shop = service.service.serverId!;
  await environment("Shop", await client("Shop desk", [shop]));
  await environment("Other", await client("Other desk", [await server("Everything")]));
  await environment("Empty", await client("Empty desk", []));
});
afterAll(async () => {
  await service?.stop();
  await other?.close();
});

describe("one target", () => {
  test("nothing attached runs the saved servers; one attached environment or client runs by itself", async () => {
    await suite("Plain");
    expect((await evals("run", "--suite", "Plain", "--wait")).body.runs[0].target).toMatchObject({
      kind: "servers",
      name: "Bookshop",
    });
    await suite("In shop", { environments: ["Shop"] });
    const inside = (await evals("run", "--suite", "In shop", "--wait")).body;
    expect(inside.runs[0]).toMatchObject({
      target: { kind: "environment", name: "Shop", servers: [{ name: "Bookshop" }] },
      environment: { name: "Shop", revision: expect.any(Number) },
    });
    expect(inside.launch.environment).toEqual(inside.runs[0].environment);
    await suite("As desk", { hosts: ["Shop desk"] });
    expect((await evals("run", "--suite", "As desk", "--wait")).body.runs[0].target).toMatchObject({
      kind: "host",
      name: "Shop desk",
    });
  });

  test("several attached and none named is refused with the choices; with --wait as an invalid launch", async () => {
    await suite("Two", { environments: ["Shop", "Other"] });
    const without = await evals("run", "--suite", "Two");
    expect([without.exitCode, without.body]).toMatchObject([
      1,
      {
        code: "TARGET_REQUIRED",
        choices: ["--environment Shop", "--environment Other"],
        hint: expect.stringContaining("--all-targets"),
      },
    ]);
    expect((await evals("run", "--suite", "Two", "--wait")).exitCode).toBe(2);
    const one = await evals("run", "--suite", "Two", "--environment", "Shop", "--wait");
    expect([one.exitCode, one.body.launch.targets]).toMatchObject([0, [{ environment: { name: "Shop" } }]]);
  });

  test("one that is not attached is refused, and the way to attach it told", async () => {
    await suite("Strange", { environments: ["Shop"] });
    const { exitCode, body } = await evals("run", "--suite", "Strange", "--environment", "Other");
    expect([exitCode, body.code, body.details.code]).toEqual([
      1,
      "VALIDATION_ERROR",
      "ENVIRONMENT_NOT_ATTACHED",
    ]);
    expect(body.hint).toContain("fettle cloud eval environments set");
  });
});

describe("the model that answers", () => {
  const target = "{ servers: [{ name: Bookshop }], hosts: [{ name: Shop desk }] }";

  test("is the client's, and said to be; a file with modelSource: suite runs on its own", async () => {
    const own = suiteOf({ id: "s_own", target }).replace("model: fettle/rules-1", "model: openai/none");
    const told = await runFile(own, "--format", "human");
    expect(told.stdout).toMatch(/^Model: fettle\/rules-1 \(from client Shop desk\)\nView: /);
    const insisting = suiteOf({ id: "s_insists", target, defaults: ", modelSource: suite" });
    const ran = await runFile(insisting, "--wait");
    expect([ran.exitCode, ran.body.launch.model, ran.body.runs[0]]).toMatchObject([
      0,
      { id: "fettle/rules-1", source: "suite", from: "the suite" },
      { target: { kind: "host", name: "Shop desk" }, modelSource: "suite" },
    ]);
    // Taken out of the file, it is the client's again.
    const again = await runFile(suiteOf({ id: "s_insists", target }), "--wait");
    expect(again.body.launch.model).toMatchObject({ source: "host", from: "client Shop desk" });
  });
});

describe("several targets", () => {
  test("all attached ones are one group in one slot, each a run of its own, in one document", async () => {
    await suite("All", { environments: ["Shop", "Other"] });
    const ran = await evals("run", "--suite", "All", "--all-targets", "--wait");
    const { launch, runs } = ran.body;
    expect(ran.stdout.trim().split("\n")).toHaveLength(1);
    expect(launch).toMatchObject({
      outcome: "started",
      startedCount: 2,
      failedCount: 0,
      runGroupId: expect.any(String),
      targets: [
        { status: "started", environment: { name: "Shop" }, servers: [{ name: "Bookshop" }] },
        { status: "started", environment: { name: "Other" }, servers: [{ name: "Everything" }] },
      ],
    });
    expect(launch.runId).toBeUndefined();
    expect(runs.map(({ id }: { id: string }) => id)).toEqual(
      launch.targets.map(({ runId }: { runId: string }) => runId),
    );
    // The other server has no such tool: its run failed, the first did not.
    expect([ran.exitCode, runs.map(({ result }: { result: string }) => result)]).toEqual([
      1,
      ["passed", "failed"],
    ]);
  });

  test("environments go before clients, never both; some are named by repeating", async () => {
    await suite("Both", { environments: ["Shop", "Other"], hosts: ["Shop desk", "Other desk"] });
    const all = await evals("run", "--suite", "Both", "--all-targets", "--wait");
    expect(all.body.runs.map(({ target }: { target: { kind: string } }) => target.kind)).toEqual([
      "environment",
      "environment",
    ]);
    const named = ["--host", "Shop desk", "--host", "Other desk"];
    const some = await evals("run", "--suite", "Both", ...named, "--wait");
    expect(some.body.launch.targets).toMatchObject([
      { host: { name: "Shop desk" } },
      { host: { name: "Other desk" } },
    ]);
    const twice = ["--host", "Shop desk", "--host", "shop desk"];
    expect((await evals("run", "--suite", "Both", ...twice, "--wait")).body.launch.startedCount).toBe(1);
  });

  test("one that cannot run keeps no other from starting; people read a line for each", async () => {
    await suite("Part", { environments: ["Shop", "Empty"] });
    const run = ["run", "--suite", "Part", "--all-targets"];
    const human = await evals(...run, "--format", "human");
    expect(human.exitCode).toBe(1);
    expect(human.stdout).toMatch(
      /^Model: fettle\/rules-1 \(from the client of environment Shop\)\nView: http\S+\nStarted 1\/2 runs \(group \S+\)\n$/,
    );
    expect(human.stderr).toMatch(/^Failed: Empty - ENV_NO_SERVERS: /);
    const waited = await evals(...run, "--wait", "--notes", "again");
    expect([waited.exitCode, waited.body.launch.outcome, waited.body.runs[0].result]).toEqual([
      4,
      "partial",
      "passed",
    ]);
    await suite("None", { environments: ["Empty"] });
    await made("eval", "environments", "set", "--suite", "None", "--environment", "Empty", "Shop");
    const broken = await evals("run", "--suite", "None", "--environment", "Empty");
    expect([broken.exitCode, broken.body.details.code]).toEqual([1, "ENV_NO_SERVERS"]);
  });

  test("a failed verdict is not hidden by a target that did not start", async () => {
    await suite("Worst", { environments: ["Other", "Empty"] });
    expect((await evals("run", "--suite", "Worst", "--all-targets", "--wait")).exitCode).toBe(1);
  });

  test("the report holds every run, and what never started", async () => {
    await suite("Report", { environments: ["Shop", "Other", "Empty"] });
    const world = await testWorld({ env: service.env });
    const run = ["cloud", "eval", "run", "--suite", "Report", "--all-targets", "--wait", "--quiet"];
    for (const reporter of ["json-summary", "junit-xml", "html"]) {
      const ran = await world.fettle(...run, "--reporter", reporter, "--out", "report");
      expect(ran.exitCode).toBe(1);
      expect(await readFile(join(world.cwd, "report"), "utf8")).toBe(ran.stdout);
      if (reporter === "junit-xml") expect(ran.stdout).toContain('tests="3" failures="2"');
      if (reporter === "html") expect(ran.stdout).toMatch(/ENV_NO_SERVERS[\s\S]*Report[\s\S]*Report/);
      if (reporter !== "json-summary") continue;
      expect(JSON.parse(ran.stdout)).toMatchObject({
        kind: "eval-run",
        passed: false,
        summary: { total: 3, passed: 1, failed: 2 },
        cases: [
          { id: "launch:3", title: "Empty", category: "launch", details: { errorCode: "ENV_NO_SERVERS" } },
          { category: "eval", passed: true },
          { category: "eval", passed: false },
        ],
        metadata: { runs: [{ result: "passed" }, { result: "failed" }], runGroupId: expect.any(String) },
      });
    }
  });

  test("a file's clients are attached and all run; a target on the command line goes before them", async () => {
    const target = "{ servers: [{ name: Bookshop }], hosts: [{ name: Shop desk }, { name: Other desk }] }";
    const file = suiteOf({ id: "s_hosts", target });
    const named = await runFile(file, "--server", "Bookshop", "--wait");
    expect(named.body.runs.map(({ target: { kind } }: { target: { kind: string } }) => kind)).toEqual([
      "servers",
    ]);
    expect((await evals("get", "--suite", "s_hosts")).body.hosts).toEqual([]);
    const ran = await runFile(file, "--wait");
    expect([ran.exitCode, ran.body.launch.targets]).toMatchObject([
      1,
      [{ host: { name: "Shop desk" } }, { host: { name: "Other desk" } }],
    ]);
    const again = await runFile(file);
    expect(again.body.runGroupId).toBe(ran.body.launch.runGroupId);
  });

  test("a file's environment is attached, and goes before its clients, also where a target is named", async () => {
    const target = "{ environment: Shop, hosts: [{ name: Other desk }] }";
    const file = suiteOf({ id: "s_inside", target });
    const ran = await runFile(file, "--wait");
    expect([ran.exitCode, ran.body.runs]).toMatchObject([
      0,
      [{ target: { kind: "environment", name: "Shop" }, environment: { name: "Shop" } }],
    ]);
    const explicit = suiteOf({
      id: "s_explicit",
      target: "{ environment: Shop, hosts: [{ name: Other desk }] }",
    });
    const refused = await runFile(explicit, "--host", "Shop desk");
    expect([refused.exitCode, refused.body.details.code]).toEqual([1, "HOST_NOT_ATTACHED"]);
    const { body } = await evals("get", "--suite", "s_explicit");
    expect([body.environmentIds.length, body.hosts]).toEqual([1, []]);
  });
});

describe("composed", () => {
  test("a client becomes an unnamed environment, the same for the same stack, and is run", async () => {
    await suite("Composed");
    const run = ["run", "--suite", "Composed", "--compose-host", "Shop desk", "--wait"];
    const first = await evals(...run);
    expect([first.exitCode, first.body.launch.composed]).toMatchObject([
      0,
      { environment: { name: null, adhoc: true, created: true }, attachment: { attached: false } },
    ]);
    const { id } = first.body.launch.composed.environment;
    expect(first.body.runs[0]).toMatchObject({
      environment: { id, name: null },
      target: { kind: "environment" },
    });
    const second = await evals(...run, "--iterations", "2");
    expect(second.body.launch.composed).toMatchObject({
      environment: { id, created: false },
      attachment: { attached: false },
    });
    const other = await evals(...run, "--compose-model", "fettle/rules-1");
    expect(other.body.launch.composed.environment.id).not.toBe(id);
  });

  test("is for this run alone: the suite is attached to it only with --save-targets", async () => {
    await suite("One-off");
    const attached = async () => (await evals("get", "--suite", "One-off")).body.environmentIds;
    const plain = async () => {
      const { body } = await evals("run", "--suite", "One-off", "--wait");
      return body.runs[0].target.kind;
    };
    const composed = ["run", "--suite", "One-off", "--compose-host", "Shop desk", "--wait"];
    expect((await evals(...composed)).exitCode).toBe(0);
    expect([await attached(), await plain()]).toEqual([[], "servers"]);
    const saved = await evals(...composed, "--save-targets");
    const { environment, attachment } = saved.body.launch.composed;
    expect([saved.exitCode, attachment.attached]).toEqual([0, true]);
    expect([await attached(), await plain()]).toEqual([[environment.id], "environment"]);
    expect((await evals(...composed, "--save-targets")).body.launch.composed.attachment.attached).toBe(false);
  });

  test("of servers of its own, and refused as a whole where a part is not known", async () => {
    await suite("Parts");
    const host = ["run", "--suite", "Parts", "--compose-host", "Other desk"];
    await posted("/server-groups", { name: "Books", serverIds: [service.service.serverId] });
    const ran = await evals(...host, "--compose-server-group", "Books", "--wait");
    expect([ran.exitCode, ran.body.launch.servers]).toMatchObject([0, [{ name: "Bookshop" }]]);
    for (const part of [
      ["--compose-server-group", "Boks"],
      ["--compose-skill", "nobody"],
      ["--compose-computer", "img_none"],
    ]) {
      const { exitCode, body } = await evals(...host, ...part);
      expect([exitCode, body.hint]).toEqual([1, expect.any(String)]);
    }
  });

  test("what was composed is told although the launch is refused", async () => {
    await suite("Told");
    const { exitCode, body } = await evals("run", "--suite", "Told", "--compose-host", "Empty desk");
    expect([exitCode, body]).toMatchObject([
      1,
      { code: "CONFLICT", details: { composed: { environment: { created: true } } } },
    ]);
  });
});

describe("refused before anything is asked", () => {
  const composed = ["--compose-host", "Shop desk"];
  test.each<[string, string[]]>([
    ["composing in an environment", [...composed, "--environment", "Shop"]],
    ["composing as a client", [...composed, "--host", "Shop desk"]],
    ["composing on a server", [...composed, "--server", "Bookshop"]],
    ["composing all targets", [...composed, "--all-targets"]],
    ["a refinement in an environment", ["--compose-model", "m", "--environment", "Shop"]],
    ["a model without a client", ["--compose-model", "fettle/rules-1"]],
    ["a skill without a client", ["--compose-skill", "x"]],
    ["saving a target that is not composed", ["--save-targets", "--environment", "Shop"]],
    ["an environment and a client", ["--environment", "Shop", "--host", "Shop desk"]],
    ["an environment and a server", ["--environment", "Shop", "--server", "Bookshop"]],
    ["a client and a server", ["--host", "Shop desk", "--server", "Bookshop"]],
    ["all and one by name", ["--all-targets", "--environment", "Shop"]],
    ["all and a server", ["--all-targets", "--server", "Bookshop"]],
    ["a new snapshot of several", ["--all-targets", "--refresh-snapshot"]],
    ["--out without --wait", ["--out", "x"]],
    ["--wait-timeout without --wait", ["--wait-timeout", "5"]],
    ["--iterations twice", ["--iterations", "2", "--repetitions", "2"]],
    ["too many repetitions", ["--iterations", "11"]],
    ["a blank pass rate", ["--min-pass-rate", " "]],
    ["a file besides", ["--file", "suite.yaml"]],
  ])("%s", async (_what, argv) => {
    const { exitCode, body } = await evals("run", "--suite", "Plain", ...argv);
    expect([exitCode, body.code, body.hint]).toEqual([2, "USAGE_ERROR", expect.any(String)]);
  });
});

describe("a file whose calls are looked up first", () => {
  const file = (target: string, step = calls("list_orders")) =>
    suiteOf({ id: "s_live", target, cases: [oneCase("c", step)] });
  const shop = "{ servers: [{ name: Bookshop }] }";
  test.each<[string, string, string[], string]>([
    ["all targets, which cannot be told", file(shop), ["--all-targets"], "TOOL_DISCOVERY_UNAVAILABLE"],
    ["a composed one", file(shop), ["--compose-host", "Shop desk"], "TOOL_DISCOVERY_UNAVAILABLE"],
    ["another server's environment", file(shop), ["--environment", "Other"], "IMPORT_REFERENCE_UNRESOLVED"],
    ["one of two clients", file(shop), ["--host", "Shop desk", "Other desk"], "IMPORT_REFERENCE_UNRESOLVED"],
    [
      "an explicitly empty set",
      file("{ servers: [{ name: Bookshop }], hosts: [{ name: Shop desk, servers: [] }] }"),
      [],
      "IMPORT_REFERENCE_UNRESOLVED",
    ],
    [
      "a client with a server that the project no longer has",
      file(
        "{ servers: [{ name: Bookshop }], hosts: [{ name: Shop desk, servers: [{ name: Bookshop }, { name: Gone }] }] }",
      ),
      [],
      "TOOL_DISCOVERY_UNAVAILABLE",
    ],
    [
      "a server that is meant by an id nobody has",
      file(shop, calls("list_orders", "serverName: Bookshop, serverId: srv_none")),
      [],
      "IMPORT_REFERENCE_UNRESOLVED",
    ],
  ])("%s: refused, and nothing is written", async (_what, stdin, argv, code) => {
    const { exitCode, body } = await runFile(stdin, ...argv);
    expect([exitCode, body.code, body.hint]).toEqual([2, code, expect.any(String)]);
    expect(body.details.unresolved).toMatchObject([{ caseId: "c", findings: [{}] }]);
    expect(JSON.stringify((await evals("list")).body)).not.toContain("s_live");
  });

  test("an id wins over the name beside it, and a file without such steps asks nothing", async () => {
    const { serverId } = service.service;
    const cases = [oneCase("c", calls("list_orders", `serverName: Shown, serverId: ${serverId}`))];
    const target = `{ servers: [{ name: Bookshop, id: ${serverId} }] }`;
    const named = await runFile(suiteOf({ id: "s_by_id", target, cases }), "--wait");
    expect([named.exitCode, named.stderr]).toEqual([0, ""]);
    const asks = suiteOf({ id: "s_asks", cases: [oneCase("c", ask("list_orders"))] });
    expect((await runFile(asks, "--compose-host", "Shop desk", "--wait")).exitCode).toBe(0);
  });

  test("a failing case is no reason to refuse", async () => {
    const ran = await runFile(suiteOf({ id: "s_fails", cases: [oneCase("c", failing)] }), "--wait");
    expect(ran.exitCode).toBe(1);
  });
});
