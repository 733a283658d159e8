/** @module Runs kept by the real service: from every suite's own command and from all together, and what happens when one cannot be kept. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import {
  type ProtectedBookshop,
  type RunningSample,
  startEverything,
  startProtectedBookshop,
} from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type CloudService, startCloudService } from "../../testing/cloud-service.ts";
import { testWorld } from "../../testing/world.ts";

let cloud: CloudService;
let everything: RunningSample;
let shop: ProtectedBookshop;
beforeAll(async () => {
  [cloud, everything, shop] = await Promise.all([
    startCloudService(),
    startEverything(),
    startProtectedBookshop(),
  ]);
});
afterAll(async () => {
  await Promise.all([cloud?.stop(), everything?.close(), shop?.close()]);
});

const keptRun = /^Kept: \S+\/(\w+)$/m;
const read = async (runId: string) => (await cloud.api(`/conformance-runs/${runId}`)).body;
const countRuns = async () => (await cloud.api("/conformance-runs")).body.items.length;

test.each([
  ["protocol", () => ["--url", everything.url, "--check-id", "ping"]],
  ["apps", () => ["--url", everything.url, "--check-id", "ui-tools-present"]],
  ["tasks", () => ["--url", everything.url, "--category", "dispatch"]],
  [
    "oauth",
    () => [
      ...["--url", shop.url, "--protocol-version", "2025-11-25"],
      ...["--registration", "dcr", "--auth-mode", "headless"],
    ],
  ],
])("a run of the %s suite is kept when that is asked for, and only then", async (suite, flags) => {
  const { fettle } = await testWorld({ env: cloud.env });
  const before = await countRuns();
  const alone = await fettle(suite, "conformance", ...flags());
  expect([alone.stderr.includes("Kept"), await countRuns()]).toEqual([false, before]);

  const { stdout, stderr, exitCode } = await fettle(suite, "conformance", ...flags(), "--upload");
  expect(exitCode).toBe(alone.exitCode);
  const { outcome } = JSON.parse(stdout);
  expect(await read(keptRun.exec(stderr)![1]!)).toMatchObject({
    source: "cli",
    verification: "reported",
    status: "completed",
    // The history has no word for a run in which nothing was to be tested.
    outcome: outcome === "not-applicable" ? "passed" : outcome,
    requestedSuites: [suite],
    target: { kind: "external", serverUrl: suite === "oauth" ? shop.url : everything.url },
    reports: [{ suiteKind: suite, status: "reported" }],
  });
});

test("a run of all is kept without a word where key and project are configured, in every report", async () => {
  const { fettle } = await testWorld({ env: cloud.env });
  const run = ["conformance", "run", "--url", everything.url, "--suite", "apps", "--suite", "oauth"];
  const { stdout } = await fettle(...run);
  const result = JSON.parse(stdout);
  expect(await read(result.runId)).toMatchObject({
    outcome: "passed",
    score: result.score.score,
    passed: result.score.passed,
    notApplicable: result.score.notApplicable,
    requestedSuites: ["apps", "oauth"],
    reportUrl: result.runUrl,
  });
  const reported = await fettle(...run, "--reporter", "json-summary");
  expect(JSON.parse(reported.stdout)).toMatchObject({ kind: "conformance", outcome: "not-applicable" });
  expect(reported.stderr).toMatch(keptRun);
});

test.each([
  ["protocol", "--check-id", "ping"],
  ["apps", "--check-id", "ui-tools-present"],
  ["tasks", "--category", "dispatch"],
])("of the %s suite, a refused upload is told, and fatal when it is required", async (suite, ...flags) => {
  const env = { ...cloud.env, FETTLE_PROJECT: "no-such-project" };
  const { fettle } = await testWorld({ env });
  const run = (...more: string[]) =>
    fettle(suite, "conformance", "--url", everything.url, ...flags, ...more, "--format", "json");
  const told = await run("--upload");
  expect(told.stderr).toMatch(/^Not kept: .*no-such-project/m);
  expect(told.exitCode).toBe(0);
  expect(JSON.parse(told.stdout)).toHaveProperty("outcome");
  const required = await run("--require-upload");
  expect(required.stdout).toBe("");
  expect(required.exitCode).not.toBe(0);
  expect(required.stderr).toContain("no-such-project");
});

test("a finished run that the way to the service does not let through is told, and fatal when it is required", async () => {
  // As a gateway with a small limit: questions pass, reports do not.
  const gateway = createServer(async ({ method, url, headers: { authorization = "" } }, answer) => {
    if (method === "POST") return answer.writeHead(413).end("too large");
    const { status, body } = await fetch(new URL(url!, cloud.service.url), { headers: { authorization } });
    answer.writeHead(status, { "content-type": "application/json" });
    Readable.fromWeb(body as never).pipe(answer);
  });
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void gateway.close());
  const { port } = gateway.address() as AddressInfo;
  const { fettle } = await testWorld({
    env: { ...cloud.env, FETTLE_API_URL: `http://127.0.0.1:${port}` },
  });
  const before = await countRuns();
  for (const command of [
    [
      ...["oauth", "conformance", "--url", shop.url, "--protocol-version", "2025-11-25"],
      ...["--registration", "dcr", "--auth-mode", "headless"],
    ],
    ["conformance", "run", "--url", everything.url, "--suite", "apps"],
  ]) {
    const told = await fettle(...command, "--upload");
    expect(told.stderr).toMatch(/^Not kept: /m);
    expect(told.exitCode).toBe(0);
    expect(JSON.parse(told.stdout)).toHaveProperty("outcome");
    const required = await fettle(...command, "--require-upload", "--reporter", "junit-xml");
    expect([required.exitCode, required.stdout]).toEqual([1, ""]);
    expect(JSON.parse(required.stderr.trim().split("\n").at(-1)!)).toHaveProperty("error.code");
  }
  expect(await countRuns()).toBe(before);
});
