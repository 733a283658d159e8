/** @module Several suites in one go, and what becomes of their reports. */
import {
  type ProtectedBookshop,
  type RunningSample,
  startBookshop,
  startEverything,
  startProtectedBookshop,
} from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let everything: RunningSample;
let shop: ProtectedBookshop;
beforeAll(async () => {
  [everything, shop] = await Promise.all([startEverything(), startProtectedBookshop()]);
});
afterAll(() => Promise.all([everything.close(), shop.close()]));

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

test("tools that say they are read-only are called when that is allowed", async () => {
  const bookshop = await startBookshop();
  onTestFinished(() => bookshop.close());
  const { fettle } = await testWorld();
  const callOf = async (...more: string[]) => {
    const { stdout } = await fettle(
      ...["conformance", "run", "--url", bookshop.url, "--suite", "protocol", "--suite", "apps", ...more],
    );
    const [group] = JSON.parse(stdout).reports.protocol.groups;
    return group.cases.find(({ id }: { id: string }) => id === "tools-call-text").status;
  };
  expect([await callOf(), await callOf("--call-read-only")]).toEqual(["skipped", "passed"]);
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

test("OAuth is judged as the machine that is named, without its secret in any report", async () => {
  const { fettle } = await testWorld();
  const { clientId, clientSecret } = shop.machineClient;
  const run = (...more: string[]) =>
    fettle(
      ...["conformance", "run", "--url", shop.url, "--suite", "oauth"],
      ...["--oauth-strategy", "client_credentials", "--client-id", clientId],
      ...["--client-secret", clientSecret, ...more],
    );
  const { stdout, exitCode } = await run();
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: "passed",
    requestedSuites: ["oauth"],
    reports: {
      oauth: {
        kind: "oauth-conformance",
        groups: [{ id: "2025-11-25 preregistered client_credentials", passed: true }],
      },
    },
  });
  const xml = await run("--reporter", "junit-xml");
  expect(xml.stdout).toContain('classname="fettle.oauth-conformance.flow"');
  for (const output of [stdout, xml.stdout, xml.stderr]) expect(output).not.toContain(clientSecret);
});

test("a suite that finds no way in leaves the run incomplete, and the others go on", async () => {
  const { fettle } = await testWorld();
  const run = ["conformance", "run", "--url", shop.url, "--suite", "oauth", "--suite", "apps"];
  const { stdout, stderr, exitCode } = await fettle(...run, "--reporter", "json-summary");
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/^The apps suite could not start: .*sign-in/m);
  expect(JSON.parse(stdout)).toMatchObject({
    schemaVersion: 1,
    kind: "conformance",
    name: shop.url,
    outcome: "incomplete",
    incompleteReason: expect.stringContaining("The apps suite could not start"),
    score: { failed: 0, couldNotRun: 1 },
    groups: [
      { id: "Apps", passed: false, cases: [{ skipReason: "could-not-run" }] },
      { id: "2025-11-25 dcr headless", passed: true },
    ],
  });
  const alone = await fettle("conformance", "run", "--url", shop.url, "--suite", "apps");
  expect(alone.exitCode).toBe(3);
  expect(JSON.parse(alone.stdout)).toMatchObject({ outcome: "incomplete", score: { score: null } });
});

test("a server that asks for no token has nothing to answer for in OAuth; each suite is a group of the report", async () => {
  const { fettle } = await testWorld();
  const run = ["conformance", "run", "--url", everything.url, "--suite", "apps", "--suite", "oauth"];
  const { stdout, exitCode } = await fettle(...run, "--reporter", "junit-xml");
  expect(exitCode).toBe(0);
  expect(stdout).toContain('<testsuites name="conformance"');
  expect(stdout.match(/<testsuite name="\w+/g)).toEqual(['<testsuite name="Apps', '<testsuite name="OAuth']);
  expect(stdout).toContain('<property name="fettle.conformance.outcome" value="not-applicable"/>');
});

test.each([
  [["--command", "node", "--suite", "oauth"], "--suite oauth goes with --url"],
  [["--url", "http://127.0.0.1:9/mcp", "--oauth-strategy", "headless"], "goes with --suite oauth"],
  [["--url", "http://127.0.0.1:9/mcp", "--suite", "oauth", "--protocol-version", "2024-11-05"], "2025-03-26"],
  [["--url", "http://127.0.0.1:9/mcp", "--suite", "apps", "--client-id", "ci"], "--refresh-token"],
])("%j is refused before anything is asked", async (flags, words) => {
  const { stderr, exitCode } = await (await testWorld()).fettle("conformance", "run", ...flags);
  expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, expect.stringContaining(words)]);
});
