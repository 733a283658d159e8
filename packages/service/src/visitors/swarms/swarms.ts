/** @module The rules of swarms: they hold journeys and say what new ones begin with. Editing one changes no journey. */
import type { ExpectedUpdatedAt, ProjectId, UserId } from "@fettle/contract/core";
import type { Swarm, SwarmCreateRequest, SwarmUpdateRequest } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { requireEnvironments } from "../../environments/targets/named.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { type SwarmRow, swarmShelf } from "./shared-sql.ts";

export async function createSwarm(
  app: App,
  db: Querier,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
  { name, description, environmentIds, sessionsPerTarget, maxTurns }: SwarmCreateRequest,
): Promise<Swarm> {
  const now = new Date(app.now());
  return inTransaction(db, async (tx) => {
    await requireEnvironments(tx, projectId, environmentIds ?? [], "body.environmentIds");
    const row = await swarmShelf.insert(tx, {
      id: newId("swarm"),
      projectId,
      name,
      description: description || null,
      environmentIds: environmentIds ?? [],
      sessionsPerTarget,
      maxTurns,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    await announceInProject(app, tx, projectId, "swarms");
    return toSwarm(row);
  });
}

export async function updateSwarm(
  app: App,
  db: Querier,
  { id, projectId }: SwarmRow,
  { description, environmentIds, expectedUpdatedAt, ...change }: SwarmUpdateRequest,
): Promise<Swarm> {
  return inTransaction(db, async (tx) => {
    const moment = await swarmShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    if (environmentIds) await requireEnvironments(tx, projectId, environmentIds, "body.environmentIds");
    const row = await swarmShelf.change(tx, id, {
      ...change,
      ...(description !== undefined && { description: description || null }),
      ...(environmentIds !== undefined && { environmentIds: environmentIds ?? [] }),
      ...moment,
    });
    await announceInProject(app, tx, projectId, "swarms");
    return toSwarm(row);
  });
}

/** Its journeys stay, and can be launched as before. */
export async function archiveSwarm(
  app: App,
  db: Querier,
  { id, projectId }: SwarmRow,
  expectedUpdatedAt?: ExpectedUpdatedAt,
): Promise<{ id: string; projectId: string; archived: true }> {
  return inTransaction(db, async (tx) => {
    const moment = await swarmShelf.holdAsRead(app, tx, { id, projectId }, expectedUpdatedAt);
    await swarmShelf.change(tx, id, { archivedAt: new Date(app.now()), ...moment });
    await announceInProject(app, tx, projectId, "swarms");
    return { id, projectId, archived: true };
  });
}

export function toSwarm(row: SwarmRow): Swarm {
  const { id, projectId, name, description, environmentIds, sessionsPerTarget, maxTurns } = row;
  return {
    id,
    projectId,
    name,
    description,
    environmentIds,
    sessionsPerTarget,
    maxTurns,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}
