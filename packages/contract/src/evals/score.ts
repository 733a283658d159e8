/** @module What judges a repetition, and the rows that it leaves. */
import { z } from "zod";
import { limits } from "../core/limits/limits.ts";
import { fraction } from "./step.ts";

const scorerId = z.string().min(1).max(limits.evals.scorerIdLength);
const scorerVersion = z.int();

export const ScoreDefinition = z
  .object({
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
  })
  .meta({ id: "ResolvedScoreDefinition" });

export const ScoreRow = z
  .object({
    scorerId,
    scorerVersion,
    definitionHash: z.string(),
    status: z.enum(["scored", "error", "skipped", "not_applicable"]),
    value: z.number().optional(),
    passThreshold: fraction,
    passed: z.boolean().optional(),
    rationale: z.string().optional(),
    error: z.string().optional(),
    deterministic: z.boolean(),
  })
  .meta({ id: "ScoreResult" });
export type ScoreRow = z.output<typeof ScoreRow>;

export const EvaluationConfig = z
  .object({ hash: z.string(), definitions: z.array(ScoreDefinition) })
  .meta({ id: "EvaluationConfigSnapshot" });
