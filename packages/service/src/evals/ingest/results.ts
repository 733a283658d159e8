/** @module Reported results as repetitions. What looks like a secret is masked before anything is kept. */

import {
  type EvalIngestResult,
  type EvalIteration,
  EvaluationConfig,
  ScoreDefinition,
  ScoreRow,
} from "@fettle/contract/evals";
import { redact, redactText } from "@fettle/contract/secrets";
import { digestOf, integrityOf } from "@fettle/evals";
import { count, eq, inArray } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "../../core/db/pool.ts";
import { withoutZero } from "../../core/db/storable.ts";
import { newId } from "../../core/id.ts";
import { evalIterations, evalIterationTraces, type ReportedTrace } from "../../core/tables/eval-runs.ts";
import type { RunRow } from "../runs/store.ts";
import { readTrace } from "./reported-trace.ts";

export async function countReported(tx: Transaction, runId: RunRow["id"]): Promise<number> {
  const [row] = await tx.select({ of: count() }).from(evalIterations).where(eq(evalIterations.runId, runId));
  return row?.of ?? 0;
}

/** How many were new. The run is held, so that nobody else numbers its repetitions. */
export async function addResults(
  tx: Transaction,
  run: RunRow,
  results: readonly EvalIngestResult[],
  before: number,
  now: Date,
): Promise<number> {
  const named = nameAll(results);
  const { externalIterationId, caseKey } = evalIterations;
  const known = await tx
    .select({ name: externalIterationId })
    .from(evalIterations)
    .where(eq(evalIterations.runId, run.id));
  const names = new Set(known.map(({ name }) => name));
  const fresh = named.filter(({ name }) => !names.has(name));
  if (fresh.length === 0) return 0;
  const keys = [...new Set(fresh.map(({ result }) => keyOf(result)))];
  const counted = await tx
    .select({ caseKey, of: count() })
    .from(evalIterations)
    .where(inArray(caseKey, keys))
    .groupBy(caseKey, evalIterations.runId)
    .having(eq(evalIterations.runId, run.id));
  const numbers = new Map(counted.map((row) => [row.caseKey, row.of]));
  const rows = fresh.map(({ name, result }, index) => {
    const key = keyOf(result);
    const iterationNumber = (numbers.get(key) ?? 0) + 1;
    numbers.set(key, iterationNumber);
    return toRow(run, result, { name, ordinal: before + index, iterationNumber, now });
  });
  await tx.insert(evalIterations).values(rows.map(({ row }) => row));
  await tx.insert(evalIterationTraces).values(
    rows.map(({ row, trace }) => ({
      iterationId: row.id,
      trace,
      bytes: Buffer.byteLength(JSON.stringify(trace)),
      createdAt: now,
    })),
  );
  return fresh.length;
}

/** By the reporter's own name, else by what it says; of those that say the same in one report, each is one. */
function nameAll(results: readonly EvalIngestResult[]): { name: string; result: EvalIngestResult }[] {
  const seen = new Map<string, number>();
  return results.flatMap((result) => {
    const given = result.externalIterationId;
    const base = given === undefined ? `said ${digestOf(result)}` : `named ${given}`;
    const times = seen.get(base) ?? 0;
    seen.set(base, times + 1);
    if (given !== undefined) return times === 0 ? [{ name: base, result }] : [];
    return [{ name: times === 0 ? base : `${base} ${times}`, result }];
  });
}

// The same shape, with other texts in it.
const masked = <Value>(value: Value) => redact(value) as Value;

export const keyOf = ({ caseId, externalCaseId, caseTitle }: EvalIngestResult): string =>
  caseId ?? externalCaseId ?? caseTitle;

const Judged = z.looseObject({
  scores: z.array(ScoreRow),
  evaluationConfig: EvaluationConfig.extend({
    definitions: z.array(ScoreDefinition.partial({ label: true })),
  }),
});

function judgedOf({ metadata }: EvalIngestResult) {
  const judged = Judged.safeParse(metadata).data;
  if (!judged) return undefined;
  const { scores, evaluationConfig } = judged;
  const definitions = evaluationConfig.definitions.map((one) => ({ label: one.scorerId, ...one }));
  return { scores, evaluationConfig: { ...evaluationConfig, definitions } };
}

