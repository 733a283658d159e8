/** @module A stored run as the facts that comparing and gating read: the same as a local run leaves. */
import type { EvalRunId } from "@fettle/contract/core";
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
import type { Database, Querier } from "../../core/db/pool.ts";
import { evalRunTools } from "../../core/tables/eval-runs.ts";
import * as store from "./store.ts";

export async function readFacts(db: Database, run: store.RunRow): Promise<RunFacts> {
  const frozen = await store.readFrozen(db, run.id);
  const rows = await readIterations(db, run.id);
  return {
    ...rowFacts(run),
    execution: await readExecution(db, run, frozen?.target),
    cases: (frozen?.cases ?? []).map(({ item, grading, passThreshold, reportedConfig }): CaseFacts => {
      const { definitions: ours, scenarioContentHash } = planOf(item, grading);
      const definitions = reportedConfig?.definitions ?? ours;
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

/** As the columns are declared. */
interface Columns {
  ordinal: number[];
  case_key: string[];
  id: Trial["id"][];
  iteration_number: number[];
  status: Trial["status"][];
  result: Trial["result"][];
  evaluator_error: boolean[];
  error: (string | null)[];
  duration_ms: Trial["durationMs"][];
  tokens_used: Trial["totalTokens"][];
}

const columnNames = [
  "ordinal",
  "case_key",
  "id",
  "iteration_number",
  "status",
  "result",
  "evaluator_error",
  "error",
  "duration_ms",
  "tokens_used",
] as const satisfies (keyof Columns)[];

/**
 * Ten thousand rows in the time of a page: each column comes as one JSON array, which is read faster than rows, and scores once
 * for all repetitions that were scored alike, which most are.
 */
const readColumns = `
  select ${columnNames.map((name) => `to_json(array_agg(${name})) as ${name}`).join(", ")},
    to_json(array_agg(hashtextextended(scores::text, 0)::text)) as scores_key,
    (select json_object_agg(hashtextextended(scores, 0)::text, scores) from (
      select scores::text as scores from eval_iterations where run_id = $1 and scores is not null group by 1
    ) as different) as scores_by_key
  from eval_iterations where run_id = $1`;

async function readIterations({ $client }: Database, runId: EvalRunId): Promise<Map<string, Trial[]>> {
  const { rows } = await $client.query({ name: "read_eval_facts", text: readColumns, values: [runId] });
  const [columns] = rows as [
    Columns & { scores_key: (string | null)[]; scores_by_key: Record<string, string> | null },
  ];
  const scores = new Map(
    Object.entries(columns.scores_by_key ?? {}).map(([key, text]) => [key, JSON.parse(text) as ScoreRow[]]),
  );
  const byCase = new Map<string, Trial[]>();
  // Of a run without repetitions every column is null.
  const places = (columns.ordinal ?? [])
    .map((ordinal, place) => ({ ordinal, place }))
    .sort((a, b) => a.ordinal - b.ordinal);
  for (const { place } of places) {
    const caseKey = valueAt(columns.case_key, place);
    const error = valueAt(columns.error, place);
    const list = byCase.get(caseKey) ?? [];
    byCase.set(caseKey, list);
    list.push({
      id: valueAt(columns.id, place),
      iterationNumber: valueAt(columns.iteration_number, place),
      status: valueAt(columns.status, place),
      result: valueAt(columns.result, place),
      evaluatorError: valueAt(columns.evaluator_error, place),
      ...(error !== null && { error }),
      durationMs: valueAt(columns.duration_ms, place),
      totalTokens: valueAt(columns.tokens_used, place),
      scores: scores.get(columns.scores_key[place] ?? "") ?? [],
    });
  }
  return byCase;
}

function valueAt<Value>(column: readonly Value[], place: number): Value {
  // Each column is as long as `ordinal`, so it has every place; a check would be paid a hundred thousand times, and null is a value.
  return column[place]!;
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
