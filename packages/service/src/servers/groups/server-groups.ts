/** @module The rules of server groups: made from live servers of the project, and never changed. */
import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import type { ServerGroup, ServerGroupCreateRequest } from "@fettle/contract/servers";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { isUniqueViolation } from "../../core/db/unique-violation.ts";
import { newId } from "../../core/id.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import * as store from "./store.ts";

export async function listServerGroups(app: App, projectId: ProjectId): Promise<ServerGroup[]> {
  return (await store.listServerGroups(app.db, projectId)).map(toServerGroup);
}

export async function createServerGroup(
  app: App,
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  request: ServerGroupCreateRequest,
): Promise<ServerGroup> {
  const { name, description, serverIds } = request;
  if (new Set(serverIds).size < serverIds.length) {
    throw new ApiError("VALIDATION_ERROR", "A server is named twice.", { path: "body.serverIds" });
  }
  const known = new Map(
    (await store.findLiveServers(db, projectId, serverIds)).map((row) => [row.id, row.name]),
  );
  const unknown = serverIds.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new ApiError("VALIDATION_ERROR", "Not every server is a saved server of this project.", {
      path: "body.serverIds",
      code: "UNKNOWN_SERVERS",
      unknownServerIds: unknown,
    });
  }
  try {
    return await inTransaction(db, async (tx) => {
      const row = await store.insertServerGroup(tx, {
        id: newId("serverGroup", app.now()),
        projectId,
        name,
        description: description ?? null,
        serverIds,
        serverNames: serverIds.map((id) => must(known.get(id), "a name for each server of the group")),
        createdBy: userId,
        createdAt: new Date(app.now()),
      });
      await announceInProject(app, tx, projectId, "server-groups");
      return toServerGroup(row);
    });
  } catch (error) {
    if (!isUniqueViolation(error, "server_groups_name")) throw error;
    throw new ApiError("CONFLICT", `The project already has a server group called ${JSON.stringify(name)}.`, {
      code: "NAME_TAKEN",
      name,
    });
  }
}

function toServerGroup(row: store.ServerGroupRow): ServerGroup {
  const createdAt = row.createdAt.getTime();
  return {
    id: row.id,
    name: row.name,
    serverIds: row.serverIds,
    serverNames: row.serverNames,
    ...(row.description !== null && { description: row.description }),
    createdAt,
    // It never changes.
    updatedAt: createdAt,
  };
}
