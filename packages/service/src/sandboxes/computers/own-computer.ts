/** @module What a person is told of their own computer, whether or not there is an engine to run it. */
import { ApiError, type ProjectId, type UserId } from "@fettle/contract/core";
import type { OwnComputer } from "@fettle/contract/sandboxes";
import type { App } from "../../core/app.ts";
import { requireEngine } from "../engine/sandboxes.ts";
import { findComputer, isOfDeletedImage } from "./store.ts";

export async function readOwnComputer(
  app: App,
  { projectId, userId }: { projectId: ProjectId; userId: UserId },
): Promise<OwnComputer> {
  const [missingEngine, row] = await Promise.all([whyNoEngine(app), findComputer(app.db, projectId, userId)]);
  return {
    missingEngine,
    computer: row
      ? {
          id: row.id,
          status: row.status === "ready" && isOfDeletedImage(row) ? "asleep" : row.status,
          ...(row.error !== null && { error: row.error }),
          imageId: row.imageId,
          base: row.base,
          lastUsedAt: row.lastUsedAt.getTime(),
          createdAt: row.createdAt.getTime(),
        }
      : null,
  };
}

/** In the words that whoever builds without one is refused with. */
async function whyNoEngine(app: App): Promise<OwnComputer["missingEngine"]> {
  try {
    await requireEngine(app);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { message: error.message, hint: String(error.details?.hint ?? "") };
  }
}
