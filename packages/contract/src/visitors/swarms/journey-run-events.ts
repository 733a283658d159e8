/** @module What a journey run tells while it is played: server-sent events, by name. */
import { z } from "zod";
import { Timestamp } from "../../core/timestamp.ts";
import { attemptStates, journeyRunDisplays, journeyRunStatuses } from "./words.ts";

const every = { topic: z.string().describe("The run, as a topic of events"), at: Timestamp };
const ofSession = { sessionId: z.string().describe("The `id` of the attempt that is played"), ...every };

export const journeyRunEvents = {
  session_start: z
    .object({
      targetName: z.string().describe("The environment or client that the visitor meets"),
      index: z.int().describe("Which of the target's sessions it is, from 0"),
      ...ofSession,
    })
    .meta({ id: "JourneyRunSessionStartEvent", description: "A visitor's session has begun" }),
  turn: z
    .object({
      said: z.string().describe("What the visitor said"),
      answer: z.string().describe("The assistant's last words"),
      succeeded: z.int().describe("Tool calls that gave a result"),
      failed: z.int().describe("Tool calls that failed"),
      ...ofSession,
    })
    .meta({ id: "JourneyRunTurnEvent", description: "A visitor said something and was answered" }),
  session_end: z
    .object({ state: z.enum(attemptStates), error: z.string().nullable(), ...ofSession })
    .meta({ id: "JourneyRunSessionEndEvent", description: "A visitor's session has ended" }),
  run_complete: z
    .object({
      status: z.enum(journeyRunStatuses),
      displayStatus: z.enum(journeyRunDisplays).describe("What to show: a canceled run is stored as failed"),
      ...every,
    })
    .meta({ id: "JourneyRunCompleteEvent", description: "The run has ended; the stream closes after this" }),
  reset: z.object({ at: Timestamp }).meta({
    id: "JourneyRunResetEvent",
    description: "The listener was too slow and events were left out; read the run",
  }),
};
type Events = typeof journeyRunEvents;
/** What each event says beyond where and when. */
export type JourneyRunTold = {
  [Name in Exclude<keyof Events, "reset">]: Omit<z.output<Events[Name]>, keyof typeof ofSession>;
};
