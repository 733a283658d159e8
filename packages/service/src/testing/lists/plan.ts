/** @module What a statement costs: run once, and explained step by step by PostgreSQL. */
import type { Pool } from "pg";
import { z } from "zod";
import type { SentQuery } from "./sent-queries.ts";

interface Step {
  "Node Type": string;
  "Relation Name"?: string | undefined;
  "Index Name"?: string | undefined;
  /** Of each time it was run, as the next two. */
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number | undefined;
  "Rows Removed by Index Recheck"?: number | undefined;
  Plans?: Step[] | undefined;
}

const Step: z.ZodType<Step> = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  "Rows Removed by Index Recheck": z.number().optional(),
  get Plans() {
    return z.array(Step).optional();
  },
});
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: Step })]) })]);

/** Every step that handles more rows than `most`: scans with what they throw away, and sorts. In words. */
export async function readPlan(
  pool: Pick<Pool, "query">,
  { text, values }: SentQuery,
  most: number,
): Promise<string[]> {
  const { rows } = await pool.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
  const [
    {
      "QUERY PLAN": [{ Plan }],
    },
  ] = Explained.parse(rows);
  return stepsOf(Plan)
    .filter((step) => handledBy(step) > most)
    .map((step) => `${wordsOf(step)}: ${Math.round(handledBy(step))} rows`);
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

const handledBy = (step: Step): number =>
  step["Actual Loops"] *
  (step["Actual Rows"] +
    (step["Rows Removed by Filter"] ?? 0) +
    (step["Rows Removed by Index Recheck"] ?? 0));

const wordsOf = (step: Step): string =>
  [step["Node Type"], step["Relation Name"], step["Index Name"]].filter(Boolean).join(" ");
