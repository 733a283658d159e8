/** @module The SQL of jobs. Every time comes from the database's clock, so that workers' clocks may differ. */

import type { JobId } from "@fettle/contract/core";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Database, Querier } from "../db/pool.ts";
import { asJsonb } from "../db/storable.ts";
import type { JobState } from "../tables/jobs.ts";

/** Wakes workers: `new`, or `cancel <id>`. */
export const jobChannel = "fettle_jobs";

export interface NewJob {
  id: JobId;
  name: string;
  input: unknown;
  singletonKey: string | null;
  /** From now. */
  delayMs: number;
  attempts: number;
  retryDelayMs: number;
}

export interface ClaimedJob {
  id: JobId;
  name: string;
  input: unknown;
  claim: number;
  failures: number;
}

/** What a worker must still hold to say how a job went. */
export interface Hold {
  id: JobId;
  claim: number;
}

const ms = (value: number | SQL) => sql`(${value} * interval '1 millisecond')`;

/** Goes out when the transaction commits; PostgreSQL sends the same text once, however many rows ask for it. */
const wake = (payload: string) => sql`pg_notify(${jobChannel}, ${payload})`;

/** One parameter, however many there are. */
const texts = (values: string[]) => sql`${sql.param(values)}::text[]`;

// The columns named in each query are the fields of its Row.
async function rows<Row>(querier: Querier, query: SQL): Promise<Row[]> {
  const result = await querier.execute(query);
  return result.rows as Row[];
}

/** For what runs all the time: parsed and planned once for each connection. */
async function preparedRows<Row>(db: Database, name: string, query: SQL): Promise<Row[]> {
  const { sql: text, params: values } = dialect.sqlToQuery(query);
  const result = await db.$client.query({ name, text, values });
  return result.rows as Row[];
}

const dialect = new PgDialect();

/** Inserts what is not there yet; the ids that come back are the new ones. */
export async function insertJobs(querier: Querier, jobs: NewJob[]): Promise<JobId[]> {
  const inserted = await rows<{ id: JobId }>(
    querier,
    sql`
    with inserted as (
      insert into jobs (id, name, input, singleton_key, run_after, attempts, retry_delay_ms)
      select id, name, input, singleton_key, now() + ${ms(sql`delay_ms`)}, attempts, retry_delay_ms
      from jsonb_to_recordset(${asJsonb(
        jobs.map((job) => ({
          id: job.id,
          name: job.name,
          input: job.input,
          singleton_key: job.singletonKey,
          delay_ms: job.delayMs,
          attempts: job.attempts,
          retry_delay_ms: job.retryDelayMs,
        })),
      )}) as new (
        id text, name text, input jsonb, singleton_key text, delay_ms bigint, attempts int, retry_delay_ms int
      )
      on conflict (name, singleton_key) where singleton_key is not null and state in ('waiting', 'running')
      do nothing
      returning id
    )
    select id, ${wake("new")} from inserted`,
  );
  return inserted.map(({ id }) => id);
}

export async function findActive(
  querier: Querier,
  name: string,
  singletonKey: string,
): Promise<JobId | undefined> {
  const found = await rows<{ id: JobId }>(
    querier,
    sql`select id from jobs where name = ${name} and singleton_key = ${singletonKey} and state in ('waiting', 'running')`,
  );
  return found[0]?.id;
}

/** Takes up to `limit` due jobs, first come first served, in one statement; each is then ours until its lease runs out. */
export function claimJobs(
  db: Database,
  options: { worker: string; names: string[]; limit: number; leaseMs: number },
): Promise<ClaimedJob[]> {
  const { worker, names, limit, leaseMs } = options;
  return preparedRows(
    db,
    "claim_jobs",
    sql`
    with due as materialized (
      select id from jobs
      where state = 'waiting' and run_after <= now() and name = any(${texts(names)})
      order by run_after, id limit ${limit} for update skip locked
    )
    update jobs set
      state = 'running', claim = claim + 1, worker = ${worker}, lease_until = now() + ${ms(leaseMs)},
      started_at = coalesce(started_at, now())
    from due where jobs.id = due.id
    returning jobs.id, name, input, claim, failures`,
  );
}

