/** What happens to findings while they are being made: cancelled, their sessions erased, or looked at by newer rules. */
import { idOf, limits } from "@fettle/contract/core";
import { minerVersion } from "@fettle/insights";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type EvalStub, startEvalStub } from "../../../testing/eval-stub.ts";
import { copySession } from "../../../testing/planted-sessions.ts";
import { type SpoiledBookshop, startSpoiledBookshop } from "../../../testing/spoiled-bookshop.ts";
import { day, fails, type VisitedShop, visitedShop } from "../../../testing/visited-shop.ts";
import { mineAllThatCame } from "./windows.ts";

const clock = { now: Date.UTC(2026, 9, 5, 12) };
let shop: SpoiledBookshop;
let stub: EvalStub;
/** With a model for insights, which is the stub; visitors are answered by rules. */
let visited: VisitedShop;
beforeAll(async () => {
  shop = await startSpoiledBookshop();
  shop.spoil = fails("check_stock");
  stub = await startEvalStub();
  visited = await visitedShop(shop, clock, { ...stub.env, FETTLE_INSIGHTS_MODEL: stub.model });
  await visited.bench.service.app.work();
});
afterAll(async () => {
  await visited[Symbol.asyncDispose]();
  await stub.close();
  await shop[Symbol.asyncDispose]();
});
beforeEach(async () => {
  clock.now += 30 * day;
  stub.onModel = () => 500;
  await visited.bench.service.app.pool.query("DELETE FROM rate_limits WHERE id LIKE 'visit-%'");
});

const call: VisitedShop["bench"]["call"] = (...asked) => visited.bench.call(...asked);
const query = (sql: string, values: unknown[] = []) => visited.bench.service.app.pool.query(sql, values);

/** Whoever looks for problems stands still before the first fact is kept, until it is let go. */
async function holdMining() {
  const held = await visited.bench.service.app.pool.connect();
  await held.query("BEGIN; LOCK TABLE insight_facts IN ACCESS EXCLUSIVE MODE");
  return {
    stands: () =>
      vi.waitFor(async () => {
        const sql = "SELECT 1 FROM pg_locks WHERE relation = 'insight_facts'::regclass AND NOT granted";
        expect((await query(sql)).rows).not.toEqual([]);
      }, 60_000),
    letGo: async () => {
      await held.query("ROLLBACK");
      held.release();
    },
  };
}

test("cancelled while sessions are read, nothing is found, and asking again finds it", async () => {
  const published = await visited.publish();
  await visited.visits(published, 3);
  const mining = await holdMining();
  const { body: asked } = await call("POST", `${published.at}/insights`, {});
  await mining.stands();
  const { rows } = await query("SELECT job_id FROM insights WHERE scope_id = $1", [asked.windowId]);
  const cancelled = await call("DELETE", `${published.at}/insights`, { windowId: asked.windowId });
  expect(cancelled).toMatchObject({ status: 200, body: { windowId: asked.windowId, canceled: true } });
  await mining.letGo();
  await vi.waitFor(async () => {
    const { rows: left } = await query("SELECT state FROM jobs WHERE id = $1", [rows[0].job_id]);
    expect(left[0]?.state).not.toMatch(/waiting|running/);
  }, 60_000);
  expect((await call("GET", published.at)).body.insights).toMatchObject({
    status: "failed",
    error: { code: "cancelled" },
    findings: [],
    generatedAt: null,
  });
  expect((await call("GET", `${published.at}/findings`)).body.items).toEqual([]);
  expect((await visited.look(published)).insights.findings).toHaveLength(1);
});

test("cancelled while a model writes, what was found by rules stays", async () => {
  const published = await visited.publish();
  await visited.visits(published, 3);
  let asked = 0;
  stub.onModel = () => {
    asked += 1;
    return { fault: "silence" };
  };
  const { body } = await call("POST", `${published.at}/insights`, {});
  await vi.waitFor(() => expect(asked).toBe(1), 60_000);
  const cancel = () => call("DELETE", `${published.at}/insights`, { windowId: body.windowId });
  expect((await cancel()).status).toBe(200);
  const after = await visited.settled(published);
  expect(after).toMatchObject({
    status: "failed",
    reasonCode: "canceled",
    retryable: true,
    error: { code: "cancelled" },
  });
  expect(after.findings).toHaveLength(1);
  expect((await cancel()).status).toBe(200);
  expect(await visited.settled(published)).toEqual(after);
});

test("one that is complete is not changed by cancelling it", async () => {
  const published = await visited.publish();
  await visited.visits(published, 2);
  const { windowId, insights } = await visited.look(published);
  for (const _ of [1, 2]) {
    expect(await call("DELETE", `${published.at}/insights`, { windowId })).toMatchObject({
      status: 200,
      body: { windowId, canceled: true },
    });
  }
  expect(await visited.settled(published)).toEqual(insights);
});

test("what is erased while it is being looked at is not found either", async () => {
  const published = await visited.publish();
  const { sessionId, someone } = await visited.visit(published);
  await visited.visits(published, 2);
  const mining = await holdMining();
  await call("POST", `${published.at}/insights`, {});
  await mining.stands();
  const erased = someone.call(`/sessions/${sessionId}`, "DELETE");
  await mining.letGo();
  expect((await erased).status).toBe(200);
  const insights = await visited.settled(published);
  expect(insights).toMatchObject({ status: "completed", coverage: { analyzed: 2, total: 2 } });
  expect(JSON.stringify(insights)).not.toContain(sessionId);
});

test("newer rules say that what older ones found may differ, look again without force, and at night by themselves", async () => {
  const published = await visited.publish();
  await visited.visits(published, 3);
  stub.onModel = () => JSON.stringify({ summary: "The stock index is broken.", items: [] });
  const { insights, windowId } = await visited.look(published);
  expect(insights).toMatchObject({ status: "completed", reasonCode: "model_enriched", retryable: false });
  const ask = () => call("POST", `${published.at}/insights`, {});
  expect((await ask()).status).toBe(409);
  const age = () =>
    query("UPDATE insights SET miner_version = $2 WHERE scope_id = $1", [windowId, minerVersion - 1]);
  await age();
  expect(await visited.settled(published)).toMatchObject({
    status: "completed",
    reasonCode: "superseded",
    retryable: true,
    findings: insights.findings,
  });
  expect((await ask()).status).toBe(202);
  expect(await visited.settled(published)).toMatchObject({ reasonCode: "model_enriched", retryable: false });
  await age();
  await mineAllThatCame(visited.bench.service.app);
  expect(await visited.settled(published)).toMatchObject({ reasonCode: "deterministic_only" });
});

test("of more sessions than are looked at, the newest are, and the rest is told", async () => {
  const published = await visited.publish();
  const { units } = limits.insights;
  const { sessionId } = await visited.visit(published);
  await copySession(visited.bench.service.app, idOf<"chatSession">().parse(sessionId), units - 1);
  shop.spoil = () => undefined;
  await visited.visits(published, 3);
  const { insights } = await visited.look(published);
  expect(insights.coverage).toMatchObject({ analyzed: units, total: units + 3, truncated: true });
  expect(insights.findings[0]).toMatchObject({ affected: { count: units - 3, total: units } });
  expect(insights.summary).toContain(`Coverage ${units}/${units + 3}`);
  expect((await call("GET", `${published.at}/signals`)).body).toMatchObject({
    sessionCount: units + 3,
    unanalyzedSessionCount: 3,
    truncated: true,
  });
});
