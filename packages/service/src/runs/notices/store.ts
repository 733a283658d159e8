/** @module The SQL of notices, webhooks and their deliveries. */
import type { NoticeId, ProjectId, UserId, WebhookDeliveryId, WebhookId } from "@fettle/contract/core";
import type { DeliveryState, NoticeEvent } from "@fettle/contract/notices";
import { and, arrayContains, asc, count, desc, eq, getTableColumns, inArray, lt, sql } from "drizzle-orm";
import { placeById } from "../../core/db/keyset.ts";
import { oneRow } from "../../core/db/one-row.ts";
import type { Querier, Transaction } from "../../core/db/pool.ts";
import { users } from "../../core/tables/accounts.ts";
import { noticeLetters, notices, webhookDeliveries, webhooks } from "../../core/tables/notices.ts";
import { projects } from "../../core/tables/projects.ts";

export type NoticeRow = typeof notices.$inferSelect;
export type WebhookRow = typeof webhooks.$inferSelect & { createdByName: string | null };
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** Whether anybody would be told; most projects tell nobody. */
export async function isWanted(db: Querier, projectId: ProjectId, event: NoticeEvent): Promise<boolean> {
  const wanted = sql.param(event);
  const { rows } = await db.execute<{ wanted: boolean }>(sql`
    select exists (select from ${webhooks} where project_id = ${projectId} and enabled and ${wanted} = any(events))
      or exists (select from ${noticeLetters} where project_id = ${projectId} and ${wanted} = any(events)) as wanted`);
  return oneRow(rows).wanted;
}

export async function projectNameOf(db: Querier, projectId: ProjectId): Promise<string> {
  const [row] = await db.select({ name: projects.name }).from(projects).where(eq(projects.id, projectId));
  return row?.name ?? "";
}

export async function insertNotice(tx: Querier, row: typeof notices.$inferInsert): Promise<void> {
  await tx.insert(notices).values(row);
}

export async function findNotice(db: Querier, id: NoticeId): Promise<NoticeRow | undefined> {
  const [row] = await db.select().from(notices).where(eq(notices.id, id));
  return row;
}

/** With their deliveries. */
export async function deleteNotices(db: Querier, before: Date): Promise<void> {
  await db.delete(notices).where(lt(notices.at, before));
}

const columns = { ...getTableColumns(webhooks), createdByName: users.name };

export async function listWebhooks(db: Querier, projectId: ProjectId): Promise<WebhookRow[]> {
  return db
    .select(columns)
    .from(webhooks)
    .leftJoin(users, eq(users.id, webhooks.createdBy))
    .where(eq(webhooks.projectId, projectId))
    .orderBy(asc(webhooks.id));
}

/** Those to be told of an event. */
export async function listWanting(
  db: Querier,
  projectId: ProjectId,
  event: NoticeEvent,
): Promise<WebhookId[]> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), webhooks.enabled, arrayContains(webhooks.events, [event])));
  return rows.map(({ id }) => id);
}

export async function findWebhook(
  db: Querier,
  projectId: ProjectId,
  id: WebhookId,
): Promise<WebhookRow | undefined> {
  const [row] = await db
    .select(columns)
    .from(webhooks)
    .leftJoin(users, eq(users.id, webhooks.createdBy))
    .where(and(eq(webhooks.projectId, projectId), eq(webhooks.id, id)));
  return row;
}

/** Those who add one to a project do so one after the other, so that the limit holds. */
export async function countLocked(tx: Transaction, projectId: ProjectId): Promise<number> {
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for("update");
  return oneRow(await tx.select({ total: count() }).from(webhooks).where(eq(webhooks.projectId, projectId)))
    .total;
}

export async function insertWebhook(tx: Querier, row: typeof webhooks.$inferInsert): Promise<void> {
  await tx.insert(webhooks).values(row);
}

export async function updateWebhook(
  tx: Querier,
  id: WebhookId,
  change: Partial<typeof webhooks.$inferInsert>,
): Promise<void> {
  await tx.update(webhooks).set(change).where(eq(webhooks.id, id));
}

/** Undefined: somebody has removed it meanwhile. */
export async function lockWebhook(tx: Transaction, id: WebhookId): Promise<{ updatedAt: Date } | undefined> {
  const [row] = await tx
    .select({ updatedAt: webhooks.updatedAt })
    .from(webhooks)
    .where(eq(webhooks.id, id))
    .for("update");
  return row;
}

