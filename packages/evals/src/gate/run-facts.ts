/** @module What is kept of a run: enough to compare and gate it anywhere, without its transcripts. Reports carry it, and `readRunFacts` reads it back. */
import {
  evalResults,
  evalRunStatuses,
  fraction,
  iterationStatuses,
  modelClasses,
  ScoreDefinition,
  ScoreRow,
} from "@fettle/contract/evals";
import { z } from "zod";

const count = z.int().min(0);

const iterationFacts = z.object({
  id: z.string().min(1),
  iterationNumber: z.int().min(1),
  status: z.enum(iterationStatuses),
  result: z.enum(["passed", "failed"]).nullable(),
  /** Why it has no result, or why it failed; for people. */
  error: z.string().optional(),
  /** Milliseconds, end to end; null when it never ran. */
  durationMs: z.number().min(0).nullable(),
  /** Null: not measured. */
  totalTokens: count.nullable(),
  scores: z.array(ScoreRow),
});

const caseFacts = z.object({
  caseKey: z.string().min(1),
  title: z.string(),
  scenarioContentHash: z.string(),
  evaluationConfigHash: z.string(),
  definitions: z.array(ScoreDefinition),
  passThreshold: fraction,
  configured: count,
  verdict: z.enum(evalResults),
  iterations: z.array(iterationFacts),
});

export const hollowReasons = ["staleAccepted", "toolsReplayed"] as const;
export type HollowReason = (typeof hollowReasons)[number];

/** As the end of a sentence. */
export const hollowWord: Record<HollowReason, string> = {
  staleAccepted: "a stale recording was played all the same",
  toolsReplayed: "its tools were played back too",
};

export const runFactsSchema = z.object({
  id: z.string().min(1),
  suite: z.object({ id: z.string(), name: z.string() }),
  status: z.enum(evalRunStatuses),
  result: z.enum(evalResults).nullable(),
  /** In words, when there is no verdict. */
  reasons: z.array(z.string()),
  modelClass: z.enum(modelClasses),
  /** What was run with: model, prompt, servers. Compared dimension by dimension. */
  execution: z.record(z.string(), z.string()),
  createdAt: z.number(),
  completedAt: z.number().nullable(),
  costUsd: z.number().nullable(),
  commitSha: z.string().optional(),
  /** Why its result says nothing about the server, whatever it is: no gate takes it. */
  provesNothing: z.array(z.enum(hollowReasons)).optional(),
  importEligibility: z
    .object({ status: z.enum(["legacy", "eligible", "incomplete"]), gateable: z.boolean() })
    .optional(),
  cases: z.array(caseFacts),
});

export type RunFacts = z.infer<typeof runFactsSchema>;
export type CaseFacts = z.infer<typeof caseFacts>;
export type IterationFacts = z.infer<typeof iterationFacts>;

export type FactsReading = { ok: true; run: RunFacts } | { ok: false; problem: string };

/** Reads the one run of an `eval-run` report. */
export function readRunFacts(report: unknown): FactsReading {
  const shape = z
    .object({
      kind: z.literal("eval-run"),
      metadata: z.object({ facts: runFactsSchema }),
    })
    .safeParse(report);
  if (shape.success) return { ok: true, run: shape.data.metadata.facts };
  const [issue] = shape.error.issues;
  const where = issue?.path.join(".") ?? "";
  return {
    ok: false,
    problem:
      where === "kind" || where === "metadata" || where === ""
        ? "This is no report of an eval run; make one with eval run --reporter json-summary."
        : `The report cannot be used: ${where} is not as it should be.`,
  };
}
