/** @module The SQL of visitors and their sessions. Every change touches one row, or all open ones of a scenario. */
import type { ChatSessionId, ScenarioId, VisitorId } from "@fettle/contract/core";
import type { SessionEnd } from "@fettle/contract/visitors";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { chatSessions } from "../../core/tables/chat.ts";
import {
  scenarioRatings,
  scenarioSessions,
  scenarios,
  scenarioVisitors,
} from "../../core/tables/user-testing.ts";

export type VisitorRow = typeof scenarioVisitors.$inferSelect;
export type SessionRow = typeof scenarioSessions.$inferSelect;
export type RatingRow = typeof scenarioRatings.$inferSelect;

/** Whoever holds the cookie, with the scenario as it is now. */
export async function findVisit(db: Querier, scenarioId: ScenarioId, tokenHash: string) {
  const [row] = await db
    .select({ visitor: scenarioVisitors, scenario: scenarios })
    .from(scenarioVisitors)
    .innerJoin(scenarios, eq(scenarios.id, scenarioVisitors.scenarioId))
    .where(and(eq(scenarioVisitors.tokenHash, tokenHash), eq(scenarioVisitors.scenarioId, scenarioId)));
  return row;
}

export async function insertVisitor(
  db: Querier,
  values: typeof scenarioVisitors.$inferInsert,
): Promise<VisitorRow> {
  return oneRow(await db.insert(scenarioVisitors).values(values).returning());
}

export async function changeVisitor(
  db: Querier,
  id: VisitorId,
  change: PgUpdateSetSource<typeof scenarioVisitors>,
): Promise<VisitorRow> {
  return oneRow(await db.update(scenarioVisitors).set(change).where(eq(scenarioVisitors.id, id)).returning());
}

/** One visitor begins one session at a time. Answers how many they have begun on that day. */
export async function lockVisitor(tx: Transaction, id: VisitorId, day: string): Promise<number> {
  const [row] = await tx.select().from(scenarioVisitors).where(eq(scenarioVisitors.id, id)).for("update");
  return row?.begunOn === day ? row.begunCount : 0;
}

