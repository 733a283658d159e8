/** @module The SQL of widgets' documents. */

import type { ServerId, UserId, VisitorId } from "@fettle/contract/core";
import { and, desc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Querier } from "../../core/db/pool.ts";
import { asJsonb } from "../../core/db/storable.ts";
import { widgetDocuments } from "../../core/tables/widgets.ts";
import type { Refusal, WidgetDocument } from "./sandbox.ts";

/** Who looks at a document. */
export type Looking = { userId: UserId } | { visitorId: VisitorId };

export async function insertDocument(
  db: Querier,
  {
    looking,
    ...values
  }: Omit<typeof widgetDocuments.$inferInsert, "refusals" | "userId" | "visitorId"> & {
    looking: Looking;
  },
  keep: number,
): Promise<void> {
  await db.insert(widgetDocuments).values({ ...values, ...looking });
  const beyond = db
    .select({ id: widgetDocuments.id })
    .from(widgetDocuments)
    .where(
      "userId" in looking
        ? eq(widgetDocuments.userId, looking.userId)
        : eq(widgetDocuments.visitorId, looking.visitorId),
    )
    .orderBy(desc(widgetDocuments.expiresAt))
    .offset(keep);
  await db.delete(widgetDocuments).where(inArray(widgetDocuments.id, beyond));
}

export async function deleteExpired(db: Querier, now: Date): Promise<void> {
  await db.delete(widgetDocuments).where(lte(widgetDocuments.expiresAt, now));
}

export async function findDocument(db: Querier, id: string, now: Date): Promise<WidgetDocument | undefined> {
  const { html, policy, allow } = widgetDocuments;
  const [row] = await db
    .select({ html, policy, allow })
    .from(widgetDocuments)
    .where(and(eq(widgetDocuments.id, id), gt(widgetDocuments.expiresAt, now)));
  return row;
}

export async function appendRefusal(
  db: Querier,
  id: string,
  refusal: Refusal,
  atMost: number,
): Promise<void> {
  const added = sql`${widgetDocuments.refusals} || ${asJsonb([refusal])}`;
  await db
    .update(widgetDocuments)
    .set({ refusals: added })
    .where(and(eq(widgetDocuments.id, id), sql`jsonb_array_length(${widgetDocuments.refusals}) < ${atMost}`));
}

export async function findRefusals(
  db: Querier,
  asked: { id: string; serverId: ServerId; userId: UserId },
): Promise<Refusal[] | undefined> {
  const [row] = await db
    .select({ refusals: widgetDocuments.refusals })
    .from(widgetDocuments)
    .where(
      and(
        eq(widgetDocuments.id, asked.id),
        eq(widgetDocuments.serverId, asked.serverId),
        eq(widgetDocuments.userId, asked.userId),
      ),
    );
  return row?.refusals;
}
