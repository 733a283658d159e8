/** @module A swarm at a glance: the latest run of each of its journeys, with what became of every session. */
import { z } from "zod";
import { JourneyRun } from "./journey-run.ts";
import { attemptStates } from "./words.ts";

export const SwarmMatrix = z
  .object({
    rows: z
      .array(
        z.object({
          journeyId: z.string(),
          journeyName: z.string(),
          persona: z.object({ id: z.string(), name: z.string(), role: z.string() }),
          run: JourneyRun.extend({
            targets: z.array(
              z.object({
                targetId: z.string(),
                name: z.string(),
                sessions: z.array(z.object({ id: z.string(), state: z.enum(attemptStates) })),
              }),
            ),
          })
            .nullable()
            .describe("Null: it was never launched"),
        }),
      )
      .describe("Journeys of one persona stand together"),
  })
  .meta({ id: "SwarmMatrix" });
export type SwarmMatrix = z.output<typeof SwarmMatrix>;
