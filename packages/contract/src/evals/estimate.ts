/** @module What a launch would do and cost, before it is one. */
import { z } from "zod";
import { idOf } from "../core/id-of.ts";
import { Timestamp } from "../core/timestamp.ts";
import { estimateConfidences } from "../models/words.ts";
import { repetitions } from "./case.ts";
import { EvalRunTarget } from "./run.ts";
import { nameText } from "./step.ts";
import { modelClasses } from "./words.ts";

export const EvalRunEstimateRequest = z
  .strictObject({
    environmentId: idOf<"environment">().optional(),
    namedHostId: idOf<"client">().optional(),
    iterationOverride: repetitions.optional(),
    modelOverride: nameText.optional(),
    caseIds: z.array(z.string().min(1)).min(1).optional(),
  })
  .meta({ id: "EvalRunEstimateRequest" });

export const EvalRunEstimate = z
  .object({
    target: EvalRunTarget,
    cases: z.int(),
    repetitions: z.int(),
    models: z.array(
      z.object({
        id: z.string(),
        modelClass: z.enum(modelClasses),
        repetitions: z.int(),
        notice: z.string().nullable().describe("What must be known wherever its results appear"),
      }),
    ),
    modelFrom: z.string().describe("Who names the model, in words, such as `client Claude Desktop`"),
    costUsd: z.number().nullable().describe("Of what has a price; null when nothing has"),
    confidence: z.enum(estimateConfidences),
    repetitionsCollapsed: z
      .boolean()
      .describe("A model that always does the same would be asked once for each case"),
    day: z
      .object({
        leftUsd: z.number().describe("Neither spent nor set aside"),
        limitUsd: z.number(),
        resetsAt: Timestamp,
      })
      .nullable()
      .describe("The organization's limit for models today; null when there is none"),
  })
  .meta({ id: "EvalRunEstimate" });
export type EvalRunEstimate = z.output<typeof EvalRunEstimate>;
