/** @module Turns of processes that died end in their own rows: in conversations and of the workspace agent. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "../../core/id.ts";
import { agentTurns } from "../../core/tables/agent.ts";
import { chatSessions, chatTurns } from "../../core/tables/chat.ts";
import { type TestApp, testApp } from "../../testing/app.ts";
import { makeWorld, type World } from "../../testing/world.ts";
import { settleLostTurns, settleLostTurnsJob } from "./settle-lost.ts";

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await testApp();
  world = await makeWorld(app.db);
});
afterAll(() => app.stop());

const began = Date.now();
const inSeconds = (seconds: number) => new Date(began + seconds * 1_000);
const running = (leaseUntil: Date) => ({
  organizationId: world.organizationId,
  userId: world.people.owner.userId,
  scope: newId("request"),
  requestHash: "none",
  status: "running" as const,
  leaseUntil,
  startedAt: inSeconds(-60),
});

async function inConversation(leaseUntil: Date, modelStarted = false) {
  const sessionId = newId("chatSession");
  await app.db.insert(chatSessions).values({
    ...{ id: sessionId, projectId: world.projectId, origin: "playground", model: "m", toolMode: "auto" },
    ...{ settled: {}, createdAt: inSeconds(-60), lastActivityAt: inSeconds(-60) },
  });
  const id = newId("chatTurn");
  await app.db.insert(chatTurns).values({ id, sessionId, modelStarted, ...running(leaseUntil) });
  return async () => (await app.db.select().from(chatTurns).where(eq(chatTurns.id, id)))[0]!;
}

async function ofAgent(leaseUntil: Date, modelStarted = false) {
  const id = newId("agentTurn");
  const { projectId } = world;
  await app.db.insert(agentTurns).values({ id, projectId, modelStarted, ...running(leaseUntil) });
  return async () => (await app.db.select().from(agentTurns).where(eq(agentTurns.id, id)))[0]!;
}

const kinds = [
  ["a conversation", "chat_turns", inConversation],
  ["the workspace agent", "agent_turns", ofAgent],
] as const;

test.each(kinds)(
  "a turn of %s whose lease is over has failed at that moment, and says what was lost",
  async (_, __, begin) => {
    const unasked = await begin(inSeconds(-5));
    const asked = await begin(inSeconds(-5), true);
    const alive = await begin(inSeconds(3_600));
    await settleLostTurns(app);
    expect(await unasked()).toMatchObject({
      status: "failed",
      endedAt: inSeconds(-5),
      error: { details: { code: "TURN_LOST", hint: expect.stringContaining("No model was asked.") } },
    });
    expect((await asked()).error?.details.hint).toContain("It may have been paid for");
    expect(await alive()).toMatchObject({ status: "running", endedAt: null, error: null });
  },
);

test.each(kinds)(
  "a turn of %s goes on that is prolonged in the same moment: its process was only slow",
  async (_, table, begin) => {
    const read = await begin(inSeconds(-5));
    const { id } = await read();
    const settled = await app.db.transaction(async (tx) => {
      const until = inSeconds(3_600).toISOString();
      await tx.execute(`update ${table} set lease_until = '${until}' where id = '${id}'`);
      const settling = settleLostTurns(app);
      await expect
        .poll(async () => {
          const waiting =
            "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
          return (await app.pool.query(waiting)).rowCount;
        })
        .toBe(1);
      return { settling };
    });
    await settled.settling;
    expect(await read()).toMatchObject({ status: "running", error: null });
  },
);

test("is done every minute", () => {
  expect(settleLostTurnsJob.schedule).toEqual({ cron: "* * * * *", input: {} });
});
