/**
 * @module The SQL of conversations. What a turn holds, it holds by its lease; whoever comes late changes nothing. Who changes both
 * takes the conversation's row first, then the turn's: in another order, two could wait for each other.
 */
import type {
  ChatSessionId,
  ChatTurnId,
  OrganizationId,
  ProjectId,
  ScenarioId,
  UserId,
} from "@fettle/contract/core";
import { must } from "@fettle/contract/formats";
import { sessionStatuses } from "@fettle/contract/visitors";
import type { Message } from "@fettle/evals";
import { and, asc, desc, eq, gt, gte, isNotNull, isNull, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { isAfterPlace } from "../../core/db/keyset.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { newId } from "../../core/id.ts";
import { chatMessages, chatSessions, chatTurns } from "../../core/tables/chat.ts";
import { projects } from "../../core/tables/projects.ts";
import type { Settled } from "./settled.ts";

export type SessionRow = typeof chatSessions.$inferSelect;
export type TurnRow = typeof chatTurns.$inferSelect;

export const settledOf = ({ settled }: Pick<SessionRow, "settled">): Settled =>
  // Only a first message fills the column.
  settled as Settled;

export async function findSession(db: Querier, id: ChatSessionId): Promise<SessionRow | undefined> {
  const [row] = await db.select().from(chatSessions).where(eq(chatSessions.id, id));
  return row;
}

export async function lockSession(tx: Transaction, id: ChatSessionId): Promise<SessionRow | undefined> {
  const [row] = await tx.select().from(chatSessions).where(eq(chatSessions.id, id)).for("update");
  return row;
}

export async function findTurn(
  db: Querier,
  sessionId: ChatSessionId,
  id: ChatTurnId,
): Promise<TurnRow | undefined> {
  const [row] = await db
    .select()
    .from(chatTurns)
    .where(and(eq(chatTurns.id, id), eq(chatTurns.sessionId, sessionId)));
  return row;
}

export async function findByScope(db: Querier, scope: string): Promise<TurnRow | undefined> {
  const [row] = await db.select().from(chatTurns).where(eq(chatTurns.scope, scope));
  return row;
}

/** Those of one scenario's visitors, or those of the organization's own people. */
export interface TurnPool {
  organizationId: OrganizationId;
  scenarioId: ScenarioId | null;
}

export async function countRunning(
  tx: Querier,
  { organizationId, scenarioId }: TurnPool,
  now: Date,
): Promise<{ working: number; waiting: number }> {
  const { runningWaits, runningTurnId } = chatSessions;
  return oneRow(
    await tx
      .select({
        working: sql<number>`count(*) filter (where not ${runningWaits})::int`,
        waiting: sql<number>`count(*) filter (where ${runningWaits})::int`,
      })
      .from(chatTurns)
      .innerJoin(chatSessions, eq(runningTurnId, chatTurns.id))
      .where(
        and(
          eq(chatTurns.organizationId, organizationId),
          scenarioId === null ? isNull(chatTurns.scenarioId) : eq(chatTurns.scenarioId, scenarioId),
          eq(chatTurns.status, "running"),
          gt(chatTurns.leaseUntil, now),
        ),
      ),
  );
}

/** Of a turn that has lost its conversation to another: nothing. */
export async function setWaits(db: Querier, turnId: ChatTurnId, runningWaits: boolean): Promise<void> {
  await db.update(chatSessions).set({ runningWaits }).where(eq(chatSessions.runningTurnId, turnId));
}

export async function insertSession(
  tx: Transaction,
  values: typeof chatSessions.$inferInsert,
): Promise<SessionRow> {
  return oneRow(await tx.insert(chatSessions).values(values).returning());
}

export async function updateSession(
  db: Querier,
  id: ChatSessionId,
  change: Partial<typeof chatSessions.$inferInsert>,
): Promise<SessionRow | undefined> {
  const [row] = await db.update(chatSessions).set(change).where(eq(chatSessions.id, id)).returning();
  return row;
}

export async function deleteSession(db: Querier, id: ChatSessionId): Promise<void> {
  await db.delete(chatSessions).where(eq(chatSessions.id, id));
}

export interface SessionFilter {
  userId: UserId;
  /** Only in this organization. */
  boundTo: OrganizationId | null;
  projectId?: ProjectId | undefined;
  status?: SessionRow["status"] | undefined;
  before?: { at: Date; id: string } | undefined;
  limit: number;
}

/** One's own, in projects of the organization that one is bound to, with something said in them or about to be. */
export async function listSessions(db: Querier, filter: SessionFilter): Promise<SessionRow[]> {
  const { projectId, status, limit } = filter;
  if (projectId === undefined || status !== undefined) return listOfStatus(db, filter);
  // The index of a project's own has them by status, each in the order of time.
  const rows: SessionRow[] = [];
  for (const one of sessionStatuses) rows.push(...(await listOfStatus(db, { ...filter, status: one })));
  const later = (one: SessionRow, other: SessionRow) =>
    other.lastActivityAt.getTime() - one.lastActivityAt.getTime() || (other.id > one.id ? 1 : -1);
  return rows.toSorted(later).slice(0, limit);
}

async function listOfStatus(db: Querier, filter: SessionFilter): Promise<SessionRow[]> {
  const { userId, boundTo, projectId, status, before, limit } = filter;
  const { id, lastActivityAt } = chatSessions;
  const rows = await db
    .select({ session: chatSessions })
    .from(chatSessions)
    .innerJoin(projects, eq(projects.id, chatSessions.projectId))
    .where(
      and(
        eq(chatSessions.createdBy, userId),
        or(gt(chatSessions.turnCount, 0), isNotNull(chatSessions.runningTurnId)),
        boundTo === null ? undefined : eq(projects.organizationId, boundTo),
        projectId === undefined ? undefined : eq(chatSessions.projectId, projectId),
        status === undefined ? undefined : eq(chatSessions.status, status),
        isAfterPlace({ at: lastActivityAt, id }, before),
      ),
    )
    .orderBy(desc(lastActivityAt), desc(id))
    .limit(limit);
  return rows.map(({ session }) => session);
}

/** Puts the turn in the place of one of the same key that came to nothing. */
export async function insertTurn(tx: Transaction, values: typeof chatTurns.$inferInsert): Promise<void> {
  await tx.delete(chatTurns).where(eq(chatTurns.scope, values.scope));
  await tx.insert(chatTurns).values(values);
}

export async function deleteTurn(db: Querier, id: ChatTurnId): Promise<void> {
  await db.delete(chatTurns).where(eq(chatTurns.id, id));
}

export async function updateTurn(
  db: Querier,
  id: ChatTurnId,
  change: PgUpdateSetSource<typeof chatTurns>,
): Promise<TurnRow | undefined> {
  const [row] = await db.update(chatTurns).set(change).where(eq(chatTurns.id, id)).returning();
  return row;
}

/** One statement: the conversation and the turn that holds it. Who lost it to another changes nothing. */
export async function prolongTurn(db: Querier, id: ChatTurnId, until: Date): Promise<void> {
  await db.execute(sql`
    with held as (
      update chat_sessions set running_until = ${until}
      where id = (select session_id from chat_turns where id = ${id}) and running_turn_id = ${id}
      returning id
    )
    update chat_turns set lease_until = ${until} from held
    where chat_turns.id = ${id} and chat_turns.session_id = held.id and status = 'running'`);
}

/** Every turn of the scenario's visitors that is under way, or of one session. Whoever plays one looks at this. */
export async function stopVisitorTurns(
  db: Querier,
  scenarioId: ScenarioId,
  sessionId?: ChatSessionId,
): Promise<void> {
  await db
    .update(chatTurns)
    .set({ stopAsked: true })
    .where(
      and(
        eq(chatTurns.scenarioId, scenarioId),
        eq(chatTurns.status, "running"),
        sessionId === undefined ? undefined : eq(chatTurns.sessionId, sessionId),
      ),
    );
}

export async function setPending(db: Querier, id: ChatTurnId, pending: SQL): Promise<void> {
  await db.update(chatTurns).set({ pending }).where(eq(chatTurns.id, id));
}

export async function readDecisions(
  db: Querier,
  id: ChatTurnId,
): Promise<Record<string, boolean> | undefined> {
  const { decisions } = chatTurns;
  const [row] = await db.select({ decisions }).from(chatTurns).where(eq(chatTurns.id, id));
  return row?.decisions;
}

/** Keeps what it has told, and answers as `isStopAsked` does. One that has ended keeps its end. */
export async function keepTold(db: Querier, id: ChatTurnId, told: unknown): Promise<boolean> {
  const [row] = await db
    .update(chatTurns)
    .set({ told })
    .where(and(eq(chatTurns.id, id), eq(chatTurns.status, "running")))
    .returning({ stopAsked: chatTurns.stopAsked });
  return row === undefined || row.stopAsked;
}

/** Of a turn that is gone as well: its conversation was deleted. */
export async function isStopAsked(db: Querier, id: ChatTurnId): Promise<boolean> {
  const { stopAsked } = chatTurns;
  const [row] = await db.select({ stopAsked }).from(chatTurns).where(eq(chatTurns.id, id));
  return row === undefined || row.stopAsked;
}

/** What was said, and what the turns kept of it. That there were so many stays known. */
export async function eraseSaid(tx: Transaction, id: ChatSessionId): Promise<void> {
  await tx.delete(chatMessages).where(eq(chatMessages.sessionId, id));
  const gone = { message: null, answer: null, error: null, spans: null, wire: null, pending: [] };
  await tx.update(chatTurns).set(gone).where(eq(chatTurns.sessionId, id));
  await updateSession(tx, id, { title: null, firstMessage: "" });
}

/** The latest of them, or those after one, in their order. */
export async function listTurns(
  db: Querier,
  sessionId: ChatSessionId,
  { after, limit }: { after: number; limit?: number },
): Promise<TurnRow[]> {
  const rows = db
    .select()
    .from(chatTurns)
    .where(and(eq(chatTurns.sessionId, sessionId), gt(chatTurns.promptIndex, after)))
    .orderBy(asc(chatTurns.promptIndex));
  return limit === undefined ? rows : rows.limit(limit);
}

/** Those in which a tool was called whose result a widget shows, and what they answered. */
export function listTurnsWithWidgets(
  db: Querier,
  sessionId: ChatSessionId,
): Promise<Pick<TurnRow, "id" | "answer">[]> {
  const { id, answer } = chatTurns;
  return (
    db
      .select({ id, answer })
      .from(chatTurns)
      // Before any is read: most have none, and what they answered may be long.
      .where(and(eq(chatTurns.sessionId, sessionId), like(sql`${answer}::text`, '%"hasWidget":true%')))
  );
}

export async function listMessages(
  db: Querier,
  sessionId: ChatSessionId,
  { from = 0, limit }: { from?: number; limit?: number } = {},
): Promise<{ index: number; turnId: ChatTurnId; message: Message }[]> {
  const { index, turnId, message } = chatMessages;
  const rows = db
    .select({ index, turnId, message })
    .from(chatMessages)
    .where(and(eq(chatMessages.sessionId, sessionId), gte(index, from)))
    .orderBy(asc(index));
  return limit === undefined ? rows : rows.limit(limit);
}

export async function insertMessages(
  tx: Transaction,
  rows: (typeof chatMessages.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await tx.insert(chatMessages).values(rows);
}

/** The conversation up to a message, under another's name. */
export async function copyMessages(
  tx: Transaction,
  from: ChatSessionId,
  to: ChatSessionId,
  before: number,
  turnIds: ReadonlyMap<ChatTurnId, ChatTurnId>,
): Promise<void> {
  const rows = await tx
    .select()
    .from(chatMessages)
    .where(and(eq(chatMessages.sessionId, from), lt(chatMessages.index, before)));
  await insertMessages(
    tx,
    rows.map((row) => ({ ...row, sessionId: to, turnId: turnIds.get(row.turnId) ?? row.turnId })),
  );
}

/** The turns before one, as they were; their keys stay with the conversation they were sent in. */
export async function copyTurns(
  tx: Transaction,
  from: ChatSessionId,
  to: ChatSessionId,
  before: number,
  now: number,
): Promise<Map<ChatTurnId, ChatTurnId>> {
  const rows = await tx
    .select()
    .from(chatTurns)
    .where(and(eq(chatTurns.sessionId, from), lt(chatTurns.promptIndex, before)));
  const ids = new Map(rows.map(({ id }) => [id, newId("chatTurn", now)]));
  if (rows.length > 0) {
    const copies = rows.map((row) => ({
      ...row,
      id: must(ids.get(row.id), "a new id for each turn"),
      sessionId: to,
      scope: must(ids.get(row.id), "a new id for each turn"),
    }));
    await tx.insert(chatTurns).values(copies);
  }
  return ids;
}
