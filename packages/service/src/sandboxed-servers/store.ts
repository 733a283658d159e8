/** @module The SQL of images that a server may run in. */
import type { ProjectId } from "@fettle/contract";
import { and, desc, eq } from "drizzle-orm";
import type { Querier } from "../db/pool.ts";
import { sandboxImageBuilds, sandboxImages } from "../tables/sandbox-images.ts";

export type ReadyImage = Awaited<ReturnType<typeof listReadyShared>>[number];

/** Those that the project shares, each by its newest build that is ready. */
export async function listReadyShared(db: Querier, projectId: ProjectId) {
  return db
    .selectDistinctOn([sandboxImages.id], {
      imageId: sandboxImages.id,
      name: sandboxImages.name,
      contentHash: sandboxImageBuilds.contentHash,
    })
    .from(sandboxImages)
    .innerJoin(sandboxImageBuilds, eq(sandboxImageBuilds.imageId, sandboxImages.id))
    .where(
      and(
        eq(sandboxImages.projectId, projectId),
        eq(sandboxImages.sharing, "project"),
        eq(sandboxImageBuilds.status, "ready"),
      ),
    )
    .orderBy(sandboxImages.id, desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id));
}
