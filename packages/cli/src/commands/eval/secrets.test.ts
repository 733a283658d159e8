import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { canaries as known } from "../../../../contract/src/secrets/testing/canaries.ts";
import { startTinyServer } from "../../../../evals/src/agent/testing/tiny-server.ts";
import { startModelServer, testKey } from "../../../../evals/src/models/testing/model-server.ts";
import { testWorld } from "../../testing/world.ts";
import { evalReporters } from "./flags.ts";

const header = "header-canary-81c2";
const variable = "variable-canary-77aa";
/** Of our own environment, which a command inherits. */
const inherited = "inherited-canary-55d0";
/** An argument that its tool marks as a password. */
const marked = "marked-canary-19f3";
/** Of the author of the suite, in a check and in a title. */
const written = `ghp_${"a1B2".repeat(9)}`;
/** Known by value, and of nobody that we know but of a known shape. */
const canaries = [
  ...[testKey, header, variable, inherited, marked, written],
  ...known.map(({ secret }) => secret),
];

const suite = `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_leak, name: Leaks }
target: { servers: [{ name: one }, { name: two }] }
defaults: { model: custom:it:stub, repetitions: 1, passThreshold: 1, validity: {} }
cases:
  - id: c_leak
    title: Leaks ${written}
    steps:
      - { id: ask, kind: prompt, prompt: Look. }
      - { id: said, kind: assert, assertion: { type: responseContains, needle: Never ${written} } }
`;

/** A process that crashes in a call and says a lot on its way. */
const crashing = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "initialize") answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "d", version: "1" } });
  else if (method === "tools/list") answer({ tools: [{ name: "crash", inputSchema: { type: "object" } }] });
  else if (id !== undefined && method !== "tools/call") console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
  else if (method === "tools/call") {
    for (let line = 0; line < 500; line++) console.error("line " + line);
    console.error("Error: no database at " + process.env.DB_PASSWORD);
    process.exitCode = 3;
    process.stdin.destroy();
  }
});`;

test("no report tells a credential that a tool repeats, whosever it is, and a crash is told with what the process said last", async () => {
  const world = await testWorld({ env: { IT_KEY: testKey } });
  const words = ["Failed.", ...canaries.slice(0, 6), ...known.map(({ said }) => said)].join("\n");
  vi.stubEnv("ACME_TOKEN", inherited);
  const leak = () => ({ content: [{ type: "text", text: words }], isError: true });
  const server = await startTinyServer("one", {
    leak: {
      run: leak,
      inputSchema: { type: "object", properties: { pin: { type: "string", writeOnly: true } } },
    },
  });
  const model = await startModelServer();
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await Promise.all([server.kill(), model.kill()]);
  });
  const servers = {
    one: { url: server.url, headers: { "x-tenant": header } },
    two: { command: process.execPath, args: ["-e", crashing], env: { DB_PASSWORD: variable } },
  };
  const provider = `{ baseUrl: "${model.origin}/v1", apiKey: "\${IT_KEY}" }`;
  await writeFile(join(world.cwd, "suite.yaml"), suite);
  await writeFile(join(world.cwd, "mcp.json"), JSON.stringify({ mcpServers: servers }));
  await writeFile(join(world.cwd, "m.yaml"), `models: { providers: { custom: { it: ${provider} } } }\n`);
  const run = (tool: string, ...more: string[]) => {
    model.will(
      { kind: "answer", calls: [{ id: "c1", name: tool, args: JSON.stringify({ pin: marked }) }] },
      { kind: "answer", text: words },
    );
    const flags = ["--file", "suite.yaml", "--servers", "mcp.json", "--config", "m.yaml"];
    return world.fettle("eval", "run", ...flags, ...more);
  };

  for (const reporter of evalReporters) {
    const { exitCode, stdout, stderr } = await run("leak", "--reporter", reporter, "--out", "report");
    expect(exitCode).toBe(1);
    const told = `${stdout}${stderr}${await readFile(join(world.cwd, "report"), "utf8")}`;
    expect(told).toContain("Failed.");
    for (const canary of canaries) expect(told).not.toContain(canary);
  }
  const human = await run("leak", "--format", "human");
  for (const canary of canaries) expect(human.stdout).not.toContain(canary);

  const crashed = await run("crash", "--format", "human");
  expect(crashed.exitCode).toBe(3);
  expect(crashed.stdout).toMatch(/exited with code 3.*Error: no database at \[REDACTED\]/s);
  expect(crashed.stdout).toContain("line 499");
  expect(crashed.stdout).not.toContain("line 490");
});
