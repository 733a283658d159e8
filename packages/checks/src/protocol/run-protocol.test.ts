/** @module The suite on the sample with every feature: nothing to fault as it is, and exactly the right checks fail for each fault brought into it. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, sampleCommand, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProtocolReport } from "./protocol-report.ts";
import { runProtocol } from "./run-protocol.ts";
import { startFaultyProxy } from "./testing/faulty-proxy.ts";
import { mutations } from "./testing/mutations.ts";

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

describe.concurrent("a server with one fault", () => {
  test.each(mutations.map((mutation) => [mutation.revision, mutation.name, mutation] as const))(
    "%s: %s",
    async (protocolVersion, _name, { fails, ...fault }) => {
      const proxy = await startFaultyProxy(everything.url, fault);
      try {
        const report = await runProtocol(parseTarget({ url: proxy.url }), {
          protocolVersion,
          checkTimeoutMs: 30_000,
        });
        const failed = report.checks.filter(({ status }) => status === "failed");
        expect(failed.map(({ id }) => id).toSorted()).toEqual([...fails].toSorted());
        expect(report).toMatchObject({ outcome: "failed", passed: false });
      } finally {
        await proxy.close();
      }
    },
  );
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
