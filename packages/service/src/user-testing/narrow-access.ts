/** @module Takes effect on those who are in: their sessions are over, answers that are coming are stopped, and their pages hear of it. */
import type { ChatSessionId, ScenarioId, SessionEnd } from "@fettle/contract";
import { announceInProject } from "../accounts/announce.ts";
import type { App } from "../app.ts";
import { stopVisitorTurns } from "../chat/store.ts";
import type { Transaction } from "../db/pool.ts";
import * as sessions from "./session-store.ts";
import type { ScenarioRow } from "./store.ts";

/** What visitors' pages of a scenario follow. */
export const scenarioTopic = (id: ScenarioId) => `scenario:${id}`;

/** After the scenario's access version has grown, in the same transaction. */
export async function endAllSessions(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<ScenarioRow, "id" | "projectId">,
): Promise<void> {
  await sessions.endOpen(tx, id, { ended: "access", endedAt: new Date(app.now()) });
  await stopVisitorTurns(tx, id);
  await tellEnd(app, tx, { id, projectId });
}

export async function endSession(
  app: App,
  tx: Transaction,
  { id, projectId }: Pick<ScenarioRow, "id" | "projectId">,
  sessionId: ChatSessionId,
  ended: SessionEnd,
): Promise<void> {
  await sessions.endOpen(tx, id, { ended, endedAt: new Date(app.now()) }, sessionId);
  await stopVisitorTurns(tx, id, sessionId);
  await tellEnd(app, tx, { id, projectId });
}

/** Says only that something is over: a page that hears it asks whether it is its own. */
async function tellEnd(app: App, tx: Transaction, scenario: Pick<ScenarioRow, "id" | "projectId">) {
  await app.events.publish(scenarioTopic(scenario.id), "changed", {}, { inTransaction: tx });
  await announceInProject(app, tx, scenario.projectId, "sessions");
}