/** Milliseconds until the next job falls due; undefined when none waits. */
export async function untilNextDue(querier: Querier, names: string[]): Promise<number | undefined> {
  const next = await rows<{ wait: number | null }>(
    querier,
    sql`
    select (extract(epoch from min(run_after) - now()) * 1000)::float as wait from jobs
    where state = 'waiting' and name = any(${texts(names)})`,
  );
  return next[0]?.wait ?? undefined;
}

/**
 * Prolongs the leases of jobs that are still ours; a job that does not come back is not. One whose row is locked is being
 * written to, by its own `finish` for one: it is passed over, because nobody can take it back meanwhile, and because
 * waiting for it would cost all the others their leases.
 */
export function prolongLeases(
  querier: Querier,
  options: { worker: string; ids: JobId[]; leaseMs: number },
): Promise<(Hold & { isCancelRequested: boolean })[]> {
  const ours = sql`id = any(${texts(options.ids)}) and state = 'running' and worker = ${options.worker}`;
  return rows(
    querier,
    sql`
    with free as materialized (
      select id from jobs where ${ours} for update skip locked
    ), prolonged as (
      update jobs set lease_until = now() + ${ms(options.leaseMs)} from free where jobs.id = free.id
    )
    select id, claim, cancel_requested_at is not null as "isCancelRequested" from jobs where ${ours}`,
  );
}

/** Locks the job's row to the caller's transaction; false when it is no longer ours. */
export async function lockHeld(querier: Querier, hold: Hold): Promise<boolean> {
  const found = await rows(querier, heldJob(hold));
  return found.length === 1;
}

/** For statements of jobs that write as they go: the row that says the job is still theirs, kept so until the commit. */
export const heldJob = ({ id, claim }: Hold) =>
  sql`select 1 from jobs where id = ${id} and claim = ${claim} and state = 'running' for update`;

/** A job that gets further is not what takes its workers down: deaths are counted from here on. */
export const forgiveJob = ({ id }: Hold) =>
  sql`update jobs set failures = 0 where id = ${id} and failures > 0`;

export type Outcome =
  | { state: "done" | "cancelled" }
  | { state: "parked"; error: { name: string; message: string } }
  /** To be tried again; `isFailure` when this time counts against it. */
  | {
      state: "waiting";
      delayMs: number;
      isFailure: boolean;
      error: { name: string; message: string } | null;
    };

export interface Settlement {
  hold: Hold;
  outcome: Outcome;
}

/** `lost`: it was no longer ours to say. `busy`: somebody has its row locked, and nothing was written. */
export type Settled = "settled" | "lost" | "busy";

/**
 * Writes how jobs went, all in one statement, each only if it is still ours; the answers are in the order of the
 * question. A locked row is passed over: one job's open transaction must not keep the others from ending.
 */
export async function settleTogether(db: Database, settlements: Settlement[]): Promise<Settled[]> {
  const statement = settling(settlements, sql`skip locked`);
  const held = await preparedRows<Held>(db, "settle_jobs", statement);
  const isSettled = new Map(held.map((row) => [`${row.id} ${row.claim}`, row.isSettled]));
  return settlements.map(({ hold }) => {
    const answer = isSettled.get(`${hold.id} ${hold.claim}`);
    return answer === undefined ? "lost" : answer ? "settled" : "busy";
  });
}

/** Writes how one job went; false when it was no longer ours to say. Waits for its row. */
export async function settleOne(querier: Querier, settlement: Settlement): Promise<boolean> {
  const [held] = await rows<Held>(querier, settling([settlement], sql``));
  return held?.isSettled ?? false;
}

type Held = Hold & { isSettled: boolean };

