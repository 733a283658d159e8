/** @module The SQL of events. */

import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import { oneRow } from "../db/one-row.ts";
import type { Querier } from "../db/pool.ts";
import { asJsonb } from "../db/storable.ts";
import { events } from "../tables/events.ts";

/** The trigger on the table notifies here. */
export const eventChannel = "fettle_events";

/** Beyond either, a topic's older events are forgotten. */
export const ringSize = 2_000;
export const ringMs = 10 * 60_000;

export interface StoredEvent {
  position: number;
  topic: string;
  type: string;
  data: Record<string, unknown>;
  at: Date;
}

export async function insertEvent(
  querier: Querier,
  event: Pick<StoredEvent, "topic" | "type" | "data">,
): Promise<void> {
  await querier.insert(events).values(event);
}

/** The newest position; 0 before the first event. The newest event is never pruned, so this never goes back. */
export async function newestPosition(querier: Querier): Promise<number> {
  const { rows } = await querier.execute<{ newest: string }>(
    sql`select coalesce(max(position), 0) as newest from events`,
  );
  return Number(oneRow(rows).newest);
}

/** An event is dated before its transaction commits, and the question takes its time on the way. */
const datingMs = 5_000;

/** The newest position from before that long ago; undefined when what came since may be forgotten. */
export async function positionBefore(querier: Querier, ms: number): Promise<number | undefined> {
  const agoMs = ms + datingMs;
  if (agoMs > ringMs / 2) return undefined;
  const { rows } = await querier.execute<{ before: string }>(sql`
    select coalesce(max(position), 0) as before from events
    where at < clock_timestamp() - ${agoMs} * interval '1 millisecond'`);
  return Number(oneRow(rows).before);
}

export async function readEvents(
  querier: Querier,
  { topics, after, limit }: { topics: string[]; after: number; limit: number },
): Promise<StoredEvent[]> {
  if (topics.length === 0) return [];
  const { position, topic, type, data, at } = events;
  const rows = await querier
    .select({ position, topic, type, data, at })
    .from(events)
    // One parameter: a statement has room for 65,535, and open streams may follow more topics than that.
    .where(and(sql`${topic} = any(${sql.param(topics)}::text[])`, gt(position, after)))
    .orderBy(asc(position))
    .limit(limit);
  // Only rows with a position are greater than one.
  return rows as StoredEvent[];
}

/** The last ones of a topic until a position, oldest first. */
export async function readLatest(
  querier: Querier,
  topic: string,
  until: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await querier
    .select()
    .from(events)
    .where(and(eq(events.topic, topic), lte(events.position, until)))
    .orderBy(desc(events.position))
    .limit(limit);
  // Only rows with a position are within one.
  return (rows as StoredEvent[]).toReversed();
}

/**
 * Whether every event of these topics after a position is still here. Careful rather than exact: a position whose own
 * event is gone, or a topic whose ring is full of later ones, counts as a gap.
 */
export async function isComplete(
  querier: Querier,
  { topics, after }: { topics: string[]; after: number },
): Promise<boolean> {
  const { rows } = await querier.execute<{ known: boolean }>(sql`
    select case when ${after}::bigint = 0
      then not exists (select from events where position is not null)
        or exists (select from events where position = 1)
      else exists (select from events where position = ${after}::bigint) end as known`);
  return oneRow(rows).known && !(await hasOverflowed(querier, { topics, after }));
}

/** Whether any of these topics has had a ringful of events since a position. */
export async function hasOverflowed(
  querier: Querier,
  { topics, after }: { topics: string[]; after: number },
): Promise<boolean> {
  const { rows } = await querier.execute<{ overflowed: boolean }>(sql`
    select exists (
      select from jsonb_array_elements_text(${asJsonb(topics)}) as wanted (topic)
      where exists (
        select from events where events.topic = wanted.topic and position > ${after}::bigint
        offset ${ringSize - 1}::int
      )
    ) as overflowed`);
  return oneRow(rows).overflowed;
}

export async function pruneEvents(querier: Querier): Promise<void> {
  await querier.execute(sql`
    delete from events
    where at < now() - ${ringMs} * interval '1 millisecond'
      and position < (select max(position) from events)`);
  await querier.execute(sql`
    delete from events using (
      select topic as name, (
        select position from events as of_topic where of_topic.topic = full_topic.topic
        order by position desc offset ${ringSize - 1} limit 1
      ) as oldest
      from events as full_topic group by topic having count(*) > ${ringSize}
    ) as ring
    where topic = ring.name and position < ring.oldest`);
}
