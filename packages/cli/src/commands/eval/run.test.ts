import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { runningShop, suiteOf, worldWith } from "../../testing/eval-suite.ts";
import { testWorld } from "../../testing/world.ts";

const sampleSuite = join(import.meta.dirname, "../../../../samples/src/bookshop/suite.yaml");

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
      /^::error file=.*suite\.yaml,line=101,title=Tells a customer where a book stands \(c_shelf\)::shelf_info was not called/m,
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
    [
      "strictness with nothing to be strict about",
      ["--server", "shop=a", "--strict-replay"],
      /--cassette replay/,
    ],
    [
      "strictness while recording",
      ["--server", "shop=a", "--strict-replay", "--cassette", "record"],
      /--cassette replay/,
    ],
    ["stale recordings without any", ["--server", "shop=a", "--accept-stale"], /--cassette replay/],
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

test.each([
  ["model: { default: a/b }", /model is unknown; there is models/],
  ["models: {}\nserver: {}", /server is unknown/],
  ["- models", /is an object/],
  ["", /is an object/],
  ["providers: { openai: { apiKey: x } }", /providers is unknown; there is models/],
])("--config %j is a usage error, and never ignored", async (config, message) => {
  const world = await worldWith(suiteOf());
  await writeFile(join(world.cwd, "fettle.yaml"), config);
  const { exitCode, stderr } = await world.fettle(
    ...["eval", "run", "--file", "suite.yaml", "--server", "shop=a", "--config", "fettle.yaml"],
  );
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, expect.stringMatching(message)]);
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

const unreachable = ["--url", "http://127.0.0.1:9/mcp"];

test.each([
  [".", "it is a folder"],
  ["suite.yaml/x.json", "suite.yaml is no folder"],
])("--out %s cannot be written, which is told before anything runs", async (out, why) => {
  const world = await worldWith(suiteOf());
  const flags = ["--file", "suite.yaml", ...unreachable, "--out", out];
  const { exitCode, stderr } = await world.fettle("eval", "run", ...flags);
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, expect.stringContaining(why)]);
});

test("a report in a folder that is missing is refused before anything runs; --mkdir makes the folder", async () => {
  const world = await worldWith(suiteOf());
  await using shop = await runningShop();
  const flags = ["--file", "suite.yaml", "--url", shop.url, "--out", "reports/today/run.json"];
  const { exitCode, stderr } = await world.fettle("eval", "run", ...flags);
  expect([exitCode, JSON.parse(stderr).error]).toMatchObject([
    2,
    { message: expect.stringContaining("reports/today"), hint: expect.stringContaining("--mkdir") },
  ]);
  expect((await world.fettle("eval", "run", ...flags, "--mkdir")).exitCode).toBe(0);
  const compare = ["reports/today/run.json", "reports/today/run.json", "--out", "elsewhere/diff.json"];
  const compared = await world.fettle("eval", "compare", ...compare);
  expect(JSON.parse(compared.stderr).error.hint).toContain("--mkdir");
});

test("an HTML report shows what changed since an earlier JSON report, and only there may one be named", async () => {
  const world = await worldWith(suiteOf());
  await using shop = await runningShop();
  const run = (...more: string[]) =>
    world.fettle("eval", "run", "--file", "suite.yaml", "--url", shop.url, ...more);
  await run("--out", "before.json");
  const html = await run("--reporter", "html", "--compare-to", "before.json");
  expect(html.stdout).toMatch(/Compared with before\.json.*No case changed/s);
  const other = await run("--reporter", "github", "--compare-to", "before.json");
  expect([other.exitCode, JSON.parse(other.stderr).error.message]).toEqual([
    2,
    "--compare-to needs --reporter html.",
  ]);
  const missing = await run("--reporter", "html", "--compare-to", "none.json");
  expect([missing.exitCode, JSON.parse(missing.stderr).error.message]).toEqual([
    2,
    expect.stringContaining("none.json cannot be read"),
  ]);
});

test("in a workflow every annotation names the file in its repository and the line of the case", async () => {
  const world = await worldWith(
    suiteOf({
      steps:
        "      - { id: ask, kind: prompt, prompt: Hello }\n      - { id: a, kind: assert, assertion: { type: toolCalledAtLeastOnce, toolName: list_orders } }",
    }),
    { GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: tmpdir() },
  );
  await using shop = await runningShop();
  const lines = (await readFile(join(world.cwd, "suite.yaml"), "utf8")).split("\n");
  const line = lines.indexOf("  - id: c_one") + 1;
  const place = `file=${relative(tmpdir(), world.cwd)}/suite.yaml,line=${line},title=`;
  const flags = ["eval", "run", "--file", "suite.yaml", "--url", shop.url];
  expect((await world.fettle(...flags)).stderr).toContain(`::error ${place}`);
  expect((await world.fettle(...flags, "--reporter", "github")).stdout).toContain(`::error ${place}`);
});

test("a spending limit for a model whose price is unknown is refused before anything runs", async () => {
  const world = await worldWith(suiteOf({ model: "openai/nobody-knows" }), {
    OPENAI_API_KEY: "sk-none-of-mine",
  });
  const flags = ["--file", "suite.yaml", ...unreachable, "--max-cost-usd", "1"];
  const { exitCode, stderr } = await world.fettle("eval", "run", ...flags);
  expect([exitCode, JSON.parse(stderr).error.code]).toEqual([2, "MODEL_PRICE_UNKNOWN"]);
});

test("eval init --model with a name that nobody serves is refused, and nothing is written", async () => {
  const world = await testWorld();
  const flags = [...unreachable, "--model", "foo", "--out", "new.yaml"];
  const { exitCode, stderr } = await world.fettle("eval", "init", ...flags);
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, expect.stringContaining("foo")]);
  await expect(readFile(join(world.cwd, "new.yaml"))).rejects.toThrow("ENOENT");
});
