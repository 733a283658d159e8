/** @module How many sessions of a scenario were begun. Counted by the transaction that begins one, where nobody waits for it. */
import type { ScenarioId } from "@fettle/contract/core";
import type { Population } from "@fettle/contract/visitors";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { scenarios, scenarioTallies } from "../../core/tables/user-testing.ts";

/** More than a deployment has connections at work on one scenario, and few enough to add up. */
const slots = 64;

export async function countOne(
  tx: Transaction,
  scenarioId: ScenarioId,
  population: Population,
  sessions = 1,
): Promise<void> {
  await tx
    .insert(scenarioTallies)
    .values({ scenarioId, population, slot: sql`pg_backend_pid() % ${sql.raw(String(slots))}`, sessions })
    .onConflictDoUpdate({
      target: [scenarioTallies.scenarioId, scenarioTallies.population, scenarioTallies.slot],
      set: { sessions: sql`${scenarioTallies.sessions} + ${sessions}` },
    });
}

export type Begun = Record<Population, number>;

/** Of each of them, zeros included. */
export async function countBegun<Id extends ScenarioId>(
  db: Querier,
  ids: readonly Id[],
): Promise<(id: Id) => Begun> {
  const { scenarioId, population, sessions } = scenarioTallies;
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ scenarioId, population, begun: sql<number>`sum(${sessions})::integer` })
          .from(scenarioTallies)
          .where(inArray(scenarioId, [...ids]))
          .groupBy(scenarioId, population);
  return (id) => {
    const begun: Begun = { real: 0, synthetic: 0 };
    for (const row of rows) if (row.scenarioId === id) begun[row.population] += row.begun;
    return begun;
  };
}

/** Somebody has come to it who counts as a visitor. */
export const isVisited = (db: Querier) =>
  inArray(
    scenarios.id,
    db
      .select({ id: scenarioTallies.scenarioId })
      .from(scenarioTallies)
      .where(and(eq(scenarioTallies.population, "real"))),
  );
