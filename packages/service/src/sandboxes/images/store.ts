/** @module The SQL of sandbox images. */
import type { ProjectId, SandboxImageId, UserId } from "@fettle/contract/core";
import { and, count, eq, or } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { sandboxImages } from "../../core/tables/sandbox-images.ts";

export type ImageRow = typeof sandboxImages.$inferSelect;

/** A draft is its owner's alone. */
const visibleTo = (userId: UserId) =>
  or(eq(sandboxImages.sharing, "project"), eq(sandboxImages.ownerId, userId));

export async function listImages(db: Querier, projectId: ProjectId, userId: UserId): Promise<ImageRow[]> {
  return db
    .select()
    .from(sandboxImages)
    .where(and(eq(sandboxImages.projectId, projectId), visibleTo(userId)))
    .orderBy(sandboxImages.name, sandboxImages.id);
}

export async function countImages(db: Querier, projectId: ProjectId): Promise<number> {
  return oneRow(
    await db.select({ count: count() }).from(sandboxImages).where(eq(sandboxImages.projectId, projectId)),
  ).count;
}

export async function findImage(
  db: Querier,
  projectId: ProjectId,
  id: SandboxImageId,
  userId: UserId,
): Promise<ImageRow | undefined> {
  const [row] = await db
    .select()
    .from(sandboxImages)
    .where(and(eq(sandboxImages.id, id), eq(sandboxImages.projectId, projectId), visibleTo(userId)));
  return row;
}

/** Whoever asks has been let in already. */
export async function findImageById(db: Querier, id: SandboxImageId): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(sandboxImages).where(eq(sandboxImages.id, id));
  return row;
}

export async function insertImage(db: Querier, values: typeof sandboxImages.$inferInsert): Promise<ImageRow> {
  return oneRow(await db.insert(sandboxImages).values(values).returning());
}

export async function lockImage(db: Querier, id: SandboxImageId): Promise<ImageRow | undefined> {
  const [row] = await db.select().from(sandboxImages).where(eq(sandboxImages.id, id)).for("update");
  return row;
}

/** Of an image that is there. */
export async function updateImage(
  db: Querier,
  id: SandboxImageId,
  change: Partial<typeof sandboxImages.$inferInsert> & { updatedAt: Date },
): Promise<ImageRow> {
  return oneRow(await db.update(sandboxImages).set(change).where(eq(sandboxImages.id, id)).returning());
}

export async function deleteImage(db: Querier, id: SandboxImageId): Promise<void> {
  await db.delete(sandboxImages).where(eq(sandboxImages.id, id));
}
