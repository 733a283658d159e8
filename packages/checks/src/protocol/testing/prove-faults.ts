/** @module The proof that each check notices its fault and no other does: one whole run for each mutation. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProtocol } from "../run-protocol.ts";
import { startFaultyProxy } from "./faulty-proxy.ts";
import type { Revision } from "./mutation.ts";
import { mutations } from "./mutations.ts";

export function proveFaults(protocolVersion: Revision): void {
  let everything: RunningSample;
  beforeAll(async () => {
    everything = await startEverything();
  });
  afterAll(() => everything.close());

  const own = mutations.filter(({ revision }) => revision === protocolVersion);
  describe.concurrent(`a server of ${protocolVersion} with one fault`, () => {
    test.each(own.map((mutation) => [mutation.name, mutation] as const))(
      "%s",
      { timeout: 60_000 },
      async (_, { fails, ...fault }) => {
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
}
