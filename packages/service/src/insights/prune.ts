/** @module Forgets what is known of conversations, runs, suites, windows and scenarios that are gone, and the ledger of days that are over. */
import { getTableName, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { App } from "../core/app.ts";
import { defineJob } from "../core/jobs/define.ts";
import { evalIterations, evalRuns } from "../core/tables/eval-runs.ts";
import { evalSuites } from "../core/tables/eval-suites.ts";
import {
  insightFacts,
  insightFindings,
  insightSightings,
  insightSignals,
  insights,
} from "../core/tables/insights.ts";
import { journeyAttempts, journeyRuns } from "../core/tables/journey-runs.ts";
import { scenarioSessions, scenarios, scenarioWindows } from "../core/tables/user-testing.ts";
import { dayOf } from "../models/budget.ts";
import { forgetDeletedRuns } from "./forget-quotes.ts";
import { forgetLedger } from "./store.ts";

interface Orphans {
  table: PgTable;
  /** Which of its rows, and the column that says whose they are. */
  kind: SQL;
  owner: string;
  owners: PgTable;
}

/** No foreign key: each table holds rows of several kinds of owners. Whoever adds a source adds its rows. */
const orphans: readonly Orphans[] = [
  { table: insights, kind: sql`scope_kind = 'eval_run'`, owner: "scope_id", owners: evalRuns },
  { table: insightFacts, kind: sql`unit_kind = 'iteration'`, owner: "unit_id", owners: evalIterations },
  {
    table: insights,
    kind: sql`scope_kind = 'user_testing_window'`,
    owner: "scope_id",
    owners: scenarioWindows,
  },
  {
    table: insightFacts,
    kind: sql`unit_kind = 'session' and not starts_with(unit_id, 'synth_')`,
    owner: "unit_id",
    owners: scenarioSessions,
  },
  {
    table: insightFacts,
    kind: sql`unit_kind = 'session' and starts_with(unit_id, 'synth_')`,
    owner: "unit_id",
    owners: journeyAttempts,
  },
  ...[insightFindings, insightSignals, insightSightings].flatMap((table) => [
    { table, kind: sql`family_kind = 'suite'`, owner: "family_id", owners: evalSuites },
    { table, kind: sql`family_kind = 'scenario'`, owner: "family_id", owners: scenarios },
  ]),
];

export async function pruneInsights({ db, now }: Pick<App, "db" | "now">): Promise<void> {
  for (const { table, kind, owner, owners } of orphans) {
    const held = sql.identifier(getTableName(table));
    await db.execute(sql`
      delete from ${held} as held where ${kind}
        and not exists (select 1 from ${sql.identifier(getTableName(owners))} as owner
          where owner.id = held.${sql.identifier(owner)})`);
  }
  await db.execute(sql`
    delete from ${insights} as held where scope_kind = 'swarm_wave'
      and not exists (select 1 from ${journeyRuns} as run
        where run.project_id = held.project_id and run.project_id || ':' || run.wave_id = held.scope_id)`);
  await forgetDeletedRuns(db);
  await forgetLedger(db, dayOf(now()).day);
}

export const pruneInsightsJob = defineJob({
  name: "insights.prune",
  input: z.object({}),
  retry: { attempts: 3, delayMs: 10_000 },
  timeoutMs: 10 * 60_000,
  schedule: { cron: "23 * * * *", input: {} },
  run: ({ app }) => pruneInsights(app),
});
