/** @module The SQL of a suite's cases, and of drafts that are not to be paid for twice. */
import type { EvalCaseId, EvalSuiteId } from "@fettle/contract/core";
import { and, eq, notInArray, or, sql } from "drizzle-orm";
import { stillThere } from "../../core/db/changed-meanwhile.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier } from "../../core/db/pool.ts";
import type { Range } from "../../core/routing/page.ts";
import { evalCaseDrafts, evalCases } from "../../core/tables/eval-suites.ts";

export type CaseRow = typeof evalCases.$inferSelect;
export type CaseValues = typeof evalCases.$inferInsert;

/** In a suite's order of cases. */
export interface CasePlace {
  position: number;
  id: string;
}

/** In the order of their authors. */
export async function listCases(
  db: Querier,
  suiteId: EvalSuiteId,
  { after, most }: Range<CasePlace> = {},
): Promise<CaseRow[]> {
  const { position, id } = evalCases;
  const beyond = after && sql`(${position}, ${id}) > (${after.position}, ${after.id})`;
  const rows = db
    .select()
    .from(evalCases)
    .where(and(eq(evalCases.suiteId, suiteId), beyond))
    .orderBy(position, id);
  return most === undefined ? rows : rows.limit(most);
}

/** By its id, or the one its author gave it. */
export async function findCase(
  db: Querier,
  suiteId: EvalSuiteId,
  id: EvalCaseId,
): Promise<CaseRow | undefined> {
  const rows = await db
    .select()
    .from(evalCases)
    .where(and(eq(evalCases.suiteId, suiteId), or(eq(evalCases.id, id), eq(evalCases.declaredId, id))));
  return rows.find((row) => row.id === id) ?? rows[0];
}

/** What new cases are held against, without opening what each says. */
export async function listCaseKeys(db: Querier, suiteId: EvalSuiteId) {
  const { id, declaredId, title, contentHash, idempotencyScope, requestHash, position } = evalCases;
  return db
    .select({ id, declaredId, title, contentHash, idempotencyScope, requestHash, position })
    .from(evalCases)
    .where(eq(evalCases.suiteId, suiteId));
}

export async function insertCases(db: Querier, values: CaseValues[]): Promise<void> {
  if (values.length > 0) await db.insert(evalCases).values(values);
}

export async function changeCase(
  db: Querier,
  id: EvalCaseId,
  change: Partial<CaseValues> & { updatedAt: Date },
): Promise<CaseRow> {
  return oneRow(await db.update(evalCases).set(change).where(eq(evalCases.id, id)).returning());
}

export async function deleteCase(db: Querier, id: EvalCaseId): Promise<void> {
  await db.delete(evalCases).where(eq(evalCases.id, id));
}

/** Those that are not named; answers how many there were. */
export async function deleteOtherCases(
  db: Querier,
  suiteId: EvalSuiteId,
  declaredIds: readonly string[],
): Promise<number> {
  const gone = await db
    .delete(evalCases)
    .where(and(eq(evalCases.suiteId, suiteId), notInArray(evalCases.declaredId, [...declaredIds])))
    .returning({ id: evalCases.id });
  return gone.length;
}

/** An enabled case that only approximates where it came from. */
export async function findApproximated(db: Querier, suiteId: EvalSuiteId): Promise<string[]> {
  const rows = await db
    .select({ declaredId: evalCases.declaredId, definition: evalCases.definition })
    .from(evalCases)
    .where(
      and(
        eq(evalCases.suiteId, suiteId),
        eq(evalCases.disabled, false),
        // SQL cannot look into a definition: an argument in it may hold a zero character.
        sql`${evalCases.definition}::text like '%"approximated"%'`,
      ),
    );
  return rows.flatMap(({ declaredId, definition }) =>
    definition.import?.status === "approximated" ? [declaredId] : [],
  );
}

export async function findDrafts(db: Querier, scopeHash: string) {
  const [row] = await db.select().from(evalCaseDrafts).where(eq(evalCaseDrafts.scopeHash, scopeHash));
  return row;
}

/** Whoever comes second keeps to what the first has drafted. */
export async function keepDrafts(db: Querier, values: typeof evalCaseDrafts.$inferInsert) {
  await db.insert(evalCaseDrafts).values(values).onConflictDoNothing();
  return stillThere(await findDrafts(db, values.scopeHash));
}