/** Whether this person was here before, with another browser. */
export async function wasHere(
  db: Querier,
  { id, scenarioId, userId }: Pick<VisitorRow, "id" | "scenarioId" | "userId">,
): Promise<boolean> {
  if (userId === null) return false;
  const rows = await db
    .select({ id: scenarioVisitors.id })
    .from(scenarioVisitors)
    .where(
      and(
        eq(scenarioVisitors.scenarioId, scenarioId),
        eq(scenarioVisitors.userId, userId),
        ne(scenarioVisitors.id, id),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

export async function insertSession(
  tx: Transaction,
  values: typeof scenarioSessions.$inferInsert,
): Promise<SessionRow> {
  return oneRow(await tx.insert(scenarioSessions).values(values).returning());
}

export async function findSession(db: Querier, id: ChatSessionId): Promise<SessionRow | undefined> {
  const [row] = await db.select().from(scenarioSessions).where(eq(scenarioSessions.id, id));
  return row;
}

export async function changeSession(
  db: Querier,
  id: ChatSessionId,
  change: PgUpdateSetSource<typeof scenarioSessions>,
): Promise<void> {
  await db.update(scenarioSessions).set(change).where(eq(scenarioSessions.id, id));
}

interface End {
  ended: SessionEnd;
  endedAt: Date;
}

export async function endOpen(db: Querier, scenarioId: ScenarioId, end: End): Promise<void> {
  await db
    .update(scenarioSessions)
    .set(end)
    .where(and(eq(scenarioSessions.scenarioId, scenarioId), isNull(scenarioSessions.ended)));
}

/** Whose it was, unless it is over already. */
export async function endOne(db: Querier, id: ChatSessionId, end: End): Promise<VisitorId | null> {
  const [row] = await db
    .update(scenarioSessions)
    .set(end)
    .where(and(eq(scenarioSessions.id, id), isNull(scenarioSessions.ended)))
    .returning({ visitorId: scenarioSessions.visitorId });
  return row?.visitorId ?? null;
}

/** Those that a narrowing has cut off just now, for a visitor who was let in again. */
export async function reopen(
  db: Querier,
  visitorId: VisitorId,
  accessVersion: number,
  since: Date,
): Promise<void> {
  await db
    .update(scenarioSessions)
    .set({ ended: null, endedAt: null, accessVersion })
    .where(
      and(
        eq(scenarioSessions.visitorId, visitorId),
        eq(scenarioSessions.ended, "access"),
        gt(scenarioSessions.lastActivityAt, since),
      ),
    );
}

/** Scenarios with sessions that nobody has used for long, and those sessions' ids. */
export async function listIdle(db: Querier, before: Date, limit: number) {
  return db
    .select({ id: scenarioSessions.id, scenarioId: scenarios.id, projectId: scenarios.projectId })
    .from(scenarioSessions)
    .innerJoin(scenarios, eq(scenarios.id, scenarioSessions.scenarioId))
    .where(and(isNull(scenarioSessions.ended), lt(scenarioSessions.lastActivityAt, before)))
    .limit(limit);
}

/** With everything that was said in them; answers how many. */
export async function deleteBefore(db: Querier, before: Date, limit: number): Promise<number> {
  const old = db
    .select({ id: scenarioSessions.id })
    .from(scenarioSessions)
    .where(lt(scenarioSessions.lastActivityAt, before))
    .limit(limit);
  const { rowCount } = await db.delete(chatSessions).where(inArray(chatSessions.id, old));
  return rowCount ?? 0;
}

export async function deleteVisitorsBefore(db: Querier, before: Date): Promise<void> {
  await db.delete(scenarioVisitors).where(lt(scenarioVisitors.lastSeenAt, before));
}

const own = (visitorId: VisitorId, id?: ChatSessionId) =>
  and(eq(scenarioSessions.visitorId, visitorId), id === undefined ? undefined : eq(scenarioSessions.id, id));

const joined = { session: scenarioSessions, chat: chatSessions };
export type JoinedSession = { session: SessionRow; chat: typeof chatSessions.$inferSelect };

/** The visitor's own session, or their latest. Somebody else's is not found. */
export async function findOwn(
  db: Querier,
  visitorId: VisitorId,
  id?: ChatSessionId,
): Promise<JoinedSession | undefined> {
  const [row] = await db
    .select(joined)
    .from(scenarioSessions)
    .innerJoin(chatSessions, eq(chatSessions.id, scenarioSessions.id))
    .where(own(visitorId, id))
    .orderBy(desc(scenarioSessions.startedAt), desc(scenarioSessions.id))
    .limit(1);
  return row;
}

export async function findInScenario(
  db: Querier,
  scenarioId: ScenarioId,
  id: ChatSessionId,
): Promise<JoinedSession | undefined> {
  const [row] = await db
    .select(joined)
    .from(scenarioSessions)
    .innerJoin(chatSessions, eq(chatSessions.id, scenarioSessions.id))
    .where(and(eq(scenarioSessions.id, id), eq(scenarioSessions.scenarioId, scenarioId)));
  return row;
}

/** Open, and used a short while ago. */
export async function countLive(db: Querier, scenarioId: ScenarioId, since: Date): Promise<number> {
  return db.$count(
    scenarioSessions,
    and(
      eq(scenarioSessions.scenarioId, scenarioId),
      isNull(scenarioSessions.ended),
      gt(scenarioSessions.lastActivityAt, since),
    ),
  );
}

export interface SessionFilter {
  scenarioId: ScenarioId;
  feedback?: "any" | "negative" | undefined;
  authType?: SessionRow["authType"] | undefined;
  population?: SessionRow["population"] | undefined;
  state?: "open" | "ended" | undefined;
  before?: { at: Date; id: string } | undefined;
}

function matching({ scenarioId, feedback, authType, population, state, before }: SessionFilter) {
  const { lastActivityAt, id, ratingCount, isNegative, ended } = scenarioSessions;
  const states: Record<string, SQL> = { open: isNull(ended), ended: isNotNull(ended) };
  return and(
    eq(scenarioSessions.scenarioId, scenarioId),
    feedback === undefined ? undefined : feedback === "any" ? gt(ratingCount, 0) : eq(isNegative, true),
    authType === undefined ? undefined : eq(scenarioSessions.authType, authType),
    population === undefined ? undefined : eq(scenarioSessions.population, population),
    state && states[state],
    isAfterPlace({ at: lastActivityAt, id }, before),
    // One that was begun and never used says nothing.
    sql`cardinality(${scenarioSessions.latencies}) > 0`,
  );
}

/** The latest first. */
export async function listSessions(
  db: Querier,
  filter: SessionFilter,
  limit: number,
): Promise<JoinedSession[]> {
  const rows = await db
    .select()
    .from(scenarioSessions)
    .where(matching(filter))
    .orderBy(desc(scenarioSessions.lastActivityAt), desc(scenarioSessions.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  // Apart, so that a page takes as long among many as among few.
  const said =
    ids.length === 0 ? [] : await db.select().from(chatSessions).where(inArray(chatSessions.id, ids));
  const byId = new Map(said.map((chat) => [chat.id, chat]));
  return rows.flatMap((session) => {
    const chat = byId.get(session.id);
    return chat ? [{ session, chat }] : [];
  });
}

export async function putRating(db: Querier, row: RatingRow): Promise<void> {
  const { value, comment, at } = row;
  await db
    .insert(scenarioRatings)
    .values(row)
    .onConflictDoUpdate({
      target: [scenarioRatings.sessionId, scenarioRatings.turnId, scenarioRatings.style],
      set: { value, comment, at },
    });
}

/** The latest last. */
export async function listRatings(db: Querier, ...ids: readonly ChatSessionId[]): Promise<RatingRow[]> {
  return db
    .select()
    .from(scenarioRatings)
    .where(inArray(scenarioRatings.sessionId, ids))
    .orderBy(asc(scenarioRatings.at));
}

/** What was said about a session, and who it was; the numbers stay. */
export async function eraseWords(db: Querier, id: ChatSessionId): Promise<void> {
  await db.update(scenarioRatings).set({ comment: null }).where(eq(scenarioRatings.sessionId, id));
  await changeSession(db, id, { ended: "erased", comment: null, displayName: null, visitorId: null });
}
