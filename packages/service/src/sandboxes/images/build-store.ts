/** @module The SQL of builds, apart from what all kinds of runs share (`runs/store.ts`). */
import type { ProjectId, SandboxImageBuildId, SandboxImageId } from "@fettle/contract/core";
import { and, count, desc, eq, getTableColumns, inArray, notInArray, sql } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { sandboxImageBuilds, sandboxImages } from "../../core/tables/sandbox-images.ts";

export type BuildRow = typeof sandboxImageBuilds.$inferSelect;
export type BuildValues = typeof sandboxImageBuilds.$inferInsert;

const open = ["queued", "building"] as const;
const isOpen = inArray(sandboxImageBuilds.status, [...open]);

export async function insertBuild(
  db: Querier,
  values: typeof sandboxImageBuilds.$inferInsert,
): Promise<BuildRow> {
  return oneRow(await db.insert(sandboxImageBuilds).values(values).returning());
}

/** Newest first. */
export async function listBuilds(db: Querier, imageId: SandboxImageId): Promise<BuildRow[]> {
  return db
    .select()
    .from(sandboxImageBuilds)
    .where(eq(sandboxImageBuilds.imageId, imageId))
    .orderBy(desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id));
}

/** The newest of an image, and whether it or one before it is ready. */
export type NewestBuild = BuildRow & { isBuilt: boolean };

/** The newest of each. */
export async function newestBuilds(
  db: Querier,
  imageIds: SandboxImageId[],
): Promise<Map<SandboxImageId, NewestBuild>> {
  if (imageIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([sandboxImageBuilds.imageId], {
      ...getTableColumns(sandboxImageBuilds),
      isBuilt: sql<boolean>`bool_or(${sandboxImageBuilds.status} = 'ready') OVER (PARTITION BY ${sandboxImageBuilds.imageId})`,
    })
    .from(sandboxImageBuilds)
    .where(inArray(sandboxImageBuilds.imageId, imageIds))
    .orderBy(sandboxImageBuilds.imageId, desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id));
  return new Map(rows.map((row) => [row.imageId, row]));
}

/** The newest that a container can be made of. */
export async function findReady(db: Querier, imageId: SandboxImageId): Promise<BuildRow | undefined> {
  const [row] = await db
    .select()
    .from(sandboxImageBuilds)
    .where(and(eq(sandboxImageBuilds.imageId, imageId), eq(sandboxImageBuilds.status, "ready")))
    .orderBy(desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id))
    .limit(1);
  return row;
}

/** Shared with the project, and built: what an environment may pin. */
export async function isPinnable(db: Querier, projectId: ProjectId, id: SandboxImageId): Promise<boolean> {
  const [row] = await db
    .select({ id: sandboxImages.id })
    .from(sandboxImages)
    .innerJoin(sandboxImageBuilds, eq(sandboxImageBuilds.imageId, sandboxImages.id))
    .where(
      and(
        eq(sandboxImages.id, id),
        eq(sandboxImages.projectId, projectId),
        eq(sandboxImages.sharing, "project"),
        eq(sandboxImageBuilds.status, "ready"),
      ),
    )
    .limit(1);
  return row !== undefined;
}

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

/** In the whole project: whoever wrote it, the same recipe gives the same image. */
export async function findReadyOf(
  db: Querier,
  projectId: ProjectId,
  contentHash: string,
): Promise<BuildRow | undefined> {
  const { projectId: project, contentHash: hash, status } = sandboxImageBuilds;
  const [row] = await db
    .select()
    .from(sandboxImageBuilds)
    .where(and(eq(project, projectId), eq(hash, contentHash), eq(status, "ready")))
    .limit(1);
  return row;
}

export async function countOpen(db: Querier, projectId: ProjectId): Promise<number> {
  return oneRow(
    await db
      .select({ count: count() })
      .from(sandboxImageBuilds)
      .where(and(eq(sandboxImageBuilds.projectId, projectId), isOpen)),
  ).count;
}

export async function keepNewest(db: Querier, imageId: SandboxImageId, kept: number): Promise<void> {
  const newest = db
    .select({ id: sandboxImageBuilds.id })
    .from(sandboxImageBuilds)
    .where(eq(sandboxImageBuilds.imageId, imageId))
    .orderBy(desc(sandboxImageBuilds.createdAt), desc(sandboxImageBuilds.id))
    .limit(kept);
  await db
    .delete(sandboxImageBuilds)
    .where(and(eq(sandboxImageBuilds.imageId, imageId), notInArray(sandboxImageBuilds.id, newest)));
}

/** Those that are being built now. */
export async function listBuilding(db: Querier): Promise<SandboxImageBuildId[]> {
  const rows = await db
    .select({ id: sandboxImageBuilds.id })
    .from(sandboxImageBuilds)
    .where(eq(sandboxImageBuilds.status, "building"));
  return rows.map(({ id }) => id);
}

/** Of all builds that are known, failed ones too: whoever mends a step builds on the same base again. */
export async function listBases(db: Querier): Promise<string[]> {
  const base = sql<string>`${sandboxImageBuilds.recipe} ->> 'base'`;
  return (await db.selectDistinct({ base }).from(sandboxImageBuilds)).map((row) => row.base);
}

/** What the engine must keep, or is about to have. */
export async function listKept(db: Querier): Promise<Pick<BuildRow, "projectId" | "contentHash">[]> {
  const { projectId, contentHash, status } = sandboxImageBuilds;
  return db
    .selectDistinct({ projectId, contentHash })
    .from(sandboxImageBuilds)
    .where(inArray(status, ["ready", ...open]));
}
