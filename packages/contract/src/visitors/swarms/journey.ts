/** @module A journey: what a persona tries to get done, where, how often, and what shows that it went well. */
import { z } from "zod";
import { archivedFields } from "../../core/gone.ts";
import { idOf } from "../../core/id-of.ts";
import { jsonObject } from "../../core/json-object.ts";
import { limits } from "../../core/limits/limits.ts";
import { changesSomething, ExpectedUpdatedAt, Timestamp } from "../../core/timestamp.ts";
import { fraction, nameText, opaqueId } from "../../evals/step.ts";
import { budget, budgetChange, environmentIds, isWholeBudget, wholeBudget } from "./budget.ts";
import { swarmLimits } from "./limits.ts";

const label = z.string().trim().min(1).max(limits.text.nameLength);

export const RubricCriterion = z
  .object({
    id: z.string().describe("Stays when the rest is edited, so that trends go on"),
    label: z.string().optional(),
    predicate: jsonObject.describe("A check of a finished session, as evals have them"),
  })
  .meta({ id: "RubricCriterion" });
export type RubricCriterion = z.output<typeof RubricCriterion>;

const rubric = z
  .array(
    z.strictObject({
      id: opaqueId.optional().describe("Unique in the rubric; made up when absent"),
      label: label.optional(),
      predicate: jsonObject,
    }),
  )
  .max(swarmLimits.criteria)
  .optional();

export const JourneyJudge = z
  .object({ model: z.string().nullable().describe("Null: by rules"), threshold: z.number() })
  .meta({ id: "JourneyJudge" });

const judge = z
  .strictObject({ model: nameText.nullable().default(null), threshold: fraction })
  .nullable()
  .optional()
  .describe("Grades whether the goal was reached; null: nobody does");

export const Journey = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    goal: z.string(),
    personaId: z.string(),
    swarmId: z.string().nullable(),
    environmentIds: z.array(z.string()).describe("Where it is made; empty: as the clients in `hostIds`"),
    serverAttachmentId: z.string().optional().describe("The server group clients are given"),
    hostIds: z.array(z.string()).optional(),
    sessionsPerTarget: z.int(),
    maxTurns: z.int(),
    rubric: z.array(RubricCriterion),
    judge: JourneyJudge.optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Journey" });
export type Journey = z.output<typeof Journey>;

const name = z.string().trim().min(1).max(swarmLimits.journeyNameLength);
const goal = z.string().trim().min(1).max(swarmLimits.journeyGoalLength);
const places = {
  environmentIds,
  serverAttachmentId: idOf<"serverGroup">().nullable().optional(),
  hostIds: z
    .array(idOf<"client">())
    .min(1)
    .max(swarmLimits.environmentsPerJourney)
    .nullable()
    .optional()
    .describe("Null clears the list"),
};

export const JourneyCreateRequest = z
  .strictObject({
    name: name.optional().describe("The beginning of the goal unless said"),
    goal,
    personaId: idOf<"persona">(),
    swarmId: idOf<"swarm">().nullable().optional(),
    ...places,
    ...budget,
    rubric,
    judge,
  })
  .meta({ id: "JourneyCreateRequest" });
export type JourneyCreateRequest = z.output<typeof JourneyCreateRequest>;

export const JourneyUpdateRequest = z
  .strictObject({
    name: name.optional(),
    goal: goal.optional(),
    ...places,
    ...budgetChange,
    rubric: rubric.describe("Replaces all criteria"),
    judge,
    expectedUpdatedAt: ExpectedUpdatedAt.optional(),
  })
  .refine(changesSomething, "Send at least one field to change.")
  .refine(isWholeBudget, wholeBudget)
  .meta({ id: "JourneyUpdateRequest" });
export type JourneyUpdateRequest = z.output<typeof JourneyUpdateRequest>;

export const JourneyArchived = z.object(archivedFields).meta({ id: "JourneyArchived" });
