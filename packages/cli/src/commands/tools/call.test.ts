import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBookshop, startEverything, startHostile } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testWorld } from "../../testing/world.ts";

let everything: Awaited<ReturnType<typeof startEverything>>;
let bookshop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  [everything, bookshop] = await Promise.all([startEverything(), startBookshop()]);
});
afterAll(() => Promise.all([everything.close(), bookshop.close()]));

const call = (tool: string, ...rest: string[]) => [
  "tools",
  "call",
  "--url",
  everything.url,
  "--tool-name",
  tool,
  ...rest,
];

test("a tool that reports an error exits 1, with its result on stdout", async () => {
  const { fettle } = await testWorld();
  const { stdout, stderr, exitCode } = await fettle(...call("test_error_handling"));
  expect(JSON.parse(stdout)).toMatchObject({ isError: true, _durationMs: expect.any(Number) });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 1 });
});

test("an unknown tool is the server's refusal, not an unreachable server", async () => {
  const { fettle } = await testWorld();
  const { stderr, exitCode } = await fettle(...call("no_such_tool"));
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: "VALIDATION_ERROR",
    details: { rpc: { code: -32602 } },
  });
});

describe("reports", () => {
  test("replace the result, keep their own duration, and decide the exit code", async () => {
    const { fettle } = await testWorld();
    const good = await fettle(
      ...call("test_simple_text", "--validate-response", "--expect-success", "--reporter", "json-summary"),
    );
    expect(good.exitCode).toBe(0);
    const report = JSON.parse(good.stdout);
    expect(report).toMatchObject({
      schemaVersion: 1,
      kind: "tools-call-validation",
      passed: true,
      summary: { total: 2, passed: 2, failed: 0 },
      durationMs: expect.any(Number),
      metadata: { toolName: "test_simple_text" },
    });
    expect(good.stdout).not.toContain("_durationMs");
    const bad = await fettle(...call("test_error_handling", "--expect-success", "--reporter", "junit-xml"));
    expect(bad.exitCode).toBe(1);
    expect(bad.stdout).toMatch(/^<\?xml.*failures="1".*<failure message=/s);
  });

  test("hold structured content to the schema that the tool declares, whatever the schema does", async () => {
    const { fettle } = await testWorld();
    const kept = await fettle(
      ...["tools", "call", "--url", bookshop.url, "--tool-name", "list_orders"],
      ...["--validate-response", "--reporter", "json-summary"],
    );
    expect(JSON.parse(kept.stdout)).toMatchObject({ passed: true, summary: { total: 2 } });
    const liar = await startHostile("broken-promises");
    onTestFinished(() => liar.close());
    for (const [tool, fault] of [
      ["echo", '#/text: Instance type "number" is invalid. Expected "string".'],
      ["silent", "the tool declares an output schema, and the result has no structuredContent"],
      ["exploding", "#: the schema takes more than 2000 ms to apply; it was not evaluated"],
      ["backtracking", "#/text: String does not match pattern."],
    ] as const) {
      const call = ["tools", "call", "--url", liar.url, "--tool-name", tool];
      const { stdout, exitCode } = await fettle(...call, "--validate-response", "--reporter", "json-summary");
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout).cases.at(-1)).toMatchObject({ id: "structured-content", error: fault });
      expect((await fettle(...call)).exitCode).toBe(0);
    }
  });

  test("say which pattern of a schema was not checked, in every form of output", async () => {
    const liar = await startHostile("broken-promises");
    onTestFinished(() => liar.close());
    const said = "pattern ^(?=a) was not checked: it looks ahead or behind";
    const { fettle } = await testWorld();
    const call = ["tools", "call", "--url", liar.url, "--tool-name", "looking", "--validate-response"];
    const summary = await fettle(...call, "--reporter", "json-summary");
    expect(JSON.parse(summary.stdout).cases.at(-1)).toMatchObject({ passed: true, unchecked: [said] });
    const junit = await fettle(...call, "--reporter", "junit-xml");
    expect(junit.stdout).toContain(`<system-out>${said}</system-out>`);
    expect(JSON.parse((await fettle(...call)).stdout)).toMatchObject({ _unchecked: [said] });
    const human = await fettle(...call, "--format", "human");
    expect(human.stdout).toContain(`! ${said}`);
    expect(human.exitCode).toBe(0);
  });

  test.each([
    [["--reporter", "json-summary"], "--validate-response or --expect-success"],
    [["--reporter", "json-summary", "--expect-success", "--ui"], "--ui cannot be combined"],
    [["--name", "other"], "--tool-name and --name differ"],
    [["--tool-args", "{}", "--params", '{"a":1}'], "differ"],
    [["--tool-args-stdin", "--tool-args", "{}"], "--tool-args-stdin"],
    [["--interactive", "--tool-args", "-"], "--interactive"],
    [["--yes"], "--interactive"],
    [["--task-ttl", "5"], "--task"],
    [["--task", "--duration-ms", "5"], "--task-watch"],
    [["--task", "--expect-success"], "--expect-success"],
    [["--interactive", "--client-capabilities", "{}"], "elicitation"],
    [["--mcp-header", "nonsense"], "Name=Value"],
    [["--tool-args", "[]"], "must be a JSON object"],
  ])("%j is a usage error", async (argv, words) => {
    const { fettle } = await testWorld();
    const { stdout, stderr, exitCode } = await fettle(...call("test_simple_text", ...argv));
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "USAGE_ERROR",
      message: expect.stringContaining(words),
    });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  });
});

