/** @module The rules of journeys: who makes one, where, how often, and by what it is judged. Runs keep what they began with. */
import { randomUUID } from "node:crypto";
import { ApiError, type ExpectedUpdatedAt, type ProjectId, type UserId } from "@fettle/contract/core";
import {
  type Journey,
  type JourneyCreateRequest,
  type JourneyUpdateRequest,
  type RubricCriterion,
  swarmLimits,
} from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { requireServerGroup } from "../../environments/saved/pins.ts";
import { requireClients, requireEnvironments } from "../../environments/targets/named.ts";
import { readChecks } from "../../evals/suites/suites.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { type JourneyRow, journeyShelf, personaShelf, swarmShelf } from "./shared-sql.ts";

export async function createJourney(
  app: App,
  db: Querier,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
  request: JourneyCreateRequest,
): Promise<Journey> {
  const { goal, name = firstWords(goal), personaId, swarmId, sessionsPerTarget, maxTurns } = request;
  const now = new Date(app.now());
  return inTransaction(db, async (tx) => {
    const persona = await personaShelf.hold(tx, projectId, personaId);
    if (!persona) throw unknown("personaId", "PERSONA_NOT_FOUND", "There is no such persona.");
    const swarm = swarmId ? await swarmShelf.hold(tx, projectId, swarmId) : undefined;
    if (swarmId && !swarm) throw unknown("swarmId", "SWARM_NOT_FOUND", "There is no such swarm.");
    await requirePlaces(tx, projectId, request);
    const row = await journeyShelf.insert(tx, {
      id: newId("journey"),
      projectId,
      name,
      goal,
      personaId,
      swarmId: swarmId ?? null,
      environmentIds: request.environmentIds ?? (request.hostIds ? [] : (swarm?.environmentIds ?? [])),
      serverAttachmentId: request.serverAttachmentId ?? null,
      hostIds: request.hostIds ?? null,
      sessionsPerTarget,
      maxTurns,
      rubric: readRubric(request.rubric ?? []),
      judge: request.judge ?? null,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    await announceInProject(app, tx, projectId, "journeys");
    return toJourney(row);
  });
}

export async function updateJourney(
  app: App,
  db: Querier,
  { id, projectId }: JourneyRow,
  { environmentIds, rubric, expectedUpdatedAt, ...change }: JourneyUpdateRequest,
): Promise<Journey> {
  return inTransaction(db, async (tx) => {
    const moment = await journeyShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    await requirePlaces(tx, projectId, { environmentIds, ...change });
    const row = await journeyShelf.change(tx, id, {
      ...change,
      ...(environmentIds !== undefined && { environmentIds: environmentIds ?? [] }),
      ...(rubric && { rubric: readRubric(rubric) }),
      ...moment,
    });
    await announceInProject(app, tx, projectId, "journeys");
    return toJourney(row);
  });
}

export async function archiveJourney(
  app: App,
  db: Querier,
  { id, projectId }: JourneyRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: string; projectId: string; archived: true }> {
  return inTransaction(db, async (tx) => {
    const moment = await journeyShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    await journeyShelf.change(tx, id, { archivedAt: new Date(app.now()), ...moment });
    await announceInProject(app, tx, projectId, "journeys");
    return { id, projectId, archived: true };
  });
}

async function requirePlaces(
  tx: Transaction,
  projectId: ProjectId,
  places: Pick<JourneyCreateRequest, "environmentIds" | "hostIds" | "serverAttachmentId">,
): Promise<void> {
  const { environmentIds, hostIds, serverAttachmentId } = places;
  if (environmentIds) await requireEnvironments(tx, projectId, environmentIds, "body.environmentIds");
  if (hostIds) await requireClients(tx, projectId, hostIds, "body.hostIds");
  if (serverAttachmentId) await requireServerGroup(tx, projectId, serverAttachmentId);
}

/** As the engine reads its checks. A criterion keeps the id it came with. */
function readRubric(given: NonNullable<JourneyCreateRequest["rubric"]>): RubricCriterion[] {
  const ids = given.map(({ id }) => id);
  const twice = ids.findIndex((id, at) => id !== undefined && ids.indexOf(id) !== at);
  if (twice >= 0) {
    const path = `body.rubric.${twice}.id`;
    throw new ApiError("VALIDATION_ERROR", `Two criteria are called ${ids[twice]}.`, {
      path,
      code: "NAMED_TWICE",
    });
  }
  return given.map(({ id = randomUUID(), label, predicate }, at) => {
    const [read] = readChecks([predicate], `body.rubric.${at}.predicate`);
    return { id, ...(label !== undefined && { label }), predicate: { ...read } };
  });
}

function unknown(field: string, code: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", message, { path: `body.${field}`, code });
}

/** @example firstWords("Find a book about bees and order it") */
function firstWords(goal: string): string {
  const [line = goal] = goal.split("\n");
  const most = swarmLimits.goalNameLength;
  return line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`;
}

export function toJourney(row: JourneyRow): Journey {
  const { id, projectId, name, goal, personaId, swarmId, environmentIds, sessionsPerTarget, maxTurns } = row;
  return {
    id,
    projectId,
    name,
    goal,
    personaId,
    swarmId,
    environmentIds,
    ...(row.serverAttachmentId && { serverAttachmentId: row.serverAttachmentId }),
    ...(row.hostIds && { hostIds: row.hostIds }),
    sessionsPerTarget,
    maxTurns,
    rubric: row.rubric,
    ...(row.judge && { judge: row.judge }),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