/** Those that are ours as rows of `Held`. What should be tried again but was cancelled is cancelled. */
function settling(settlements: Settlement[], whenLocked: SQL): SQL {
  return sql`
    with outcomes as materialized (
      select * from jsonb_to_recordset(${asJsonb(settlements.map(asRow))}) as outcome (
        id text, claim int, outcome text, delay_ms float, failed int, reason jsonb
      )
    ), held as materialized (
      select id, claim from jobs join outcomes using (id, claim) where state = 'running'
    ), locked as materialized (
      select outcomes.* from jobs join outcomes using (id, claim) where state = 'running'
      for update of jobs ${whenLocked}
    ), settled as (
      update jobs set
        state = case when outcome = 'waiting' and cancel_requested_at is not null then 'cancelled' else outcome end,
        finished_at = case when outcome <> 'waiting' or cancel_requested_at is not null then now() end,
        worker = null, lease_until = null,
        run_after = now() + ${ms(sql`delay_ms`)},
        failures = failures + failed,
        error = coalesce(reason, error)
      from locked where jobs.id = locked.id
      returning jobs.id, jobs.claim, state
    )
    select id, claim, settled.state is not null as "isSettled",
      case when settled.state = 'waiting' then ${wake("new")} end
    from held left join settled using (id, claim)`;
}

function asRow({ hold: { id, claim }, outcome }: Settlement) {
  const { state } = outcome;
  return {
    id,
    claim,
    outcome: state,
    delay_ms: state === "waiting" ? outcome.delayMs : 0,
    failed: state === "parked" || (state === "waiting" && outcome.isFailure) ? 1 : 0,
    reason: "error" in outcome ? outcome.error : null,
  };
}

/**
 * Takes jobs back from workers that went silent: to be tried again, or parked when they have taken down too many
 * workers. After a restart of PostgreSQL nobody could have prolonged anything, so all leases get one more term.
 * `running` are the asking process's own: it was only held up, and will prolong their leases next.
 */
export function takeBackLost(
  querier: Querier,
  {
    leaseMs,
    longestDelayMs,
    running = [],
  }: { leaseMs: number; longestDelayMs: number; running?: readonly Hold[] },
): Promise<{ id: JobId; name: string; state: JobState }[]> {
  return rows(
    querier,
    sql`
    with lost as (
      select id from jobs
      where state = 'running' and lease_until < now() and pg_postmaster_start_time() < now() - ${ms(leaseMs)}
        and id || ' ' || claim <> all(${texts(running.map(({ id, claim }) => `${id} ${claim}`))})
      for update skip locked
    ), taken as (
      update jobs set
        state = case
          when cancel_requested_at is not null then 'cancelled'
          when failures + 1 >= attempts then 'parked'
          else 'waiting' end,
        finished_at = case when cancel_requested_at is not null or failures + 1 >= attempts then now() end,
        failures = failures + 1,
        worker = null, lease_until = null,
        run_after = now() + ${ms(sql`least(retry_delay_ms * power(2, failures), ${longestDelayMs}::float)`)},
        error = jsonb_build_object('name', 'WorkerLost', 'message', 'the process that ran it went silent')
      where id in (select id from lost)
      returning id, name, state
    )
    select id, name, state, ${wake("new")} from taken`,
  );
}

/** Ends a waiting job at once, and asks a running one to end. Undefined when there is no such job, or it had ended. */
export async function cancelJob(querier: Querier, id: JobId): Promise<JobState | undefined> {
  const cancelled = await rows<{ state: JobState }>(
    querier,
    sql`
    with cancelled as (
      update jobs set
        state = case when state = 'waiting' then 'cancelled' else state end,
        finished_at = case when state = 'waiting' then now() end,
        cancel_requested_at = coalesce(cancel_requested_at, now())
      where id = ${id} and state in ('waiting', 'running')
      returning state
    )
    select state, ${wake(`cancel ${id}`)} from cancelled`,
  );
  return cancelled[0]?.state;
}

/** Gives a parked job a new life, with all its attempts. */
export async function unparkJob(querier: Querier, id: JobId): Promise<boolean> {
  const unparked = await rows(
    querier,
    sql`
    with unparked as (
      update jobs set state = 'waiting', failures = 0, finished_at = null, run_after = now()
      where id = ${id} and state = 'parked' returning id
    )
    select id, ${wake("new")} from unparked`,
  );
  return unparked.length === 1;
}

export async function pruneFinished(
  querier: Querier,
  { keepMs, keepParkedMs }: { keepMs: number; keepParkedMs: number },
): Promise<void> {
  await querier.execute(sql`
    delete from jobs where
      (state in ('done', 'cancelled') and finished_at < now() - ${ms(keepMs)})
      or (state = 'parked' and finished_at < now() - ${ms(keepParkedMs)})`);
}
