/**
 * A turn that ends changes three rows: its conversation's, its own and the visit's. Whatever else changes more than one of them must
 * take them in the same order, or the two wait for each other. Here each of those starts in the middle of a turn's end.
 */
import { idOf } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { deadlockLog } from "../../testing/fuzz/twenty-at-once.ts";
import { type VisitedBench, visitedBench } from "../../testing/visited-bench.ts";
import { releaseTurn } from "../chat/claim.ts";
import * as chat from "../chat/store.ts";
import { endAllSessions, endSession } from "./narrow-access.ts";
import * as sessions from "./session-store.ts";
import { lockScenario, type ScenarioRow } from "./store.ts";
import { eraseSession } from "./visit-sessions.ts";

const { log, deadlocks } = deadlockLog();
let visited: VisitedBench;
beforeAll(async () => {
  visited = await visitedBench({ log });
});
afterAll(() => visited[Symbol.asyncDispose]());

interface Playing {
  scenario: ScenarioRow;
  session: chat.SessionRow;
  turnId: chat.TurnRow["id"];
}

/** A visitor's turn under way. */
async function playing(): Promise<Playing> {
  const { app } = visited.bench.service;
  const { id, link } = await visited.publish();
  const sessionId = idOf<"chatSession">().parse(await visited.visitor().begin(link));
  const turnId = newId("chatTurn");
  const until = new Date(app.now() + 60_000);
  return app.db.transaction(async (tx) => {
    const scenario = (await lockScenario(tx, idOf<"scenario">().parse(id)))!;
    await chat.insertTurn(tx, {
      id: turnId,
      sessionId,
      organizationId: visited.bench.world.organizationId,
      scenarioId: scenario.id,
      userId: null,
      scope: turnId,
      requestHash: "none",
      status: "running",
      message: "Hello",
      leaseUntil: until,
      startedAt: new Date(app.now()),
    });
    const held = { runningTurnId: turnId, runningUntil: until };
    return { scenario, session: (await chat.updateSession(tx, sessionId, held))!, turnId };
  });
}

type Way = (playing: Playing) => Promise<unknown>;
const inTransaction = (work: (tx: Transaction) => Promise<unknown>) =>
  visited.bench.service.app.db.transaction(work);
const ways: Record<string, Way> = {
  "its lease is prolonged": ({ turnId }) => {
    const { app } = visited.bench.service;
    return chat.prolongTurn(app.db, turnId, new Date(app.now() + 90_000));
  },
  "it is given up": (claim) => releaseTurn(visited.bench.service.app, { kind: "claimed", ...claim }),
  "the visitor ends the session": ({ scenario, session }) =>
    inTransaction((tx) => endSession(visited.bench.service.app, tx, scenario, session.id, "visitor")),
  "the session is erased": ({ scenario, session }) =>
    inTransaction((tx) => eraseSession(visited.bench.service.app, tx, scenario, session.id)),
  "access is narrowed": ({ scenario }) =>
    inTransaction((tx) => endAllSessions(visited.bench.service.app, tx, scenario)),
};

/** As `keepTurn` does. */
const steps: ((tx: Transaction, playing: Playing) => Promise<unknown>)[] = [
  (tx, { session }) => chat.lockSession(tx, session.id),
  (tx, { turnId }) => chat.updateTurn(tx, turnId, { status: "completed" }),
  (tx, { session }) => sessions.changeSession(tx, session.id, { toolErrorCount: 1 }),
];

async function isWaiting(): Promise<boolean> {
  const { rows } = await visited.bench.service.app.pool.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length > 0;
}

test.each(Object.entries(ways))("a turn may end at any moment in which %s", async (_, way) => {
  for (const startsAfter of steps.keys()) {
    const turn = await playing();
    let other: Promise<unknown> | undefined;
    await inTransaction(async (tx) => {
      for (const [place, step] of steps.entries()) {
        await step(tx, turn);
        if (place !== startsAfter) continue;
        let isOver = false;
        other = way(turn).finally(() => {
          isOver = true;
        });
        await expect.poll(async () => isOver || (await isWaiting()), { interval: 5 }).toBe(true);
      }
    });
    await other;
  }
  expect(deadlocks).toEqual([]);
});
