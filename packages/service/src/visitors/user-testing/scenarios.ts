/** @module What people of a project do with its scenarios. Whatever narrows access does so at once, for those who are in, too. */

import { ApiError, type EnvironmentId, limits, type ProjectId, type UserId } from "@fettle/contract/core";
import {
  GuestExecution,
  type Scenario,
  type ScenarioPublishRequest,
  type ScenarioUpdateRequest,
  scenarioModes,
  type UserTestingScenario,
} from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId } from "../../core/id.ts";
import { nextUpdate } from "../../core/routing/as-read.ts";
import { notFound } from "../../core/routing/not-found.ts";
import { findEnvironment } from "../../environments/saved/store.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { linkPath, makeLink } from "./link.ts";
import { endAllSessions } from "./narrow-access.ts";
import * as store from "./store.ts";

/** What guests may use up until somebody says otherwise. */
const usualGuestExecution = GuestExecution.parse({
  enabled: true,
  computerEnabled: false,
  sharedSkillsEnabled: true,
  dailyCreditCap: limits.userTesting.usualCreditCap,
  dailyComputerStartCap: 0,
  maxConcurrentComputers: 0,
});

const untitled = "Untitled test";

/** The one place where a link is told. `origin`: the address this service is known by. */
export function linkOf(app: App, row: store.ScenarioRow, origin: string): { path: string; url: string } {
  const path = linkPath(app, `scenarios/${row.id}`, row);
  return { path, url: `${origin}${path}` };
}

function toScenario(app: App, row: store.ScenarioRow, origin: string): Scenario {
  const { id, projectId, environmentId, name, mode, accessVersion } = row;
  return { id, projectId, environmentId, name, mode, accessVersion, link: linkOf(app, row, origin).url };
}

export function toUserTestingScenario(row: store.ScenarioRow): UserTestingScenario {
  const { id, projectId, name, description, mode, feedback } = row;
  return { id, projectId, name, description, mode, feedback };
}

export interface Change {
  projectId: ProjectId;
  userId: UserId;
  origin: string;
}

async function requirePublishable(tx: Transaction, projectId: ProjectId, id: EnvironmentId) {
  const environment = await findEnvironment(tx, projectId, id);
  if (!environment) throw notFound("environment");
  if (environment.archivedAt) {
    throw new ApiError("CONFLICT", "The environment is archived.", { code: "ENV_ARCHIVED" });
  }
  return environment;
}

/** One scenario per environment: the second call answers with the first one's, whatever it asks for. */
export async function publishScenario(
  app: App,
  { projectId, userId, origin }: Change,
  environmentId: EnvironmentId,
  request: ScenarioPublishRequest,
): Promise<Scenario> {
  return app.db.transaction(async (tx) => {
    const environment = await requirePublishable(tx, projectId, environmentId);
    const id = newId("scenario", app.now());
    const now = new Date(app.now());
    const made = await store.insertScenario(tx, {
      id,
      projectId,
      environmentId,
      name: request.name ?? environment.name ?? untitled,
      description: request.description || null,
      mode: request.mode ?? "project_members",
      feedback: request.feedback ?? "off",
      guestExecution: usualGuestExecution,
      ...makeLink(app, `scenarios/${id}`),
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    if (made) {
      await announceInProject(app, tx, projectId, "scenarios");
      return { ...toScenario(app, made, origin), created: true, overridesIgnored: false };
    }
    // Whoever made it meanwhile has committed, or there would have been no conflict.
    const held = stillThere(await store.findOfEnvironment(tx, environmentId));
    const overridesIgnored = Object.keys(request).length > 0;
    return { ...toScenario(app, held, origin), created: false, overridesIgnored };
  });
}

export async function unpublishScenario(
  app: App,
  projectId: ProjectId,
  environmentId: EnvironmentId,
): Promise<{ environmentId: string; deleted: boolean; id?: string }> {
  return app.db.transaction(async (tx) => {
    const environment = await findEnvironment(tx, projectId, environmentId);
    if (!environment) throw notFound("environment");
    const row = await store.findOfEnvironment(tx, environmentId);
    const gone =
      row &&
      (await store.lockScenario(tx, row.id)) &&
      (await store.changeScenario(tx, row.id, {
        unpublishedAt: new Date(app.now()),
        accessVersion: store.oneMore("accessVersion"),
      }));
    if (!gone) return { environmentId, deleted: false };
    await endAllSessions(app, tx, gone);
    return { environmentId, deleted: true, id: gone.id };
  });
}

export async function updateScenario(
  app: App,
  row: store.ScenarioRow,
  { name, description, mode, feedback, expectedUpdatedAt }: ScenarioUpdateRequest,
): Promise<UserTestingScenario> {
  return changing(app, row, async (tx, before) => {
    const isNarrower = mode !== undefined && widthOf(mode) < widthOf(before.mode);
    const changed = await store.changeScenario(tx, row.id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description || null }),
      ...(mode !== undefined && { mode }),
      ...(feedback !== undefined && { feedback }),
      ...(isNarrower && { accessVersion: store.oneMore("accessVersion") }),
      updatedAt: nextUpdate(app, before, expectedUpdatedAt, {
        what: "The scenario",
        code: "SCENARIO_CHANGED",
      }),
    });
    if (changed && isNarrower) await endAllSessions(app, tx, changed);
    return changed && toUserTestingScenario(changed);
  });
}

