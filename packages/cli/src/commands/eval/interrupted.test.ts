import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

/** Answers the first call of a tool; of the second it only leaves a note that it came. */
const hangs = `
  let calls = 0;
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    const answer = (result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    if (method === "initialize")
      answer({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "h", version: "1" } });
    else if (method === "tools/list")
      answer({ tools: ["quick", "slow"].map((name) => ({ name, inputSchema: { type: "object" } })) });
    else if (method === "tools/call" && params.name === "quick") answer({ content: [] });
    else if (method === "tools/call") require("node:fs").writeFileSync("called", "");
    else if (method === "ping") answer({});
  });`;

/** On a machine with ten others at work, a minute passes before a command and its server have started. */
const busyMs = 120_000;

const caseOf = (tool: string) => `
  - id: c_${tool}
    title: ${tool}
    steps:
      - { id: call, kind: toolCall, serverName: it, toolName: ${tool}, arguments: {} }`;

test("Ctrl-C in the middle of a run: what was shown is told and written, as cancelled, and the exit code is 130", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "server.cjs"), hangs);
  await writeFile(
    join(cwd, "suite.yaml"),
    `schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: { id: s_one, name: One }
target: { servers: [{ name: it }] }
defaults: { model: fettle/rules-1, repetitions: 1, passThreshold: 1, validity: {} }
cases:${caseOf("quick")}${caseOf("slow")}
`,
  );
  const server = `it="${process.execPath}" server.cjs`;
  const argv = [
    "eval",
    "run",
    "--file",
    "suite.yaml",
    "--server",
    server,
    "--concurrency",
    "1",
    "--out",
    "out.json",
  ];
  const running = spawnFettle(argv, { cwd });
  const isCalled = () =>
    readFile(join(cwd, "called")).then(
      () => true,
      () => false,
    );
  const ended = running.exit.then(() => expect.unreachable(running.stderr()));
  ended.catch(() => {});
  await Promise.race([expect.poll(isCalled, { timeout: busyMs }).toBe(true), ended]);
  running.child.kill("SIGINT");
  expect(await running.exit).toEqual({ code: 130, signal: null });
  const report = JSON.parse(await readFile(join(cwd, "out.json"), "utf8"));
  expect(report).toMatchObject({
    kind: "eval-run",
    passed: false,
    metadata: {
      runs: [{ status: "cancelled", result: null, iterationsComplete: false, summary: { passed: 1 } }],
    },
  });
  expect(JSON.parse(running.stdout())).toMatchObject({ kind: "eval-run", passed: false });
});
