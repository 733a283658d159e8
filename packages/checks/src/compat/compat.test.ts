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
  // Three hosts cannot get to an address of this machine, whatever its tools are.
  expect(summary).toEqual({ works: 0, degraded: 0, blocked: 3, unknown: 13 });
});
