/** @module Reads calibrations, and says of a run how far its visitors lie from real ones. */
import type { Page, ProjectId } from "@fettle/contract/core";
import type { Calibration, PersonaDriver, RunCalibration } from "@fettle/contract/visitors";
import type { App } from "../../../core/app.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { cutPage, readPlace, writeCursor } from "../../../core/routing/page.ts";
import * as store from "./store.ts";

export async function listCalibrations(
  app: App,
  projectId: ProjectId,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<Calibration>> {
  const rows = await store.listCalibrations(app.db, projectId, readPlace<"calibration">(cursor), limit + 1);
  const { shown, next } = cutPage(rows, limit, (last) => writeCursor(last.createdAt, last.id));
  return { items: shown.map(toCalibration), ...next };
}

export function toCalibration(row: store.CalibrationRow): Calibration {
  const { id, projectId, status, error, source, environmentId, environmentName, personaDriver, model } = row;
  const played = store.playedOf(row);
  return {
    id,
    projectId,
    status,
    error,
    source,
    environmentId,
    environmentName,
    personaDriver,
    model,
    sessionsTotal: row.sessionsTotal,
    sessionsPlayed: played.length,
    sessionsBroken: played.filter(({ simulated }) => simulated === null).length,
    report: row.report,
    createdAt: row.createdAt.getTime(),
    endedAt: row.endedAt?.getTime() ?? null,
  };
}

/** By the latest one of the same driver; null: nobody has measured it. */
export async function calibrationOf(
  db: Querier,
  projectId: ProjectId,
  driver: PersonaDriver,
  models: readonly string[],
): Promise<RunCalibration | null> {
  const row = await store.findLatest(db, projectId, driver, models);
  if (!row?.report || !row.endedAt) return null;
  const { id, source, environmentName, personaDriver, model, report, endedAt } = row;
  return {
    id,
    source,
    environmentName,
    personaDriver,
    model,
    sessions: report.sessions,
    ...report.overall,
    endedAt: endedAt.getTime(),
  };
}
