/** @module `oauth conformance` and its suites: verdicts, reports and exit codes as a script sees them, and no secret anywhere. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProtectedBookshop, startBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

const flow = ["--protocol-version", "2025-11-25", "--registration", "dcr", "--auth-mode", "headless"];

test("a right server passes with 100 points; its tokens are kept and shown nowhere", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(
    ...["oauth", "conformance", "--url", shop.url, ...flow, "--conformance-checks", "--check-refresh"],
    ...["--verify-call-tool", "list_orders", "--credentials-out", "c.json"],
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain("Score: 100 of 100");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    passed: true,
    outcome: "passed",
    protocolVersion: "2025-11-25",
    registrationStrategy: "dcr",
    verification: { callTool: { passed: true } },
    credentials: { accessToken: "[SAVED_TO_FILE]" },
  });
  const path = join(world.cwd, "c.json");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { accessToken, refreshToken } = JSON.parse(await readFile(path, "utf8"));
  for (const secret of [accessToken, refreshToken]) expect(stdout + stderr).not.toContain(secret);
  // The probes spent codes and refresh tokens of their own: what was kept still works.
  const renewed = await world.fettle(
    ...["tools", "list", "--url", shop.url, "--refresh-token", refreshToken],
    ...["--client-id", report.credentials.clientId],
  );
  expect(renewed.exitCode).toBe(0);
});

test("a broken server fails with the reason, for eyes and for CI", async () => {
  const bad = await startProtectedBookshop({ broken: "code-reuse" });
  onTestFinished(() => bad.close());
  const { fettle } = await testWorld();
  const run = (...more: string[]) =>
    fettle("oauth", "conformance", "--url", bad.url, ...flow, "--conformance-checks", ...more);
  const human = await run("--format", "human");
  expect(human.exitCode).toBe(1);
  expect(human.stdout).toContain("✗ A code works once  oauth_code_replay");
  expect(human.stdout).toContain("A code that was used already is accepted");
  const { stdout } = await run("--reporter", "junit-xml");
  expect(stdout).toContain('<testcase name="oauth_code_replay" classname="fettle.oauth-conformance.grant"');
  expect(stdout.match(/<failure /g)).toHaveLength(1);
  expect(stdout).toMatch(/skipped="[1-9]/);
  const summary = JSON.parse((await run("--reporter", "json-summary")).stdout);
  expect(summary).toMatchObject({ schemaVersion: 1, kind: "oauth-conformance", outcome: "failed" });
  for (const secret of ["made-up-token", "code_verifier=ey"])
    expect(human.stdout + stdout).not.toContain(secret);
});

test("the exit code tells failed, unproven, not applicable and unreachable apart", async () => {
  const busy = await startProtectedBookshop({ broken: "busy-token-endpoint" });
  const open = await startBookshop();
  onTestFinished(() => Promise.all([busy.close(), open.close()]).then(() => {}));
  const { fettle } = await testWorld();
  const judge = (url: string) => fettle("oauth", "conformance", "--url", url, ...flow);
  expect((await judge(busy.url)).exitCode).toBe(3);
  const opened = await judge(open.url);
  expect({ exitCode: opened.exitCode, ...JSON.parse(opened.stdout) }).toMatchObject({
    exitCode: 0,
    outcome: "not-applicable",
    score: { score: null },
  });
  const dead = await judge("http://127.0.0.1:9/mcp");
  expect(dead.exitCode).toBe(3);
});

test("the address to consent at is one line for a machine to pick up", async () => {
  const asked = Promise.withResolvers<string>();
  let said = "";
  const world = await testWorld({
    onStderr: (chunk) => {
      said += chunk;
      const address = /^OAUTH_CONSENT_URL: (\S+)$/m.exec(said)?.[1];
      if (address) asked.resolve(address);
    },
  });
  const done = world.fettle(
    ...["oauth", "conformance", "--url", shop.url, "--print-url"],
    ...["--protocol-version", "2026-07-28", "--registration", "dcr"],
  );
  const address = await asked.promise;
  const back = await shop.agree(address, new URL(address).searchParams.get("redirect_uri")!);
  expect((await fetch(back)).status).toBe(200);
  expect((await done).exitCode).toBe(0);
});

test("a suite runs every flow of its file and takes the worst verdict", async () => {
  const world = await testWorld();
  const suite = {
    name: "the bookshop",
    serverUrl: shop.url,
    defaults: { auth: { mode: "headless" }, protocolVersion: "2025-11-25", oauthConformanceChecks: true },
    flows: [
      { label: "dynamic", registrationStrategy: "dcr", verification: { listTools: true } },
      {
        label: "machine",
        registrationStrategy: "preregistered",
        auth: { mode: "client_credentials" },
        client: { preregistered: shop.machineClient },
      },
      {
        label: "unknown client",
        protocolVersion: "2025-06-18",
        registrationStrategy: "preregistered",
        client: { preregistered: { clientId: "nobody" } },
      },
    ],
  };
  await writeFile(join(world.cwd, "suite.json"), JSON.stringify(suite));
  const run = (...more: string[]) =>
    world.fettle("oauth", "conformance-suite", "--config", "suite.json", ...more);
  const { stdout, stderr, exitCode } = await run("--credentials-out", "c.json");
  expect(exitCode).toBe(1);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    name: "the bookshop",
    serverUrl: shop.url,
    passed: false,
    results: [
      { label: "dynamic", outcome: "passed", credentialsFile: join(world.cwd, "c.json") },
      { label: "machine", outcome: "passed" },
      { label: "unknown client", outcome: "failed", protocolVersion: "2025-06-18" },
    ],
  });
  expect(stdout + stderr).not.toContain(shop.machineClient.clientSecret);
  const { stdout: xml } = await run("--reporter", "junit-xml");
  expect(xml.match(/<testsuite /g)).toHaveLength(3);
  expect(xml).toContain('<testsuite name="dynamic"');
  expect(xml).not.toContain(shop.machineClient.clientSecret);
});

test.each([
  [{ flows: [] }, "serverUrl"],
  [{ serverUrl: "http://a.example/mcp", flows: [] }, "flows"],
  [
    { serverUrl: "http://a.example/mcp", flows: [{ protocolVersion: "2025-11-25" }] },
    "flows.0.registrationStrategy",
  ],
  [
    {
      serverUrl: "http://a.example/mcp",
      flows: [{ protocolVersion: "2024-11-05", registrationStrategy: "dcr" }],
    },
    "flows.0.protocolVersion",
  ],
  [{ serverUrl: "http://a.example/mcp", flows: [{ registration: "dcr" }] }, "flows.0"],
  [
    { serverUrl: "nowhere", flows: [{ protocolVersion: "2025-11-25", registrationStrategy: "dcr" }] },
    "serverUrl",
  ],
  [
    {
      serverUrl: "http://a.example/mcp",
      flows: [
        {
          protocolVersion: "2025-06-18",
          registrationStrategy: "cimd",
          client: { clientIdMetadataUrl: "https://a.example/c" },
        },
      ],
    },
    "from 2025-11-25 on",
  ],
])("a suite file that says %j is refused, with the place", async (suite, words) => {
  const world = await testWorld({ stdin: JSON.stringify(suite) });
  const { stderr, exitCode } = await world.fettle("oauth", "conformance-suite", "--config", "-");
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toContain(words);
});

test.each([
  [["--protocol-version", "2025-11-25"], "--registration is required"],
  [["--registration", "dcr"], "--protocol-version is required"],
  [[...flow, "--print-url"], "interactive"],
  [[...flow, "--check-refresh"], "--conformance-checks"],
])("%j is refused before anything is asked", async (flags, words) => {
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle(
    "oauth",
    "conformance",
    "--url",
    "http://127.0.0.1:9/mcp",
    ...flags,
  );
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toContain(words);
});

test("the values of headers are in no output, whatever comes of the run", async () => {
  const open = await startBookshop();
  const bad = await startProtectedBookshop({ broken: "takes-no-token" });
  onTestFinished(() => Promise.all([open.close(), bad.close()]).then(() => {}));
  const { fettle } = await testWorld();
  const canary = "canary-4b1d9e77";
  for (const url of [open.url, shop.url, bad.url]) {
    const { stdout, stderr } = await fettle(
      ...["oauth", "conformance", "--url", url, ...flow, "--conformance-checks", "--verify-tools"],
      ...["--header", `X-Shop-Key: ${canary}`, "--header", `Authorization: Bearer ${canary}`],
    );
    expect({ url, leaks: (stdout + stderr).includes(canary) }).toEqual({ url, leaks: false });
    expect(stdout).toContain("request_without_token");
  }
});
