/** @module The SQL of projects as the catalog reads and writes them. */
import type {
  OrganizationId,
  OrganizationRole,
  ProjectGrant,
  ProjectId,
  UserId,
  Visibility,
} from "@fettle/contract/core";
import { and, asc, eq, inArray } from "drizzle-orm";
import type { Pool } from "pg";
import { holdNameLock } from "../../core/db/name-lock.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { organizations } from "../../core/tables/accounts.ts";
import { projectMembers, projects } from "../../core/tables/projects.ts";

export type ProjectRow = typeof projects.$inferSelect;

/** A project together with what ties one person to it. */
export interface TiedProjectRow {
  id: ProjectId;
  name: string;
  description: string | null;
  icon: string | null;
  organizationId: OrganizationId;
  visibility: Visibility;
  isDefault: boolean;
  createdAt: Date;
  updatedAt: Date;
  organizationRole: OrganizationRole | null;
  grant: ProjectGrant | null;
}

const columns = `project.id, project.name, project.description, project.icon,
  project.organization_id AS "organizationId", project.visibility, project.is_default AS "isDefault",
  project.created_at AS "createdAt", project.updated_at AS "updatedAt"`;

/**
 * Every project of the person's organizations and every one they were granted, newest change first; who sees which is
 * for the rules to say. Prepared, because it is the read that scripts make most.
 */
export async function listTiedProjects(
  pool: Pick<Pool, "query">,
  userId: UserId,
  organizationId: OrganizationId | null,
): Promise<TiedProjectRow[]> {
  const { rows } = await pool.query<TiedProjectRow>({
    name: "list_tied_projects",
    text: `
      SELECT ${columns}, member.role AS "organizationRole", granted.role AS "grant"
      FROM organization_members AS member
      JOIN projects AS project ON project.organization_id = member.organization_id
      LEFT JOIN project_members AS granted ON granted.project_id = project.id AND granted.user_id = $1
      WHERE member.user_id = $1 AND ($2::text IS NULL OR member.organization_id = $2)
      UNION ALL
      SELECT ${columns}, NULL, granted.role
      FROM project_members AS granted
      JOIN projects AS project ON project.id = granted.project_id
      WHERE granted.user_id = $1 AND ($2::text IS NULL OR project.organization_id = $2)
        AND NOT EXISTS (
          SELECT FROM organization_members AS member
          WHERE member.organization_id = project.organization_id AND member.user_id = $1
        )
      ORDER BY "updatedAt" DESC, id`,
    values: [userId, organizationId],
  });
  return rows;
}

export async function findProject(db: Querier, id: ProjectId): Promise<ProjectRow | undefined> {
  const [row] = await db.select().from(projects).where(eq(projects.id, id));
  return row;
}

export async function insertProject(
  db: Querier,
  values: typeof projects.$inferInsert & { createdBy: UserId },
): Promise<ProjectRow> {
  const row = oneRow(await db.insert(projects).values(values).returning());
  await db.insert(projectMembers).values({ projectId: values.id, userId: values.createdBy, role: "admin" });
  return row;
}

/** Nobody else changes or deletes it until the transaction ends. */
export async function lockProject(db: Querier, id: ProjectId): Promise<ProjectRow | undefined> {
  const [row] = await db.select().from(projects).where(eq(projects.id, id)).for("update");
  return row;
}

export async function updateProject(
  db: Querier,
  id: ProjectId,
  change: Partial<Pick<ProjectRow, "name" | "description" | "icon" | "visibility" | "isDefault">> & {
    updatedAt: Date;
  },
): Promise<ProjectRow> {
  return oneRow(await db.update(projects).set(change).where(eq(projects.id, id)).returning());
}

/** One at a time for each organization, until the transaction ends; answers whether it has one now. */
export async function holdDefault(tx: Transaction, organizationId: OrganizationId): Promise<boolean> {
  await holdNameLock(tx, `default project of ${organizationId}`);
  return (await tx.$count(projects, isDefaultOf(organizationId))) > 0;
}

const isDefaultOf = (organizationId: OrganizationId) =>
  and(eq(projects.organizationId, organizationId), projects.isDefault);

export async function clearDefault(tx: Transaction, organizationId: OrganizationId): Promise<void> {
  await tx.update(projects).set({ isDefault: false }).where(isDefaultOf(organizationId));
}

/** The first that there is. */
export async function chooseDefault(tx: Transaction, organizationId: OrganizationId): Promise<void> {
  const { id, createdAt } = projects;
  const first = tx
    .select({ id })
    .from(projects)
    .where(eq(projects.organizationId, organizationId))
    .orderBy(asc(createdAt), asc(id))
    .limit(1);
  await tx.update(projects).set({ isDefault: true }).where(inArray(id, first));
}

export async function deleteProject(db: Querier, id: ProjectId): Promise<boolean> {
  const gone = await db.delete(projects).where(eq(projects.id, id)).returning({ id: projects.id });
  return gone.length > 0;
}

export async function findOrganization(
  db: Querier,
  id: OrganizationId,
): Promise<typeof organizations.$inferSelect | undefined> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id));
  return row;
}

export async function organizationOf(
  db: Querier,
  { projectId }: { projectId: ProjectId },
): Promise<OrganizationId> {
  const { id, organizationId } = projects;
  return oneRow(await db.select({ organizationId }).from(projects).where(eq(id, projectId))).organizationId;
}
