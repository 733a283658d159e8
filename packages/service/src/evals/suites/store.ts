/** @module The SQL of suites, what is attached to them, and their schedules. */
import type { EnvironmentId, EvalSuiteId, ProjectId } from "@fettle/contract/core";
import { and, desc, eq, getTableColumns, inArray } from "drizzle-orm";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { isAfterPlace } from "../../core/db/keyset.ts";
import type { Querier } from "../../core/db/pool.ts";
import type { PlaceOf, Range } from "../../core/routing/page.ts";
import { users } from "../../core/tables/accounts.ts";
import { clients } from "../../core/tables/clients.ts";
import { evalRuns } from "../../core/tables/eval-runs.ts";
import {
  evalSchedules,
  evalSuiteEnvironments,
  evalSuiteHosts,
  evalSuites,
  evalSuiteTallies,
} from "../../core/tables/eval-suites.ts";

export type SuiteRow = typeof evalSuites.$inferSelect & { createdByName: string | null };
export type SuiteValues = typeof evalSuites.$inferInsert;
export type ScheduleRow = typeof evalSchedules.$inferSelect;

const columns = { ...getTableColumns(evalSuites), createdByName: users.name };
const itsCreator = eq(users.id, evalSuites.createdBy);

export async function findSuite(
  db: Querier,
  projectId: ProjectId,
  id: EvalSuiteId,
): Promise<SuiteRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(evalSuites)
    .leftJoin(users, itsCreator)
    .where(and(eq(evalSuites.id, id), eq(evalSuites.projectId, projectId)));
  return row;
}

/** Holds the suite until the transaction ends: nobody else changes it, its cases or what is attached to it. */
export async function lockSuite(db: Querier, id: EvalSuiteId): Promise<SuiteRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(evalSuites)
    .leftJoin(users, itsCreator)
    .where(eq(evalSuites.id, id))
    .for("update", { of: evalSuites });
  return row;
}

export async function insertSuite(db: Querier, values: SuiteValues): Promise<void> {
  await db.insert(evalSuites).values(values);
}

/** Of any number of writers, one makes the suite that a file declares; the others find it. */
export async function ensureDeclared(
  db: Querier,
  values: SuiteValues & { declaredId: string },
): Promise<{ id: EvalSuiteId; created: boolean }> {
  const [made] = await db
    .insert(evalSuites)
    .values(values)
    .onConflictDoNothing({ target: [evalSuites.projectId, evalSuites.declaredId] })
    .returning({ id: evalSuites.id });
  if (made) return { id: made.id, created: true };
  const [row] = await db
    .select({ id: evalSuites.id })
    .from(evalSuites)
    .where(and(eq(evalSuites.projectId, values.projectId), eq(evalSuites.declaredId, values.declaredId)));
  return { id: stillThere(row).id, created: false };
}

export async function changeSuite(
  db: Querier,
  id: EvalSuiteId,
  change: Partial<SuiteValues> & { updatedAt: Date },
): Promise<void> {
  await db.update(evalSuites).set(change).where(eq(evalSuites.id, id));
}

export async function deleteSuite(db: Querier, id: EvalSuiteId): Promise<void> {
  await db.delete(evalSuites).where(eq(evalSuites.id, id));
}

export async function hasOpenRun(db: Querier, suiteId: EvalSuiteId): Promise<boolean> {
  const open = await db
    .select({ id: evalRuns.id })
    .from(evalRuns)
    .where(and(eq(evalRuns.suiteId, suiteId), inArray(evalRuns.status, ["pending", "running"])))
    .limit(1);
  return open.length > 0;
}

export async function listEnvironmentIds(db: Querier, suiteId: EvalSuiteId): Promise<EnvironmentId[]> {
  const rows = await db
    .select({ id: evalSuiteEnvironments.environmentId })
    .from(evalSuiteEnvironments)
    .where(eq(evalSuiteEnvironments.suiteId, suiteId))
    .orderBy(evalSuiteEnvironments.position);
  return rows.map(({ id }) => id);
}

