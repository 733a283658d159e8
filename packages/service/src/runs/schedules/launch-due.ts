/** @module What runs by itself: one run for each window, launched as whoever set the schedule. A window that was missed is gone. */
import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import { getTableName, sql, type Table } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import type { ProjectContext } from "../../core/routing/bind.ts";
import { findProject } from "../../http/caller/access.ts";

/** A schedule whose time has come. */
export interface Due<OwnerId> {
  ownerId: OwnerId;
  setBy: UserId | null;
  /** When it was to run. */
  window: Date;
  failuresInARow: number;
}

/** One kind of schedules: rows of a table with `scheduleColumns` and `last_run_id`, each of what its key column names. */
interface ScheduleFamily<OwnerId extends string> {
  table: Table;
  /** The column that is the table's key. */
  owner: string;
  /** The id of the run. An ApiError says why there is none. */
  launch(app: App, due: Due<OwnerId>): Promise<string>;
  announce(app: App, tx: Transaction, ownerId: OwnerId): Promise<void>;
}

export async function launchDue<OwnerId extends string>(
  app: App,
  family: ScheduleFamily<OwnerId>,
): Promise<void> {
  for (;;) {
    const due = await claimDue(app, family);
    if (!due) return;
    const outcome = await family.launch(app, due).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    await note(app, family, due, outcome);
  }
}

/** Moves the schedule on in the same statement that takes it: of all processes one launches. */
async function claimDue<OwnerId extends string>(
  app: App,
  { table, owner }: ScheduleFamily<OwnerId>,
): Promise<Due<OwnerId> | undefined> {
  const name = sql.identifier(getTableName(table));
  const key = sql.identifier(owner);
  const now = sql`${new Date(app.now()).toISOString()}::timestamptz`;
  const { rows } = await app.db.execute<Record<string, unknown>>(sql`
    with due as (
      select ${key} as owner, next_run_at as at, interval_minutes * interval '1 minute' as step from ${name}
      where enabled and next_run_at <= ${now} and state <> 'paused'
      order by next_run_at limit 1 for update skip locked
    )
    update ${name} as schedule
    set next_run_at = due.at + due.step * (floor(extract(epoch from ${now} - due.at) / extract(epoch from due.step)) + 1)
    from due where schedule.${key} = due.owner
    returning due.owner as "ownerId", schedule.set_by as "setBy", due.at as "window",
      schedule.failures_in_a_row as "failuresInARow"`);
  const [found] = rows;
  // The columns named in the query are the fields.
  return found && ({ ...found, window: new Date(String(found.window)) } as Due<OwnerId>);
}

/** Windows in a row that started nothing before somebody should look. */
const failingAfter = 5;

/** What trying again cannot mend stops it until somebody sets it anew; anything else has its next window. */
const pausing = new Set<string>(["UNAUTHORIZED", "FORBIDDEN"]);

async function note<OwnerId extends string>(
  app: App,
  { table, owner, announce }: ScheduleFamily<OwnerId>,
  { ownerId, failuresInARow }: Due<OwnerId>,
  outcome: string | ApiError,
): Promise<void> {
  const isRefused = outcome instanceof ApiError;
  const failures = isRefused ? failuresInARow + 1 : 0;
  const state =
    isRefused && pausing.has(outcome.code) ? "paused" : failures >= failingAfter ? "failing" : "ok";
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`
      update ${sql.identifier(getTableName(table))}
      set failures_in_a_row = ${failures}, state = ${state}, last_error = ${isRefused ? outcome.message : null},
        last_run_id = coalesce(${isRefused ? null : outcome}, last_run_id)
      where ${sql.identifier(owner)} = ${ownerId}`);
    await announce(app, tx, ownerId);
  });
}

/** As whoever set it, with the rights of now: one that was taken away is gone. */
export async function launcherOf(
  app: App,
  setBy: UserId | null,
  projectId: ProjectId,
): Promise<{ userId: UserId; project: ProjectContext }> {
  if (setBy === null) throw new ApiError("UNAUTHORIZED", "Whoever set the schedule is gone.");
  const project = await findProject(app.pool, { userId: setBy, boundTo: null }, projectId).catch(noAccess);
  return { userId: setBy, project };
}

function noAccess(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new ApiError("FORBIDDEN", "Whoever set the schedule may no longer run it.");
}
