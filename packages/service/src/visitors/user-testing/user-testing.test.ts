import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { visitedEnvironment, visitor } from "../../testing/visiting.ts";
import type { PersonName } from "../../testing/world.ts";

let bench: EvalBench;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  bench = await evalBench(shop.url);
});
afterAll(async () => {
  await bench.service.close();
  await shop.close();
});

const call = (method: string, path: string, body?: object, person: PersonName = "owner") =>
  bench.call(method, path, body, { person });
const environment = () => visitedEnvironment(bench.service, bench.world, bench.server.id);
async function publish(over: object = {}) {
  const id = await environment();
  const { body } = await call("PUT", `/environments/${id}/scenario`, { mode: "anyone_with_link", ...over });
  return { ...body, at: `/user-testing/scenarios/${body.id}` } as {
    id: string;
    link: string;
    environmentId: string;
    accessVersion: number;
    at: string;
  };
}
const guest = () => visitor(bench.service, bench.world);

describe("a test with real visitors", () => {
  it("goes from publishing over a guest's conversation and rating to the session that its people read", async () => {
    const words = { name: "Find a book", description: "Look for one you like." };
    const { link, id, at } = await publish({ ...words, feedback: "thumbs" });
    expect(link).toMatch(new RegExp(`^${bench.service.url}/t/fsc_\\w{49}$`));
    const someone = guest();
    expect(await someone.redeem(link)).toMatchObject({
      status: 200,
      body: {
        scenarioId: id,
        name: "Find a book",
        description: "Look for one you like.",
        organizationName: "Ours",
        accessVersion: 1,
        visitor: { authType: "guest", displayName: null },
        consent: { needed: true, retentionDays: 90, toolsMayAct: false },
        feedback: "thumbs",
        session: null,
      },
    });
    expect(await someone.call("/sessions", "POST")).toMatchObject({
      status: 403,
      body: { details: { code: "CONSENT_NEEDED" } },
    });
    expect(await someone.call("/consent", "POST", { agrees: true, displayName: "Ana" })).toMatchObject({
      body: { consent: { needed: false }, visitor: { displayName: "Ana" } },
    });
    const { status, body: begun } = await someone.call("/sessions", "POST");
    expect({ status, begun }).toMatchObject({
      status: 201,
      begun: { ended: null, turnsLeft: 40, messages: [] },
    });
    const { sessionId } = begun;

    const told = await someone.say(sessionId, "Search for books about planets");
    expect(told.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["began", "tool-start", "tool-end", "text", "done"]),
    );
    expect(told.find(({ event }) => event === "tool-end")?.data).toEqual({
      toolCallId: expect.any(String),
      toolName: "search_books",
      status: "ok",
    });
    const { turnId, reply } = told.at(-1)!.data;
    expect(told.at(-1)).toMatchObject({ event: "done", data: { turnsLeft: 39 } });

    const rating = { value: 0, comment: "Not what I meant" };
    expect(
      await someone.call(`/sessions/${sessionId}/turns/${turnId}/feedback`, "PUT", rating),
    ).toMatchObject({
      status: 200,
      body: { turnId, ...rating },
    });
    expect((await someone.call("")).body.session).toMatchObject({
      sessionId,
      messages: [
        { role: "user", text: "Search for books about planets", calls: [] },
        { role: "assistant", text: reply, calls: [{ toolName: "search_books", status: "ok" }] },
      ],
      ratings: [{ turnId, ...rating }],
    });

    const listed = await call("GET", `${at}/sessions`, undefined, "editor");
    expect(listed).toMatchObject({
      status: 200,
      body: {
        items: [
          {
            id: sessionId,
            chatSessionId: sessionId,
            messageCount: 4,
            preview: "Search for books about planets",
            modelId: "fettle/rules-1",
            toolCallCount: 1,
            visitor: { authType: "guest", recency: "new", displayName: "Ana" },
            feedback: { rating: 0, style: "thumbs", comment: "Not what I meant", count: 1 },
            population: "real",
            ended: null,
          },
        ],
      },
    });
    const { body: read } = await call("GET", `${at}/sessions/${sessionId}`);
    expect(read.messages).toMatchObject([
      { index: 0, role: "user", text: "Search for books about planets" },
      { index: 1, role: "assistant", toolName: "search_books" },
      { index: 2, role: "tool", text: "", toolName: "search_books", isError: false },
      { index: 3, role: "assistant", text: reply, rating: { ...rating, style: "thumbs" } },
    ]);

    expect((await someone.call(`/sessions/${sessionId}/end`, "POST")).body).toMatchObject({
      ended: "visitor",
    });
    expect(await someone.send(sessionId, "More?")).toMatchObject({
      status: 409,
      body: { details: { code: "SESSION_OVER" } },
    });
    expect((await call("GET", `${at}/metrics`)).body).toMatchObject({
      sessions: 1,
      completedCount: 1,
      toolCallCount: 1,
      toolErrorCount: 0,
      feedback: { count: 1, average: 0, negativeCount: 1 },
      latencyP50Ms: expect.any(Number),
    });
    expect((await call("GET", `${at}/usage`)).body).toMatchObject({
      models: [{ name: "fettle/rules-1", sessions: 1 }],
      tools: [{ name: "search_books", server: bench.server.name, sessions: 1, calls: 1, errors: 0 }],
      servers: [{ name: bench.server.name, sessions: 1, calls: 1 }],
      scan: { analyzed: 1, total: 1, truncated: false },
    });

    // Asked in another way since: what was given stays what it was, and the visitor is asked anew.
    await call("PATCH", at, { feedback: "stars" });
    expect((await someone.call("")).body.session.ratings).toEqual([]);
    expect((await call("GET", `${at}/sessions/${sessionId}`)).body.messages[3].rating.style).toBe("thumbs");
    await someone.call(`/sessions/${sessionId}/turns/${turnId}/feedback`, "PUT", { value: 1 });
    expect((await call("GET", `${at}/sessions`)).body.items[0].feedback).toMatchObject({
      rating: 1,
      style: "stars",
      comment: "Not what I meant",
    });
    expect((await someone.call("")).body.session.ratings).toEqual([{ turnId, value: 1, comment: null }]);
  });
});
