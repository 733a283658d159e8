import { idOf } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../core/id.ts";
import { hashToken, mintToken } from "../../people/accounts/tokens.ts";
import { deadlockLog } from "../../testing/fuzz/twenty-at-once.ts";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import type { Visitor } from "../../testing/visiting.ts";
import { findVisit, insertVisitor } from "./session-store.ts";
import { countBegun, countOne } from "./tallies.ts";

const { log, deadlocks } = deadlockLog();
let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench({ log });
});
afterAll(() => visited[Symbol.asyncDispose]());

/** They have come and agreed; nothing is left but to begin. */
async function agreed(link: string, count: number): Promise<Visitor[]> {
  const { app } = visited.bench.service;
  const first = visited.visitor();
  expect(await first.redeem(link)).toMatchObject({ status: 200 });
  expect(await first.call("/consent", "POST", { agrees: true })).toMatchObject({ status: 200 });
  const [cookie = ""] = first.browser.cookies.keys();
  const present = await findVisit(
    app.db,
    idOf<"scenario">().parse(first.scenarioId),
    hashToken(first.browser.cookies.get(cookie) ?? ""),
  );
  // Come by the link as the first did, many more than may come in a minute from one address.
  const others = Array.from({ length: count - 1 }, async () => {
    const { token, hash } = mintToken("visit");
    await insertVisitor(app.db, { ...present!.visitor, id: newId("visitor"), tokenHash: hash });
    const visitor = visited.visitor();
    visitor.scenarioId = first.scenarioId;
    visitor.browser.cookies.set(cookie, token.reveal());
    return visitor;
  });
  return [first, ...(await Promise.all(others))];
}

test("two hundred visitors who begin in the same moment all begin, and each is counted", async () => {
  const { id, link } = await visited.publish();
  const visitors = await agreed(link, 200);
  const begun = await Promise.all(visitors.map((visitor) => visitor.call("/sessions", "POST")));
  expect(begun.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  expect(new Set(begun.map(({ body }) => body.sessionId)).size).toBe(200);
  const { body } = await visited.call("GET", `/scenarios/${id}`);
  expect(body).toMatchObject({ sessionCount: 200, liveSessionCount: 200 });
  expect(deadlocks).toEqual([]);
});

test("who counts a session waits for nobody who counts another", async () => {
  const { db } = visited.bench.service.app;
  const scenarioId = idOf<"scenario">().parse((await visited.publish()).id);
  const held = new Set<number>();
  /** Each holds its count until all have counted. Of two connections that share a slot, as few do, one is passed over. */
  const countInside = (): Promise<void> =>
    db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ slot: number }>("select pg_backend_pid() % 64 as slot");
      const slot = rows[0]!.slot;
      if (!held.has(slot)) await countOne(tx, scenarioId, "real");
      if (held.add(slot).size < 3) await countInside();
    });
  await countInside();
  expect((await countBegun(db, [scenarioId]))(scenarioId)).toEqual({ real: 3, synthetic: 0 });
});

test("twenty tabs of one visitor begin one session", async () => {
  const { link } = await visited.publish();
  const [visitor] = await agreed(link, 1);
  const begun = await Promise.all(Array.from({ length: 20 }, () => visitor!.call("/sessions", "POST")));
  expect(begun.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  expect(new Set(begun.map(({ body }) => body.sessionId)).size).toBe(1);
});

test("access is narrowed, sessions end and turns are played at the same time, and nothing is refused as our fault", async () => {
  const { at, link } = await visited.publish();
  const visitors = await agreed(link, 12);
  await Promise.all(visitors.map((visitor) => visitor.call("/sessions", "POST")));
  await visited.forgetPace();
  const acts = visitors.flatMap((visitor) => [
    visitor.call("/sessions", "POST").then(async ({ status, body }) => {
      if (status >= 300) return status;
      const said = await visitor.send(body.sessionId, "How many copies of book 7?");
      if (said.status === 200) for await (const _ of said);
      return said.status;
    }),
    visitor.call("/sessions", "POST").then(async ({ status, body }) => {
      const ended = await visitor.call(`/sessions/${body.sessionId}/end`, "POST");
      return Math.max(status, ended.status);
    }),
  ]);
  const narrowed = visited.call("POST", `${at}/rotate-link`, { evictRedeemed: true });
  const statuses = [...(await Promise.all(acts)), (await narrowed).status];
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(deadlocks).toEqual([]);
});
