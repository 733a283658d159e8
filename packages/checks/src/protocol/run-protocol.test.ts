/** @module The suite on the sample with every feature: nothing to fault in either era, over HTTP and over stdio. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, sampleCommand, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProtocolReport } from "./protocol-report.ts";
import { runProtocol } from "./run-protocol.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

const revisions = ["2025-11-25", "2026-07-28"] as const;

function notPassed({ checks }: ProtocolReport): (string | undefined)[][] {
  return checks
    .filter(({ status, skipReason }) => status === "failed" || skipReason === "could-not-run")
    .map(({ id, error }) => [id, error?.message]);
}

describe("a good server", () => {
  test.each(revisions)("has nothing to fault in %s over HTTP", async (protocolVersion) => {
    const report = await runProtocol(parseTarget({ url: everything.url }), { protocolVersion });
    expect(notPassed(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "passed", protocolVersion, transport: "streamable-http" });
  });

  test.each(revisions)("has nothing to fault in %s over stdio", async (protocolVersion) => {
    const report = await runProtocol(parseTarget(sampleCommand("everything")), { protocolVersion });
    expect(notPassed(report)).toEqual([]);
    expect(report).toMatchObject({ outcome: "passed", protocolVersion, transport: "stdio" });
  });
});

test("a revision that does not exist, and a check that does not, are refused before anything is touched", async () => {
  const target = parseTarget({ url: "http://127.0.0.1:9/mcp" });
  await expect(runProtocol(target, { protocolVersion: "2030-01-01" })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
  await expect(runProtocol(target, { checkIds: ["no-such-check"] })).rejects.toMatchObject({
    code: "BAD_OPTION",
  });
});

test("nobody there is an error, not a failed check", async () => {
  await expect(runProtocol(parseTarget({ url: "http://127.0.0.1:9/mcp" }))).rejects.toMatchObject({
    code: "CONNECTION_REFUSED",
  });
});
