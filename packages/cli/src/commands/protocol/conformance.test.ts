/** @module The protocol suite as people and CI run it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostileCommand, type RunningSample, startEverything, startHostile } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const conformance = ["protocol", "conformance"];

test("a good server passes: the result on stdout, the score on stderr", async () => {
  const world = await testWorld();
  const { stdout, stderr, exitCode } = await world.fettle(...conformance, "--url", everything.url);
  expect(exitCode).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    passed: true,
    outcome: "passed",
    serverUrl: everything.url,
    protocolVersion: "2026-07-28",
    profile: { profileId: "mcp-protocol" },
  });
  expect(result.categorySummary.tools).toMatchObject({ failed: 0, couldNotRun: 0 });
  expect(stderr).toMatch(/^Score: \d+ of 100$/m);
  expect(stderr).toMatch(/^Profile: mcp-protocol@\d{4}-\d\d-\d\d \(checker /m);
});

test("people see every check by category, and on a terminal how far it is", async () => {
  const world = await testWorld({ terminal: 100, env: { NO_COLOR: "1" } });
  const { stdout, stderr } = await world.fettle(
    ...conformance,
    ...["--url", everything.url, "--protocol-version", "2025-11-25", "--category", "core"],
  );
  expect(stdout).toContain("Protocol 2025-11-25");
  expect(stdout).toMatch(/✓.* ping /);
  expect(stdout).not.toContain("tools-list");
  expect(stderr).toMatch(/\d+ of \d+ checks/);
});

test("a failed check exits 1 and stands in the JUnit report with its reason; what does not apply is skipped", async () => {
  const hostile = await startHostile("malformed-tool");
  onTestFinished(() => hostile.close());
  const world = await testWorld();
  const { stdout, exitCode } = await world.fettle(
    ...conformance,
    ...["--url", hostile.url, "--reporter", "junit-xml", "--quiet"],
  );
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/<failure [^>]*message="/);
  expect(stdout).toMatch(/<skipped message="not-applicable: /);
  expect(stdout).toContain('<property name="fettle.conformance.score" value="');
});

test("a check of another era does not apply, and nothing selected proves nothing", async () => {
  const world = await testWorld();
  const at = ["--url", everything.url, "--protocol-version", "2026-07-28"];
  const ping = await world.fettle(...conformance, ...at, "--check-id", "ping");
  expect(JSON.parse(ping.stdout).checks).toMatchObject([{ id: "ping", skipReason: "not-applicable" }]);
  expect(ping.exitCode).toBe(0);
  expect(ping.stderr).toContain("Nothing was tested: ping did not apply to this server.");
  const tools = await world.fettle(...conformance, ...at, "--check-id", "tools-list", "--check-id", "ping");
  expect(tools.stderr).not.toContain("Nothing was tested");
});

test("a fixture that the server does not list is named", async () => {
  const world = await testWorld();
  const named = [
    "--fixture-tool",
    "nosuch",
    "--fixture-tool",
    "test_simple_text",
    "--fixture-prompt",
    "none",
  ];
  const { stderr } = await world.fettle(
    ...conformance,
    ...["--url", everything.url, "--check-id", "tools-list", ...named],
  );
  expect(stderr).toContain('The server lists no tool "nosuch"');
  expect(stderr).toContain('The server lists no prompt "none"');
  expect(stderr).not.toContain("test_simple_text");
});

test("what cannot be right is an error and no report", async () => {
  const world = await testWorld();
  const wrong = await world.fettle(...conformance, "--url", everything.url, "--check-id", "no-such-check");
  expect(wrong).toMatchObject({ exitCode: 2, stdout: "" });
  expect(JSON.parse(wrong.stderr).error.code).toBe("USAGE_ERROR");
});

test("a file holds several runs: each is told, the worst decides", async () => {
  const world = await testWorld();
  const suite = async (document: unknown, ...flags: string[]) => {
    const path = join(world.cwd, "suite.json");
    await writeFile(path, JSON.stringify(document));
    return world.fettle("protocol", "conformance-suite", "--config", path, ...flags);
  };
  const runs = [
    { label: "stateful", protocolVersion: "2025-11-25" },
    { label: "stateless", protocolVersion: "2026-07-28", categories: ["prompts"] },
  ];
  const both = await suite({
    name: "Both",
    serverUrl: everything.url,
    defaults: { categories: ["core"] },
    runs,
  });
  expect(both.exitCode).toBe(0);
  expect(JSON.parse(both.stdout)).toMatchObject({
    name: "Both",
    passed: true,
    serverUrl: everything.url,
    results: [
      { label: "stateful", protocolVersion: "2025-11-25", passed: true },
      { label: "stateless", protocolVersion: "2026-07-28", passed: true },
    ],
  });
  const empty = { label: "nothing", protocolVersion: "2026-07-28", checkIds: ["ping"], categories: ["core"] };
  const junit = await suite({ serverUrl: everything.url, runs: [...runs, empty] }, "--reporter", "junit-xml");
  expect(junit.stdout.match(/<testsuite /g)).toHaveLength(3);
  const required = await suite({ serverUrl: everything.url, runs: [...runs, empty] }, "--require-checks");
  expect([junit.exitCode, required.exitCode]).toEqual([0, 1]);
  const wrong: [unknown, string][] = [
    [{ serverUrl: everything.url, runs: [] }, "runs"],
    [{ serverUrl: everything.url, runs: [{ categories: ["nonsense"] }] }, "runs.0.categories.0"],
    [{ serverUrl: everything.url, runs: [{ fixtures: { toolCall: [] } }] }, "runs.0.fixtures"],
    [{ runs: [{}] }, "exactly one of serverUrl and target"],
  ];
  for (const [document, place] of wrong) {
    const { exitCode, stderr } = await suite(document);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr).error.message).toContain(place);
  }
});

test("advice that costs nothing is read by people too, with its strength", async () => {
  const server = await startHostile("hostile-urls");
  onTestFinished(() => server.close());
  const world = await testWorld({ env: { NO_COLOR: "1" } });
  const { stderr } = await world.fettle(...conformance, "--format", "human", "--url", server.url);
  expect(stderr).toMatch(/^Advice \(\d\):$/m);
  expect(stderr).toMatch(/^ {2}inferred readiness-icon-addresses .*"javascript:alert/m);
});

test("answers on stderr are named once, and first", async () => {
  const { command, args } = hostileCommand("answers-on-stderr");
  const world = await testWorld({ env: { NO_COLOR: "1" } });
  const { stdout, exitCode } = await world.fettle(
    ...[...conformance, "--format", "human", "--check-timeout", "3000"],
    ...["--command", command, "--args", ...args],
  );
  expect(exitCode).toBe(1);
  const cause = "The answer to tools/list was written to stderr, not to stdout";
  expect(stdout.split("\n").slice(2, 4)).toEqual([
    expect.stringMatching(/^could not run \(\d+; --verbose lists them\)$/),
    expect.stringMatching(new RegExp(`^ {2}! +\\d+ ${cause}\\.$`)),
  ]);
  expect(stdout).toMatch(new RegExp(`✗ answers-on-stdout +${cause}`));
  expect(stdout).not.toContain("was not answered within");
});
