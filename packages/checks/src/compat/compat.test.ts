/** @module Compatibility of real servers: every host's verdict and findings, kept as snapshots. */
import { type Connection, connect, loadHosts, parseTarget, type Target } from "@fettle/mcp";
import {
  sampleCommand,
  startBookshop,
  startEverything,
  startHostile,
  startLegacySse,
  startStateless,
} from "@fettle/samples";
import { expect, onTestFinished, test } from "vitest";
import { everythingOverStdio, startPublicEverything } from "../../../mcp/src/testing/everything-server.ts";
import { factsOf } from "./host-facts.ts";
import { judgeCompat } from "./judge-compat.ts";
import { observeCompat } from "./observe-compat.ts";

const hosts = (await loadHosts()).map(factsOf);

async function judged(target: Target) {
  const connectAt = (protocolVersion: string): Promise<Connection> => connect(target, { protocolVersion });
  await using connection = await connect(target);
  const versions = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
  return judgeCompat(await observeCompat(connection, { target, versions, connectAt }), hosts);
}

async function at(start: Promise<{ url: string; close(): Promise<void> }>): Promise<Target> {
  const { url, close } = await start;
  onTestFinished(close);
  return parseTarget({ url });
}

async function publicServer(): Promise<Target> {
  const server = await startPublicEverything("streamableHttp");
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return parseTarget({ url: server.url });
}

/** One line per host, then each finding once. */
function sheet({ widgets, unknownDimensions, summary, hosts: verdicts }: Awaited<ReturnType<typeof judged>>) {
  const hostLines = verdicts.map(({ hostId, verdict, findings }) =>
    [
      `${hostId}: ${verdict}`,
      ...findings.map(({ severity, code, capability }) => `${severity} ${code} ${capability ?? ""}`.trim()),
    ].join(" | "),
  );
  const findingLines = verdicts.flatMap(({ findings }) =>
    findings.map(({ detail, tools = [], evidence, confidence, sources }) =>
      [
        detail,
        tools.join(" "),
        JSON.stringify(evidence),
        confidence,
        ...sources.map(({ url, note, date }) => `${url ?? note} (${date})`),
      ].join(" | "),
    ),
  );
  return [
    JSON.stringify({ widgets, unknownDimensions, summary }),
    ...hostLines,
    "",
    ...new Set(findingLines),
  ].join("\n");
}

test.each<[string, () => Promise<Target> | Target]>([
  ["bookshop over HTTP", () => at(startBookshop())],
  ["bookshop over stdio", () => parseTarget(sampleCommand("bookshop"))],
  ["everything over HTTP", () => at(startEverything())],
  ["the old SSE server", () => at(startLegacySse())],
  ["the stateless server", () => at(startStateless())],
  ["the public server-everything over HTTP", publicServer],
  ["the public server-everything over stdio", () => parseTarget(everythingOverStdio)],
])("%s, on all sixteen hosts", async (_name, target) => {
  const report = await judged(await target());
  expect(report.hosts).toHaveLength(16);
  expect(sheet(report)).toMatchSnapshot();
});

test("a list of tools without end turns works into unknown", async () => {
  const { summary, unknownDimensions } = await judged(await at(startHostile("endless-pages")));
  expect(unknownDimensions).toContain("tool-list-truncated");
  expect(summary.works).toBe(0);
});

test("tools that cannot be listed are unknown, not broken", async () => {
  const { summary } = await judged(await at(startHostile("deep-nesting")));
  // Two hosts cannot get to an address of this machine, whatever its tools are.
  expect(summary).toEqual({ works: 0, degraded: 0, blocked: 2, unknown: 14 });
});

/** Asks for its roots twice and for a sample once, and lists its tools when all three are answered. */
const asking = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const questions = ["roots/list", "roots/list", "sampling/createMessage"];
  let listing, open = questions.length;
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize")
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "asking", version: "1" } } });
    else if (method === "tools/list") {
      listing = id;
      for (const [at, asked] of questions.entries()) say({ id: "q" + at, method: asked, params: {} });
    } else if (method === undefined && --open === 0) say({ id: listing, result: { tools: [] } });
  }).on("close", () => process.exit());`;

test("requests that the client did not declare are named once, and declared ones are not", async () => {
  const target = parseTarget({ command: process.execPath, args: ["-e", asking] });
  await using connection = await connect(target, {
    protocolVersion: "2025-11-25",
    capabilities: { sampling: {} },
  });
  const look = {
    target,
    versions: ["2025-11-25"],
    connectAt: () => Promise.reject(new Error("the only version is the one agreed on")),
  };
  const { askedUndeclared, serverName, versions } = await observeCompat(connection, look);
  expect(connection.refusals).toHaveLength(3);
  expect(askedUndeclared).toEqual(["roots/list"]);
  expect(serverName).toBe("asking");
  expect(versions).toEqual([{ version: "2025-11-25", is: "accepted" }]);
  const { tools } = await observeCompat(connection, { ...look, signal: AbortSignal.abort() });
  expect(tools).toHaveProperty("fault");
});