/** Since when it has taken nothing. */
export async function markFailing(tx: Querier, id: WebhookId, now: Date): Promise<Date> {
  const failingSince = sql`coalesce(${webhooks.failingSince}, ${now.toISOString()}::timestamptz)`;
  const [row] = await tx
    .update(webhooks)
    .set({ failingSince })
    .where(eq(webhooks.id, id))
    .returning({ since: webhooks.failingSince });
  return row?.since ?? now;
}

export async function deleteWebhook(tx: Querier, id: WebhookId): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id));
}

/** Undefined when this receiver has this event already. */
export async function insertDelivery(
  tx: Querier,
  row: typeof webhookDeliveries.$inferInsert,
): Promise<DeliveryRow | undefined> {
  const [made] = await tx.insert(webhookDeliveries).values(row).onConflictDoNothing().returning();
  return made;
}

export async function updateDelivery(
  tx: Querier,
  id: WebhookDeliveryId,
  change: Partial<typeof webhookDeliveries.$inferInsert>,
): Promise<void> {
  await tx.update(webhookDeliveries).set(change).where(eq(webhookDeliveries.id, id));
}

/** All that still wait for a receiver that gets nothing any more. */
export async function giveUpWaiting(tx: Querier, webhookId: WebhookId, error: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: "failed", error, nextAttemptAt: null, jobId: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.state, "waiting")));
}

export interface WholeDelivery {
  delivery: DeliveryRow;
  notice: NoticeRow;
}

export async function findDelivery(db: Querier, id: WebhookDeliveryId) {
  const [row] = await db
    .select({ delivery: webhookDeliveries, notice: notices, webhook: getTableColumns(webhooks) })
    .from(webhookDeliveries)
    .innerJoin(notices, eq(notices.id, webhookDeliveries.noticeId))
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(eq(webhookDeliveries.id, id));
  return row;
}

export async function lockDelivery(tx: Transaction, id: WebhookDeliveryId): Promise<DeliveryRow | undefined> {
  const [row] = await tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id)).for("update");
  return row;
}

export async function listDeliveries(
  db: Querier,
  webhookId: WebhookId,
  asked: { state?: DeliveryState | undefined; before?: string | undefined; limit: number },
): Promise<WholeDelivery[]> {
  const { state, before, limit } = asked;
  const place = placeById(webhookDeliveries.id);
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, webhookId),
        state && eq(webhookDeliveries.state, state),
        before === undefined ? undefined : sql`${place} < ${before}`,
      ),
    )
    .orderBy(desc(place))
    .limit(limit);
  // Apart, so that a page takes as long among many as among few.
  const ids = rows.map(({ noticeId }) => noticeId);
  const happened = ids.length === 0 ? [] : await db.select().from(notices).where(inArray(notices.id, ids));
  const byId = new Map(happened.map((notice) => [notice.id, notice]));
  return rows.flatMap((delivery) => {
    const notice = byId.get(delivery.noticeId);
    return notice ? [{ delivery, notice }] : [];
  });
}

export async function findLetters(db: Querier, projectId: ProjectId, userId: UserId): Promise<NoticeEvent[]> {
  const [row] = await db
    .select({ events: noticeLetters.events })
    .from(noticeLetters)
    .where(and(eq(noticeLetters.projectId, projectId), eq(noticeLetters.userId, userId)));
  return row?.events ?? [];
}

export async function saveLetters(
  db: Querier,
  projectId: ProjectId,
  userId: UserId,
  events: NoticeEvent[],
): Promise<void> {
  await db
    .insert(noticeLetters)
    .values({ projectId, userId, events })
    .onConflictDoUpdate({ target: [noticeLetters.projectId, noticeLetters.userId], set: { events } });
}

export async function listReaders(db: Querier, projectId: ProjectId, event: NoticeEvent) {
  return db
    .select({ userId: users.id, email: users.email })
    .from(noticeLetters)
    .innerJoin(users, eq(users.id, noticeLetters.userId))
    .where(and(eq(noticeLetters.projectId, projectId), arrayContains(noticeLetters.events, [event])));
}
