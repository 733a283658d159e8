/** @module Visitors of the bookshop, spoiled and mended, on a clock that a test moves; and looking at what they did. */
import { InsightsEnvelope } from "@fettle/contract/insights";
import { expect, vi } from "vitest";
import { type EvalBench, evalBench } from "./eval-bench.ts";
import type { SpoiledBookshop } from "./spoiled-bookshop.ts";
import { type Visitor, visitedEnvironment, visitor } from "./visiting.ts";

export const day = 24 * 60 * 60_000;

/** What the rule model takes for a call of `check_stock`. */
const stock = 'Check the stock of the book with bookId = "tin-swallows"';

export const fails = (toolName: string) => (called: string, call: number) =>
  called === toolName ? `Stock of shelf ${call + 1} cannot be read: index corrupt` : undefined;

export interface PublishedShop {
  link: string;
  id: string;
  /** Below the project. */
  at: string;
}

export interface VisitedShop extends AsyncDisposable {
  bench: EvalBench;
  publish(): Promise<PublishedShop>;
  visit(
    to: PublishedShop,
    over?: { says?: string; rating?: object },
  ): Promise<{ sessionId: string; someone: Visitor }>;
  visits(to: PublishedShop, count: number): Promise<string[]>;
  /** What the scenario carries, once nobody is at work on it. */
  settled(of: PublishedShop): Promise<InsightsEnvelope>;
  look(at: PublishedShop, body?: object): Promise<{ windowId: string; insights: InsightsEnvelope }>;
}

export async function visitedShop(
  shop: SpoiledBookshop,
  clock: { now: number },
  env: Record<string, string> = {},
): Promise<VisitedShop> {
  const bench = await evalBench(shop.url, { now: () => clock.now, env });
  const { service, world, call } = bench;
  const self: VisitedShop = {
    bench,
    publish: async () => {
      const id = await visitedEnvironment(service, world, bench.server.id);
      const wanted = { mode: "anyone_with_link", name: "Find a book", feedback: "thumbs" };
      const { body } = await call("PUT", `/environments/${id}/scenario`, wanted, { person: "owner" });
      return { link: body.link, id: body.id, at: `/user-testing/scenarios/${body.id}` };
    },
    visit: async ({ link }, { says = stock, rating } = {}) => {
      const someone = visitor(service, world);
      const sessionId = await someone.begin(link);
      const { turnId } = (await someone.say(sessionId, says)).at(-1)!.data;
      if (rating) await someone.call(`/sessions/${sessionId}/turns/${turnId}/feedback`, "PUT", rating);
      await someone.call(`/sessions/${sessionId}/end`, "POST");
      clock.now += 60_000;
      return { sessionId, someone };
    },
    visits: async (to, count) => {
      const ids: string[] = [];
      for (let come = 0; come < count; come++) ids.push((await self.visit(to)).sessionId);
      return ids;
    },
    settled: ({ at }) =>
      vi.waitFor(async () => {
        const { body } = await call("GET", at);
        expect(body.insights.status).not.toBe("pending");
        return InsightsEnvelope.parse(body.insights);
      }, 60_000),
    look: async (published, body = {}) => {
      const { status, body: asked } = await call("POST", `${published.at}/insights`, body);
      expect({ status, asked }).toMatchObject({
        status: 202,
        asked: {
          scenarioId: published.id,
          status: "pending",
          windowId: expect.stringMatching(/^uw_[0-9a-f]{16}$/),
        },
      });
      return { windowId: asked.windowId, insights: await self.settled(published) };
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
  return self;
}
