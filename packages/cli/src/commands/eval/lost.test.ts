import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startModelServer, testKey } from "../../../../evals/src/models/testing/model-server.ts";
import { quoted, runningShop, suiteOf, worldWith } from "../../testing/eval-suite.ts";

/** Answers as a server does until a tool is called; then it does what it is told. */
const dyingServer = (death: string) => `
import { createInterface } from "node:readline";
const tools = [{ name: "list_orders", description: "Lists orders", inputSchema: { type: "object" } }];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") answer({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });
  else if (method === "tools/list") answer({ tools });
  else if (method === "tools/call") { ${death} }
  else if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }) + "\\n");
});
`;

describe("what is lost on the way is no verdict: exit 3, never 1", () => {
  test.each<[string, string, string[], string]>([
    ["the server is killed during a call", "process.kill(process.pid, 'SIGKILL');", [], "completed"],
    ["the server says nothing, and the time is over", "", ["--timeout", "6000"], "timed_out"],
  ])("%s", async (_, death, flags, status) => {
    const world = await worldWith(suiteOf());
    const path = join(world.cwd, "server.mjs");
    await writeFile(path, dyingServer(death));
    const server = `shop=${quoted([process.execPath, path])}`;
    const { exitCode, stdout } = await world.fettle(
      "eval",
      "run",
      "--file",
      "suite.yaml",
      "--server",
      server,
      ...flags,
    );
    expect(exitCode).toBe(3);
    const report = JSON.parse(stdout);
    expect(report.passed).toBe(false);
    expect(report.summary.failed).toBe(0);
    expect(report.metadata.facts.cases[0].verdict).toBe("inconclusive");
    expect(report.metadata.runs[0].status).toBe(status);
  });

  test("the server cannot be started, or not be reached", async () => {
    const world = await worldWith(suiteOf());
    for (const target of ["/no/such/program", "http://127.0.0.1:1/mcp"]) {
      const { exitCode, stdout } = await world.fettle(
        "eval",
        "run",
        "--file",
        "suite.yaml",
        "--server",
        `shop=${target}`,
        "--reporter",
        "junit-xml",
      );
      expect(exitCode).toBe(3);
      expect(stdout).toContain('failures="0" skipped="1"');
    }
  });

  test("the model is gone", async () => {
    const world = await worldWith(suiteOf({ model: "custom:dead:any" }));
    await writeFile(
      join(world.cwd, "fettle.yaml"),
      "models: { providers: { custom: { dead: { kind: openai-compatible, baseUrl: 'http://127.0.0.1:1/v1', apiKey: none } } } }\n",
    );
    await using shop = await runningShop();
    const { exitCode, stdout } = await world.fettle(
      "eval",
      "run",
      "--file",
      "suite.yaml",
      "--url",
      shop.url,
      "--config",
      "fettle.yaml",
    );
    expect(exitCode).toBe(3);
    expect(JSON.parse(stdout).metadata.facts.reasons).toContain("noGradeableTrials");
  });

  test("a provider that limits the rate until the time is over is told, not the time alone", async () => {
    const world = await worldWith(suiteOf({ model: "custom:it:any" }), { IT_KEY: testKey });
    const limited = {
      kind: "status",
      status: 429,
      words: "too many",
      headers: { "retry-after": "60" },
    } as const;
    await using model = await startModelServer(limited, limited, limited);
    const provider = `{ baseUrl: "${model.origin}/v1", apiKey: "\${IT_KEY}" }`;
    await writeFile(join(world.cwd, "m.yaml"), `models: { providers: { custom: { it: ${provider} } } }\n`);
    await using shop = await runningShop();
    const flags = ["--file", "suite.yaml", "--url", shop.url, "--config", "m.yaml", "--timeout", "4000"];
    const { exitCode, stdout } = await world.fettle("--format", "human", "eval", "run", ...flags);
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/out of time: The provider limited the rate.*too many/);
    expect(stdout).toContain(
      "The provider of the model limited the rate until the time for the run was over.",
    );
  });

  test("why repetitions were lost is told, also of a case whose others passed", async () => {
    const world = await worldWith(suiteOf({ model: "custom:it:any" }), { IT_KEY: testKey });
    await using model = await startModelServer(
      { kind: "answer", calls: [{ id: "c1", name: "list_orders", args: "{}" }] },
      { kind: "answer", text: "Two orders." },
      { kind: "status", status: 400, words: "no more today" },
    );
    const provider = `{ baseUrl: "${model.origin}/v1", apiKey: "\${IT_KEY}" }`;
    await writeFile(join(world.cwd, "m.yaml"), `models: { providers: { custom: { it: ${provider} } } }\n`);
    await using shop = await runningShop();
    const flags = ["--file", "suite.yaml", "--url", shop.url, "--config", "m.yaml", "--concurrency", "1"];
    const { exitCode, stdout } = await world.fettle("--format", "human", "eval", "run", ...flags);
    expect(exitCode).toBe(3);
    expect(stdout).toContain("1/1, 1 lost");
    expect(stdout).toContain("lost: The provider answered 400: no more today.");
  });

  test("the report cannot be written: the verdict is told all the same", async () => {
    await using shop = await runningShop();
    const world = await worldWith(suiteOf());
    const flags = ["--file", "suite.yaml", "--url", shop.url, "--out", "/dev/full"];
    const { exitCode, stdout, stderr } = await world.fettle("eval", "run", ...flags);
    expect([exitCode, JSON.parse(stdout).passed, stderr]).toEqual([
      3,
      true,
      expect.stringContaining("--out could not be written"),
    ]);
  });
});