function toRow(
  { id: runId, projectId }: RunRow,
  result: EvalIngestResult,
  at: { name: string; ordinal: number; iterationNumber: number; now: Date },
) {
  const { passed, durationMs = null, tokens, error, expectedToolCalls, actualToolCalls } = result;
  const judged = judgedOf(result);
  const isIntact =
    result.metadata?.scores === undefined ||
    (judged !== undefined && integrityOf(judged.evaluationConfig.definitions, judged.scores) === "valid");
  const verdict: "passed" | "failed" = passed ? "passed" : "failed";
  const total = tokens?.total ?? (tokens?.input ?? 0) + (tokens?.output ?? 0);
  const row = {
    id: newId("evalIteration"),
    runId,
    projectId,
    ordinal: at.ordinal,
    caseKey: keyOf(result),
    title: result.caseTitle,
    iterationNumber: at.iterationNumber,
    model: result.model ?? null,
    provider: result.provider ?? null,
    status: "completed" as const,
    // Scores that do not belong to what they say they were made by prove nothing.
    result: isIntact ? verdict : null,
    evaluatorError: !isIntact,
    scoreIntegrity: isIntact ? null : ("score_integrity_invalid" as const),
    error: error === undefined ? null : withoutZero(redactText(error)),
    startedAt: at.now,
    durationMs,
    tokensUsed: tokens ? total : null,
    usage: tokens ?? null,
    expectedToolCalls: (expectedToolCalls ?? []).map(({ toolName, arguments: given = {} }) => ({
      toolName,
      arguments: masked(given),
    })),
    actualToolCalls: (actualToolCalls ?? []).map(toCall),
    scores: judged ? masked(judged.scores) : null,
    evaluationConfig: judged ? masked(judged.evaluationConfig) : null,
    hasTrace: true,
    externalIterationId: at.name,
  };
  const { query, expectedOutput, isNegativeTest, errorDetails, metadata, trace, widgetSnapshots } = result;
  const kept: ReportedTrace = {
    reported: true,
    ...readTrace(result),
    ...(query !== undefined && { query }),
    ...(expectedOutput !== undefined && { expectedOutput }),
    ...(isNegativeTest !== undefined && { isNegativeTest }),
    ...(errorDetails !== undefined && { errorDetails }),
    ...(metadata !== undefined && { metadata }),
    ...(trace !== undefined && { trace }),
    ...(widgetSnapshots !== undefined && { widgetSnapshots }),
    ...otherFields(result),
  };
  return { row, trace: masked(kept) };
}

/** Those that have a place of their own: a column, or a name in the trace. */
const placed: ReadonlySet<string> = new Set([
  ...["caseTitle", "passed", "caseId", "externalCaseId", "durationMs", "provider"],
  ...["model", "tokens", "error", "query", "expectedOutput", "isNegativeTest", "errorDetails", "metadata"],
  ...["trace", "widgetSnapshots", "expectedToolCalls", "actualToolCalls"],
]);
const placedOfExpected: ReadonlySet<string> = new Set(["toolName", "arguments"]);
const placedOfActual: ReadonlySet<string> = new Set([
  ...placedOfExpected,
  ...["serverName", "toolCallId", "isError", "latencyMs"],
]);

/** What a reporter says beyond what is asked for is kept as it was said; calls of which only a part would be kept, whole. */
function otherFields(result: EvalIngestResult): { otherFields?: Record<string, unknown> } {
  const { expectedToolCalls, actualToolCalls } = result;
  const saysMore = (calls: readonly object[] | undefined, known: ReadonlySet<string>) =>
    calls?.some((call) => Object.keys(call).some((name) => !known.has(name))) ?? false;
  const others = Object.entries(result).filter(([name]) => !placed.has(name));
  if (saysMore(expectedToolCalls, placedOfExpected)) others.push(["expectedToolCalls", expectedToolCalls]);
  if (saysMore(actualToolCalls, placedOfActual)) others.push(["actualToolCalls", actualToolCalls]);
  return others.length === 0 ? {} : { otherFields: Object.fromEntries(others) };
}

function toCall(call: NonNullable<EvalIngestResult["actualToolCalls"]>[number]) {
  const flag = z.boolean().nullable().catch(null);
  const made: EvalIteration["actualToolCalls"][number] = {
    toolName: call.toolName,
    serverName: z.string().nullable().catch(null).parse(call.serverName),
    arguments: masked(call.arguments ?? {}),
    toolCallId: z.string().nullable().catch(null).parse(call.toolCallId),
    isError: flag.parse(call.isError),
    latencyMs: z.number().nullable().catch(null).parse(call.latencyMs),
    resultBytes: null,
    argsValid: "unknown",
  };
  return made;
}
