/** @module The SQL of problems over time. */
import type { ProjectId } from "@fettle/contract/core";
import { and, asc, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { holdNameLock } from "../core/db/name-lock.ts";
import type { Querier, Transaction } from "../core/db/pool.ts";
import { insightFindings, insightSightings, insightSignals } from "../core/tables/insights.ts";
import type { ScopeKey } from "./source.ts";

/** Where a problem is followed. */
export interface Place {
  projectId: ProjectId;
  familyId: string;
}

export type Sighting = Pick<
  typeof insightSightings.$inferSelect,
  "fingerprint" | "scopeKind" | "scopeId" | "at" | "count" | "exercised" | "findings"
>;
type SignalValues = typeof insightSignals.$inferInsert;
type FindingValues = typeof insightFindings.$inferInsert;
export type SignalRow = typeof insightSignals.$inferSelect;
type StoredFinding = typeof insightFindings.$inferSelect;
/** With what its signal counts, and of what; null where only a dismissed finding is left of it. */
export type FindingRow = StoredFinding & {
  dimension: string | null;
  subject: SignalRow["subject"] | null;
};

export type Fares = Pick<
  SignalRow,
  | "status"
  | "occurrenceCount"
  | "lastCount"
  | "firstSeenAt"
  | "lastSeenAt"
  | "resolvedAt"
  | "lastScopeId"
  | "updatedAt"
>;

const inFamily = (
  table: typeof insightSignals | typeof insightSightings | typeof insightFindings,
  place: Place,
) => and(eq(table.projectId, place.projectId), eq(table.familyId, place.familyId));

/** Scopes of one family are recorded one after the other: each reads what all have seen. */
export async function lockFamily(tx: Transaction, { projectId, familyId }: Place): Promise<void> {
  await holdNameLock(tx, `insights ${projectId} ${familyId}`);
}

export async function listSignals(db: Querier, place: Place): Promise<SignalRow[]> {
  return db
    .select()
    .from(insightSignals)
    .where(inFamily(insightSignals, place))
    .orderBy(asc(insightSignals.fingerprint));
}

/** Forgets what the scope showed when it was last mined, and says which signals that was. */
export async function takeSightings(tx: Transaction, place: Place, scope: ScopeKey): Promise<string[]> {
  const rows = await tx
    .delete(insightSightings)
    .where(
      and(
        inFamily(insightSightings, place),
        eq(insightSightings.scopeKind, scope.kind),
        eq(insightSightings.scopeId, scope.id),
      ),
    )
    .returning({ fingerprint: insightSightings.fingerprint });
  return rows.map(({ fingerprint }) => fingerprint);
}

export async function insertSightings(
  tx: Transaction,
  values: (typeof insightSightings.$inferInsert)[],
): Promise<void> {
  if (values.length > 0) await tx.insert(insightSightings).values(values);
}

/** Oldest first. */
export async function listSightings(
  db: Querier,
  place: Place,
  fingerprints: readonly string[],
): Promise<Sighting[]> {
  if (fingerprints.length === 0) return [];
  const { fingerprint, scopeKind, scopeId, at, count, exercised, findings } = insightSightings;
  return db
    .select({ fingerprint, scopeKind, scopeId, at, count, exercised, findings })
    .from(insightSightings)
    .where(and(inFamily(insightSightings, place), inArray(fingerprint, [...fingerprints])))
    .orderBy(asc(at), asc(scopeId));
}

export async function saveSignal(tx: Transaction, row: SignalValues): Promise<void> {
  const { projectId, familyId, fingerprint, ...told } = row;
  await tx
    .insert(insightSignals)
    .values(row)
    .onConflictDoUpdate({
      target: [insightSignals.projectId, insightSignals.familyId, insightSignals.fingerprint],
      set: told,
    });
}

/** Its findings, too, but for those that somebody dismissed: should they come back, they stay dismissed. */
export async function deleteSignal(
  tx: Transaction,
  { fingerprint, ...place }: Place & { fingerprint: string },
): Promise<void> {
  await tx
    .delete(insightSignals)
    .where(and(inFamily(insightSignals, place), eq(insightSignals.fingerprint, fingerprint)));
  await tx
    .delete(insightFindings)
    .where(
      and(
        inFamily(insightFindings, place),
        eq(insightFindings.fingerprint, fingerprint),
        isNull(insightFindings.dismissedAt),
      ),
    );
}

export async function saveFinding(tx: Transaction, row: FindingValues): Promise<void> {
  const { projectId, familyId, findingId, ...told } = row;
  await tx
    .insert(insightFindings)
    .values(row)
    .onConflictDoUpdate({
      target: [insightFindings.projectId, insightFindings.familyId, insightFindings.findingId],
      set: told,
    });
}

interface FindingKey extends Place {
  findingId: string;
}

const isFinding = ({ findingId, ...place }: FindingKey) =>
  and(inFamily(insightFindings, place), eq(insightFindings.findingId, findingId));

export async function updateFinding(
  tx: Querier,
  { projectId, familyId, findingId }: FindingKey,
  change: Partial<FindingValues>,
): Promise<void> {
  await tx.update(insightFindings).set(change).where(isFinding({ projectId, familyId, findingId }));
}

export async function findFinding(db: Querier, key: FindingKey): Promise<FindingRow | undefined> {
  const [row] = await selectFindings(db).where(isFinding(key));
  return row;
}

const selectFindings = (db: Querier) =>
  db
    .select({
      ...getTableColumns(insightFindings),
      dimension: insightSignals.detector,
      subject: insightSignals.subject,
    })
    .from(insightFindings)
    .leftJoin(
      insightSignals,
      and(
        eq(insightSignals.projectId, insightFindings.projectId),
        eq(insightSignals.familyId, insightFindings.familyId),
        eq(insightSignals.fingerprint, insightFindings.fingerprint),
      ),
    );

export interface FindingFilter {
  projectId: ProjectId;
  familyId?: string | undefined;
  status?: FindingRow["status"] | undefined;
  severity?: FindingRow["severity"] | undefined;
  dismissed?: boolean | undefined;
}

/** The place after the last one of a page. */
export interface AfterFinding {
  at: Date;
  findingId: string;
  familyId: string;
}

/** The last seen first. */
export async function listFindings(
  db: Querier,
  asked: FindingFilter & { after?: AfterFinding | undefined; limit: number },
): Promise<FindingRow[]> {
  const { lastSeenAt, findingId, familyId } = insightFindings;
  const { after } = asked;
  return selectFindings(db)
    .where(
      and(
        eq(insightFindings.projectId, asked.projectId),
        asked.familyId === undefined ? undefined : eq(familyId, asked.familyId),
        asked.status && eq(insightFindings.status, asked.status),
        asked.severity && eq(insightFindings.severity, asked.severity),
        asked.dismissed === undefined
          ? undefined
          : asked.dismissed
            ? isNotNull(insightFindings.dismissedAt)
            : isNull(insightFindings.dismissedAt),
        after &&
          sql`(${lastSeenAt}, ${findingId}, ${familyId}) < (${after.at.toISOString()}::timestamptz, ${after.findingId}, ${after.familyId})`,
      ),
    )
    .orderBy(desc(lastSeenAt), desc(findingId), desc(familyId))
    .limit(asked.limit);
}