export async function setEnvironments(
  db: Querier,
  suiteId: EvalSuiteId,
  ids: readonly EnvironmentId[],
): Promise<void> {
  await db.delete(evalSuiteEnvironments).where(eq(evalSuiteEnvironments.suiteId, suiteId));
  if (ids.length === 0) return;
  await db
    .insert(evalSuiteEnvironments)
    .values(ids.map((environmentId, position) => ({ suiteId, environmentId, position })));
}

export interface AttachedHost extends Pick<typeof evalSuiteHosts.$inferSelect, "clientId" | "serverIds"> {
  name: string;
}

export async function listHosts(db: Querier, suiteId: EvalSuiteId): Promise<AttachedHost[]> {
  return db
    .select({ clientId: evalSuiteHosts.clientId, serverIds: evalSuiteHosts.serverIds, name: clients.name })
    .from(evalSuiteHosts)
    .innerJoin(clients, eq(clients.id, evalSuiteHosts.clientId))
    .where(eq(evalSuiteHosts.suiteId, suiteId))
    .orderBy(evalSuiteHosts.position);
}

export async function setHosts(
  db: Querier,
  suiteId: EvalSuiteId,
  hosts: readonly Omit<AttachedHost, "name">[],
): Promise<void> {
  await db.delete(evalSuiteHosts).where(eq(evalSuiteHosts.suiteId, suiteId));
  if (hosts.length === 0) return;
  await db.insert(evalSuiteHosts).values(hosts.map((host, position) => ({ ...host, suiteId, position })));
}

export async function findSchedule(db: Querier, suiteId: EvalSuiteId): Promise<ScheduleRow | undefined> {
  const [row] = await db.select().from(evalSchedules).where(eq(evalSchedules.suiteId, suiteId));
  return row;
}

export async function saveSchedule(db: Querier, values: typeof evalSchedules.$inferInsert): Promise<void> {
  await db
    .insert(evalSchedules)
    .values(values)
    .onConflictDoUpdate({ target: evalSchedules.suiteId, set: values });
}

export async function listSchedules(
  db: Querier,
  suiteIds: readonly EvalSuiteId[],
): Promise<Map<EvalSuiteId, ScheduleRow>> {
  if (suiteIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(evalSchedules)
    .where(inArray(evalSchedules.suiteId, [...suiteIds]));
  return new Map(rows.map((row) => [row.suiteId, row]));
}

export async function countCases(db: Querier, suiteId: EvalSuiteId): Promise<number> {
  const { cases } = evalSuiteTallies;
  const [row] = await db
    .select({ cases })
    .from(evalSuiteTallies)
    .where(eq(evalSuiteTallies.suiteId, suiteId));
  return row?.cases ?? 0;
}

type TallyRow = typeof evalSuiteTallies.$inferSelect;

/** What a list tells of a suite. A suite that never had a case or a run of all of them has no tally, or none of a run. */
export interface ListedSuite {
  suite: SuiteRow;
  tally: TallyRow | null;
  latest: Pick<typeof evalRuns.$inferSelect, "id" | "status" | "result" | "summary" | "createdAt"> | null;
}

/** Those changed last come first. */
export async function listSuites(
  db: Querier,
  projectId: ProjectId,
  { after, most }: Range<PlaceOf<"evalSuite">> = {},
): Promise<ListedSuite[]> {
  const { id, status, result, summary, createdAt } = evalRuns;
  const beyond = isAfterPlace({ at: evalSuites.updatedAt, id: evalSuites.id }, after);
  const rows = db
    .select({ suite: columns, tally: evalSuiteTallies, latest: { id, status, result, summary, createdAt } })
    .from(evalSuites)
    .leftJoin(users, itsCreator)
    .leftJoin(evalSuiteTallies, eq(evalSuiteTallies.suiteId, evalSuites.id))
    .leftJoin(evalRuns, eq(evalRuns.id, evalSuiteTallies.latestRunId))
    .where(and(eq(evalSuites.projectId, projectId), beyond))
    .orderBy(desc(evalSuites.updatedAt), desc(evalSuites.id));
  return most === undefined ? rows : rows.limit(most);
}
