/** @module Two runs side by side, case by case. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";
import { EvalRunSummary } from "./run.ts";
import { caseStatuses, evalResults } from "./words.ts";

const NumericDiff = z
  .object({
    base: z.number().nullable(),
    compare: z.number().nullable(),
    delta: z.number().nullable(),
    percentDelta: z.number().nullable(),
  })
  .meta({ id: "NumericDiff" });

const ScoreSide = z
  .object({
    status: z.enum(["scored", "error", "skipped", "not_applicable"]),
    value: z.number().nullable(),
    passed: z.boolean().nullable(),
  })
  .nullable();

const CaseSide = z
  .object({
    outcome: z.enum(["passed", "failed", "absent"]),
    passed: z.int(),
    eligible: z.int(),
    iterationIds: z.array(z.string()),
    representativeIterationId: z.string().nullable().describe("The first that failed, else the first"),
    error: z.string().nullable(),
    preview: z.string().nullable().optional().describe("The beginning of its final answer, where asked for"),
  })
  .meta({ id: "EvalRunCompareCaseSide" });

const scorer = {
  scorerId: z.string(),
  label: z.string(),
  gating: z.boolean(),
  deterministic: z.boolean(),
  definitionChanged: z.boolean(),
};

const EvalRunCompareCase = z
  .object({
    caseKey: z.string(),
    title: z.string(),
    status: z.enum(caseStatuses),
    configChanged: z.boolean(),
    evaluationConfigChanged: z.boolean(),
    scoreDeltas: z.array(z.object({ ...scorer, base: ScoreSide, compare: ScoreSide, value: NumericDiff })),
    base: CaseSide,
    compare: CaseSide,
  })
  .meta({ id: "EvalRunCompareCase" });

const RunSide = z
  .object({
    id: z.string(),
    runNumber: z.int(),
    result: z.enum(evalResults).nullable(),
    createdAt: Timestamp,
    completedAt: Timestamp.nullable(),
    summary: EvalRunSummary.nullable(),
  })
  .meta({ id: "EvalRunCompareSide" });

const ContractSide = z.object({
  evaluationConfigHash: z.string().nullable(),
  scoreIntegrity: z.enum(["valid", "invalid"]).nullable(),
  scoredIterations: z.int(),
  quarantinedIterations: z.int(),
});

export const EvalRunCompare = z
  .object({
    suite: z.object({ id: z.string(), name: z.string() }),
    baseline: z.object({
      policy: z.enum(["previous_completed", "run", "commit_sha"]),
      baseRunId: z.string(),
      baseCommitSha: z.string().optional(),
      matchCount: z.int().optional().describe("How many runs have the commit; absent when one has"),
      matchCountTruncated: z.boolean().optional().describe("True: at least so many"),
    }),
    baseRun: RunSide,
    compareRun: RunSide,
    passSummary: z.object({
      passRatePercent: NumericDiff,
      total: NumericDiff,
      passed: NumericDiff,
      failed: NumericDiff,
    }),
    metrics: z.object({
      wallDurationMs: NumericDiff,
      totalTokens: NumericDiff,
      estimatedCostUsd: NumericDiff,
      p95LatencyMs: NumericDiff,
    }),
    scoreContract: z.object({
      base: ContractSide,
      compare: ContractSide,
      evaluationConfigChanged: z.boolean(),
      scorers: z.array(
        z.object({
          ...scorer,
          passRate: NumericDiff,
          meanValue: NumericDiff,
          errorCount: z.object({ base: z.int(), compare: z.int() }),
        }),
      ),
    }),
    execution: z
      .object({ changed: z.array(z.string()) })
      .describe("What the runs were made with and differs"),
    compatibility: z.object({
      comparable: z.boolean().describe("Whole-run gates hold only where this is true"),
      modelClassChanged: z.boolean(),
      comparableCaseIds: z.array(z.string()),
      incompatibleCases: z.array(z.object({ caseKey: z.string(), reasons: z.array(z.string()) })),
    }),
    cases: z.array(EvalRunCompareCase),
  })
  .meta({ id: "EvalRunCompare" });
export type EvalRunCompare = z.output<typeof EvalRunCompare>;
