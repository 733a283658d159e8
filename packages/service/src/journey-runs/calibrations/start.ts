/** @module Begins a calibration: what it depends on is frozen, and what it may cost set aside, in the one transaction that makes it. */
import type {
  Calibration,
  CalibrationCreateRequest,
  OrganizationId,
  ProjectId,
  UserId,
} from "@fettle/contract";
import { announceInProject } from "../../accounts/announce.ts";
import type { App } from "../../app.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import type { Querier } from "../../db/pool.ts";
import { newId } from "../../id.ts";
import { takeTokenIn, tooManyRequests } from "../../limits/limits.ts";
import { holderOf } from "../../models/budget.ts";
import { toCalibration } from "./calibrations.ts";
import { type FrozenCalibration, sourceOf } from "./frozen.ts";
import { planCalibration } from "./plan.ts";
import { playCalibrationJob } from "./play.ts";
import * as store from "./store.ts";

interface Asking {
  projectId: ProjectId;
  organizationId: OrganizationId;
  userId: UserId;
}

export async function startCalibration(
  app: App,
  db: Querier,
  { projectId, organizationId, userId }: Asking,
  wanted: CalibrationCreateRequest,
): Promise<Calibration> {
  const { place, sessions, estimate } = await planCalibration(app, { projectId, organizationId }, wanted);
  const { source, environmentName, costUsd } = estimate;
  const hold = await holderOf(app, organizationId);
  const now = app.now();
  const id = newId("calibration", now);
  const frozen: FrozenCalibration = { place, sessions: [...sessions], now, spendLimitUsd: costUsd };
  return inTransaction(db, async (tx) => {
    const taken = await takeTokenIn(tx, "journeyLaunch", organizationId);
    if (!taken.allowed) throw tooManyRequests(taken.retryAfter);
    const row = await store.insertCalibration(tx, {
      id,
      projectId,
      status: "running",
      source,
      // Frozen from the environment's own row.
      environmentId: place.target.id as store.CalibrationRow["environmentId"],
      environmentName,
      personaDriver: place.driver,
      model: place.model,
      sessionsTotal: sessions.length,
      frozen,
      createdBy: userId,
      createdAt: new Date(now),
    });
    const input = { projectId, organizationId, calibrationId: id, userId };
    await app.jobs.enqueue(playCalibrationJob, input, { singletonKey: id, inTransaction: tx });
    await announceInProject(app, tx, projectId, "calibrations");
    await hold(tx, sourceOf(id), costUsd);
    return toCalibration(row);
  });
}
