/** @module The SQL of windows: which sessions are of one, and which was looked at last. */
import type { ChatSessionId, ProjectId, ScenarioId } from "@fettle/contract/core";
import { limits } from "@fettle/contract/core";
import type { InsightScope } from "@fettle/contract/insights";
import { and, desc, eq, gte, inArray, isNotNull, lt, max, ne, or, sql } from "drizzle-orm";
import type { Querier, Transaction } from "../../../core/db/pool.ts";
import { chatMessages, chatSessions, chatTurns } from "../../../core/tables/chat.ts";
import { insightSightings, insightSignals, insights } from "../../../core/tables/insights.ts";
import {
  published,
  scenarioRatings,
  scenarioSessions,
  scenarios,
  scenarioWindows,
} from "../../../core/tables/user-testing.ts";
import type { ScenarioRow } from "../store.ts";
import { isVisited } from "../tallies.ts";

export type WindowRow = typeof scenarioWindows.$inferSelect;

export interface Days {
  startAt: Date;
  endAt: Date;
}

/** What has been looked at ends here. */
export type Watermarks = Pick<WindowRow, "sessionCount" | "usedUntil" | "ratedUntil">;

const { population, lastActivityAt, latencies, authInterrupted, ended } = scenarioSessions;

/** Not erased: nothing is left to look at. */
const isThere = sql`${ended} is distinct from 'erased'`;

/** Of real visitors who said something, or could not because a server wanted them to sign in. */
const isIn = (scenarioId: ScenarioId, { startAt, endAt }: Days) =>
  and(
    eq(scenarioSessions.scenarioId, scenarioId),
    eq(population, "real"),
    gte(lastActivityAt, startAt),
    lt(lastActivityAt, endAt),
    isThere,
    or(sql`cardinality(${latencies}) > 0`, authInterrupted),
  );

export async function readWatermarks(db: Querier, scenarioId: ScenarioId, days: Days): Promise<Watermarks> {
  const [used] = await db
    .select({ sessionCount: sql<number>`count(*)::integer`, usedUntil: max(lastActivityAt) })
    .from(scenarioSessions)
    .where(isIn(scenarioId, days));
  const [rated] = await db
    .select({ ratedUntil: max(scenarioRatings.at) })
    .from(scenarioRatings)
    .innerJoin(scenarioSessions, eq(scenarioSessions.id, scenarioRatings.sessionId))
    .where(isIn(scenarioId, days));
  return {
    sessionCount: used?.sessionCount ?? 0,
    usedUntil: used?.usedUntil ?? null,
    ratedUntil: rated?.ratedUntil ?? null,
  };
}

/** The newest first, as many as are looked at. */
export async function listSessionIds(
  db: Querier,
  scenarioId: ScenarioId,
  days: Days,
): Promise<ChatSessionId[]> {
  const rows = await db
    .select({ id: scenarioSessions.id })
    .from(scenarioSessions)
    .where(isIn(scenarioId, days))
    .orderBy(desc(lastActivityAt), desc(scenarioSessions.id))
    .limit(limits.insights.units);
  return rows.map(({ id }) => id);
}

export async function saveWindow(tx: Transaction, row: WindowRow): Promise<void> {
  const { id, scenarioId, ...told } = row;
  await tx.insert(scenarioWindows).values(row).onConflictDoUpdate({ target: scenarioWindows.id, set: told });
}

/** Those whose sessions have begun to be forgotten. */
export async function deleteWindowsBefore(db: Querier, before: Date): Promise<void> {
  await db.delete(scenarioWindows).where(lt(scenarioWindows.startAt, before));
}

export async function findWindow(
  db: Querier,
  projectId: ProjectId,
  id: string,
): Promise<{ window: WindowRow; scenario: ScenarioRow } | undefined> {
  const [row] = await db
    .select({ window: scenarioWindows, scenario: scenarios })
    .from(scenarioWindows)
    .innerJoin(scenarios, eq(scenarios.id, scenarioWindows.scenarioId))
    .where(and(eq(scenarioWindows.id, id), eq(scenarios.projectId, projectId)));
  return row;
}

/** The last that was written down, or the last before another one. */
export async function findLatest(
  db: Querier,
  scenarioId: ScenarioId,
  before?: WindowRow,
): Promise<WindowRow | undefined> {
  const [row] = await db
    .select()
    .from(scenarioWindows)
    .where(
      and(
        eq(scenarioWindows.scenarioId, scenarioId),
        before && and(lt(scenarioWindows.endAt, before.endAt), ne(scenarioWindows.id, before.id)),
      ),
    )
    .orderBy(desc(scenarioWindows.endAt))
    .limit(1);
  return row;
}

