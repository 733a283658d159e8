/** @module A stored run as the facts that comparing and gating read: the same as a local run leaves. */
import type { EvalRunId } from "@fettle/contract";
import {
  type CaseFacts,
  digestOf,
  evaluationConfigHash,
  type IterationFacts,
  planOf,
  type RunFacts,
} from "@fettle/evals";
import { asc, eq } from "drizzle-orm";
import type { Querier } from "../db/pool.ts";
import { evalIterations, evalRunTools } from "../tables/eval-runs.ts";
import { caseSummaries } from "./close.ts";
import { countIterations } from "./iteration-store.ts";
import * as store from "./store.ts";

export async function readFacts(db: Querier, run: store.RunRow): Promise<RunFacts> {
  const held = await store.findSnapshot(db, run.id);
  const rows = await readIterations(db, run.id);
  const summaries = held ? caseSummaries(held.snapshot, await countIterations(db, run.id)) : [];
  return {
    ...rowFacts(run),
    execution: await readExecution(db, run, held?.snapshot.target),
    cases: (held?.snapshot.cases ?? []).map(({ item, grading, passThreshold }, index): CaseFacts => {
      const { definitions, scenarioContentHash } = planOf(item, grading);
      const iterations = rows.get(item.id) ?? [];
      return {
        caseKey: item.id,
        title: item.title,
        scenarioContentHash,
        evaluationConfigHash: evaluationConfigHash(definitions),
        definitions,
        passThreshold,
        configured: iterations.length,
        verdict: summaries[index]?.verdict ?? "inconclusive",
        iterations,
      };
    }),
  };
}

/** What the run's own row tells: no cases, nothing of what it was made with. */
export function rowFacts(run: store.RunRow): RunFacts {
  const { importEligibility } = run;
  return {
    id: run.id,
    suite: { id: run.suiteId, name: run.suiteName },
    status: run.status,
    result: run.result,
    reasons: run.reasons,
    modelClass: run.modelClass ?? "live",
    execution: {},
    createdAt: (run.startedAt ?? run.createdAt).getTime(),
    completedAt: run.completedAt?.getTime() ?? null,
    costUsd: run.costUsd,
    ...(run.commitSha !== null && { commitSha: run.commitSha }),
    ...(importEligibility && {
      importEligibility: { status: importEligibility.status, gateable: importEligibility.gateable },
    }),
    cases: [],
  };
}

async function readIterations(db: Querier, runId: EvalRunId): Promise<Map<string, IterationFacts[]>> {
  const { id, caseKey, iterationNumber, status, result, error, durationMs, tokensUsed, scores } =
    evalIterations;
  const rows = await db
    .select({ id, caseKey, iterationNumber, status, result, error, durationMs, tokensUsed, scores })
    .from(evalIterations)
    .where(eq(evalIterations.runId, runId))
    .orderBy(asc(evalIterations.ordinal));
  const byCase = new Map<string, IterationFacts[]>();
  for (const row of rows) {
    const { caseKey: key, tokensUsed: totalTokens, error: why, scores: kept, ...rest } = row;
    const list = byCase.get(key) ?? [];
    list.push({ ...rest, ...(why !== null && { error: why }), totalTokens, scores: kept ?? [] });
    byCase.set(key, list);
  }
  return byCase;
}

/** What the run was made with, dimension by dimension. */
async function readExecution(
  db: Querier,
  run: store.RunRow,
  target: { system: string | null; temperature: number | null } | undefined,
): Promise<Record<string, string>> {
  const tools = await db
    .select({ serverName: evalRunTools.serverName, hash: evalRunTools.hash })
    .from(evalRunTools)
    .where(eq(evalRunTools.runId, run.id))
    .orderBy(asc(evalRunTools.serverName));
  const { environmentId, environmentRevision } = run;
  return {
    model: run.model ?? "",
    systemPrompt: digestOf(target?.system ?? null),
    temperature: String(target?.temperature ?? null),
    target: `${run.target.kind} ${run.target.id ?? run.target.name}`,
    environment: environmentId === null ? "" : `${environmentId} at ${environmentRevision}`,
    servers: digestOf(tools),
  };
}
