/** @module One recorded session, played again: whoever is given speaks in the visitor's place, to the same assistant, with the same goal. */
import { limits } from "@fettle/contract/core";
import { swarmLimits } from "@fettle/contract/visitors";
import {
  factsOf,
  type Model,
  nextWords,
  type Persona,
  playSession,
  type SessionFacts,
  startDeadline,
} from "@fettle/evals";
import type { RunServers } from "../../../environments/targets/run-servers.ts";
import { assistantOf } from "../assistant.ts";
import type { FrozenPlace } from "../frozen.ts";
import { modelPersona } from "../model-persona.ts";
import { type Outcome, outcomeOf } from "../outcome.ts";
import type { RecordedSession } from "./frozen.ts";

/** Something other than the visitor ended a session; `stops` says whether those after it would fare no better. */
export class BrokenOff extends Error {
  override name = "BrokenOff";
  readonly stops: Outcome["stops"];
  constructor({ error, stops }: Outcome) {
    super(error ?? "");
    this.stops = stops;
  }
}

/** Who speaks in the place of whoever came for this. */
export type Driver = (visitor: Pick<RecordedSession, "id" | "goal" | "notes">) => Persona;

const cardOf = ({ id, notes }: Pick<RecordedSession, "id" | "notes">) => ({
  id,
  name: "A visitor",
  role: "Visitor",
  notes,
});

/** As journeys are played: by rules where the assistant is rules, else by the assistant's model. */
export const driverOf = ({ driver }: FrozenPlace, model: Model): Driver =>
  driver === "rules"
    ? (visitor) => (played) => nextWords({ persona: cardOf(visitor), goal: visitor.goal, played })
    : (visitor) =>
        modelPersona(model, {
          persona: cardOf(visitor),
          goal: visitor.goal,
          maxTurns: swarmLimits.calibrationTurns,
        });

export async function playVisitor({
  visitor,
  persona,
  place,
  model,
  servers,
  now,
  signal,
}: {
  visitor: Pick<RecordedSession, "id" | "goal">;
  persona: Persona;
  place: FrozenPlace;
  model: Model;
  servers: RunServers;
  now: number;
  signal: AbortSignal;
}): Promise<SessionFacts> {
  const deadline = startDeadline(limits.evals.iterationMs, signal, "The session");
  try {
    await using opened = await servers.connect(0, deadline.signal);
    const agent = assistantOf(place, model, opened.links, { now });
    const played = await playSession({
      agent,
      persona,
      maxTurns: swarmLimits.calibrationTurns,
      signal: deadline.signal,
    });
    const outcome = outcomeOf(played, agent.trace);
    if (outcome.error !== null) throw new BrokenOff(outcome);
    return factsOf({
      goal: visitor.goal,
      turns: played.turns,
      calls: agent.trace.toolCalls.map(({ toolName, isError }) => ({ toolName, failed: isError !== false })),
      wasLeft: played.end === "persona",
    });
  } finally {
    deadline.release();
  }
}
