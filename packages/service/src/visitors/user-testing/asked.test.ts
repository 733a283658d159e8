import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";

let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench();
  // Says nothing of itself: it may change something.
  Object.assign(visited.stub.tools[0]!, { annotations: {} });
});
afterAll(() => visited[Symbol.asyncDispose]());

it.each([
  ["is made once they allow it", true, 1],
  ["is not made when they do not", false, 0],
])(
  "a call that may change something waits for the visitor, also over a reload, and %s",
  async (_, allow, made) => {
    const { link, at } = await visited.publish();
    await visited.call("PUT", `${at}/guest-execution`, {
      enabled: true,
      computerEnabled: false,
      sharedSkillsEnabled: true,
      dailyCreditCap: 100,
      dailyComputerStartCap: 0,
      maxConcurrentComputers: 0,
      toolMode: "auto",
    });
    const someone = visited.visitor();
    const sessionId = await someone.begin(link);
    const before = visited.stub.calls;
    const heard = await someone.send(sessionId, "How many?");
    for await (const { event } of heard) if (event === "ask") break;
    await heard.close();
    const session = async () => (await someone.call("")).body.session;
    const running = await vi.waitFor(async () => {
      const { running: now } = await session();
      expect(now).toEqual({
        turnId: expect.any(String),
        message: "How many?",
        asks: [{ toolCallId: expect.any(String), toolName: "stock", input: { book: 7 } }],
      });
      return now;
    }, 60_000);
    const turn = `/sessions/${sessionId}/turns/${running.turnId}`;
    const { toolCallId } = running.asks[0];
    expect((await someone.call(`${turn}/decisions`, "POST", { toolCallId, allow })).status).toBe(200);
    await vi.waitFor(async () => expect(await session()).toMatchObject({ running: null }), 60_000);
    expect((await session()).messages.at(-1)).toMatchObject({ role: "assistant", text: "Four copies." });
    expect(visited.stub.calls - before).toBe(made);
  },
);
