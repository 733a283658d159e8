/** @module `--timeout` is a promise: no command outlives it, wherever a server stops answering. */
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { limits } from "@fettle/contract/core";
import { startBookshop } from "@fettle/samples";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CommandNode } from "../program/command.ts";
import { acceptedFlags } from "../program/tree.ts";
import { hangingServers } from "../testing/hanging-servers.ts";
import { testWorld } from "../testing/world.ts";
import { tree } from "./index.ts";
import { inspectorCommands } from "./inspector/index.ts";
import { hostedReadinessCommands } from "./readiness/hosted.ts";

const timeoutMs = 1_500;
/** On a machine that may be busy; before the promise was kept the slow ones took 15 to 30 s. */
const slackMs = 8_000;

/** What each command needs besides a server. */
const more: Record<string, string[]> = {
  "server doctor": [],
  "server probe": [],
  "server info": [],
  "server validate": [],
  "server ping": [],
  "server capabilities": [],
  "server export": [],
  "server diff": ["--baseline", "lock.json"],
  "server surface lock": ["--lock", "new-lock.json"],
  "server surface check": ["--lock", "lock.json"],
  "tools list": [],
  "tools call": ["--tool-name", "echo"],
  "tools cost": [],
  "resources list": [],
  "resources read": ["--uri", "a://b"],
  "resources templates": [],
  "prompts list": [],
  "prompts get": ["--prompt-name", "p"],
  "tasks capabilities": [],
  "tasks list": [],
  "tasks get": ["--task-id", "t"],
  "tasks result": ["--task-id", "t"],
  "tasks cancel": ["--task-id", "t"],
  "tasks update": ["--task-id", "t", "--input-responses", "{}"],
  // What watches and listens has a time of its own once it is open.
  "tasks watch": ["--task-id", "t", "--max-consecutive-errors", "1"],
  "tasks conformance": [],
  "subscriptions listen": ["--list-changed", "--duration-ms", "1000"],
  "apps conformance": [],
  "apps render": ["--tool-name", "echo"],
  compat: [],
  "protocol conformance": [],
  "conformance run": [],
  "xaa run": ["--issuer-base-url", "https://issuer.example", "--sub", "me", "--client-id", "c"],
  "oauth login": ["--auth-mode", "headless"],
  "oauth conformance": [
    "--auth-mode",
    "headless",
    "--protocol-version",
    "2025-11-25",
    "--registration",
    "dcr",
  ],
  "readiness check claude": [],
  "readiness check openai": ["--submission-mode", "mcp-only"],
  "oauth metadata": [],
  "oauth proxy": [],
  "oauth debug-proxy": [],
  "eval init": [],
  "eval run": ["--file", "suite.json"],
  "eval cassette status": ["--file", "suite.json"],
  "init ci": [],
};

/** What `eval run` is given to do: one call, so that no model is asked. */
const evalSuite = {
  schemaVersion: "1",
  mode: "agentWorkflow",
  reportingMode: "standard",
  suite: { id: "s_one", name: "One" },
  target: { servers: [{ name: "it" }] },
  defaults: { model: "fettle/rules-1", repetitions: 1, passThreshold: 1, validity: {} },
  cases: [
    {
      id: "c_one",
      title: "One call",
      steps: [{ id: "call", kind: "toolCall", serverName: "it", toolName: "echo", arguments: {} }],
    },
  ],
};

/** The server of these stands in a file. */
const suiteFiles: Record<string, (server: SuiteServer) => object> = {
  "apps conformance-suite": (target) => ({ target, runs: [{}] }),
  "protocol conformance-suite": ({ url, ...target }) => ({
    ...(url === undefined ? { target } : { serverUrl: url }),
    runs: [{}],
  }),
  "oauth conformance-suite": ({ url }) => ({
    serverUrl: url,
    flows: [{ protocolVersion: "2025-11-25", registrationStrategy: "dcr", auth: { mode: "headless" } }],
  }),
};

interface SuiteServer {
  url?: string;
  command?: string;
  args?: string[];
}

/** Asks over HTTP alone. */
const httpOnly = (name: string) =>
  /^(oauth|readiness) /.test(name) || ["server probe", "xaa run"].includes(name);
/** Serve until they are told to stop, read files alone, or ask the service or the inspector alone. */
const unasked = [
  "mcp",
  "explain",
  ...inspectorCommands.map(({ name }) => name),
  "dev",
  "eval validate",
  "eval compare",
  "eval cassette prune",
  "models list",
  "models check",
  ...hostedReadinessCommands.map(({ name }) => name),
];

function commandsIn(node: CommandNode): CommandNode[] {
  return [...(node.declaration.kind === "command" ? [node] : []), ...node.children.flatMap(commandsIn)];
}

const local = commandsIn(tree)
  .filter(({ declaration }) => declaration.section === "local")
  .map(({ declaration }) => declaration.name)
  .filter((name) => !unasked.includes(name));

test("every command that talks to a server is in this table", () => {
  expect([...Object.keys(more), ...Object.keys(suiteFiles)].sort()).toEqual([...local].sort());
});

