/** @module A calibration as it would be now: which sessions, where, by whom they are played, and what that costs at most. Everything that can be refused is refused here. */
import type { EnvironmentId, OrganizationId, ProjectId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import {
  type CalibrationCreateRequest,
  type CalibrationEstimate,
  type CalibrationSource,
  swarmLimits,
} from "@fettle/contract/visitors";
import type { App } from "../../../core/app.ts";
import { listNamed } from "../../../environments/saved/store.ts";
import { ofEnvironment } from "../../../environments/targets/target.ts";
import { openModel } from "../../../models/open-model.ts";
import type { FrozenPlace } from "../frozen.ts";
import { refuse } from "../places.ts";
import { modelOf, placeOf, sessionCalls, spendOf } from "../plan.ts";
import { bookshopSessions } from "./bookshop.ts";
import type { RecordedSession } from "./frozen.ts";
import { readVisits } from "./recorded.ts";
import * as store from "./store.ts";

export interface CalibrationPlan {
  place: FrozenPlace;
  sessions: readonly RecordedSession[];
  estimate: CalibrationEstimate;
}

export async function planCalibration(
  app: App,
  { projectId, organizationId }: { projectId: ProjectId; organizationId: OrganizationId },
  wanted: CalibrationCreateRequest,
): Promise<CalibrationPlan> {
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
  const asking = { organizationId, projectId, name, source: { kind: "calibration", id: projectId } };
  const models = new Map([[name, await openModel(app, asking)]]);
  const place = must(placeOf(target, models), "the place of a model that was just opened");
  const size = { sessions: sessions.length, maxTurns: swarmLimits.calibrationTurns };
  return {
    place,
    sessions,
    estimate: {
      source,
      environmentId,
      environmentName: target.name,
      personaDriver: place.driver,
      model: place.model,
      sessions: sessions.length,
      ...spendOf(sessionCalls(place, models, size)),
    },
  };
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
