/** @module A stored run as the facts that comparing and gating read: the same as a local run leaves. */
import type { EvalRunId } from "@fettle/contract";
import {
  type CaseFacts,
  digestOf,
  evaluationConfigHash,
  type IterationFacts,
  planOf,
  type RunFacts,
  type ScoreDefinition,
  type ScoreRow,
  summarizeCase,
} from "@fettle/evals";
import { asc, eq } from "drizzle-orm";
import type { Database, Querier } from "../db/pool.ts";
import { evalRunTools } from "../tables/eval-runs.ts";
import * as store from "./store.ts";

export async function readFacts(db: Database, run: store.RunRow): Promise<RunFacts> {
  const frozen = await store.readFrozen(db, run.id);
  const rows = await readIterations(db, run.id);
  return {
    ...rowFacts(run),
    execution: await readExecution(db, run, frozen?.target),
    cases: (frozen?.cases ?? []).map(({ item, grading, passThreshold }): CaseFacts => {
      const { definitions, scenarioContentHash } = planOf(item, grading);
      const iterations = rows.get(item.id) ?? [];
      return {
        caseKey: item.id,
        title: item.title,
        scenarioContentHash,
        evaluationConfigHash: configHashOf(definitions),
        definitions,
        passThreshold,
        configured: iterations.length,
        verdict: summarizeCase(iterations, iterations.length, passThreshold).verdict,
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

/** Once for each plan, which is kept with its case. */
const configHashes = new WeakMap<readonly ScoreDefinition[], string>();

function configHashOf(definitions: readonly ScoreDefinition[]): string {
  const known = configHashes.get(definitions) ?? evaluationConfigHash(definitions);
  configHashes.set(definitions, known);
  return known;
}

type Trial = IterationFacts & { evaluatorError: boolean };

/** Without the mapping of the query layer, which costs more than the query where rows are many. */
async function readIterations({ $client }: Database, runId: EvalRunId): Promise<Map<string, Trial[]>> {
  const { rows } = await $client.query<[string, ...unknown[]]>({
    name: "read_eval_iteration_facts",
    rowMode: "array",
    text: `
      select case_key, id, iteration_number, status, result, evaluator_error, error, duration_ms, tokens_used, scores::text
      from eval_iterations where run_id = $1 order by ordinal`,
    values: [runId],
  });
  const byCase = new Map<string, Trial[]>();
  // Repetitions of a case are mostly scored alike.
  const scored = new Map<unknown, ScoreRow[]>();
  for (const [
    caseKey,
    id,
    iterationNumber,
    status,
    result,
    evaluatorError,
    error,
    durationMs,
    totalTokens,
    text,
  ] of rows) {
    const scores = scored.get(text) ?? (text === null ? [] : (JSON.parse(String(text)) as ScoreRow[]));
    scored.set(text, scores);
    const list = byCase.get(caseKey) ?? [];
    byCase.set(caseKey, list);
    // As the columns are declared.
    list.push({
      id,
      iterationNumber,
      status,
      result,
      evaluatorError,
      ...(error !== null && { error }),
      durationMs,
      totalTokens,
      scores,
    } as Trial);
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