describe.each(Object.entries(hangingServers))("a server that %s", (_, start) => {
  test(`is given up by every command after ${timeoutMs} ms`, async () => {
    await using server = await start();
    const { fettle, cwd } = await testWorld();
    const [name, command, ...words] = server.flags;
    const inFile: SuiteServer =
      name === "--url"
        ? { url: command! }
        : { command: command!, args: words.map((word) => word.slice("--args=".length)) };
    const shop = await startBookshop();
    await fettle("server", "surface", "lock", "--lock", "lock.json", "--url", shop.url);
    await shop.close();
    await writeFile(join(cwd, "suite.json"), JSON.stringify(evalSuite));
    const asked = local.filter((name) => server.url !== undefined || !httpOnly(name));
    const run = async (name: string) => {
      const file = suiteFiles[name]?.(inFile);
      const path = join(cwd, `${name.replaceAll(" ", "-")}.json`);
      if (file) await writeFile(path, JSON.stringify(file));
      const flags = file ? ["--config", path] : [...(more[name] ?? []), ...server.flags];
      const startedAt = performance.now();
      const { exitCode, stderr } = await fettle(...name.split(" "), ...flags, "--timeout", `${timeoutMs}`);
      const isInTime = performance.now() - startedAt < timeoutMs + slackMs;
      return { name, isInTime, isUsage: exitCode === 2 ? stderr : false };
    };
    const ended = await Promise.all(asked.map(run));
    // Late beside three dozen others may be the machine; late alone is the command.
    for (const [at, { name, isInTime }] of ended.entries()) if (!isInTime) ended[at] = await run(name);
    expect(ended).toEqual(asked.map((name) => ({ name, isInTime: true, isUsage: false })));
  });
});

test("what no time is left for is not begun, and says whose time it was", async () => {
  await using server = await hangingServers["is a process that is stuck and does not leave when told"]();
  const { fettle } = await testWorld();
  const { exitCode, stdout } = await fettle(
    ...["conformance", "run", ...server.flags, "--timeout", `${timeoutMs}`, "--reporter", "json-summary"],
  );
  expect(exitCode).toBe(3);
  const { incompleteReason, groups } = JSON.parse(stdout);
  expect(incompleteReason).toContain(`The apps suite could not start: Not finished within ${timeoutMs} ms.`);
  expect(incompleteReason).toContain(`The tasks suite could not start: Not finished within ${timeoutMs} ms.`);
  expect(groups).toHaveLength(3);
});

/** Two runs in one file. A server whose first answer has this status ends the first; the second is never answered. */
const sharing: [command: string, status: number, file: (url: string) => object][] = [
  ["protocol", 401, (serverUrl) => ({ serverUrl, runs: [{}, {}] })],
  ["apps", 401, (url) => ({ target: { url }, runs: [{}, {}] })],
  [
    "oauth",
    404,
    (serverUrl) => ({
      serverUrl,
      defaults: { protocolVersion: "2025-11-25", registrationStrategy: "dcr", auth: { mode: "headless" } },
      flows: [{}, {}],
    }),
  ],
];

test.each(sharing)(
  "what runs out of a time that the runs of `%s conformance-suite` share is called by the whole of it",
  async (suite, status, file) => {
    let isFirst = true;
    const server = createServer((_, response) => {
      if (isFirst) setTimeout(() => response.writeHead(status).end(), 20);
      isFirst = false;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const { fettle, cwd } = await testWorld();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await writeFile(join(cwd, "suite.json"), JSON.stringify(file(url)));
    const { stdout } = await fettle(
      ...[suite, "conformance-suite", "--config", join(cwd, "suite.json"), "--timeout", `${timeoutMs}`],
    );
    const { results } = JSON.parse(stdout);
    expect(results[0].incompleteReason).not.toMatch(/ ms\b/);
    expect(results[1].incompleteReason).toContain(` ${timeoutMs} ms`);
  },
);

test.each(["never shakes hands for TLS"] as const)(
  "a server that %s was never connected to, and nothing is said of an answer",
  async (name) => {
    await using server = await hangingServers[name]();
    const { fettle } = await testWorld();
    const { stderr } = await fettle("tools", "list", ...server.flags, "--timeout", "800", "--format", "json");
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "TIMEOUT",
      message: "Connecting to the server was not done when 800 ms were over.",
      details: { cause: "HOST_UNREACHABLE", phase: "connect" },
    });
  },
);

test("a wait longer than a timer can hold is refused, and the refusal names the longest", async () => {
  const { fettle } = await testWorld();
  const { exitCode, stderr } = await fettle(
    "server",
    "ping",
    "--url",
    "http://127.0.0.1:9/mcp",
    "--timeout",
    "2147483648",
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`from 1 to ${limits.waitMs}`);
});

/** Told to the server, compared with what was measured, or a moment. */
const noTimer = ["task-ttl", "max-p95-latency-increase-ms", "expected-updated-at"];

test("every flag in milliseconds that becomes a timer has an upper bound", () => {
  const endless = commandsIn(tree).flatMap((node) =>
    Object.entries(acceptedFlags(node))
      .filter(
        ([name, flag]) =>
          flag.kind === "integer" && flag.value === "ms" && flag.max === undefined && !noTimer.includes(name),
      )
      .map(([name]) => `${node.declaration.name} --${name}`),
  );
  expect(endless).toEqual([]);
});
