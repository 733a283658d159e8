/** @module Our verdicts beside those of the official conformance suite, on a good server and on servers with a known fault. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runProtocol } from "./run-protocol.ts";
import { startFaultyProxy } from "./testing/faulty-proxy.ts";
import { knownBad } from "./testing/known-bad.ts";
import { impliedByAll, officialScenarios } from "./testing/official-scenarios.ts";
import { requiredScenarios, runOfficialSuite } from "./testing/official-suite.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

async function ourVerdicts(url: string, protocolVersion: string): Promise<Map<string, string>> {
  const { checks } = await runProtocol(parseTarget({ url }), { protocolVersion, officialFixtures: true });
  return new Map(checks.map(({ id, status, skipReason }) => [id, skipReason ?? status]));
}

// The official suite itself waits for about ten seconds; the revisions share that time.
describe.concurrent("for every required scenario our run says what the official suite says", () => {
  test.each(Object.entries(officialScenarios))("%s", async (revision, table) => {
    const [official, ours, required] = await Promise.all([
      runOfficialSuite(everything.url, revision),
      ourVerdicts(everything.url, revision),
      requiredScenarios(revision),
    ]);
    expect(Object.keys(table).toSorted()).toEqual(required.toSorted());
    expect([...official.passed].filter(([, passed]) => !passed)).toEqual([]);
    const verdicts = required.map((scenario) => {
      const ids = [...(table[scenario] ?? []), ...impliedByAll];
      return [scenario, official.passed.get(scenario), ids.every((id) => ours.get(id) === "passed")];
    });
    expect(verdicts).toEqual(required.map((scenario) => [scenario, true, true]));
  });
});

describe.concurrent("a server with a fault that the official suite knows fails both", () => {
  test.each(knownBad.map((bad) => [bad.name, bad] as const))("%s", async (_, bad) => {
    const { revision, scenario, fails = [], ...fault } = bad;
    const proxy = await startFaultyProxy(everything.url, fault);
    try {
      const official = await runOfficialSuite(proxy.url, revision, [scenario]);
      expect(official.passed.get(scenario)).toBe(false);
      const ours = await ourVerdicts(proxy.url, revision);
      expect(fails.map((id) => [id, ours.get(id)])).toEqual(fails.map((id) => [id, "failed"]));
    } finally {
      await proxy.close();
    }
  });
});
