/** @module What triggers keep beside the rows that it is made of, and where the two disagree. */
import { limits } from "@fettle/contract/core";
import { verdictKinds } from "@fettle/contract/servers";
import type { Pool } from "pg";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");

const suites = `
  WITH counted AS (
    SELECT suite.id AS suite_id, (SELECT count(*) FROM eval_cases WHERE suite_id = suite.id)::int AS cases,
      whole.runs, whole.passed, whole.failed, whole.latest_run_id, whole.latest_run_at, coalesce(rated.trend, '{}') AS trend
    FROM eval_suites AS suite CROSS JOIN LATERAL (
      SELECT count(*)::int AS runs, (count(*) FILTER (WHERE result = 'passed'))::int AS passed,
        (count(*) FILTER (WHERE result = 'failed'))::int AS failed,
        (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS latest_run_id, max(created_at) AS latest_run_at
      FROM eval_runs WHERE suite_id = suite.id AND NOT is_partial
    ) AS whole CROSS JOIN LATERAL (
      SELECT array_agg(rate ORDER BY created_at, id) AS trend FROM (
        SELECT (summary ->> 'passRate')::float8 AS rate, created_at, id FROM eval_runs
        WHERE suite_id = suite.id AND NOT is_partial AND status = 'completed' AND summary ->> 'passRate' IS NOT NULL
        ORDER BY created_at DESC, id DESC LIMIT ${limits.evals.trendRuns}
      ) AS latest
    ) AS rated
  ), kept AS (
    SELECT suite.id AS suite_id, coalesce(cases, 0) AS cases, coalesce(runs, 0) AS runs, coalesce(passed, 0) AS passed,
      coalesce(failed, 0) AS failed, latest_run_id, latest_run_at, coalesce(trend, '{}') AS trend
    FROM eval_suites AS suite LEFT JOIN eval_suite_tallies AS tally ON tally.suite_id = suite.id
  )
  SELECT to_jsonb(kept) AS kept, to_jsonb(counted) AS counted FROM kept JOIN counted USING (suite_id)
  WHERE kept IS DISTINCT FROM counted`;

const verdicts = `
  WITH counted AS (
    SELECT server_id, kind, max(id COLLATE "C") AS entry_id FROM server_history
    WHERE kind IN (${quoted(verdictKinds)}) AND outcome <> 'stopped' GROUP BY server_id, kind
  )
  SELECT to_jsonb(kept) AS kept, to_jsonb(counted) AS counted FROM server_verdicts AS kept
  FULL JOIN counted ON counted.server_id = kept.server_id AND counted.kind = kept.kind
  WHERE kept.entry_id IS DISTINCT FROM counted.entry_id`;

const places = `
  SELECT iteration.id AS kept, run.project_id AS counted FROM eval_iterations AS iteration JOIN eval_runs AS run ON run.id = iteration.run_id
  WHERE iteration.project_id IS DISTINCT FROM run.project_id`;

/** Empty where everything is as a recount has it. */
export async function disagreements(pool: Pick<Pool, "query">): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const query of [suites, verdicts, places]) found.push(...(await pool.query(query)).rows);
  return found;
}
