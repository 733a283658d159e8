/** @module Deletes one run that has ended, for good, with everything that belongs to it. */

import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import type { RunDeleted } from "@fettle/contract/runs";
import type { App } from "../../core/app.ts";
import { inTransaction } from "../../core/db/in-transaction.ts";
import type { Querier } from "../../core/db/pool.ts";
import { missing } from "../../core/routing/not-found.ts";
import { announceInProject } from "../../people/accounts/announce.ts";
import { isOpen, type RunKind } from "../life/kind.ts";
import { deleteRuns, lockStatus } from "./store.ts";

interface Run {
  id: string;
  projectId: ProjectId;
  createdBy: UserId | null;
}

export async function deleteRun(
  app: App,
  db: Querier,
  kind: RunKind,
  { id, projectId, createdBy }: Run,
  by: { userId: UserId; isAdmin: boolean },
): Promise<RunDeleted> {
  if (!by.isAdmin && createdBy !== by.userId) {
    throw new ApiError(
      "FORBIDDEN",
      "Only the person who started this run or a project admin can delete it.",
      { reason: "role_too_low", requiredRole: "manage" },
    );
  }
  return inTransaction(db, async (tx) => {
    const status = await lockStatus(tx, kind, id);
    if (status === undefined)
      throw missing(
        `Run not found: ${id}`,
        "It may have been deleted by somebody else. List the runs again.",
      );
    if (isOpen(kind, { status })) {
      throw new ApiError("CONFLICT", "This run is still in progress. Cancel it first, then delete it.", {
        code: "RUN_IN_PROGRESS",
        status,
      });
    }
    await deleteRuns(tx, kind, [id]);
    await announceInProject(app, tx, projectId, kind.part);
    return { id, projectId, deleted: true };
  });
}
