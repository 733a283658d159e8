/** @module Several suites in one go, and what becomes of their reports. */
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testWorld } from "../testing/world.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

test("the suites that were asked for run, and their scores are pooled", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(
    ...["conformance", "run", "--url", everything.url, "--suite", "protocol", "--suite", "apps"],
  );
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({ schemaVersion: 1, requestedSuites: ["protocol", "apps"] });
  expect(Object.keys(result.reports)).toEqual(["protocol", "apps"]);
  expect(result.score.failed).toBe(0);
  expect(exitCode).toBe(result.outcome === "passed" ? 0 : 3);
  expect(stderr).toMatch(/^Score: \d+ of 100$/m);
});

test("a server that does not answer is no failed check", async () => {
  const world = await testWorld();
  const { stdout, exitCode } = await world.fettle("conformance", "run", "--url", "http://127.0.0.1:9/mcp");
  expect(exitCode).toBe(1);
  expect(stdout).not.toContain('"status":"failed"');
});

test("without a credential an upload is told as not kept, and a required one stops everything first", async () => {
  const world = await testWorld();
  const told = await world.fettle(
    ...["conformance", "run", "--url", everything.url, "--suite", "apps", "--upload"],
  );
  expect(told.stderr).toContain("Not kept: You are not signed in.");
  expect(JSON.parse(told.stdout)).not.toHaveProperty("runId");
  const required = await world.fettle(
    ...["conformance", "run", "--url", "http://127.0.0.1:9/mcp", "--require-upload"],
  );
  expect([required.exitCode, required.stderr]).toEqual([1, expect.stringContaining("not signed in")]);
});
