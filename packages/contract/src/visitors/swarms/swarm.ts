/** @module A swarm: journeys that belong together, and what new ones begin with. */
import { z } from "zod";
import { archivedFields } from "../../core/gone.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../../core/timestamp.ts";
import { budget, budgetChange, environmentIds, isWholeBudget, wholeBudget } from "./budget.ts";
import { swarmLimits } from "./limits.ts";

export const Swarm = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    environmentIds: z
      .array(z.string())
      .describe("Of journeys made in it without their own; later edits change no journey"),
    sessionsPerTarget: z.int(),
    maxTurns: z.int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Swarm" });
export type Swarm = z.output<typeof Swarm>;

const name = z.string().trim().min(1).max(swarmLimits.swarmNameLength);
const description = z
  .string()
  .max(swarmLimits.swarmDescriptionLength)
  .nullable()
  .optional()
  .describe("Null or an empty text clears it");

export const SwarmCreateRequest = z
  .strictObject({ name, description, environmentIds, ...budget })
  .meta({ id: "SwarmCreateRequest" });
export type SwarmCreateRequest = z.output<typeof SwarmCreateRequest>;

export const SwarmUpdateRequest = z
  .strictObject({
    name: name.optional(),
    description,
    environmentIds,
    ...budgetChange,
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .refine(isWholeBudget, wholeBudget)
  .meta({ id: "SwarmUpdateRequest" });
export type SwarmUpdateRequest = z.output<typeof SwarmUpdateRequest>;

export const SwarmArchived = z.object(archivedFields).meta({ id: "SwarmArchived" });
