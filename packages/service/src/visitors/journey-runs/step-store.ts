/** @module The SQL of what a session was told so far. Written only by who holds the run's job. */
import { and, eq, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { type Hold, heldJob } from "../../core/jobs/store.ts";
import { jobs } from "../../core/tables/jobs.ts";
import { journeyAttemptSteps, journeyAttempts, type KeptStep } from "../../core/tables/journey-runs.ts";

export interface StepsOf {
  attemptId: string;
  part: (typeof journeyAttemptSteps.$inferSelect)["part"];
}

export interface StepPlace {
  answer: number;
  call: string;
}

const isOf = ({ attemptId, part }: StepsOf) =>
  and(eq(journeyAttemptSteps.attemptId, attemptId), eq(journeyAttemptSteps.part, part));

export async function readSteps(db: Querier, whose: StepsOf): Promise<(StepPlace & { step: KeptStep })[]> {
  const { answer, call, step } = journeyAttemptSteps;
  return db.select({ answer, call, step }).from(journeyAttemptSteps).where(isOf(whose));
}

/**
 * In one round trip. What got further is not what takes workers down: deaths of the session and of the job count from here on.
 * False: the job is another's.
 */
export async function keepStep(
  db: Querier,
  hold: Hold,
  { attemptId, part }: StepsOf,
  { answer, call }: StepPlace,
  step: KeptStep,
): Promise<boolean> {
  const held = await db.execute(sql`
    with held as materialized (
      ${heldJob(hold)}
    ), kept as (
      insert into ${journeyAttemptSteps} (attempt_id, part, answer, call, step)
      select ${attemptId}, ${part}, ${answer}::int, ${call}, ${JSON.stringify(step)}::json from held
      on conflict do nothing
    ), further as (
      update ${journeyAttempts} set losses = 0 from held where id = ${attemptId} and losses > 0
    ), forgiven as (
      update ${jobs} set failures = 0 from held where id = ${hold.id} and failures > 0
    )
    select 1 from held`);
  return held.rows.length === 1;
}

export async function forgetSteps(db: Querier, whose: StepsOf): Promise<void> {
  await db.delete(journeyAttemptSteps).where(isOf(whose));
}
