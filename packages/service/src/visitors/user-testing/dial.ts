/**
 * @module What a scenario's visitors may cost a day. Money is set aside before each call of a model, and the true cost takes its
 * place: however many turns run at once, they cannot pass the dial together. Turning it down counts from the next call on.
 */
import { limits, type ScenarioId } from "@fettle/contract/core";
import { ModelError, ruleModelId } from "@fettle/evals";
import { and, eq } from "drizzle-orm";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { scenarioSpendDays } from "../../core/tables/user-testing.ts";
import { creditUsd, dayOf } from "../../models/budget.ts";
import type { SpendDial } from "../../models/ledger.ts";
import { turnedAway } from "./refuse.ts";
import type { ScenarioRow } from "./store.ts";

/** `$3` more is set aside, unless that and everything before would pass the dial as it stands. */
const takeSql = `
  WITH dial AS (
    SELECT (guest_execution ->> 'dailyCreditCap')::numeric * ${creditUsd} AS usd FROM scenarios WHERE id = $1
  )
  INSERT INTO scenario_spend_days AS of_day (scenario_id, day, held_usd)
  SELECT $1, $2::date, $3::numeric FROM dial WHERE $3::numeric <= dial.usd
  ON CONFLICT (scenario_id, day) DO UPDATE SET held_usd = of_day.held_usd + $3::numeric
  WHERE of_day.spent_usd + of_day.held_usd + $3::numeric <= (SELECT usd FROM dial)`;

const settleSql = `
  UPDATE scenario_spend_days
  SET held_usd = greatest(0, held_usd - $3::numeric), spent_usd = spent_usd + $4::numeric
  WHERE scenario_id = $1 AND day = $2::date`;

export function createDial(app: App, scenarioId: ScenarioId): SpendDial {
  return {
    async reserve({ model, usd }) {
      if (usd === null) {
        throw new ModelError(
          "MODEL_PRICE_UNKNOWN",
          `The scenario has a daily limit, and what ${model} costs is unknown.`,
        );
      }
      const { day, resetsAt } = dayOf(app.now());
      const taken = await app.pool.query({
        name: "take_scenario_dial",
        text: takeSql,
        values: [scenarioId, day, usd],
      });
      if (taken.rowCount !== 1) {
        throw new ModelError("MODEL_SPEND_LIMIT", "The scenario's daily limit for visitors is reached.", {
          retryAfterMs: resetsAt - app.now(),
        });
      }
      return async (spentUsd) => {
        const values = [scenarioId, day, usd, spentUsd];
        await app.pool.query({ name: "settle_scenario_dial", text: settleSql, values });
      };
    },
  };
}

/** Before anything is connected: whether anything is left at all. Models that cost nothing go on. */
export async function requireLeft(
  app: App,
  tx: Transaction,
  { id, guestExecution }: ScenarioRow,
  model: string,
): Promise<void> {
  if (model === ruleModelId) return;
  const { day, resetsAt } = dayOf(app.now());
  const { spentUsd, heldUsd } = scenarioSpendDays;
  const [row] = await tx
    .select({ spentUsd, heldUsd })
    .from(scenarioSpendDays)
    .where(and(eq(scenarioSpendDays.scenarioId, id), eq(scenarioSpendDays.day, day)));
  const used = (row?.spentUsd ?? 0) + (row?.heldUsd ?? 0);
  if (used < guestExecution.dailyCreditCap * creditUsd) return;
  const wait = Math.min(limits.rate.maxRetryAfterSeconds, Math.ceil((resetsAt - app.now()) / 1000));
  throw turnedAway("RATE_LIMITED", "DAILY_CAP_REACHED", { resetsAt }, wait);
}
