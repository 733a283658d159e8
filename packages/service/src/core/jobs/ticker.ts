/** @module The clock of schedules in this process: wakes at the next tick, and fires what is due. */
import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../app.ts";
import type { Querier } from "../db/pool.ts";
import type { JobDefinition } from "./define.ts";
import { type Schedule, saveSchedule, tick, untilNextTick } from "./schedule.ts";

/** A schedule set by another process is seen at the latest after this; cron counts in minutes. */
const longestSleepMs = 10_000;

export async function startTicking(
  app: App,
  definitions: readonly JobDefinition[],
  enqueue: (querier: Querier, schedule: Schedule, definition: JobDefinition) => Promise<unknown>,
): Promise<{ stop(): Promise<void> }> {
  const { db, log } = app;
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  for (const { name, schedule } of definitions) {
    if (!schedule) continue;
    const { cron, timezone = "UTC", input } = schedule;
    await saveSchedule(db, { key: `system ${name}`, name, input, cron, timezone });
  }
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let sleepMs = longestSleepMs;
      try {
        await tick(db, async (querier, schedule) => {
          const definition = byName.get(schedule.name);
          if (definition) await enqueue(querier, schedule, definition);
          else
            log.warn("a schedule names a job that does not exist", {
              schedule: schedule.key,
              job: schedule.name,
            });
        });
        sleepMs = Math.min((await untilNextTick(db)) ?? longestSleepMs, longestSleepMs);
      } catch (error) {
        log.warn("schedules cannot be looked at; trying again", { error });
      }
      await delay(Math.max(50, sleepMs), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
