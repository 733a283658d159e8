/** @module The SQL of calibrations, apart from what all kinds of runs share (`runs/store.ts`). */

import type { CalibrationId, ProjectId, ScenarioId } from "@fettle/contract/core";
import type { PersonaDriver } from "@fettle/contract/visitors";
import { and, desc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { isAfterPlace } from "../../../core/db/keyset.ts";
import type { Querier, Transaction } from "../../../core/db/pool.ts";
import { asJsonb } from "../../../core/db/storable.ts";
import type { PlaceOf } from "../../../core/routing/page.ts";
import { calibrations } from "../../../core/tables/calibrations.ts";
import { scenarioSessions, scenarios } from "../../../core/tables/user-testing.ts";
import type { FrozenCalibration, PlayedAgain } from "./frozen.ts";

export type CalibrationRow = typeof calibrations.$inferSelect;
export type CalibrationValues = typeof calibrations.$inferInsert;

export const frozenOf = ({ frozen }: CalibrationRow): FrozenCalibration | null =>
  // Only `start.ts` fills the column.
  frozen as FrozenCalibration | null;
export const playedOf = ({ played }: CalibrationRow): PlayedAgain[] =>
  // Only `addPlayed` does.
  played as PlayedAgain[];

export async function findCalibration(
  db: Querier,
  projectId: ProjectId,
  id: CalibrationId,
): Promise<CalibrationRow | undefined> {
  const [row] = await db
    .select()
    .from(calibrations)
    .where(and(eq(calibrations.id, id), eq(calibrations.projectId, projectId)));
  return row;
}

export async function listCalibrations(
  db: Querier,
  projectId: ProjectId,
  before: PlaceOf<"calibration"> | undefined,
  limit: number,
): Promise<CalibrationRow[]> {
  const { createdAt, id } = calibrations;
  return db
    .select()
    .from(calibrations)
    .where(and(eq(calibrations.projectId, projectId), isAfterPlace({ at: createdAt, id }, before)))
    .orderBy(desc(createdAt), desc(id))
    .limit(limit);
}

/** The one whose figures hold for visitors played like this. */
export async function findLatest(
  db: Querier,
  projectId: ProjectId,
  driver: PersonaDriver,
  models: readonly string[],
): Promise<CalibrationRow | undefined> {
  const [row] = await db
    .select()
    .from(calibrations)
    .where(
      and(
        eq(calibrations.projectId, projectId),
        eq(calibrations.status, "completed"),
        eq(calibrations.personaDriver, driver),
        // Rules are the same whoever answers; a model is measured for itself.
        driver === "rules" ? undefined : inArray(calibrations.model, [...models]),
      ),
    )
    .orderBy(desc(calibrations.endedAt))
    .limit(1);
  return row;
}

export async function addPlayed(
  tx: Transaction,
  id: CalibrationId,
  played: readonly PlayedAgain[],
): Promise<void> {
  await tx
    .update(calibrations)
    .set({ played: sql`${calibrations.played} || ${asJsonb(played)}` })
    .where(and(eq(calibrations.id, id), eq(calibrations.status, "running")));
}

export async function findScenario(db: Querier, projectId: ProjectId, id: ScenarioId) {
  const [row] = await db
    .select({ name: scenarios.name, environmentId: scenarios.environmentId })
    .from(scenarios)
    .where(and(eq(scenarios.id, id), eq(scenarios.projectId, projectId), isNull(scenarios.unpublishedAt)));
  return row;
}

/** Of real visitors who said something, the newest first. */
export async function listVisits(db: Querier, scenarioId: ScenarioId, limit: number) {
  const { id, ended, population, latencies, lastActivityAt } = scenarioSessions;
  const rows = await db
    .select({ id })
    .from(scenarioSessions)
    .where(
      and(
        eq(scenarioSessions.scenarioId, scenarioId),
        eq(population, "real"),
        or(isNull(ended), inArray(ended, ["visitor", "idle", "access"])),
        sql`cardinality(${latencies}) > 0`,
      ),
    )
    .orderBy(desc(lastActivityAt), desc(id))
    .limit(limit);
  return rows.map((row) => row.id);
}
