import { readFile, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import { limits } from "@fettle/contract";
import { sampleCommand, startBookshop } from "@fettle/samples";
import { describe, expect, test, vi } from "vitest";
import { everythingOverStdio } from "../../../../mcp/src/testing/everything-server.ts";
import { splitWords } from "../../eval/split-words.ts";
import { testWorld } from "../../testing/world.ts";

const sampleSuite = join(import.meta.dirname, "../../../../samples/src/bookshop/suite.yaml");
const bookshop = sampleCommand("bookshop");
const quoted = (words: readonly string[]) => words.map((word) => `"${word}"`).join(" ");

async function runningShop() {
  const { url, close } = await startBookshop();
  return { url, [Symbol.asyncDispose]: close };
}

const suiteOf = (fields: { model?: string; steps?: string; server?: string } = {}) => `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_one, name: One }
target: { servers: [{ name: ${fields.server ?? "shop"} }] }
defaults: { model: ${fields.model ?? "fettle/rules-1"}, repetitions: 2, passThreshold: 1, validity: {} }
cases:
  - id: c_one
    title: One
    steps:
${fields.steps ?? "      - { id: ask, kind: prompt, prompt: 'Use list_orders' }\n      - { id: called, kind: assert, assertion: { type: toolCalledAtLeastOnce, toolName: list_orders } }"}
`;

async function worldWith(content: string | Uint8Array, env: Record<string, string> = {}) {
  const world = await testWorld({ env });
  await writeFile(join(world.cwd, "suite.yaml"), content);
  return world;
}

describe("eval validate", () => {
  test("a valid file is told in a line, and asks nobody: no key, no project, no network", async () => {
    const env = { FETTLE_API_KEY: "sk_x", FETTLE_API_URL: "http://127.0.0.1:9", FETTLE_PROJECT: "Alpha" };
    const world = await worldWith(suiteOf(), env);
    const connecting = vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
      throw new Error("no network in this test");
    });
    try {
      const { stdout, stderr, exitCode } = await world.fettle("eval", "validate", "--file", "suite.yaml");
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toMatchObject({
        valid: true,
        file: "suite.yaml",
        suite: { id: "s_one", name: "One", cases: 1, enabledCases: 1 },
        findings: [],
      });
      expect(connecting).not.toHaveBeenCalled();
    } finally {
      connecting.mockRestore();
    }
  });

  test.each<[string, string | Uint8Array, string, string]>([
    [
      "not of the contract",
      suiteOf().replace("repetitions: 2", "repetitions: 0"),
      "contract",
      "SUITE_FILE_INVALID",
    ],
    ["no YAML", "a: [", "parse", "SUITE_FILE_YAML_INVALID"],
    ["empty", "", "parse", "SUITE_FILE_EMPTY"],
    ["two documents", "a: 1\n---\nb: 1\n", "parse", "SUITE_FILE_MULTIPLE_DOCUMENTS"],
    ["too large", new Uint8Array(limits.suiteFile.maxBytes + 1).fill(32), "input", "SUITE_FILE_TOO_LARGE"],
  ])(
    "%s: validate exits 1 with an envelope, run exits 2 and starts nothing",
    async (_, content, stage, code) => {
      const world = await worldWith(content);
      const validated = await world.fettle("eval", "validate", "--file", "suite.yaml");
      expect(validated.exitCode).toBe(1);
      expect(JSON.parse(validated.stdout)).toMatchObject({ valid: false, stage, findings: [{ code }] });
      const ran = await world.fettle(
        "eval",
        "run",
        "--file",
        "suite.yaml",
        "--server",
        "shop=/no/such/program",
      );
      expect(ran.exitCode).toBe(2);
      expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code } });
    },
  );

  test("a file that is not there is a finding too", async () => {
    const world = await testWorld();
    const { stdout, exitCode } = await world.fettle("eval", "validate", "--file", "nowhere.yaml");
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      stage: "input",
      findings: [{ code: "SUITE_FILE_UNREADABLE" }],
    });
  });

  test("stdin is read, and called so", async () => {
    const world = await testWorld({ stdin: suiteOf() });
    const { stdout } = await world.fettle("eval", "validate", "--file", "-");
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, file: "<stdin>" });
  });

  test("twice the same bytes", async () => {
    const world = await worldWith(
      suiteOf().replace("id: c_one", "id: '!'").replace("mode: agent", "mode: x"),
    );
    const [one, other] = [
      await world.fettle("eval", "validate", "--file", "suite.yaml"),
      await world.fettle("eval", "validate", "--file", "suite.yaml"),
    ];
    expect(one.stdout).toBe(other.stdout);
    expect(JSON.parse(one.stdout).findings).toHaveLength(2);
  });

  test("people see the line, machines of another kind are pointed elsewhere", async () => {
    const world = await worldWith('{"name": "x", "servers": ["a"], "cases": []}');
    const { stdout, stderr } = await world.fettle(
      "--format",
      "human",
      "eval",
      "validate",
      "--file",
      "suite.yaml",
    );
    expect(stdout).toContain("suite.yaml:1:");
    expect(stderr).toContain("cloud eval create");
    const ran = await world.fettle("eval", "run", "--file", "suite.yaml");
    expect([ran.exitCode, JSON.parse(ran.stderr).error.code]).toEqual([2, "USAGE_ERROR"]);
  });
});

