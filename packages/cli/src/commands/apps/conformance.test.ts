/** @module The apps suite as people and CI run it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type RunningSample,
  sampleCommand,
  startBookshop,
  startCafe,
  startEverything,
} from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type TestWorld, testWorld } from "../../testing/world.ts";

let cafe: RunningSample;
beforeAll(async () => {
  cafe = await startCafe();
});
afterAll(() => cafe.close());

const conformance = ["apps", "conformance"];

test("a good server passes over HTTP: the result on stdout, the score on stderr", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(...conformance, "--url", cafe.url);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    passed: true,
    outcome: "passed",
    target: cafe.url,
    discovery: { toolCount: 3, uiToolCount: 1, checkedUiResourceCount: 2 },
    categorySummary: { tools: { failed: 0 }, resources: { failed: 0 } },
  });
  expect(stderr).toContain("Score: 100 of 100");
});

test("people see each check and why one does not apply", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const world = await testWorld({ terminal: 100, env: { NO_COLOR: "1" } });
  const { stdout } = await world.fettle(...conformance, "--url", bookshop.url, "--category", "tools");
  expect(stdout).toMatch(/✓.* ui-tools-present/);
  expect(stdout).toContain("No tool speaks this dialect.");
  expect(stdout).not.toContain("ui-resources-readable");
});

test("a server without widgets fails only where widgets are required, and says so to CI", async () => {
  const everything = await startEverything();
  onTestFinished(() => everything.close());
  const world = await testWorld();
  const at = ["--url", everything.url, "--reporter", "junit-xml"];
  const alone = await world.fettle(...conformance, ...at);
  expect([alone.exitCode, alone.stdout.includes("<failure")]).toEqual([0, false]);
  expect(alone.stdout).toContain('<property name="fettle.conformance.score" value="not-scored"/>');
  const required = await world.fettle(...conformance, ...at, "--require-ui");
  expect(required.exitCode).toBe(1);
  expect(required.stdout).toContain(
    '<failure type="required" message="Nothing was tested, though --require-ui asks for it. The server has no widgets."',
  );
});

test("a check that does not exist is refused before anything is connected", async () => {
  const world = await testWorld();
  const nowhere = ["--url", "http://127.0.0.1:9/mcp"];
  const { exitCode, stderr } = await world.fettle(...conformance, ...nowhere, "--check-id", "ui-nothing");
  expect([exitCode, stderr.includes("ui-nothing")]).toEqual([2, true]);
});

async function suite(world: TestWorld, config: unknown, ...flags: string[]) {
  await writeFile(join(world.cwd, "suite.json"), JSON.stringify(config));
  return world.fettle("apps", "conformance-suite", "--config", "suite.json", ...flags);
}

test("a suite runs its sets in order, over stdio too, and its outcome is the worst", async () => {
  const world = await testWorld();
  const { command, args } = sampleCommand("everything");
  const config = {
    name: "No widgets here",
    target: { command, args },
    defaults: { protocolVersion: "2025-11-25" },
    runs: [{ label: "as it is" }, { label: "strict", requireUi: true, checkIds: ["ui-tools-present"] }],
  };
  const { exitCode, stdout } = await suite(world, config);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    name: "No widgets here",
    passed: false,
    outcome: "not-applicable",
    results: [
      { label: "as it is", outcome: "not-applicable", protocolVersion: "2025-11-25" },
      { label: "strict", outcome: "not-applicable", checks: [{ id: "ui-tools-present" }] },
    ],
  });
  const junit = await suite(world, config, "--reporter", "junit-xml");
  expect(junit.stdout.match(/<failure type="required"/g)).toHaveLength(1);
  const report = await suite(world, { ...config, runs: [{ label: "once" }] }, "--reporter", "json-summary");
  expect(JSON.parse(report.stdout)).toMatchObject({
    schemaVersion: 1,
    kind: "apps-conformance",
    name: "No widgets here",
    passed: false,
    groups: [{ id: "once", passed: false }],
  });
  const required = await suite(world, { ...config, runs: [{ label: "once" }] }, "--require-ui");
  expect(required.exitCode).toBe(1);
});

test.each<[string, object, string]>([
  ["no runs", { target: { url: "http://127.0.0.1:9" }, runs: [] }, "runs"],
  ["an unknown key", { target: { url: "http://127.0.0.1:9" }, runs: [{ checks: [] }] }, "runs.0"],
  ["an unknown category", { target: { url: "http://x" }, runs: [{ categories: ["core"] }] }, "categories"],
  ["no server", { target: {}, runs: [{}] }, "exactly one server"],
  ["two servers", { target: { url: "http://127.0.0.1:9", command: "x" }, runs: [{}] }, "exactly one server"],
  ["an unknown check", { target: { url: "http://127.0.0.1:9" }, runs: [{ checkIds: ["x"] }] }, "No check"],
])("a suite file with %s is refused", async (_what, config, said) => {
  const { exitCode, stderr } = await suite(await testWorld(), config);
  expect([exitCode, stderr.includes(said)]).toEqual([2, true]);
});
