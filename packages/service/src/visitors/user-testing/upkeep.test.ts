import { afterAll, beforeAll, expect, it } from "vitest";
import { mailEnv, startMailServer } from "../../testing/mail-server.ts";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import { endIdleSessions, forgetOldSessions } from "./upkeep.ts";

let now = Date.UTC(2026, 10, 16, 12);
let visited: VisitedBench;
let mail: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mail = await startMailServer();
  visited = await visitedBench({ now: () => now, env: mailEnv(mail) });
  await visited.bench.service.app.work();
});
afterAll(async () => {
  await visited[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

it("a session that nobody uses ends after half an hour, and its page hears of it", async () => {
  const { link, at, id } = await visited.publish({}, "fettle/rules-1");
  const someone = visited.visitor();
  const sessionId = await someone.begin(link);
  await someone.say(sessionId, "How many?");
  expect((await visited.call("GET", `/scenarios/${id}`)).body.liveSessionCount).toBe(1);
  const heard = await someone.follow();
  const told = (async () => {
    for await (const one of heard) return one;
  })();
  now += 31 * 60_000;
  await endIdleSessions(visited.bench.service.app);
  expect(await told).toEqual({ event: "ended", data: { reason: "idle" } });
  expect((await visited.call("GET", `${at}/sessions?state=ended`)).body.items).toMatchObject([
    { id: sessionId, ended: "idle" },
  ]);
  expect((await visited.call("GET", `/scenarios/${id}`)).body.liveSessionCount).toBe(0);
});

it("what visitors said is forgotten after ninety days; how many came is not", async () => {
  const { link, at, id } = await visited.publish({}, "fettle/rules-1");
  const someone = visited.visitor();
  const sessionId = await someone.begin(link);
  await someone.say(sessionId, "Remember canary-5512");
  const { app } = visited.bench.service;
  now += 89 * 24 * 60 * 60_000;
  await forgetOldSessions(app);
  expect(await visited.call("GET", `${at}/sessions/${sessionId}`)).toMatchObject({ status: 200 });
  now += 2 * 24 * 60 * 60_000;
  await forgetOldSessions(app);
  expect(await visited.call("GET", `${at}/sessions/${sessionId}`)).toMatchObject({ status: 404 });
  const { rows } = await app.pool.query("SELECT 1 FROM chat_messages WHERE words LIKE '%canary-5512%'");
  expect(rows).toEqual([]);
  expect((await visited.call("GET", `/scenarios/${id}`)).body.sessionCount).toBe(1);
});

it("an invited person gets a letter where mail is set up, with the link that is theirs", async () => {
  const { at } = await visited.publish({ mode: "invited_only", name: "Find a book" });
  const invite = (sendInviteEmail: boolean, email: string) =>
    visited.call("PUT", `${at}/members`, { email, sendInviteEmail });
  expect((await invite(false, "bo@example.com")).body).toMatchObject({ invited: false });
  const { body } = await invite(true, "ana@example.com");
  expect(body).toMatchObject({ invited: true });
  const letter = await mail.letterTo("ana@example.com");
  expect(letter.headers.get("subject")).toBe("Try Find a book");
  expect(letter.text).toContain(new URL(body.link).pathname);
});

it("visitors' conversations stand in the project's list of all, and in what a client's change follows", async () => {
  const { link, id, environmentId } = await visited.publish({ name: "Shop" }, "fettle/rules-1");
  const someone = visited.visitor();
  const sessionId = await someone.begin(link);
  await someone.say(sessionId, "How many copies of canary-6120?");
  const summary = {
    id: sessionId,
    sourceType: "scenario",
    ownedByViewer: false,
    parentRef: { kind: "scenario", label: "Shop", scenarioId: id },
  };
  for (const query of ["sourceType=scenario", "q=canary-6120", "q=canary-6120&scope=transcripts"]) {
    const { body } = await visited.call("GET", `/sessions?${query}`, undefined, "editor");
    expect(body.items).toContainEqual(expect.objectContaining(summary));
  }
  const own = await visited.bench.service.call("/api/v1/chat-sessions", {
    key: visited.bench.world.people.owner.key,
  });
  expect(JSON.stringify(own.body)).not.toContain(sessionId);
  const { key } = visited.bench.world.people.owner;
  expect(await visited.bench.service.call(`/api/v1/chat-sessions/${sessionId}`, { key })).toMatchObject({
    status: 404,
  });
  const { hostId } = (await visited.call("GET", `/environments/${environmentId}`)).body;
  expect((await visited.call("GET", `/clients/${hostId}`)).body.impact).toEqual({
    liveEnvironmentCount: 1,
    scenarioAttachmentCount: 1,
    activeLegacyJourneyCount: 0,
  });
});
