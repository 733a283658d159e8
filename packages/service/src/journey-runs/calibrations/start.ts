/** @module Begins a calibration: which sessions, where, and by whom they are played is settled here, and frozen. */
import {
  ApiError,
  type Calibration,
  type CalibrationCreateRequest,
  type CalibrationSource,
  type EnvironmentId,
  type OrganizationId,
  type ProjectId,
  swarmLimits,
  type UserId,
} from "@fettle/contract";
import { announceInProject } from "../../accounts/announce.ts";
import type { App } from "../../app.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import type { Querier } from "../../db/pool.ts";
import { listNamed } from "../../environments/store.ts";
import { ofEnvironment } from "../../eval-runs/target.ts";
import { newId } from "../../id.ts";
import { takeTokenIn, tooManyRequests } from "../../limits/limits.ts";
import { openModel } from "../../models/open-model.ts";
import { modelOf, placeOf } from "../plan.ts";
import { bookshopSessions } from "./bookshop.ts";
import { toCalibration } from "./calibrations.ts";
import type { RecordedSession } from "./frozen.ts";
import { playCalibrationJob } from "./play.ts";
import { readVisits } from "./recorded.ts";
import * as store from "./store.ts";

export interface Asking {
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
  const { source, environmentId, sessions } = await gather(app, projectId, wanted);
  const target = await app.db.transaction(async (tx) => ({
    ...(await ofEnvironment(tx, { projectId, systemPrompt: null }, environmentId, {}, {})),
    kind: "environment" as const,
    id: environmentId,
  }));
  if (target.config?.requireToolApproval === true) {
    throw refuse(
      "APPROVAL_UNSUPPORTED",
      "The client asks a person before every call, and a synthetic visitor cannot approve.",
    );
  }
  const name = modelOf(target);
  const known = await openModel(app, {
    organizationId,
    projectId,
    name,
    source: { kind: "calibration", id: projectId },
  });
  const place = placeOf(target, new Map([[name, known]]))!;
  const now = app.now();
  const id = newId("calibration", now);
  return inTransaction(db, async (tx) => {
    const taken = await takeTokenIn(tx, "journeyLaunch", organizationId);
    if (!taken.allowed) throw tooManyRequests(taken.retryAfter);
    const row = await store.insertCalibration(tx, {
      id,
      projectId,
      status: "running",
      source,
      environmentId,
      environmentName: target.name,
      personaDriver: place.driver,
      model: place.model,
      sessionsTotal: sessions.length,
      frozen: { place, sessions, now },
      createdBy: userId,
      createdAt: new Date(now),
    });
    const input = { projectId, organizationId, calibrationId: id, userId };
    await app.jobs.enqueue(playCalibrationJob, input, { singletonKey: id, inTransaction: tx });
    await announceInProject(app, tx, projectId, "calibrations");
    return toCalibration(row);
  });
}

interface Gathered {
  source: CalibrationSource;
  environmentId: EnvironmentId;
  sessions: readonly RecordedSession[];
}

async function gather(
  app: App,
  projectId: ProjectId,
  { scenarioId, environmentId }: CalibrationCreateRequest,
): Promise<Gathered> {
  if (scenarioId === undefined) {
    return {
      source: { kind: "shipped", set: "bookshop" },
      environmentId: environmentId ?? (await onlyEnvironment(app, projectId)),
      sessions: bookshopSessions,
    };
  }
  const scenario = await store.findScenario(app.db, projectId, scenarioId);
  if (!scenario) throw refuse("UNKNOWN_SCENARIO", "There is no such scenario in this project.");
  const sessions = await readVisits(app, scenarioId);
  const { min } = swarmLimits.calibrationSessions;
  if (sessions.length < min) {
    throw refuse(
      "TOO_FEW_SESSIONS",
      `The scenario has ${sessions.length} finished sessions; a figure takes ${min}.`,
      {
        hint: "Calibrate with the set that comes with the service, or wait for more visitors.",
      },
    );
  }
  return {
    source: { kind: "scenario", scenarioId, name: scenario.name },
    environmentId: environmentId ?? scenario.environmentId,
    sessions,
  };
}

async function onlyEnvironment(app: App, projectId: ProjectId): Promise<EnvironmentId> {
  const [first, ...others] = await listNamed(app.db, projectId, false);
  if (first && others.length === 0) return first.id;
  throw refuse("ENVIRONMENT_REQUIRED", "Say in which environment the sessions are played again.", {
    path: "body.environmentId",
    hint: "The set that comes with the service was recorded in the sample bookshop: name an environment with that server.",
  });
}

function refuse(code: string, message: string, details: Record<string, unknown> = {}): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { code, reason: code, ...details });
}
