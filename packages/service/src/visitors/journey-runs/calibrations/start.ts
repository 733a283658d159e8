/** @module Begins a calibration: what it depends on is frozen, and what it may cost set aside, in the one transaction that makes it. */
import type { OrganizationId, ProjectId, UserId } from "@fettle/contract/core";
import type { Calibration, CalibrationCreateRequest } from "@fettle/contract/visitors";
import type { App } from "../../../core/app.ts";
import { stillThere } from "../../../core/db/changed-meanwhile.ts";
import { inTransaction } from "../../../core/db/in-transaction.ts";
import type { Querier } from "../../../core/db/pool.ts";
import { newId } from "../../../core/id.ts";
import { takeTokenIn, tooManyRequests } from "../../../core/limits/limits.ts";
import { holderOf } from "../../../models/budget.ts";
import { launchRun } from "../../../runs/life/life.ts";
import { toCalibration } from "./calibrations.ts";
import type { FrozenCalibration } from "./frozen.ts";
import { calibrationKind } from "./kind.ts";
import { planCalibration } from "./plan.ts";
import { playCalibrationJob } from "./play.ts";
import type { CalibrationRow } from "./store.ts";

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
    const values = {
      id,
      projectId,
      source,
      // Frozen from the environment's own row.
      environmentId: place.target.id as CalibrationRow["environmentId"],
      environmentName,
      personaDriver: place.driver,
      model: place.model,
      sessionsTotal: sessions.length,
      frozen,
      createdBy: userId,
      createdAt: new Date(now),
    };
    const input = { projectId, organizationId, calibrationId: id, userId };
    const estimate = { hold, usd: costUsd };
    const launch = { values, job: playCalibrationJob, input, estimate };
    const row = await launchRun(app, tx, calibrationKind, launch);
    // It has no key that another could have taken.
    return toCalibration(stillThere(row));
  });
}
