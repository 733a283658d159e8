/**
 * @module The SQL of the daily limit. Each change is one statement, so that calls made at once wait for one another no longer than
 * it takes, and no connection is held between two of them. Sums are made here, where they are exact.
 */
import type { OrganizationId, ProjectId } from "@fettle/contract/core";
import { type SQL, sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { Querier, Transaction } from "../core/db/pool.ts";

type Querying = Pick<Pool, "query">;

/** What calls are made for: what spending is told by. */
export interface SpendSource {
  /** Such as `evalRun`, `chat` or `judge`. */
  kind: string;
  id: string;
}

/** The day of an organization that money is taken from. */
export interface Purse {
  organizationId: OrganizationId;
  /** `2026-11-16` */
  day: string;
  source: SpendSource;
}

/** `$3` more is set aside, unless that and everything before would pass `$4`; answers a row when it was. */
const takeSql = `
  INSERT INTO model_budget_days AS of_day (organization_id, day, held_usd)
  SELECT $1, $2::date, $3::numeric WHERE $3::numeric <= $4::numeric
  ON CONFLICT (organization_id, day) DO UPDATE SET held_usd = of_day.held_usd + $3::numeric
  WHERE of_day.spent_usd + of_day.held_usd + $3::numeric <= $4::numeric
  RETURNING 1`;

const ofSource = (kind: number) =>
  `organization_id = $1 AND day = $2::date AND source_kind = $${kind} AND source_id = $${kind + 1}`;

/** False, and nothing written, when it would pass the limit. */
export async function takeFromDay(pool: Querying, purse: Purse, usd: number, cap: number): Promise<boolean> {
  const { organizationId, day } = purse;
  const values = [organizationId, day, usd, cap];
  const { rowCount } = await pool.query({ name: "take_model_budget", text: takeSql, values });
  return rowCount === 1;
}

/** The same, kept for the calls of one launch, and only if the launch's transaction succeeds. */
export async function takeForLaunch(
  tx: Transaction,
  purse: Purse,
  usd: number,
  cap: number,
): Promise<boolean> {
  const { organizationId, day, source } = purse;
  const { rowCount } = await tx.execute(sql`
    WITH taken AS (${filledIn(takeSql, [organizationId, day, usd, cap])})
    INSERT INTO model_holds AS held (organization_id, day, source_kind, source_id, left_usd)
    SELECT ${organizationId}, ${day}::date, ${source.kind}, ${source.id}, ${usd}::numeric FROM taken
    ON CONFLICT (organization_id, day, source_kind, source_id)
    DO UPDATE SET left_usd = held.left_usd + ${usd}::numeric`);
  return rowCount === 1;
}

/** A statement with `$1` for its first value, for a transaction, which takes none such. */
function filledIn(statement: string, values: readonly unknown[]): SQL {
  const pieces = statement.split(/\$(\d)/);
  return sql.join(
    pieces.map((piece, index) => (index % 2 === 0 ? sql.raw(piece) : sql`${values[Number(piece) - 1]}`)),
  );
}

/** False when the launch has set nothing aside, or has less than this left. */
export async function takeFromHold(pool: Querying, purse: Purse, usd: number): Promise<boolean> {
  const { organizationId, day, source } = purse;
  const { rowCount } = await pool.query({
    name: "take_model_hold",
    text: `
      UPDATE model_holds SET left_usd = left_usd - $3::numeric
      WHERE ${ofSource(4)} AND left_usd >= $3::numeric`,
    values: [organizationId, day, usd, source.kind, source.id],
  });
  return rowCount === 1;
}

/** Gives back what a launch has set aside and not used, of every day that it went on. Once more does nothing. */
export async function releaseHold(
  db: Querier,
  organizationId: OrganizationId,
  { kind, id }: SpendSource,
): Promise<void> {
  await db.execute(sql`
    WITH released AS (
      DELETE FROM model_holds
      WHERE organization_id = ${organizationId} AND source_kind = ${kind} AND source_id = ${id}
      RETURNING day, left_usd
    )
    UPDATE model_budget_days AS of_day SET held_usd = greatest(0, of_day.held_usd - released.left_usd)
    FROM released WHERE of_day.organization_id = ${organizationId} AND of_day.day = released.day`);
}

/** A call that is about to be sent. */
export interface Intent {
  id: string;
  organizationId: OrganizationId;
  projectId: ProjectId | null;
  source: SpendSource;
  model: string;
  /** Null: the model has no price. */
  estimateUsd: number | null;
  at: number;
}

export async function insertIntents(pool: Querying, intents: readonly Intent[]): Promise<void> {
  const column = (of: (one: Intent) => unknown) => intents.map(of);
  await pool.query({
    name: "intend_model_calls",
    text: `
      INSERT INTO model_intents (id, organization_id, project_id, source_kind, source_id, model, estimate_usd, at)
      SELECT * FROM unnest(
        $1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::timestamptz[]
      )`,
    values: [
      column(({ id }) => id),
      column(({ organizationId }) => organizationId),
      column(({ projectId }) => projectId),
      column(({ source }) => source.kind),
      column(({ source }) => source.id),
      column(({ model }) => model),
      column(({ estimateUsd }) => estimateUsd),
      column(({ at }) => new Date(at)),
    ],
  });
}

/** A call that was made, as it is written down. Null is unknown. */
export interface PaidCall {
  projectId: ProjectId | null;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  at: number;
}

/** A call that is over, and what it takes from the purse it was made from. */
export interface Settlement extends Purse {
  reservedUsd: number;
  isOfHold: boolean;
  spentUsd: number;
  /** Its intent, which goes with it; undefined: nothing was sent. */
  intentId: string | undefined;
  /** Undefined: none was made, or it cost nothing. */
  call: PaidCall | undefined;
}

/**
 * Puts what counts as spent in the place of what was set aside, and writes down the calls that were made. What came out of a
 * launch's hold and was not needed is the launch's again, unless it has ended meanwhile. However many they are, each day and each
 * hold is changed once. Those of an organization that is gone are forgotten. A call whose intent is gone was settled before, by a
 * statement whose answer was lost: it does not count again.
 */
export async function settle(pool: Querying, settlements: readonly Settlement[]): Promise<void> {
  const column = (of: (one: Settlement) => unknown) => settlements.map((one) => of(one) ?? null);
  await pool.query({
    name: "settle_model_calls",
    text: `
      WITH given AS MATERIALIZED (
        SELECT * FROM unnest(
          $1::text[], $2::date[], $3::text[], $4::text[], $5::numeric[], $6::bool[], $7::numeric[],
          $8::text[], $9::text[], $10::integer[], $11::integer[], $12::numeric[], $13::timestamptz[], $14::text[]
        ) AS row (organization_id, day, source_kind, source_id, reserved, is_of_hold, spent,
          project_id, model, input_tokens, output_tokens, cost_usd, at, intent_id)
      ), fulfilled AS (
        DELETE FROM model_intents USING given WHERE id = given.intent_id RETURNING id
      ), one AS MATERIALIZED (
        SELECT * FROM given
        WHERE EXISTS (SELECT 1 FROM organizations WHERE id = given.organization_id)
          AND (intent_id IS NULL OR intent_id IN (SELECT id FROM fulfilled))
      ), told AS (
        INSERT INTO model_spend
          (organization_id, source_kind, source_id, project_id, model, input_tokens, output_tokens, cost_usd, at)
        SELECT organization_id, source_kind, source_id, project_id, model, input_tokens, output_tokens, cost_usd, at
        FROM one WHERE at IS NOT NULL
      ), of_hold AS (
        SELECT organization_id, day, source_kind, source_id, sum(greatest(0, reserved - spent)) AS usd
        FROM one WHERE is_of_hold GROUP BY 1, 2, 3, 4
      ), returned AS (
        UPDATE model_holds AS held SET left_usd = left_usd + of_hold.usd FROM of_hold
        WHERE held.organization_id = of_hold.organization_id AND held.day = of_hold.day
          AND held.source_kind = of_hold.source_kind AND held.source_id = of_hold.source_id
        RETURNING held.organization_id, held.day, of_hold.usd
      ), of_day AS (
        SELECT organization_id, day, sum(spent) AS spent, sum(reserved) - coalesce((
          SELECT sum(usd) FROM returned
          WHERE returned.organization_id = one.organization_id AND returned.day = one.day
        ), 0) AS released
        FROM one GROUP BY organization_id, day
      )
      INSERT INTO model_budget_days AS before (organization_id, day, spent_usd)
      SELECT organization_id, day, spent FROM of_day ORDER BY organization_id, day
      ON CONFLICT (organization_id, day) DO UPDATE SET
        spent_usd = before.spent_usd + excluded.spent_usd,
        held_usd = greatest(0, before.held_usd - (
          SELECT released FROM of_day
          WHERE of_day.organization_id = excluded.organization_id AND of_day.day = excluded.day
        ))`,
    values: [
      column(({ organizationId }) => organizationId),
      column(({ day }) => day),
      column(({ source }) => source.kind),
      column(({ source }) => source.id),
      column(({ reservedUsd }) => reservedUsd),
      column(({ isOfHold }) => isOfHold),
      column(({ spentUsd }) => spentUsd),
      column(({ call }) => call?.projectId),
      column(({ call }) => call?.model),
      column(({ call }) => call?.inputTokens),
      column(({ call }) => call?.outputTokens),
      column(({ call }) => call?.costUsd),
      column(({ call }) => call && new Date(call.at)),
      column(({ intentId }) => intentId),
    ],
  });
}
