/** @module What visitors who listen cost the database when all of them hear of one thing. */
import pg from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { visitedBench } from "../../testing/visited-bench.ts";

it("twenty visitors who hear of one change are asked about in one statement, and only those who are out are told so", async () => {
  // Before there are connections: each keeps what it asks with.
  const queries = vi.spyOn(pg.Client.prototype, "query");
  onTestFinished(() => queries.mockRestore());
  await using visited = await visitedBench();
  const { app } = visited.bench.service;
  const { id, link } = await visited.publish({}, "fettle/rules-1");
  const visitors = Array.from({ length: 20 }, () => visited.visitor());
  for (const someone of visitors) {
    await visited.forgetPace();
    await someone.begin(link);
  }
  const { rows } = await app.pool.query("SELECT id FROM scenario_visitors ORDER BY created_at, id");
  const streams = await Promise.all(
    visitors.map(async (someone) => (await someone.follow())[Symbol.asyncIterator]()),
  );
  const next = () => Promise.all(streams.map(async (stream) => (await stream.next()).value));
  // What a page is told first of all: that it is heard.
  await next();
  await app.pool.query("DELETE FROM scenario_visitors WHERE id = $1", [rows[0].id]);
  await app.pool.query(
    "UPDATE scenario_sessions SET ended = 'visitor', ended_at = now() WHERE visitor_id = $1",
    [rows[1].id],
  );

  queries.mockClear();
  await app.events.publish(`scenario:${id}`, "changed", {});
  expect(await next()).toEqual([
    { event: "ended", data: { reason: "access" } },
    { event: "ended", data: { reason: "visitor" } },
    ...visitors.slice(2).map(() => ({ event: "changed", data: {} })),
  ]);
  const texts = queries.mock.calls.map(([first]) => {
    const query = first as unknown as string | { text?: string };
    return typeof query === "string" ? query : (query.text ?? "");
  });
  expect(texts.filter((text) => text.includes("scenario_visitors"))).toHaveLength(1);
});
