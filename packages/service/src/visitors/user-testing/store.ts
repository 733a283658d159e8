/** @module The SQL of scenarios and of who is invited to them. */
import type { EnvironmentId, ProjectId, ScenarioId, ScenarioMemberId } from "@fettle/contract/core";
import { and, asc, desc, eq, isNotNull, lt, max, or, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { published, scenarioMembers, scenarios, scenarioVisitors } from "../../core/tables/user-testing.ts";

export type ScenarioRow = typeof scenarios.$inferSelect;
export type MemberRow = typeof scenarioMembers.$inferSelect;

export async function findScenario(
  db: Querier,
  projectId: ProjectId,
  id: ScenarioId,
): Promise<ScenarioRow | undefined> {
  const [row] = await db
    .select()
    .from(scenarios)
    .where(and(eq(scenarios.id, id), eq(scenarios.projectId, projectId), published));
  return row;
}

export async function listScenarios(db: Querier, projectId: ProjectId): Promise<ScenarioRow[]> {
  return db
    .select()
    .from(scenarios)
    .where(and(eq(scenarios.projectId, projectId), published))
    .orderBy(desc(scenarios.createdAt), desc(scenarios.id));
}

export async function findOfEnvironment(
  db: Querier,
  environmentId: EnvironmentId,
): Promise<ScenarioRow | undefined> {
  const [row] = await db
    .select()
    .from(scenarios)
    .where(and(eq(scenarios.environmentId, environmentId), published));
  return row;
}

/** Undefined when the environment is published already: of any number of writers one makes the row. */
export async function insertScenario(
  db: Querier,
  values: typeof scenarios.$inferInsert,
): Promise<ScenarioRow | undefined> {
  const [row] = await db
    .insert(scenarios)
    .values(values)
    .onConflictDoNothing({ target: scenarios.environmentId, where: published })
    .returning();
  return row;
}

export async function changeScenario(
  db: Querier,
  id: ScenarioId,
  change: PgUpdateSetSource<typeof scenarios>,
): Promise<ScenarioRow | undefined> {
  const [row] = await db
    .update(scenarios)
    .set(change)
    .where(and(eq(scenarios.id, id), published))
    .returning();
  return row;
}

/** Waits for whoever is being let in, and lets nobody in meanwhile. Taken before anything else of the scenario is changed. */
export async function lockScenario(tx: Transaction, id: ScenarioId): Promise<ScenarioRow | undefined> {
  const [row] = await tx
    .select()
    .from(scenarios)
    .where(and(eq(scenarios.id, id), published))
    .for("update");
  return row;
}

/**
 * Until the transaction ends nobody takes `lockScenario`, so nobody changes who may come. Not `FOR SHARE`: of two who share a row
 * and then change it, each waits for the other.
 */
export async function holdScenario(tx: Transaction, id: ScenarioId): Promise<ScenarioRow | undefined> {
  const [row] = await tx.select().from(scenarios).where(eq(scenarios.id, id)).for("key share");
  return row;
}

/** Which scenario a link opens, and whose it is if it is one person's. */
export async function findByLink(
  db: Querier,
  linkHash: string,
): Promise<{ scenario: ScenarioRow; member: MemberRow | null } | undefined> {
  const [row] = await db
    .select({ scenario: scenarios, member: scenarioMembers })
    .from(scenarios)
    .leftJoin(
      scenarioMembers,
      and(eq(scenarioMembers.scenarioId, scenarios.id), eq(scenarioMembers.linkHash, linkHash)),
    )
    .where(and(published, or(eq(scenarios.linkHash, linkHash), isNotNull(scenarioMembers.id))))
    .limit(1);
  return row;
}

/** The one that is there already, or the new one. */
export async function upsertMember(
  db: Querier,
  values: typeof scenarioMembers.$inferInsert,
): Promise<MemberRow> {
  return oneRow(
    await db
      .insert(scenarioMembers)
      .values(values)
      .onConflictDoUpdate({
        target: [scenarioMembers.scenarioId, scenarioMembers.email],
        // Nothing changes; without an update the row would not come back.
        set: { email: values.email },
      })
      .returning(),
  );
}

export async function countMembers(db: Querier, scenarioId: ScenarioId): Promise<number> {
  return db.$count(scenarioMembers, eq(scenarioMembers.scenarioId, scenarioId));
}

export async function listMembers(db: Querier, scenarioId: ScenarioId) {
  return db
    .select({
      id: scenarioMembers.id,
      email: scenarioMembers.email,
      createdAt: scenarioMembers.createdAt,
      lastVisitAt: max(scenarioVisitors.lastSeenAt),
    })
    .from(scenarioMembers)
    .leftJoin(scenarioVisitors, eq(scenarioVisitors.memberId, scenarioMembers.id))
    .where(eq(scenarioMembers.scenarioId, scenarioId))
    .groupBy(scenarioMembers.id)
    .orderBy(asc(scenarioMembers.email));
}

export async function findMember(
  db: Querier,
  scenarioId: ScenarioId,
  by: { id: ScenarioMemberId } | { email: string },
): Promise<MemberRow | undefined> {
  const [row] = await db
    .select()
    .from(scenarioMembers)
    .where(
      and(
        eq(scenarioMembers.scenarioId, scenarioId),
        "id" in by ? eq(scenarioMembers.id, by.id) : eq(scenarioMembers.email, by.email),
      ),
    );
  return row;
}

export async function deleteMember(db: Querier, id: ScenarioMemberId): Promise<void> {
  await db.delete(scenarioMembers).where(eq(scenarioMembers.id, id));
}

/** Those that were taken down long ago; their sessions are gone by then. */
export async function deleteForgotten(db: Querier, before: Date): Promise<void> {
  await db.delete(scenarios).where(lt(scenarios.unpublishedAt, before));
}

export const oneMore = (column: "accessVersion") => sql`${scenarios[column]} + 1`;
