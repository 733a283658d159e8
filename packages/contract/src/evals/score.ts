/** @module What judges a repetition, and the rows that it leaves. */
import { z } from "zod";
import { jsonObject } from "../core/json-object.ts";
import { limits } from "../core/limits/limits.ts";
import { fraction } from "./step.ts";

const scorerId = z.string().min(1).max(limits.evals.scorerIdLength);
const scorerVersion = z
  .union([z.string().max(limits.evals.scorerIdLength), z.number()])
  .describe("In a reported run: as it was sent, which is what its definition hash covers");

/** What a scorer that asks a model says beside. */
const judgedBy = {
  model: z.string().optional(),
  scope: jsonObject.optional().describe("What of the iteration it looked at"),
};

/** Open: a reporter's hash covers all that it says of a scorer, also what only it knows. */
export const ScoreDefinition = z
  .looseObject({
    scorerId,
    idSource: z
      .enum(["explicit", "generated"])
      .describe("A generated id is a place in a list: no gate may name it"),
    scorerVersion,
    implementationHash: z.string(),
    deterministic: z.boolean(),
    passThreshold: fraction,
    role: z.enum(["gating", "advisory"]),
    onError: z.enum(["fail", "ignore"]),
    onSkipped: z.enum(["fail", "ignore"]),
    label: z.string().describe("For people; not part of the hash"),
    ...judgedBy,
  })
  .meta({ id: "ResolvedScoreDefinition" });
export type ScoreDefinition = z.output<typeof ScoreDefinition>;

export const ScoreRow = z
  .looseObject({
    scorerId,
    scorerVersion,
    definitionHash: z.string(),
    status: z.enum(["scored", "error", "skipped", "not_applicable"]),
    value: z.number().optional(),
    passThreshold: fraction,
    passed: z.boolean().optional(),
    rationale: z.string().optional(),
    evidence: z.array(z.string()).optional(),
    error: z.string().optional(),
    deterministic: z.boolean(),
    promptHash: z.string().optional(),
    ...judgedBy,
  })
  .meta({ id: "ScoreResult" });
export type ScoreRow = z.output<typeof ScoreRow>;

export const EvaluationConfig = z
  .looseObject({ hash: z.string(), definitions: z.array(ScoreDefinition) })
  .meta({ id: "EvaluationConfigSnapshot" });
export type EvaluationConfig = z.output<typeof EvaluationConfig>;
