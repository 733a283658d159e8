/** @module The kinds of runs that can be deleted: where each is kept, when it is still in progress, and who else names it. */
import type { ProjectPart } from "@fettle/contract";
import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { conformanceRuns, conformanceSchedules } from "../tables/conformance.ts";
import { evalRunGroups, evalRuns } from "../tables/eval-runs.ts";
import { evalSchedules } from "../tables/eval-suites.ts";
import { journeyRuns } from "../tables/journey-runs.ts";
import { readinessRuns } from "../tables/readiness.ts";

interface RunKindFacts {
  /** Has `id`, `project_id`, `status` and `created_at`; what belongs to a run goes with it by foreign keys. */
  table: PgTable;
  part: ProjectPart;
  inProgress: readonly string[];
  /** What no foreign key does for these runs, before they go. */
  release?: (ids: SQL) => SQL[];
}

export const runKinds = {
  eval: {
    table: evalRuns,
    part: "eval-runs",
    inProgress: ["pending", "running"],
    release: (ids) => [
      sql`update ${evalSchedules} set last_run_id = null where last_run_id = any(${ids})`,
      // A group goes with the last of its runs.
      sql`delete from ${evalRunGroups} as held
        where exists (select 1 from ${evalRuns} as run where run.group_id = held.id and run.id = any(${ids}))
          and not exists (select 1 from ${evalRuns} as run where run.group_id = held.id and run.id <> all(${ids}))`,
    ],
  },
  journey: { table: journeyRuns, part: "journey-runs", inProgress: ["running"] },
  conformance: {
    table: conformanceRuns,
    part: "conformance-runs",
    inProgress: ["queued", "running"],
    release: (ids) => [
      sql`update ${conformanceSchedules} set last_run_id = null where last_run_id = any(${ids})`,
    ],
  },
  readiness: { table: readinessRuns, part: "readiness-runs", inProgress: ["pending", "running"] },
} as const satisfies Record<string, RunKindFacts>;

export type RunKind = keyof typeof runKinds;

/** The same, without what is known of each alone. */
export const factsOf = (kind: RunKind): RunKindFacts => runKinds[kind];
