import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { sampleCommand, startBookshop } from "@fettle/samples";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { testWorld } from "../../testing/world.ts";

interface Workflow {
  jobs: { fettle: { env: Record<string, string>; steps: { name?: string; run?: string }[] } };
}

const fettle = `${JSON.stringify(process.execPath)} ${JSON.stringify(join(import.meta.dirname, "../../../bin/fettle.mjs"))}`;
const sh = promisify(execFile);

/** As the workflow's shell runs a step: stops at the first failure. Answers the exit code. */
async function step(run: string, cwd: string, env: Record<string, string> = {}): Promise<number> {
  // A variable with spaces is split by the shell, as in the workflow.
  const script = run.replaceAll("$FETTLE", fettle);
  try {
    await sh("bash", ["-eo", "pipefail", "-c", script], {
      cwd,
      env: { ...process.env, FETTLE_FROM: "source", HOME: cwd, ...env },
    });
    return 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

test("the commands of the workflow run, pass on the server as it is, and fail on what the suite forbids", async () => {
  const world = await testWorld();
  const { command, args } = sampleCommand("bookshop");
  const flags = ["--command", command, ...args.map((word) => `--args=${word}`), "--name", "it's shop"];
  const made = await world.fettle("init", "ci", ...flags);
  expect([made.exitCode, made.stderr]).toEqual([0, ""]);
  expect(JSON.parse(made.stdout)).toEqual({
    written: ["fettle-surface.json", ".fettle/evals/it-s-shop.yaml", ".github/workflows/fettle.yml"],
    kept: [],
    drafted: { cases: expect.any(Number), enabledCases: expect.any(Number) },
  });
  const workflow: Workflow = parse(await readFile(join(world.cwd, ".github/workflows/fettle.yml"), "utf8"));
  const steps = workflow.jobs.fettle.steps.filter(({ run }) => run?.includes("$FETTLE"));
  expect(steps.map(({ name }) => name)).toEqual([
    "Nothing breaks those who use the server",
    "The server keeps to the protocol",
    "An agent gets its work done",
  ]);
  for (const { name, run } of steps) expect([name, await step(run!, world.cwd)]).toEqual([name, 0]);

  const suite = join(world.cwd, ".fettle/evals/it-s-shop.yaml");
  await writeFile(
    suite,
    (await readFile(suite, "utf8")).replace("toolName: list_orders", "toolName: get_book"),
  );
  const summary = join(world.cwd, "summary.md");
  expect(await step(steps[2]!.run!, world.cwd, { GITHUB_STEP_SUMMARY: summary })).toBe(1);
  expect(await readFile(summary, "utf8")).toContain("failed");
});

test("what the draft leaves out is said, and a server that cannot be reached is no verdict", async () => {
  const world = await testWorld({ env: { NO_COLOR: "1" } });
  const { command, args } = sampleCommand("bookshop");
  const flags = ["--command", command, ...args.map((word) => `--args=${word}`)];
  const made = await world.fettle("--format", "human", "init", "ci", ...flags);
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

test("what is there is kept, and a token stays a secret of the repository", async () => {
  const { url, close } = await startBookshop();
  try {
    const world = await testWorld();
    await writeFile(join(world.cwd, "fettle-surface.json"), "{}");
    const made = await world.fettle("init", "ci", "--url", url, "--access-token", "canary-token");
    expect(JSON.parse(made.stdout).kept).toEqual(["fettle-surface.json"]);
    const text = await readFile(join(world.cwd, ".github/workflows/fettle.yml"), "utf8");
    expect(text).not.toContain("canary-token");
    expect(text).toContain("secrets.MCP_ACCESS_TOKEN");
    const again = await world.fettle("init", "ci", "--url", url);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining("is there already")]);
  } finally {
    await close();
  }
});
