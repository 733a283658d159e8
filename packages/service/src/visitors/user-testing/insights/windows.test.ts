/** Windows over some weeks of a clock that a test moves. */
import { idOf } from "@fettle/contract/core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { plantSession } from "../../../testing/planted-sessions.ts";
import { type SpoiledBookshop, startSpoiledBookshop } from "../../../testing/spoiled-bookshop.ts";
import {
  day,
  fails,
  type PublishedShop,
  type VisitedShop,
  visitedShop,
} from "../../../testing/visited-shop.ts";
import { visitor } from "../../../testing/visiting.ts";
import type { PersonName } from "../../../testing/world.ts";
import { forgetOldSessions } from "../upkeep.ts";
import { mineAllThatCame } from "./windows.ts";

const clock = { now: Date.UTC(2026, 9, 5, 12) };
let shop: SpoiledBookshop;
let visited: VisitedShop;
let bench: VisitedShop["bench"];
beforeAll(async () => {
  shop = await startSpoiledBookshop();
  visited = await visitedShop(shop, clock);
  ({ bench } = visited);
  await bench.service.app.work();
});
afterAll(async () => {
  await visited[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
});
beforeEach(async () => {
  shop.spoil = () => undefined;
  clock.now += 30 * day;
  // All visitors of a test come from one address.
  await bench.service.app.pool.query("DELETE FROM rate_limits WHERE id LIKE 'visit-%'");
});

const call = (method: string, path: string, body?: object, person: PersonName = "member") =>
  bench.call(method, path, body, { person });

const found = async ({ at }: PublishedShop) => (await call("GET", `${at}/findings`)).body.items[0];

describe("a scenario that nobody has looked at", () => {
  it("has an envelope that says so, no signals and no window; without visitors there is nothing to ask about", async () => {
    const published = await visited.publish();
    const { at } = published;
    expect((await call("GET", at)).body.insights).toMatchObject({
      status: "not_requested",
      reasonCode: "window_not_analyzed",
      scope: { kind: "user_testing_window", id: expect.stringMatching(/^uw_[0-9a-f]{16}$/) },
    });
    const { id } = (await call("GET", at)).body.insights.scope;
    expect(await call("GET", `${at}/signals`)).toMatchObject({
      status: 404,
      body: { details: { code: "WINDOW_NOT_ANALYZED" } },
    });
    expect((await call("GET", `${at}/windows/${id}/insights`)).status).toBe(404);
    expect((await call("DELETE", `${at}/insights`, { windowId: id })).status).toBe(404);
    expect(await call("POST", `${at}/insights`, {})).toMatchObject({
      status: 409,
      body: { details: { code: "NO_SESSIONS" } },
    });
    expect((await call("GET", `${at}/findings`)).body).toEqual({ items: [] });
  });
});

describe("a finding over windows", () => {
  it("quotes a visitor's words with the message that they are about", async () => {
    const published = await visited.publish();
    for (let come = 0; come < 5; come++) {
      const someone = visitor(bench.service, bench.world);
      const sessionId = await someone.begin(published.link);
      await someone.say(sessionId, "Search for books about planets");
      const { turnId } = (await someone.say(sessionId, "Search for books about planets")).at(-1)!.data;
      const rating = { value: 0, comment: "The same again" };
      await someone.call(`/sessions/${sessionId}/turns/${turnId}/feedback`, "PUT", rating);
      await someone.call(`/sessions/${sessionId}/end`, "POST");
    }
    const { insights } = await visited.look(published);
    const quoted = insights.findings.flatMap(({ evidence }) => evidence);
    // The second question: after a question, a call, what it gave, and the answer.
    expect(quoted).toContainEqual(
      expect.objectContaining({ kind: "feedback", excerpt: "The same again", messageIndex: 4 }),
    );
  });

  it("is new, stays dismissed when more came, is resolved on a mended server, and regresses with a relapse", async () => {
    const published = await visited.publish();
    const { at, id } = published;
    shop.spoil = fails("check_stock");
    const sessions = await visited.visits(published, 3);
    const first = await visited.look(published);
    expect(first.insights).toMatchObject({
      status: "completed",
      reasonCode: "deterministic_only",
      scope: { id: first.windowId, scenarioId: id },
      coverage: { unit: "sessions", analyzed: 3, total: 3 },
    });
    const [finding] = first.insights.findings;
    expect(finding).toMatchObject({
      category: "tool_runtime",
      actionTarget: "mcp_server",
      affected: { count: 3, total: 3, unit: "sessions" },
      target: {
        serverId: bench.server.id,
        toolName: "check_stock",
        snapshotHash: expect.stringMatching(/^sha256:/),
      },
    });
    const { sessionId, messageIndex, toolName } = finding!.evidence[0]!;
    expect(sessions).toContain(sessionId);
    const { body: transcript } = await call("GET", `${at}/sessions/${sessionId}`);
    expect(transcript.messages.find(({ index }: { index: number }) => index === messageIndex)).toMatchObject({
      role: "assistant",
      toolName,
    });
    expect(await found(published)).toMatchObject({
      id: finding!.id,
      family: { kind: "scenario", id },
      status: "new",
      dismissedAt: null,
    });
    const window = await call("GET", `${at}/windows/${first.windowId}/insights`);
    expect(window.body).toMatchObject({ windowId: first.windowId, scenarioId: id, insights: first.insights });
    const signals = (await call("GET", `${at}/signals`)).body;
    expect(signals).toMatchObject({
      windowId: first.windowId,
      sessionCount: 3,
      dataStale: false,
      canRequest: true,
      canDismiss: true,
    });
    expect(signals.signals).toContainEqual(
      expect.objectContaining({ count: 3, findingIds: [finding!.id], status: "new" }),
    );

    const dismissed = { id: finding!.id, scenarioId: id, dismissed: true };
    expect((await call("POST", `${at}/findings/${finding!.id}/dismiss`)).body).toMatchObject(dismissed);
    await visited.visit(published);
    expect((await call("GET", `${at}/signals`)).body.dataStale).toBe(true);
    const again = await visited.look(published);
    expect(again.windowId).toBe(first.windowId);
    expect(again.insights.findings[0]).toMatchObject({ id: finding!.id, affected: { count: 4 } });
    const { dismissedAt } = await found(published);
    expect(dismissedAt).toEqual(expect.any(Number));

    shop.spoil = () => undefined;
    clock.now += 8 * day;
    await visited.visits(published, 4);
    const mended = await visited.look(published);
    expect(mended.windowId).not.toBe(first.windowId);
    expect(mended.insights).toMatchObject({ status: "completed", findings: [] });
    expect(await found(published)).toMatchObject({ status: "resolved", dismissedAt });

    shop.spoil = fails("check_stock");
    clock.now += 8 * day;
    await visited.visits(published, 2);
    const relapse = await visited.look(published);
    expect(relapse.insights.findings[0]!.id).toBe(finding!.id);
    expect(await found(published)).toMatchObject({
      status: "regressed",
      occurrenceCount: 2,
      dismissedAt,
      lastSeenIn: { kind: "user_testing_window", id: relapse.windowId },
    });
    const back = await call("POST", `${at}/findings/${finding!.id}/undismiss`);
    expect(back.body).toMatchObject({ ...dismissed, dismissed: false });
    expect((await found(published)).dismissedAt).toBeNull();
  });
});

describe("who sees what", () => {
  it("a member of the project alone reads scenario and signals without findings; a visitor nothing of it", async () => {
    const published = await visited.publish();
    const { at, id } = published;
    shop.spoil = fails("check_stock");
    await visited.visits(published, 2);
    const { windowId, insights } = await visited.look(published);
    const as = (path: string, method = "GET") => call(method, `${at}${path}`, undefined, "editor");
    const scenario = await as("");
    expect(scenario.status).toBe(200);
    expect(scenario.body).not.toHaveProperty("insights");
    expect((await as("/signals")).body).toMatchObject({ canRequest: false, canDismiss: false });
    const [finding] = insights.findings;
    for (const [path, method] of [
      ["/findings", "GET"],
      [`/windows/${windowId}/insights`, "GET"],
      ["/insights", "POST"],
      [`/findings/${finding!.id}/dismiss`, "POST"],
    ] as const) {
      expect((await as(path, method)).status, path).toBe(403);
    }
    const someone = visitor(bench.service, bench.world);
    await someone.begin(published.link);
    const seen = JSON.stringify((await someone.call("")).body);
    expect(seen).not.toMatch(/rf_|uw_|index corrupt/);
    const direct = await someone.browser.call(
      `/api/v1/projects/${bench.world.projectId}/user-testing/scenarios/${id}`,
    );
    expect(direct.status).toBe(401);
  });

  it("tries of the project's own people are not looked at", async () => {
    const published = await visited.publish();
    const { projectId } = bench.world;
    const scenario = { id: idOf<"scenario">().parse(published.id), projectId };
    await plantSession(bench.service.app, scenario, { population: "synthetic" });
    expect(await call("POST", `${published.at}/insights`, {})).toMatchObject({
      status: 409,
      body: { details: { code: "NO_SESSIONS" } },
    });
  });
});

it("credentials that tools and visitors let slip are in no finding, nor what the server is sent to let us in", async () => {
  const published = await visited.publish();
  const canary = "sk-ant-api03-canaryCanary0123456789canaryCanary0123456789";
  // Nothing of it looks like a secret: it is known because it is one.
  const header = "plum orchard 8841";
  const server = `/servers/${bench.server.id}`;
  expect((await call("PATCH", server, { headers: { "x-shop": header } }, "owner")).status).toBe(200);
  shop.spoil = () => `Upstream of ${header} said 401 for Authorization: Bearer ${canary}`;
  for (let come = 0; come < 3; come++) {
    await visited.visit(published, { rating: { value: 0, comment: `My key is ${canary}` } });
  }
  const { insights } = await visited.look(published);
  expect(insights.findings.length).toBeGreaterThan(0);
  const { body: rows } = await call("GET", `${published.at}/findings`);
  const { rows: facts } = await bench.service.app.pool.query("SELECT facts FROM insight_facts");
  const kept = JSON.stringify([insights, rows, facts]);
  expect(kept).not.toContain(canary);
  expect(kept).not.toContain(header);
});

it("what a visitor erases is quoted by no finding any more; what was counted stays", async () => {
  const published = await visited.publish();
  shop.spoil = fails("check_stock");
  const comment = "canary-4471 never told me";
  const { sessionId, someone } = await visited.visit(published, { rating: { value: 0, comment } });
  await visited.visit(published, { rating: { value: 0 } });
  await visited.visit(published, { rating: { value: 0 } });
  const before = await visited.look(published);
  expect(JSON.stringify(before.insights)).toContain(sessionId);
  expect((await someone.call(`/sessions/${sessionId}`, "DELETE")).status).toBe(200);
  const { body: after } = await call("GET", `${published.at}/windows/${before.windowId}/insights`);
  const { body: rows } = await call("GET", `${published.at}/findings`);
  const { rows: facts } = await bench.service.app.pool.query(
    "SELECT 1 FROM insight_facts WHERE unit_id = $1",
    [sessionId],
  );
  expect(facts).toEqual([]);
  expect(JSON.stringify([after, rows])).not.toMatch(new RegExp(`${sessionId}|canary-4471`));
  expect(after.insights.findings[0].affected).toEqual(before.insights.findings[0]!.affected);
});

it("every night what came is looked at for free, and nothing where nobody came; after ninety days it is forgotten", async () => {
  const published = await visited.publish();
  const { app } = bench.service;
  const windows = async () => {
    const sql = "SELECT id FROM scenario_windows WHERE scenario_id = $1";
    return (await app.pool.query(sql, [published.id])).rows.length;
  };
  await mineAllThatCame(app);
  expect(await windows()).toBe(0);
  shop.spoil = fails("check_stock");
  await visited.visits(published, 2);
  await mineAllThatCame(app);
  expect(await visited.settled(published)).toMatchObject({ status: "completed", coverage: { analyzed: 2 } });
  clock.now += day;
  await mineAllThatCame(app);
  expect(await windows()).toBe(1);
  await visited.visit(published);
  await mineAllThatCame(app);
  expect(await visited.settled(published)).toMatchObject({ status: "completed", coverage: { analyzed: 3 } });
  expect(await windows()).toBe(2);
  clock.now += 99 * day;
  await forgetOldSessions(app);
  expect(await windows()).toBe(0);
  expect((await found(published)).finding.evidence).toEqual([]);
});

it.each([
  ["off", "not_available", 422],
  ["asked", "not_requested", 202],
])(
  "with insights %s the scenario says %s, nights look at nothing, and asking answers %i",
  async (when, status, answer) => {
    await using other = await visitedShop(shop, clock, { FETTLE_INSIGHTS: when });
    const published = await other.publish();
    await other.visit(published);
    await mineAllThatCame(other.bench.service.app);
    const read = await other.bench.call("GET", published.at);
    expect(read.body.insights).toMatchObject({ status, findings: [] });
    expect((await other.bench.call("POST", `${published.at}/insights`, {})).status).toBe(answer);
  },
);
