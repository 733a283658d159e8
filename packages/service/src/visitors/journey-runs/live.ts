/** @module A run as it is played, told session by session to whoever follows it, also to those who come late. */
import { type JourneyRunTold, swarmLimits } from "@fettle/contract/visitors";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";
import { keepAlive, sseFrame } from "../../core/events/sse.ts";
import { readLatest } from "../../core/events/store.ts";
import { withTicks } from "../../core/events/ticks.ts";
import { endWords } from "./run-states.ts";
import * as store from "./store.ts";

const topicOf = ({ id }: Pick<store.RunRow, "id">) => `journey-run:${id}`;
const clip = (text: string) => text.slice(0, swarmLimits.liveTextLength);

/** Outside of a transaction only a word on the way: the run does not depend on it. */
export async function tell<Type extends keyof JourneyRunTold>(
  app: App,
  run: Pick<store.RunRow, "id">,
  type: Type,
  data: JourneyRunTold[Type],
  { sessionId, inTransaction }: { sessionId?: string; inTransaction?: Transaction } = {},
): Promise<void> {
  const short = Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === "string" ? clip(value) : value]),
  );
  const told = { ...short, ...(sessionId !== undefined && { sessionId }) };
  if (inTransaction) return app.events.publish(topicOf(run), type, told, { inTransaction });
  await app.events
    .publish(topicOf(run), type, told)
    .catch((error: unknown) => app.log.warn("a run's progress could not be told", { error }));
}

export async function* runFrames(
  app: App,
  run: store.RunRow,
  isStillAllowed: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const items = app.events.subscribe({ topics: [topicOf(run)], signal });
  try {
    // From the hello on everything is heard; what was before it is read.
    const hello = await items.next();
    const since = hello.done ? "0" : hello.value.id;
    yield keepAlive;
    const before = await readLatest(app.db, topicOf(run), Number(since), swarmLimits.liveEvents);
    for (const { position, topic, type, data, at } of before) {
      const id = String(position);
      yield sseFrame({ kind: "event", id, topic, type, data, at: at.getTime() }, app.now());
      if (type === "run_complete") return;
    }
    const now = await store.findRun(app.db, run.projectId, run.id);
    if (now?.status !== "running") {
      const data = endWords(now ?? { status: "failed", canceled: false });
      const ended = { kind: "event", id: since, topic: topicOf(run), at: app.now(), data } as const;
      yield sseFrame({ ...ended, type: "run_complete" }, app.now());
      return;
    }
    for await (const item of withTicks(items, signal)) {
      if (item === "tick") {
        if (!(await isStillAllowed())) return;
        yield keepAlive;
        continue;
      }
      yield sseFrame(item, app.now());
      if (item.kind === "event" && item.type === "run_complete") return;
    }
  } finally {
    await items.return?.();
  }
}
