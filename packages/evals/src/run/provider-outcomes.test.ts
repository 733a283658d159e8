/** @module What an eval makes of everything that a provider may answer: no provider's fault ever passes or fails a case. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServers } from "../agent/servers.ts";
import { said, startTinyServer, type TinyServer } from "../agent/testing/tiny-server.ts";
import { readModelConfiguration } from "../models/configuration.ts";
import { createModelSource } from "../models/model-source.ts";
import { type Act, startModelServer, testKey } from "../models/testing/model-server.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { playCase } from "./play-case.ts";
import { lostOutcomes, providerPaths, verdictOutcomes } from "./testing/provider-outcomes.ts";

type ProviderName = keyof typeof providerPaths;
const names = Object.keys(providerPaths) as ProviderName[];

const called: SuiteCase = {
  id: "called",
  title: "Calls the tool",
  steps: [{ id: "ask", kind: "prompt", prompt: "Order 17?" }],
  checks: [{ type: "toolCalledAtLeastOnce", toolName: "get_order" }],
};
const callsNothing: SuiteCase = {
  id: "none",
  title: "Calls nothing",
  isNegativeTest: true,
  steps: [{ id: "ask", kind: "prompt", prompt: "Hello?" }],
};

let shop: TinyServer;
beforeAll(async () => {
  shop = await startTinyServer("shop", { get_order: { run: () => said("shipped") } });
});
afterAll(() => shop.kill());

async function play(name: ProviderName, item: SuiteCase, acts: readonly Act[]) {
  const isSilent = acts.some(({ kind }) => kind === "hang");
  await using server = await startModelServer(...acts);
  const [provider = "", slug = ""] = name.split(/[/:]/);
  const settings = { apiKey: testKey, baseUrl: `${server.origin}${providerPaths[name]}` };
  const section = {
    providers: provider === "custom" ? { custom: { [slug]: settings } } : { [provider]: settings },
  };
  const source = createModelSource(readModelConfiguration(section, {}), {
    retries: 1,
    maxWaitMs: 50,
    timeouts: { firstByteMs: isSilent ? 300 : 60_000 },
  });
  try {
    return await playCase(item, {
      model: source.open(name),
      connect: (signal) => openServers([shop.binding], signal),
      signal: AbortSignal.timeout(120_000),
      now: 0,
    });
  } finally {
    source.close();
  }
}

describe.concurrent.each(names)("%s", (name) => {
  test.each(Object.entries(verdictOutcomes))("%s is judged", async (_, { acts, asked, none }) => {
    expect(await play(name, called, acts)).toMatchObject({ status: "completed", result: asked });
    expect(await play(name, callsNothing, acts)).toMatchObject({ status: "completed", result: none });
  });

  test.each(Object.entries(lostOutcomes))("%s is lost, with its reason", async (_, { acts, code }) => {
    for (const item of [called, callsNothing]) {
      const { status: came, result, error, trace } = await play(name, item, acts);
      expect([result, came]).toEqual([null, "failed"]);
      expect(error).toMatch(/\w/);
      expect(trace?.faults.at(-1)?.code).toMatch(code);
    }
  });
});