test("arguments come in place, from a file, or from stdin", async () => {
  const args = '{"celsius":100}';
  const world = await testWorld({ stdin: args });
  await writeFile(join(world.cwd, "args.json"), args);
  for (const how of [
    ["--tool-args", args],
    ["--params", "@args.json"],
    ["--tool-args", "-"],
    ["--tool-args-stdin"],
  ]) {
    const { stdout } = await world.fettle(...call("test_structured_output", ...how));
    expect(JSON.parse(stdout).structuredContent).toEqual({ celsius: 100, fahrenheit: 212 });
  }
});

test("as a host, a tool for its widget alone cannot be called", async () => {
  const { fettle } = await testWorld();
  const argv = [
    "tools",
    "call",
    "--url",
    bookshop.url,
    "--tool-name",
    "turn_shelf_page",
    "--tool-args",
    '{"cursor":"x"}',
  ];
  const { stderr, exitCode } = await fettle(...argv, "--host", "claude");
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.message).toContain("Claude does not see");
});

test("tools list --host counts what the host does not show", async () => {
  const { fettle } = await testWorld();
  const seen = JSON.parse(
    (await fettle("tools", "list", "--url", bookshop.url, "--host", "claude", "--model-id", "x")).stdout,
  );
  expect(seen).toMatchObject({ host: "claude", toolsDroppedVisibility: 1 });
  expect(seen.tokenCount).toBe(Math.ceil(JSON.stringify(seen.tools).length / 4));
  const all = JSON.parse((await fettle("tools", "list", "--url", bookshop.url, "--host", "cursor")).stdout);
  expect(all.tools.length - seen.tools.length).toBe(1);
});

test("--rpc adds the messages, and tells which arguments went out as headers", async () => {
  const { fettle } = await testWorld();
  const argv = call("test_x_mcp_header", "--tool-args", '{"region":"eu"}', "--rpc");
  const { stdout, stderr } = await fettle(...argv);
  const { _rpcLogs: logs } = JSON.parse(stdout);
  expect(logs[0]).toEqual({
    serverId: "__cli__",
    serverName: everything.url,
    direction: "send",
    timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    message: expect.objectContaining({ jsonrpc: "2.0" }),
  });
  expect(stderr).toBe("Mcp-Param headers: mcp-param-region: eu\n");
  expect((await fettle(...argv, "--no-param-headers")).stderr).toMatch(/Mcp-Param headers: none\n|headers/);
  expect((await fettle(...argv, "--quiet")).stderr).toBe("");
});

test("--debug-out writes everything a bug report needs, and no secret", async () => {
  const world = await testWorld();
  const argv = call(
    "test_simple_text",
    "--debug-out",
    "out/debug.json",
    "--header",
    "x-api-key: canary-header-value",
    "--access-token",
    "canary-token-value",
  );
  const { stdout, exitCode } = await world.fettle(...argv);
  expect(exitCode).toBe(0);
  const path = join(world.cwd, "out", "debug.json");
  const text = await readFile(path, "utf8");
  expect(text + stdout).not.toContain("canary");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(text)).toMatchObject({
    schemaVersion: 1,
    generatedAt: expect.any(String),
    command: { name: "tools call", input: { toolName: "test_simple_text", toolArgs: {} } },
    target: {
      kind: "http",
      headerNames: ["x-api-key"],
      envKeys: [],
      hasAccessToken: true,
      timeoutMs: 30_000,
    },
    outcome: { status: "success", result: { content: expect.any(Array) } },
    snapshot: { status: "ready" },
    _rpcLogs: expect.any(Array),
  });
});

