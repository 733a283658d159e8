/** @module The SQL of envelopes, of what is kept of conversations, and of the daily ledger. */
import type { OrganizationId, ProjectId } from "@fettle/contract/core";
import type { InsightScope } from "@fettle/contract/insights";
import { factsVersion, minerVersion, type UnitFacts, type UnitKind } from "@fettle/insights";
import { and, eq, inArray, sql } from "drizzle-orm";
import { oneRow } from "../core/db/one-row.ts";
import type { Querier, Transaction } from "../core/db/pool.ts";
import { insightFacts, insightLedger, insights } from "../core/tables/insights.ts";
import { jobs } from "../core/tables/jobs.ts";
import type { OpenScope, ScopeKey } from "./source.ts";

export type InsightsRow = typeof insights.$inferSelect;
type Values = typeof insights.$inferInsert;

const isOf = ({ kind, id }: ScopeKey) => and(eq(insights.scopeKind, kind), eq(insights.scopeId, id));

/** With whether whoever was to make it is still there. */
export async function findInsights(
  db: Querier,
  key: ScopeKey,
): Promise<(InsightsRow & { isAtWork: boolean }) | undefined> {
  const [found] = await db
    .select({
      row: insights,
      isAtWork: sql<boolean>`coalesce(${jobs.state} in ('waiting', 'running'), false)`,
    })
    .from(insights)
    .leftJoin(jobs, eq(jobs.id, insights.jobId))
    .where(isOf(key));
  return found && { ...found.row, isAtWork: found.isAtWork };
}

/** The row of a scope, made if need be and held until the commit: of two who ask at once, one comes after the other. */
export async function lockInsights(
  tx: Transaction,
  scope: InsightScope,
  { projectId, family }: Pick<OpenScope, "projectId" | "family">,
  at: Date,
): Promise<InsightsRow> {
  const blank: Values = {
    scopeKind: scope.kind,
    scopeId: scope.id,
    projectId,
    familyKind: family.kind,
    familyId: family.id,
    scope,
    status: "not_requested",
    updatedAt: at,
  };
  await tx.insert(insights).values(blank).onConflictDoNothing();
  return oneRow(await tx.select().from(insights).where(isOf(scope)).for("update"));
}

/** Whether other rules than those of now made what it says. */
export const isOutdated = (row: Pick<InsightsRow, "analysis" | "minerVersion">) =>
  row.analysis !== null && row.minerVersion !== minerVersion;

export async function updateInsights(tx: Querier, key: ScopeKey, change: Partial<Values>): Promise<void> {
  await tx.update(insights).set(change).where(isOf(key));
}

/** False when somebody asked anew or cancelled since: what this job found is worth nothing any more. */
export async function updateGeneration(
  tx: Transaction,
  key: ScopeKey,
  generation: number,
  change: Partial<Values>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(insights)
    .set(change)
    .where(and(isOf(key), eq(insights.generation, generation), eq(insights.status, "pending")));
  return rowCount === 1;
}

export async function deleteInsights(tx: Querier, key: ScopeKey): Promise<void> {
  await tx.delete(insights).where(isOf(key));
}

/** Those of these conversations that are known as they are now. */
export async function findFacts(
  db: Querier,
  kind: UnitKind,
  units: readonly { id: string; stamp: string }[],
): Promise<Map<string, UnitFacts>> {
  if (units.length === 0) return new Map();
  const { unitKind, unitId, version, stamp, facts } = insightFacts;
  const rows = await db
    .select({ unitId, stamp, facts })
    .from(insightFacts)
    .where(
      and(
        eq(unitKind, kind),
        eq(version, factsVersion),
        inArray(
          unitId,
          units.map(({ id }) => id),
        ),
      ),
    );
  const stamps = new Map(units.map((unit) => [unit.id, unit.stamp]));
  return new Map(
    rows.flatMap((row) => (stamps.get(row.unitId) === row.stamp ? [[row.unitId, row.facts]] : [])),
  );
}

export async function saveFacts(
  db: Querier,
  projectId: ProjectId,
  made: readonly { facts: UnitFacts; stamp: string }[],
): Promise<void> {
  if (made.length === 0) return;
  const values = made.map(({ facts, stamp }) => ({
    unitKind: facts.kind,
    unitId: facts.unitId,
    projectId,
    version: factsVersion,
    stamp,
    facts,
  }));
  await db
    .insert(insightFacts)
    .values(values)
    .onConflictDoUpdate({
      target: [insightFacts.unitKind, insightFacts.unitId],
      set: { version: sql`excluded.version`, stamp: sql`excluded.stamp`, facts: sql`excluded.facts` },
    });
}

export async function readLedger(db: Querier, organizationId: OrganizationId, day: string): Promise<number> {
  const [row] = await db
    .select({ used: insightLedger.used })
    .from(insightLedger)
    .where(and(eq(insightLedger.organizationId, organizationId), eq(insightLedger.day, day)));
  return row?.used ?? 0;
}

/** False when the day's are used up: of two who take the last at once, one gets it. */
export async function takeFromLedger(
  db: Querier,
  organizationId: OrganizationId,
  day: string,
  perDay: number | null,
): Promise<boolean> {
  if (perDay === 0) return false;
  const { used } = insightLedger;
  const { rowCount } = await db
    .insert(insightLedger)
    .values({ organizationId, day, used: 1 })
    .onConflictDoUpdate({
      target: [insightLedger.organizationId, insightLedger.day],
      set: { used: sql`${used} + 1` },
      ...(perDay !== null && { setWhere: sql`${used} < ${perDay}` }),
    });
  return rowCount === 1;
}

export async function forgetLedger(db: Querier, before: string): Promise<void> {
  await db.delete(insightLedger).where(sql`${insightLedger.day} < ${before}`);
}
