/** @module How often a journey is made, how long one may be, and where: said of journeys, and by swarms for those made in them. */
import { z } from "zod";
import { idOf } from "../../core/id-of.ts";
import { swarmLimits } from "./limits.ts";

export const budget = {
  sessionsPerTarget: z.int().min(1).max(swarmLimits.sessionsPerTarget),
  maxTurns: z.int().min(1).max(swarmLimits.maxTurns),
};

/** Sent together, because what a wave costs is their product. */
export const budgetChange = {
  sessionsPerTarget: budget.sessionsPerTarget.optional(),
  maxTurns: budget.maxTurns.optional(),
};

export const isWholeBudget = (change: {
  sessionsPerTarget?: number | undefined;
  maxTurns?: number | undefined;
}) => (change.sessionsPerTarget === undefined) === (change.maxTurns === undefined);
export const wholeBudget = { error: "Send sessionsPerTarget and maxTurns together.", path: ["maxTurns"] };

/** An empty list would say neither "none" nor "as it was": null clears one. */
export const environmentIds = z
  .array(idOf<"environment">())
  .min(1)
  .max(swarmLimits.environmentsPerJourney)
  .nullable()
  .optional()
  .describe("Null clears the list");
