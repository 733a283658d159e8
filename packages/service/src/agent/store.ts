/** @module The SQL of agent turns and of what they proposed. Whoever comes late changes nothing. */
import type { AgentActionId, AgentTurnId, OrganizationId, ProjectId, UserId } from "@fettle/contract/core";
import { and, desc, eq, getTableColumns, gt, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { oneRow } from "../core/db/one-row.ts";
import type { Querier, Transaction } from "../core/db/pool.ts";
import { users } from "../core/tables/accounts.ts";
import { agentActions, agentTurns } from "../core/tables/agent.ts";

export type AgentTurnRow = typeof agentTurns.$inferSelect;
export type ActionRow = typeof agentActions.$inferSelect;

export async function findTurnByScope(tx: Transaction, scope: string): Promise<AgentTurnRow | undefined> {
  const [row] = await tx.select().from(agentTurns).where(eq(agentTurns.scope, scope));
  return row;
}

export async function countRunning(
  tx: Transaction,
  organizationId: OrganizationId,
  now: Date,
): Promise<number> {
  const isRunning = and(
    eq(agentTurns.organizationId, organizationId),
    eq(agentTurns.status, "running"),
    gt(agentTurns.leaseUntil, now),
  );
  return tx.$count(agentTurns, isRunning);
}

export async function insertTurn(tx: Transaction, row: typeof agentTurns.$inferInsert): Promise<void> {
  await tx.insert(agentTurns).values(row);
}

export async function updateTurn(
  db: Querier,
  id: AgentTurnId,
  change: Partial<typeof agentTurns.$inferInsert>,
): Promise<void> {
  await db.update(agentTurns).set(change).where(eq(agentTurns.id, id));
}

export async function deleteTurn(db: Querier, id: AgentTurnId): Promise<void> {
  await db.delete(agentTurns).where(eq(agentTurns.id, id));
}

/** The one of this scope, whether it is new or was there. */
export async function addAction(
  db: Querier,
  row: typeof agentActions.$inferInsert,
): Promise<{ row: ActionRow; isNew: boolean }> {
  const [added] = await db.insert(agentActions).values(row).onConflictDoNothing().returning();
  if (added) return { row: added, isNew: true };
  const held = await db.select().from(agentActions).where(eq(agentActions.scope, row.scope));
  return { row: oneRow(held), isNew: false };
}

/** Of one operation in one conversation: those that somebody may still decide about. */
export function listOpen(
  db: Querier,
  { projectId, conversationId, operation }: Pick<ActionRow, "projectId" | "conversationId" | "operation">,
  now: Date,
): Promise<ActionRow[]> {
  return db
    .select()
    .from(agentActions)
    .where(
      and(
        eq(agentActions.projectId, projectId),
        eq(agentActions.conversationId, conversationId),
        eq(agentActions.operation, operation),
        eq(agentActions.state, "open"),
        gt(agentActions.expiresAt, now),
      ),
    );
}

export interface SeenAction extends ActionRow {
  proposer: string | null;
  decider: string | null;
}

const proposers = alias(users, "proposers");
const deciders = alias(users, "deciders");

async function readActions(db: Querier, where: SQL | undefined, limit: number): Promise<SeenAction[]> {
  return db
    .select({
      ...getTableColumns(agentActions),
      proposer: proposers.name,
      decider: deciders.name,
    })
    .from(agentActions)
    .leftJoin(proposers, eq(proposers.id, agentActions.proposedBy))
    .leftJoin(deciders, eq(deciders.id, agentActions.decidedBy))
    .where(where)
    .orderBy(desc(agentActions.createdAt), desc(agentActions.id))
    .limit(limit);
}

export async function findAction(
  db: Querier,
  projectId: ProjectId,
  id: AgentActionId,
): Promise<SeenAction | undefined> {
  const where = and(eq(agentActions.projectId, projectId), eq(agentActions.id, id));
  const [row] = await readActions(db, where, 1);
  return row;
}

export function listActions(
  db: Querier,
  projectId: ProjectId,
  filter: { conversationId?: string | undefined; openAt?: Date | undefined },
  limit: number,
): Promise<SeenAction[]> {
  const { conversationId, openAt } = filter;
  const where = and(
    eq(agentActions.projectId, projectId),
    conversationId === undefined ? undefined : eq(agentActions.conversationId, conversationId),
    openAt && and(eq(agentActions.state, "open"), gt(agentActions.expiresAt, openAt)),
  );
  return readActions(db, where, limit);
}

/** Changes what is open, or what `again` lets through; false when somebody was faster. */
export async function decide(
  db: Querier,
  id: AgentActionId,
  now: Date,
  change: Partial<typeof agentActions.$inferInsert>,
  again?: { by: UserId },
): Promise<boolean> {
  const isOpen = and(eq(agentActions.state, "open"), gt(agentActions.expiresAt, now));
  const isLost =
    again &&
    and(
      eq(agentActions.state, "running"),
      eq(agentActions.decidedBy, again.by),
      lt(agentActions.leaseUntil, now),
    );
  const { rowCount } = await db
    .update(agentActions)
    .set(change)
    .where(and(eq(agentActions.id, id), or(isOpen, isLost)));
  return rowCount === 1;
}

export async function updateAction(
  db: Querier,
  id: AgentActionId,
  change: Partial<typeof agentActions.$inferInsert>,
): Promise<void> {
  await db.update(agentActions).set(change).where(eq(agentActions.id, id));
}

export async function forgetTurns(db: Querier, before: Date): Promise<void> {
  await db.delete(agentTurns).where(lt(agentTurns.startedAt, before));
}

export async function forgetActions(db: Querier, before: Date): Promise<void> {
  await db.delete(agentActions).where(lt(sql`${agentActions.expiresAt}`, before));
}