test.each(["test_simple_text", "no_such_tool"])(
  "--debug-out of %s holds no value of the address, and no argument whose name says secret",
  async (tool) => {
    const world = await testWorld();
    const args = { city: "Graz", password: "canary-1", login: { "api-key": "canary-2", pin: [1] } };
    const { stdout, stderr } = await world.fettle(
      "tools",
      "call",
      "--url",
      `${everything.url}?token=canary-3&sig=canary%2F4&mode=fast`,
      "--tool-name",
      tool,
      "--tool-args",
      JSON.stringify(args),
      "--rpc",
      "--debug-out",
      "debug.json",
    );
    const text = await readFile(join(world.cwd, "debug.json"), "utf8");
    expect(text + stdout + stderr).not.toContain("canary");
    const { command, target, snapshot, _rpcLogs } = JSON.parse(text);
    const hidden = { city: "Graz", password: "[REDACTED]", login: { "api-key": "[REDACTED]", pin: [1] } };
    expect(command.input).toEqual({ toolName: tool, toolArgs: hidden });
    const shown = `${everything.url}?token=***&sig=***&mode=***`;
    expect([target.url, target.label, snapshot.probe.url]).toEqual([shown, shown, shown]);
    expect(snapshot.probe.transport.attempts[0].request.url).toBe(shown);
    const sent = _rpcLogs.find(
      ({ message }: { message: { method?: string } }) => message.method === "tools/call",
    );
    expect(sent.message.params.arguments).toEqual(hidden);
  },
);

test("--debug-out is written when the call fails too", async () => {
  const world = await testWorld();
  const { exitCode } = await world.fettle(...call("no_such_tool", "--debug-out", "debug.json"));
  expect(exitCode).toBe(1);
  expect(JSON.parse(await readFile(join(world.cwd, "debug.json"), "utf8")).outcome).toMatchObject({
    status: "error",
    error: { code: "VALIDATION_ERROR" },
  });
});

test("a call that never ends is ended by --timeout", async () => {
  const hostile = await startHostile("hang-on-call");
  onTestFinished(() => hostile.close());
  const { fettle } = await testWorld();
  const started = performance.now();
  const { stderr, exitCode } = await fettle(
    "tools",
    "call",
    "--url",
    hostile.url,
    "--tool-name",
    "echo",
    "--timeout",
    "700",
  );
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(JSON.parse(stderr).error).toMatchObject({ code: "TIMEOUT", details: { cause: "HANGS" } });
  expect(exitCode).toBe(1);
});

describe("--interactive", () => {
  const ask = (...rest: string[]) =>
    call("test_elicitation", "--tool-args", '{"message":"Who are you?"}', "--interactive", ...rest);
  const pins = [
    ["--protocol-version", "2025-11-25"],
    ["--protocol-version", "2026-07-28"],
  ];

  test.each(pins)("asks at the terminal and sends the answers (%s %s)", async (...pin) => {
    const { fettle } = await testWorld({ stdin: "y\nida\nida@example.com\n", typed: true });
    const { stdout, stderr, exitCode } = await fettle(...ask(...pin));
    expect(stderr).toContain("The server asks: Who are you?");
    expect(JSON.stringify(JSON.parse(stdout).content)).toContain("ida@example.com");
    expect(exitCode).toBe(0);
  });

  test.each([
    ["--yes", ["--yes"], {}],
    ["CI", [], { CI: "1" }],
    ["FETTLE_NON_INTERACTIVE", [], { FETTLE_NON_INTERACTIVE: "1" }],
  ])("declines under %s", async (_, argv, env) => {
    const { fettle } = await testWorld({ stdin: "y\nida\n", typed: true, env });
    const { stdout, stderr } = await fettle(...ask(...argv));
    expect(stderr).toContain("Declined");
    expect(stdout).not.toContain("ida");
  });

  test("lets the person answer as the model", async () => {
    const { fettle } = await testWorld({ stdin: "Paris\n", typed: true });
    const { stdout } = await fettle(
      ...call("test_sampling", "--tool-args", '{"prompt":"Capital?"}', "--interactive"),
    );
    expect(JSON.parse(stdout).content[0].text).toContain("Paris");
  });

  test("without it, a question is a failure that says so", async () => {
    const { fettle } = await testWorld();
    const { stderr, exitCode } = await fettle(...call("test_input_required_result_elicitation"));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/INPUT_REQUIRED|capabilit/i);
  });
});

test("for people: content as text, structured content as an outline, never JSON", async () => {
  const { fettle } = await testWorld({ env: { NO_COLOR: "1" } });
  const { stdout } = await fettle(...call("test_structured_output", "--format", "human"));
  expect(stdout).toMatch(/^celsius +20\nfahrenheit +68\n\n✓ \d+ ms\n$/);
});
