/** @module Where a server offers nothing to ask for, a rule about asking does not apply; where its lists cannot be read, nobody says what they lack. */
import { parseTarget } from "@fettle/mcp";
import { type RunningSample, startBookshop, startEverything } from "@fettle/samples";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runProtocol } from "./run-protocol.ts";
import { type Fault, startFaultyProxy } from "./testing/faulty-proxy.ts";

let everything: RunningSample;
beforeAll(async () => {
  everything = await startEverything();
});
afterAll(() => everything.close());

async function skippedOn(fault: Fault, options: Parameters<typeof runProtocol>[1]) {
  const proxy = await startFaultyProxy(everything.url, fault);
  onTestFinished(() => proxy.close());
  const { checks } = await runProtocol(parseTarget({ url: proxy.url }), options);
  return checks.filter(({ status }) => status === "skipped");
}

const emptied: Record<string, string> = { "resources/list": "resources", "prompts/list": "prompts" };
const emptyLists: Fault = {
  message: (message, { body }) => {
    const member = emptied[String(body?.method)];
    return member && message.result
      ? { ...message, result: { ...(message.result as object), [member]: [] } }
      : message;
  },
};

test.each(["2025-11-25", "2026-07-28"])(
  "with empty lists of resources and prompts nothing is left waiting in %s",
  async (protocolVersion) => {
    const skipped = await skippedOn(emptyLists, { protocolVersion });
    expect(skipped.filter(({ skipReason }) => skipReason === "could-not-run")).toEqual([]);
  },
);

test("tools of a list that cannot be read are not said to be missing", async () => {
  const refused: Fault = {
    answer: ({ body }) =>
      body?.method === "tools/list"
        ? { status: 200, body: { jsonrpc: "2.0", id: body.id, error: { code: -32603, message: "Dust" } } }
        : undefined,
  };
  const skipped = await skippedOn(refused, { protocolVersion: "2025-11-25", officialFixtures: true });
  const reasons = skipped.flatMap(({ error }) => error?.message ?? []);
  expect(reasons.filter((reason) => reason.includes("There is no tool"))).toEqual([]);
  expect(reasons).toContain("tools/list could not be read to its end, so nobody knows what is listed.");
});

test("an ordinary server's missing fixtures are told in one sentence, for tools and prompts alike", async () => {
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const { checks } = await runProtocol(parseTarget({ url: shop.url }));
  const reasons = checks.flatMap(({ error }) => error?.message ?? []);
  expect(reasons.filter((reason) => /\btest_/.test(reason))).toEqual([]);
});
