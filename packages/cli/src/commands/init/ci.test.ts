import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sampleCommand, startBookshop } from "@fettle/samples";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testWorld } from "../../testing/world.ts";

interface Workflow {
  jobs: {
    fettle: {
      env: Record<string, string>;
      steps: { name?: string; uses?: string; if?: string; run?: string; with?: object }[];
    };
  };
}

const fettle = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(import.meta.dirname, "../../../bin/fettle.mjs"))}`;
const sh = promisify(execFile);

/** As the workflow's shell runs a step: stops at the first failure. Answers the exit code. */
async function step(run: string, cwd: string, env: Record<string, string> = {}) {
  // A variable with spaces is split by the shell, as in the workflow.
  const script = run.replaceAll("$FETTLE", fettle);
  try {
    const { stderr } = await sh("bash", ["-eo", "pipefail", "-c", script], {
      cwd,
      env: { ...process.env, HOME: cwd, GITHUB_ACTIONS: "true", ...env },
    });
    return { code: 0, stderr };
  } catch (error) {
    return error as { code: number; stderr: string };
  }
}

async function workflowIn(cwd: string) {
  const text = await readFile(join(cwd, ".github/workflows/fettle.yml"), "utf8");
  const { env, steps }: Workflow["jobs"]["fettle"] = (parse(text) as Workflow).jobs.fettle;
  return { text, env, steps, checks: steps.filter(({ run }) => run?.includes("$FETTLE")) };
}

test("the commands of the workflow run, pass on the server as it is, and fail on what the suite forbids", async () => {
  const world = await testWorld();
  const { command, args } = sampleCommand("bookshop");
  const flags = ["--command", command, ...args.map((word) => `--args=${word}`), "--name", "it's shop"];
  const made = await world.fettle("init", "ci", ...flags);
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  expect(JSON.parse(made.stdout)).toEqual({
    written: [
      "fettle-surface.json",
      ".fettle/evals/it-s-shop.yaml",
      ".fettle/package.json",
      ".fettle/.gitignore",
      ".github/workflows/fettle.yml",
    ],
    kept: [],
    drafted: { cases: expect.any(Number), enabledCases: expect.any(Number) },
    beforeFirstRun: [expect.stringMatching(/^npm pack .+ --pack-destination .fettle$/), expect.any(String)],
  });
  const { checks, steps } = await workflowIn(world.cwd);
  expect(steps.at(-1)).toMatchObject({
    if: "always()",
    uses: expect.stringMatching(/^actions\/upload-artifact@/),
    with: { path: "fettle-reports" },
  });
  expect(checks.map(({ name, if: when }) => [name, when])).toEqual([
    ["Surface: no breaking changes", "always()"],
    ["Protocol conformance", "always()"],
    ["Evals", "always()"],
  ]);
  for (const { name, run } of checks) {
    expect([name, await step(run!, world.cwd)]).toEqual([name, { code: 0, stderr: expect.any(String) }]);
  }
  for (const report of ["surface", "protocol", "evals"]) {
    expect(await readFile(join(world.cwd, `fettle-reports/${report}.xml`), "utf8")).toContain("<testsuites");
  }

  const suite = join(world.cwd, ".fettle/evals/it-s-shop.yaml");
  await writeFile(
    suite,
    (await readFile(suite, "utf8")).replace("toolName: list_orders", "toolName: get_book"),
  );
  const summary = join(world.cwd, "summary.md");
  const failed = await step(checks[2]!.run!, world.cwd, { GITHUB_STEP_SUMMARY: summary });
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^::error file=\.fettle\/evals\/it-s-shop\.yaml,line=\d+,title=.+::/m),
  });
  expect(await readFile(summary, "utf8")).toContain("failed");

  const lock = join(world.cwd, "fettle-surface.json");
  await writeFile(lock, (await readFile(lock, "utf8")).replaceAll("search_books", "find_books"));
  expect(await step(checks[0]!.run!, world.cwd)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^::error file=fettle-surface\.json,title=.*find_books/m),
  });
});

test.each([
  ["a Go server", { "go.mod": "module shop\n" }, ["actions/setup-go@v5", "go build ./..."]],
  [
    "a Python server without a lockfile",
    { "requirements.txt": "mcp\n" },
    ["actions/setup-python@v5", "pip install -r requirements.txt"],
  ],
  [
    "a Python server with a lockfile",
    { "pyproject.toml": "", "uv.lock": "" },
    ["astral-sh/setup-uv@v5", "uv sync"],
  ],
  [
    "a Python package without a lockfile",
    { "pyproject.toml": "" },
    ["actions/setup-python@v5", "pip install ."],
  ],
  ["a Node server without a lockfile", { "package.json": "{}" }, ["npm install"]],
])("for %s the workflow installs the server, and Fettle from a packed copy", async (_, files, installs) => {
  const world = await testWorld();
  for (const [name, content] of Object.entries(files)) await writeFile(join(world.cwd, name), content);
  const { command, args } = sampleCommand("bookshop");
  await world.fettle("init", "ci", "--command", command, ...args.map((word) => `--args=${word}`));
  const { env, steps, text } = await workflowIn(world.cwd);
  expect(steps.slice(2, -4).map(({ uses, run }) => uses ?? run)).toEqual([
    ...installs,
    "npm ci --prefix .fettle --omit=optional",
  ]);
  expect(env.FETTLE).toBe(".fettle/node_modules/.bin/fettle");
  expect(JSON.parse(await readFile(join(world.cwd, ".fettle/package.json"), "utf8"))).toEqual({
    private: true,
    devDependencies: { fettle: expect.stringMatching(/^file:fettle-\d+\.\d+\.\d+\.tgz$/) },
  });
  // A bare name would be fetched from the registry, where anybody may hold it.
  expect(text).not.toMatch(/npx (?!--no-install)|npm (install|i) \w/);
});

test("a repository that pins Fettle gets it from its own lockfile, and nothing is ever downloaded by name", async () => {
  const world = await testWorld();
  await writeFile(join(world.cwd, "package.json"), JSON.stringify({ devDependencies: { fettle: "0.1.0" } }));
  await writeFile(join(world.cwd, "package-lock.json"), "{}");
  const { command, args } = sampleCommand("bookshop");
  const made = await world.fettle(
    "init",
    "ci",
    "--command",
    command,
    ...args.map((word) => `--args=${word}`),
  );
  expect(JSON.parse(made.stdout).beforeFirstRun).toBeUndefined();
  const { env, steps } = await workflowIn(world.cwd);
  expect(env.FETTLE).toBe("npx --no-install fettle");
  expect(steps.slice(2, -4).map(({ run }) => run)).toEqual(["npm ci"]);
});

test("what the draft leaves out is said, and a server that cannot be reached is no verdict", async () => {
  const world = await testWorld({ env: { NO_COLOR: "1" } });
  const { command, args } = sampleCommand("bookshop");
  const flags = ["--command", command, ...args.map((word) => `--args=${word}`)];
  const made = await world.fettle("--format", "human", "init", "ci", ...flags);
  expect(made.stdout).toContain("This repository doesn't name Fettle in its package.json");
  expect(made.stdout).toMatch(/npm pack .+ --pack-destination \.fettle/);
  expect(made.stdout).toMatch(
    /Wrote \.fettle\/evals\/\S+: \d+ cases, \d+ enabled; \d+ are disabled until you have read them/,
  );
  for (const verb of [
    ["init", "ci"],
    ["eval", "init"],
  ]) {
    const lost = await (await testWorld()).fettle(...verb, "--url", "http://127.0.0.1:1/mcp");
    expect([lost.exitCode, lost.stderr]).toEqual([3, expect.stringContaining("SERVER_UNREACHABLE")]);
  }
});

test("the workflow is written where --out says, and another one there is replaced only with --force", async () => {
  const { url, close } = await startBookshop();
  try {
    const { fettle, cwd } = await testWorld();
    const init = (...more: string[]) => fettle("init", "ci", "--url", url, "--out", "ci/mcp.yml", ...more);
    expect(JSON.parse((await init()).stdout).written).toContain("ci/mcp.yml");
    await expect(readFile(join(cwd, ".github/workflows/fettle.yml"))).rejects.toThrow("ENOENT");
    await writeFile(join(cwd, "ci/mcp.yml"), "name: Ours\n");
    expect([(await init()).exitCode, await readFile(join(cwd, "ci/mcp.yml"), "utf8")]).toEqual([
      2,
      "name: Ours\n",
    ]);
    const replaced = JSON.parse((await init("--force")).stdout);
    expect(replaced.written).toEqual(["ci/mcp.yml"]);
    expect(replaced).not.toHaveProperty("drafted");
    expect(await readFile(join(cwd, "ci/mcp.yml"), "utf8")).toContain("$FETTLE server surface check --url");
  } finally {
    await close();
  }
});

test("what is there is kept, and a token stays a secret of the repository", async () => {
  const { url, close } = await startBookshop();
  try {
    const world = await testWorld();
    await writeFile(join(world.cwd, "fettle-surface.json"), "{}");
    await writeFile(join(world.cwd, "go.mod"), "module shop\n");
    const made = await world.fettle("init", "ci", "--url", url, "--access-token", "canary-token");
    expect(JSON.parse(made.stdout).kept).toEqual(["fettle-surface.json"]);
    const { text } = await workflowIn(world.cwd);
    // A server that runs elsewhere needs nothing from here.
    expect(text).not.toContain("setup-go");
    expect(text).not.toContain("canary-token");
    expect(text).toContain("secrets.MCP_ACCESS_TOKEN");
    const again = await world.fettle("init", "ci", "--url", url);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
  } finally {
    await close();
  }
});
