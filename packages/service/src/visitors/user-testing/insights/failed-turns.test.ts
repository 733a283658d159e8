import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type VisitedBench, visitedBench } from "../../../testing/visited-bench.ts";

let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench();
  await visited.bench.service.app.work();
});
afterAll(() => visited[Symbol.asyncDispose]());

it("a session whose only answer failed on its way is looked at, with what was called until then", async () => {
  const { link, at } = await visited.publish();
  visited.stub.onModel = (_, body) => (body.includes('"role":"tool"') ? 400 : undefined);
  const someone = visited.visitor();
  const sessionId = await someone.begin(link);
  expect((await someone.say(sessionId, "How many copies of 7?")).at(-1)).toMatchObject({ event: "failed" });
  expect((await visited.call("POST", `${at}/insights`, {})).status).toBe(202);
  await vi.waitFor(async () => {
    const { body } = await visited.call("GET", at);
    expect(body.insights).toMatchObject({ status: "completed", coverage: { analyzed: 1, total: 1 } });
  }, 60_000);
  const { rows } = await visited.bench.service.app.pool.query(
    "SELECT facts FROM insight_facts WHERE unit_id = $1",
    [sessionId],
  );
  expect(rows[0].facts).toMatchObject({
    lastEvent: "user_message",
    isReadable: true,
    calls: [{ toolName: "stock", serverId: visited.bench.server.id, end: "ok", argsValid: true }],
  });
});