const ofWindow = and(eq(insights.scopeKind, "user_testing_window"), eq(insights.scopeId, scenarioWindows.id));

/** Of the latest window that somebody or the night has looked at, or is looking at. */
export async function findAskedScope(db: Querier, scenarioId: ScenarioId): Promise<InsightScope | undefined> {
  const [row] = await db
    .select({ scope: insights.scope })
    .from(scenarioWindows)
    .innerJoin(insights, ofWindow)
    .where(
      and(
        eq(scenarioWindows.scenarioId, scenarioId),
        or(ne(insights.status, "not_requested"), isNotNull(insights.generatedAt)),
      ),
    )
    .orderBy(desc(scenarioWindows.endAt))
    .limit(1);
  return row?.scope;
}

/** Those that somebody is looking at right now. */
export async function listPending(db: Querier, scenarioId: ScenarioId): Promise<WindowRow[]> {
  const rows = await db
    .select({ window: scenarioWindows })
    .from(scenarioWindows)
    .innerJoin(insights, ofWindow)
    .where(and(eq(scenarioWindows.scenarioId, scenarioId), eq(insights.status, "pending")));
  return rows.map(({ window }) => window);
}

export async function findAnalyzed(db: Querier, scenarioId: ScenarioId) {
  const [row] = await db
    .select({ window: scenarioWindows, analysis: insights.analysis })
    .from(scenarioWindows)
    .innerJoin(insights, ofWindow)
    .where(and(eq(scenarioWindows.scenarioId, scenarioId), isNotNull(insights.generatedAt)))
    .orderBy(desc(scenarioWindows.endAt))
    .limit(1);
  return row?.analysis ? { window: row.window, analysis: row.analysis } : undefined;
}

/** What showed in a window, the most frequent first. */
export async function listSignals(db: Querier, projectId: ProjectId, window: WindowRow) {
  const { fingerprint, detector, subject, status } = insightSignals;
  const { count, exercised, findings } = insightSightings;
  return db
    .select({ fingerprint, detector, subject, status, count, exercised, findings })
    .from(insightSightings)
    .innerJoin(
      insightSignals,
      and(
        eq(insightSignals.projectId, insightSightings.projectId),
        eq(insightSignals.familyId, insightSightings.familyId),
        eq(fingerprint, insightSightings.fingerprint),
      ),
    )
    .where(
      and(
        eq(insightSightings.projectId, projectId),
        eq(insightSightings.familyId, window.scenarioId),
        eq(insightSightings.scopeId, window.id),
        sql`${count} > 0`,
      ),
    )
    .orderBy(desc(count), fingerprint);
}

/** Those that visitors have come to. */
export async function listVisited(db: Querier): Promise<ScenarioRow[]> {
  return db
    .select()
    .from(scenarios)
    .where(and(published, isVisited(db)));
}

export async function listSessions(db: Querier, ids: readonly ChatSessionId[]) {
  if (ids.length === 0) return [];
  return db
    .select({ session: scenarioSessions, chat: chatSessions })
    .from(scenarioSessions)
    .innerJoin(chatSessions, eq(chatSessions.id, scenarioSessions.id))
    .where(and(inArray(scenarioSessions.id, [...ids]), isThere))
    .orderBy(desc(lastActivityAt), desc(scenarioSessions.id));
}

/** In the order in which they were sent; one that failed without a word was sent as well. */
export async function listTurns(db: Querier, ids: readonly ChatSessionId[]) {
  const { id, sessionId, message, messageStart, answer, error, wire } = chatTurns;
  return db
    .select({ id, sessionId, message, messageStart, answer, error, wire })
    .from(chatTurns)
    .where(and(inArray(sessionId, [...ids]), ne(chatTurns.status, "running")))
    .orderBy(chatTurns.startedAt, chatTurns.id);
}

export async function listMessages(db: Querier, ids: readonly ChatSessionId[]) {
  const { sessionId, turnId, index, message } = chatMessages;
  return db
    .select({ sessionId, turnId, index, message })
    .from(chatMessages)
    .where(inArray(sessionId, [...ids]))
    .orderBy(index);
}
