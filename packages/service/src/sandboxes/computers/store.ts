/** @module The SQL of computers. */
import type { ProjectId, UserId } from "@fettle/contract/core";
import { and, eq, isNull, lt, ne, sql } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { computers } from "../../core/tables/sandbox-images.ts";

/** The content hash of what is made of a base alone. */
export const ofBase = "";

export type ComputerRow = typeof computers.$inferSelect;
type Made = Pick<
  typeof computers.$inferInsert,
  "id" | "projectId" | "userId" | "imageId" | "contentHash" | "base" | "lastUsedAt" | "createdAt"
>;

export async function findComputer(
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
): Promise<ComputerRow | undefined> {
  const [row] = await db
    .select()
    .from(computers)
    .where(and(eq(computers.projectId, projectId), eq(computers.userId, userId)));
  return row;
}

/** Begins to make it, or to make it anew: with another generation, which is whose end counts. */
export async function beginComputer(db: Querier, made: Made): Promise<ComputerRow> {
  const { imageId, contentHash, base, lastUsedAt } = made;
  return oneRow(
    await db
      .insert(computers)
      .values({ ...made, status: "provisioning", generation: 1 })
      .onConflictDoUpdate({
        target: [computers.projectId, computers.userId],
        set: {
          imageId,
          contentHash,
          base,
          lastUsedAt,
          status: "provisioning",
          error: null,
          generation: sql`${computers.generation} + 1`,
        },
      })
      .returning(),
  );
}

/** False when somebody has begun it anew since. */
export async function updateGeneration(
  db: Querier,
  { id, generation }: Pick<ComputerRow, "id" | "generation">,
  change: Partial<Pick<ComputerRow, "status" | "error" | "containerId" | "lastUsedAt">>,
): Promise<boolean> {
  const rows = await db
    .update(computers)
    .set(change)
    .where(and(eq(computers.id, id), eq(computers.generation, generation)))
    .returning({ id: computers.id });
  return rows.length > 0;
}

/** Those that run, with nobody using them since. */
export async function listIdle(db: Querier, before: Date): Promise<ComputerRow[]> {
  return db
    .select()
    .from(computers)
    .where(and(eq(computers.status, "ready"), lt(computers.lastUsedAt, before)));
}

export async function listRunning(db: Querier): Promise<ComputerRow[]> {
  return db.select().from(computers).where(eq(computers.status, "ready"));
}

/** Puts to sleep what nobody has used in the meantime. */
export async function markAsleep(
  db: Querier,
  { id, generation }: ComputerRow,
  before: Date,
): Promise<boolean> {
  const rows = await db
    .update(computers)
    .set({ status: "asleep" })
    .where(
      and(
        eq(computers.id, id),
        eq(computers.generation, generation),
        eq(computers.status, "ready"),
        lt(computers.lastUsedAt, before),
      ),
    )
    .returning({ id: computers.id });
  return rows.length > 0;
}

/** Also before it was put back to its base by `leaveDeletedImages`: from the moment on when the image is gone. */
export function isOfDeletedImage({
  imageId,
  contentHash,
}: Pick<ComputerRow, "imageId" | "contentHash">): boolean {
  return imageId === null && contentHash !== ofBase;
}

/** Their image was deleted: what they were made of is no longer theirs, and the base is what they fall back to. */
export async function leaveDeletedImages(db: Querier): Promise<void> {
  await db
    .update(computers)
    .set({
      contentHash: ofBase,
      containerId: null,
      status: "asleep",
      generation: sql`${computers.generation} + 1`,
    })
    .where(and(isNull(computers.imageId), ne(computers.contentHash, ofBase)));
}

/** All there are, by their ids. */
export async function mapComputers(db: Querier): Promise<Map<string, ComputerRow>> {
  const rows = await db.select().from(computers);
  return new Map(rows.map((row) => [row.id, row]));
}
