/** @module The SQL of skills. */
import type { ProjectId, SkillId, UserId } from "@fettle/contract/core";
import { and, eq, getTableColumns, isNotNull, isNull, or } from "drizzle-orm";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import { installedPlugin, plugins } from "../../core/tables/plugins.ts";
import { skills } from "../../core/tables/skills.ts";

export type SkillRow = typeof skills.$inferSelect;

/** A draft is its owner's alone. */
const visibleTo = (userId: UserId) => or(eq(skills.sharing, "project"), eq(skills.ownerId, userId));

/** Of a plugin's skills, those of the version that is active. */
export async function listSkills(db: Querier, projectId: ProjectId, userId: UserId): Promise<SkillRow[]> {
  return db
    .select(getTableColumns(skills))
    .from(skills)
    .leftJoin(plugins, and(eq(plugins.activeVersionId, skills.pluginVersionId), installedPlugin))
    .where(
      and(
        eq(skills.projectId, projectId),
        visibleTo(userId),
        or(isNull(skills.pluginVersionId), isNotNull(plugins.id)),
      ),
    )
    .orderBy(skills.name, skills.id);
}

export async function findSkill(
  db: Querier,
  projectId: ProjectId,
  id: SkillId,
  userId: UserId,
): Promise<SkillRow | undefined> {
  const [row] = await db
    .select()
    .from(skills)
    .where(and(eq(skills.id, id), eq(skills.projectId, projectId), visibleTo(userId)));
  return row;
}

export async function insertSkill(db: Querier, values: typeof skills.$inferInsert): Promise<SkillRow> {
  return oneRow(await db.insert(skills).values(values).returning());
}

export async function lockSkill(db: Querier, id: SkillId): Promise<SkillRow | undefined> {
  const [row] = await db.select().from(skills).where(eq(skills.id, id)).for("update");
  return row;
}

/** Of a skill that is there. */
export async function updateSkill(
  db: Querier,
  id: SkillId,
  change: Partial<typeof skills.$inferInsert> & { updatedAt: Date },
): Promise<SkillRow> {
  return oneRow(await db.update(skills).set(change).where(eq(skills.id, id)).returning());
}

export async function deleteSkill(db: Querier, id: SkillId): Promise<void> {
  await db.delete(skills).where(eq(skills.id, id));
}
