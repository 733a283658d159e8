/** @module Visitors' sessions of a scenario as recorded sessions: those that are over, in which something was said. */
import type { ScenarioId } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import { factsOf, finalTextOf, type Message, type PlayedTurn } from "@fettle/evals";
import type { App } from "../../../core/app.ts";
import { listMessages, listSessions, listTurns } from "../../user-testing/insights/window-store.ts";
import { endOf } from "../../user-testing/visit-sessions.ts";
import type { RecordedSession } from "./frozen.ts";
import { listVisits } from "./store.ts";

/** The newest; the oldest of them first. */
export async function readVisits(app: App, scenarioId: ScenarioId): Promise<RecordedSession[]> {
  const ids = await listVisits(app.db, scenarioId, swarmLimits.calibrationSessions.max);
  const sessions = await listSessions(app.db, ids);
  const turns = Map.groupBy(await listTurns(app.db, ids), ({ sessionId }) => sessionId);
  const messages = Map.groupBy(await listMessages(app.db, ids), ({ turnId }) => turnId);
  return sessions.toReversed().flatMap(({ session }) => {
    const end = endOf(app, session);
    const played = (turns.get(session.id) ?? []).map(({ id, message }) =>
      turnOf(
        message,
        (messages.get(id) ?? []).map((one) => one.message),
      ),
    );
    const [first, ...rest] = played;
    if (end === null || !first || first.turn.said === "") return [];
    const goal = first.turn.said.slice(0, swarmLimits.journeyGoalLength);
    const said = rest.map(({ turn }) => turn.said).join("\n");
    const met = {
      goal,
      turns: played.map(({ turn }) => turn),
      calls: played.flatMap(({ calls }) => calls),
      wasLeft: end === "visitor" || end === "idle",
    };
    return [
      { id: session.id, goal, notes: said.slice(0, swarmLimits.personaNotesLength), facts: factsOf(met) },
    ];
  });
}

function turnOf(sent: string | null, messages: readonly Message[]) {
  const said = messages.find(({ role }) => role === "user");
  const results = messages.filter((one) => one.role === "tool");
  const failed = results.filter(({ isError }) => isError).length;
  const turn: PlayedTurn = {
    said: (said?.role === "user" ? said.text : sent) ?? "",
    answer: finalTextOf(messages) ?? "",
    succeeded: results.length - failed,
    failed,
  };
  return { turn, calls: results.map(({ name, isError }) => ({ toolName: name, failed: isError })) };
}
