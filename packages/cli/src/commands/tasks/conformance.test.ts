/** @module The tasks suite as people and CI run it. */
import { type RunningSample, startBookshop, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const conformance = ["tasks", "conformance"];
const quick = ["--tool-name", "slow_compute", "--tool-args", '{"seconds":0.2}'];

test("a good server passes: the result on stdout, the score and profile on stderr", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(...conformance, "--url", everything.url, ...quick);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    passed: true,
    wire: "extension",
    toolName: "slow_compute",
    protocolVersion: "2026-07-28",
    categorySummary: { dispatch: { failed: 0 }, creation: { failed: 0 }, lifecycle: { failed: 0 } },
  });
  expect(stderr).toContain("Score: 100 of 100");
  expect(stderr).toMatch(/^Profile: mcp-tasks@/m);
});

test("the older wire is judged when pinned, by category, for eyes", async () => {
  const world = await testWorld({ terminal: 100, env: { NO_COLOR: "1" } });
  const { stdout, exitCode } = await world.fettle(
    ...conformance,
    ...["--url", everything.url, ...quick, "--protocol-version", "2025-11-25", "--category", "creation"],
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Tasks 2025-11-25");
  expect(stdout).toMatch(/✓.* tasks-result-type-discipline/);
  expect(stdout).not.toContain("tasks-cancel-ack-shape");
});

test("a tool that does not become a task leaves the run incomplete, which CI sees as skipped", async () => {
  const world = await testWorld();
  const { stdout, exitCode } = await world.fettle(
    ...conformance,
    ...["--url", everything.url, "--tool-name", "greet", "--tool-args", '{"name":"Ada"}'],
    ...["--check-id", "tasks-durable-create", "--reporter", "junit-xml"],
  );
  expect(exitCode).toBe(3);
  expect(stdout).toContain("<skipped message=");
  expect(stdout).toContain("Calling greet made no task to look at.");
});

test("a server without tasks is not at fault", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const world = await testWorld();
  const { stdout, exitCode } = await world.fettle(
    ...conformance,
    ...["--url", bookshop.url, "--reporter", "json-summary"],
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    kind: "tasks-conformance",
    outcome: "not-applicable",
    score: { score: null },
  });
});

test.each([
  [["--tool-args", "{}"], "--tool-args needs --tool-name"],
  [["--tool-name", "x", "--tool-args", "[]"], "must be a JSON object"],
  [["--input-responses", "nothing"], "--input-responses is not JSON"],
  [["--check-id", "tasks-nothing"], "tasks-nothing"],
  [["--category", "core"], "core"],
])("%j is refused before anything is connected", async (flags, said) => {
  const world = await testWorld();
  const { exitCode, stderr } = await world.fettle(
    ...conformance,
    "--url",
    "http://127.0.0.1:9/mcp",
    ...flags,
  );
  expect([exitCode, stderr.includes(said)]).toEqual([2, true]);
});
