/** @module Jobs that come back: once per tick of a cron expression, for all processes together. */

import { eq, sql } from "drizzle-orm";
import { oneRow } from "../db/one-row.ts";
import type { Database, Querier } from "../db/pool.ts";
import { asJsonb } from "../db/storable.ts";
import { jobSchedules } from "../tables/jobs.ts";

export interface Schedule {
  key: string;
  name: string;
  input: unknown;
  cron: string;
  timezone: string;
}

async function nextTick(cron: string, timezone: string, after: Date): Promise<Date> {
  const { nextTick } = await import("./next-tick.ts");
  return nextTick(cron, timezone, after);
}

/** Sets or changes a schedule. One that stays the same keeps its next tick, so that a restart misses none. */
export async function saveSchedule(querier: Querier, schedule: Schedule): Promise<void> {
  const nextAt = await nextTick(schedule.cron, schedule.timezone, await databaseTime(querier));
  await querier.execute(sql`
    insert into job_schedules (key, name, input, cron, timezone, next_at)
    values (${schedule.key}, ${schedule.name}, ${asJsonb(schedule.input)},
      ${schedule.cron}, ${schedule.timezone}, ${nextAt.toISOString()})
    on conflict (key) do update set
      name = excluded.name, input = excluded.input, cron = excluded.cron, timezone = excluded.timezone,
      next_at = case
        when job_schedules.cron = excluded.cron and job_schedules.timezone = excluded.timezone then job_schedules.next_at
        else excluded.next_at end`);
}

export async function removeSchedule(querier: Querier, key: string): Promise<void> {
  await querier.delete(jobSchedules).where(eq(jobSchedules.key, key));
}

/** Milliseconds until the next tick; undefined when there is no schedule. */
export async function untilNextTick(querier: Querier): Promise<number | undefined> {
  const { rows } = await querier.execute<{ wait: number | null }>(
    sql`select (extract(epoch from min(next_at) - now()) * 1000)::float as wait from job_schedules`,
  );
  return rows[0]?.wait ?? undefined;
}

/**
 * Does what is due: `enqueue` and moving on to the next tick are one transaction per schedule, under its row's lock, so
 * that a tick is neither lost nor doubled. Ticks missed while nothing ran are made up for by one.
 */
export async function tick(
  db: Database,
  enqueue: (querier: Querier, schedule: Schedule) => Promise<void>,
): Promise<void> {
  for (;;) {
    const isMore = await db.transaction(async (tx) => {
      const { rows } = await tx.execute<Schedule & { now: string } & Record<string, unknown>>(sql`
        select key, name, input, cron, timezone, now()::text as now from job_schedules
        where next_at <= now() order by next_at limit 1 for update skip locked`);
      const [due] = rows;
      if (!due) return false;
      await enqueue(tx, due);
      const nextAt = await nextTick(due.cron, due.timezone, new Date(due.now));
      await tx.execute(
        sql`update job_schedules set next_at = ${nextAt.toISOString()} where key = ${due.key}`,
      );
      return true;
    });
    if (!isMore) return;
  }
}

async function databaseTime(querier: Querier): Promise<Date> {
  const { rows } = await querier.execute<{ now: string }>(sql`select now()::text as now`);
  return new Date(oneRow(rows).now);
}