const widthOf = (mode: store.ScenarioRow["mode"]) => scenarioModes.indexOf(mode);

export async function setGuestExecution(
  app: App,
  row: store.ScenarioRow,
  guestExecution: GuestExecution,
): Promise<GuestExecution & { id: string; projectId: string; guestExecution: GuestExecution }> {
  return changing(app, row, async (tx, before) => {
    // Guests who may no longer take part are out at once.
    const isNarrower = before.guestExecution.enabled && !guestExecution.enabled;
    const changed = await store.changeScenario(tx, row.id, {
      guestExecution,
      ...(isNarrower && { accessVersion: store.oneMore("accessVersion") }),
      updatedAt: new Date(app.now()),
    });
    if (changed && isNarrower) await endAllSessions(app, tx, changed);
    return changed && { ...guestExecution, id: row.id, projectId: row.projectId, guestExecution };
  });
}

/** The old link opens nothing from now on. Those who came by it stay, unless they are to go. */
export async function rotateLink(app: App, row: store.ScenarioRow, evictRedeemed: boolean, origin: string) {
  return changing(app, row, async (tx) => {
    const changed = await store.changeScenario(tx, row.id, {
      ...makeLink(app, `scenarios/${row.id}`),
      ...(evictRedeemed && { accessVersion: store.oneMore("accessVersion") }),
      updatedAt: new Date(app.now()),
    });
    if (changed && evictRedeemed) await endAllSessions(app, tx, changed);
    if (!changed) return undefined;
    const { id, projectId } = changed;
    return { id, projectId, rotated: true as const, link: linkOf(app, changed, origin).url };
  });
}

/** Link, people and history stay. Conversations under way go on as they began. */
export async function rebindScenario(
  app: App,
  row: store.ScenarioRow,
  environmentId: EnvironmentId,
  origin: string,
): Promise<Scenario> {
  try {
    return await changing(app, row, async (tx) => {
      await requirePublishable(tx, row.projectId, environmentId);
      const updatedAt = new Date(app.now());
      const changed = await store.changeScenario(tx, row.id, { environmentId, updatedAt });
      return changed && toScenario(app, changed, origin);
    });
  } catch (error) {
    if (!isUniqueViolation(error, "scenarios_environment")) throw error;
    throw new ApiError("CONFLICT", "That environment is published as another scenario.", {
      code: "ENVIRONMENT_PUBLISHED",
    });
  }
}

/** `work` sees the scenario as it is now, and nobody else changes it meanwhile. */
export async function changing<T>(
  app: App,
  { id, projectId }: store.ScenarioRow,
  work: (tx: Transaction, before: store.ScenarioRow) => Promise<T | undefined>,
): Promise<T> {
  return app.db.transaction(async (tx) => {
    const before = await store.lockScenario(tx, id);
    const done = before && (await work(tx, before));
    if (done === undefined) throw notFound("scenario");
    await announceInProject(app, tx, projectId, "scenarios");
    return done;
  });
}