describe("eval run", () => {
  test("the bookshop's sample suite passes and fails the cases that it should, in every report", async () => {
    const summary = join((await testWorld()).cwd, "summary.md");
    const world = await testWorld({ env: { GITHUB_STEP_SUMMARY: summary } });
    await using shop = await runningShop();
    const run = (...more: string[]) =>
      world.fettle(
        "eval",
        "run",
        "--local",
        "--file",
        sampleSuite,
        "--server",
        `bookshop=${shop.url}`,
        "--concurrency",
        "2",
        ...more,
      );

    const human = await run("--format", "human", "--out", "report.json");
    expect(human.exitCode).toBe(1);
    expect(human.stdout).toMatch(/✗ {2}Tells a customer where a book stands/);
    expect(human.stdout).toContain("shelf_info was not called; called: search_books");
    expect(human.stdout).toContain("Bookshop: failed, 5 of 6 cases passed");
    expect(human.stderr).toContain("It is no language model");

    const report = JSON.parse(await readFile(join(world.cwd, "report.json"), "utf8"));
    expect(report).toMatchObject({
      schemaVersion: 1,
      kind: "eval-run",
      passed: false,
      summary: { total: 6, passed: 5, failed: 1 },
      metadata: {
        repetitionsCollapsed: true,
        modelClass: "rules",
        runs: [{ status: "completed", result: "failed" }],
      },
    });

    const filed = await run("--format", "human", "--reporter", "html", "--out", "report.html");
    expect(filed.stdout).toContain("Bookshop: failed, 5 of 6 cases passed");
    expect(filed.stdout).toContain(`Report: ${join(world.cwd, "report.html")}`);
    expect(await readFile(join(world.cwd, "report.html"), "utf8")).toMatch(/^<!doctype html>/);
    const html = await run("--reporter", "html");
    expect(html.stdout.indexOf("Tells a customer")).toBeLessThan(
      html.stdout.indexOf("Searches the catalogue"),
    );
    expect(html.stdout).toContain("default-src 'none'");
    expect(html.stdout).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)[^&"']*\.(js|css)/);

    const junit = await run("--reporter", "junit-xml");
    expect(junit.stdout).toContain('tests="6" failures="1"');
    expect(junit.stdout).toContain('classname="fettle.eval-run.eval"');

    const github = await run("--reporter", "github");
    expect(github.stdout).toMatch(
      /^::error file=.*title=Tells a customer where a book stands \(c_shelf\)::shelf_info was not called/m,
    );
    expect(await readFile(summary, "utf8")).toContain("## ❌ Bookshop: failed");

    const same = await world.fettle("eval", "compare", "report.json", "report.json");
    expect([same.exitCode, same.stderr]).toEqual([2, expect.stringContaining("its own baseline")]);
    await run("--out", "again.json");
    const compared = await world.fettle("eval", "compare", "report.json", "again.json");
    expect(JSON.parse(compared.stdout)).toMatchObject({
      outcome: "passed",
      comparison: {
        cases: [
          { caseKey: "c_shelf", status: "unchanged_failed" },
          ...Array(5).fill({ status: "unchanged_passed" }),
        ],
      },
    });
    expect(compared.exitCode).toBe(0);

    const renamed = await readFile(join(world.cwd, "again.json"), "utf8");
    await writeFile(
      join(world.cwd, "worse.json"),
      renamed.replaceAll('"verdict":"passed"', '"verdict":"failed"'),
    );
    const worse = await world.fettle("eval", "compare", "report.json", "worse.json");
    expect([worse.exitCode, JSON.parse(worse.stdout).outcome]).toEqual([1, "failed"]);
  });

  test("one server is named by the connection flags, or by a host's configuration", async () => {
    await using shop = await runningShop();
    const world = await worldWith(suiteOf());
    const byUrl = await world.fettle("eval", "run", "--file", "suite.yaml", "--url", shop.url);
    expect(byUrl.exitCode).toBe(0);
    const ofEnvironment = suiteOf().replace(/target: .*/, "target: { environment: staging }");
    await writeFile(join(world.cwd, "environment.yaml"), ofEnvironment);
    const alone = await world.fettle("eval", "run", "--file", "environment.yaml", "--url", shop.url);
    expect(alone.exitCode).toBe(0);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: hosts write variables so
    const config = { mcpServers: { other: { command: "nobody" }, shop: { url: "${SHOP_URL}" } } };
    await writeFile(join(world.cwd, "mcp.json"), JSON.stringify(config));
    const open = await world.fettle("eval", "run", "--file", "suite.yaml", "--servers", "mcp.json");
    expect([open.exitCode, open.stderr]).toEqual([2, expect.stringContaining("SHOP_URL")]);
    const filled = await worldWith(suiteOf(), { SHOP_URL: shop.url });
    await writeFile(join(filled.cwd, "mcp.json"), JSON.stringify(config));
    const byFile = await filled.fettle("eval", "run", "--file", "suite.yaml", "--servers", "mcp.json");
    expect(byFile.exitCode).toBe(0);
  });

  test.each<[string, string[], RegExp]>([
    ["a name without a server", [], /No server is given for: shop/],
    ["a server without a name", ["--server", "http://127.0.0.1:1/mcp"], /name=<url or command line>/],
    [
      "a name that the suite does not have",
      ["--server", "shop=a", "--server", "mail=b"],
      /no server called mail/,
    ],
    ["a name bound twice", ["--server", "shop=a", "--server", "shop=b"], /bound twice/],
    ["a quote that does not end", ["--server", "shop=node 'x"], /quote is not closed/],
    ["a case that is not there", ["--server", "shop=a", "--case", "c_two"], /no case/],
    ["both names of one flag", ["--server", "shop=a", "--iterations", "1", "--repetitions", "1"], /give one/],
    ["a rate in words", ["--server", "shop=a", "--min-pass-rate", "most"], /0 to 100/],
    [
      "strange match options",
      ["--server", "shop=a", "--match-options", '{"order":"any"}'],
      /does not take order/,
    ],
    [
      "approval without a reason",
      ["--server", "shop=a", "--allow-approximated", "c_one"],
      /--approval-reason/,
    ],
    [
      "a model without a key",
      ["--server", "shop=a", "--model", "openai/gpt-5.4-mini"],
      /OPENAI_API_KEY|no key/,
    ],
    ["a model of nobody", ["--server", "shop=a", "--model", "gpt"], /who serves/],
  ])("%s is a usage error", async (_, flags, message) => {
    const world = await worldWith(suiteOf());
    const { exitCode, stderr } = await world.fettle(
      "--format",
      "human",
      "eval",
      "run",
      "--file",
      "suite.yaml",
      ...flags,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});

/** Answers as a server does until a tool is called; then it does what it is told. */
const dyingServer = (death: string) => `
import { createInterface } from "node:readline";
const tools = [{ name: "list_orders", description: "Lists orders", inputSchema: { type: "object" } }];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });
  else if (method === "tools/list") answer({ tools });
  else if (method === "tools/call") { ${death} }
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) + "\\n");
});
`;

describe("what is lost on the way is no verdict: exit 3, never 1", () => {
  test.each<[string, string, string[], string]>([
    ["the server is killed during a call", "process.kill(process.pid, 'SIGKILL');", [], "completed"],
    ["the server says nothing, and the time is over", "", ["--timeout", "6000"], "timed_out"],
  ])("%s", async (_, death, flags, status) => {
    const world = await worldWith(suiteOf());
    const path = join(world.cwd, "server.mjs");
    await writeFile(path, dyingServer(death));
    const server = `shop=${quoted([process.execPath, path])}`;
    const { exitCode, stdout } = await world.fettle(
      "eval",
      "run",
      "--file",
      "suite.yaml",
      "--server",
      server,
      ...flags,
    );
    expect(exitCode).toBe(3);
    const report = JSON.parse(stdout);
    expect(report.passed).toBe(false);
    expect(report.summary.failed).toBe(0);
    expect(report.metadata.facts.cases[0].verdict).toBe("inconclusive");
    expect(report.metadata.runs[0].status).toBe(status);
  });

  test("the server cannot be started, or not be reached", async () => {
    const world = await worldWith(suiteOf());
    for (const target of ["/no/such/program", "http://127.0.0.1:1/mcp"]) {
      const { exitCode, stdout } = await world.fettle(
        "eval",
        "run",
        "--file",
        "suite.yaml",
        "--server",
        `shop=${target}`,
        "--reporter",
        "junit-xml",
      );
      expect(exitCode).toBe(3);
      expect(stdout).toContain('failures="0" skipped="1"');
    }
  });

  test("the model is gone", async () => {
    const world = await worldWith(suiteOf({ model: "custom:dead:any" }));
    await writeFile(
      join(world.cwd, "fettle.yaml"),
      "models: { providers: { custom: { dead: { kind: openai-compatible, baseUrl: 'http://127.0.0.1:1/v1', apiKey: none } } } }\n",
    );
    await using shop = await runningShop();
    const { exitCode, stdout } = await world.fettle(
      "eval",
      "run",
      "--file",
      "suite.yaml",
      "--url",
      shop.url,
      "--config",
      "fettle.yaml",
    );
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).metadata.facts.reasons).toContain("noGradeableTrials");
  });

  test("the report cannot be written", async () => {
    await using shop = await runningShop();
    const world = await worldWith(suiteOf());
    const { exitCode } = await world.fettle(
      "eval",
      "run",
      "--file",
      "suite.yaml",
      "--url",
      shop.url,
      "--out",
      "suite.yaml/x.json",
    );
    expect(exitCode).toBe(3);
  });
});

describe("eval init", () => {
  test("ends with a command that can be pasted", async () => {
    const world = await testWorld({ terminal: 400, env: { NO_COLOR: "1" } });
    const flags = ["--command", bookshop.command, ...bookshop.args.map((word) => `--args=${word}`)];
    const made = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    const [, typed] = `${made.stdout}${made.stderr}`.match(/fettle (eval run .*)/)!;
    const ran = await world.fettle(...splitWords(typed!));
    expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringContaining("passed")]);
  });

  test.each([
    ["the bookshop", bookshop],
    ["the public server-everything", everythingOverStdio],
  ])("of %s: a suite that is valid, the same twice, and runs", async (_, { command, args }) => {
    const world = await testWorld();
    const flags = ["--command", command, ...args.map((word) => `--args=${word}`)];
    const made = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    expect([made.exitCode, made.stderr]).toEqual([0, ""]);
    await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "two.yaml");
    expect(await readFile(join(world.cwd, "one.yaml"))).toEqual(await readFile(join(world.cwd, "two.yaml")));
    const again = await world.fettle("eval", "init", ...flags, "--name", "shop", "--out", "one.yaml");
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
    const valid = await world.fettle("eval", "validate", "--file", "one.yaml");
    expect(JSON.parse(valid.stdout)).toMatchObject({ valid: true, findings: [] });
    const ran = await world.fettle(
      ...[
        "eval",
        "run",
        "--file",
        "one.yaml",
        "--concurrency",
        "2",
        "--server",
        `shop=${quoted([command, ...args])}`,
      ],
      ...["--case", JSON.parse(valid.stdout).suite.id === "s_shop" ? "c_no-tool" : ""],
    );
    expect([ran.exitCode, JSON.parse(ran.stdout).passed]).toEqual([0, true]);
  });
});

test.each([
  "--file suite.yaml",
  "--file suite.yaml --config out.yaml",
  "--file suite.yaml --servers out.yaml",
])("eval run %s: --out over what it reads is refused before anything runs", async (typed) => {
  const world = await worldWith(suiteOf());
  await writeFile(join(world.cwd, "out.yaml"), "kept");
  const out = typed.includes("out.yaml") ? "out.yaml" : "suite.yaml";
  const before = await readFile(join(world.cwd, out), "utf8");
  const ran = await world.fettle("eval", "run", ...typed.split(" "), "--out", out);
  expect([ran.exitCode, JSON.parse(ran.stderr).error.code]).toEqual([2, "USAGE_ERROR"]);
  expect(await readFile(join(world.cwd, out), "utf8")).toBe(before);
});
