/**
 * @module The line before a scenario's answers. A class that writes at the same moment is more than a scenario plays at once: whoever
 * comes then waits for a bounded time, and those who came first go first. Each process has lines of its own; nothing of them is kept.
 */
import { setTimeout as delay } from "node:timers/promises";
import { limits, type ScenarioId } from "@fettle/contract/core";

const { line } = limits.userTesting;

export interface PlaceInLine {
  /** How many stand before this one. */
  ahead(): number;
  /** Resolves when something may have changed: nobody is ahead any more, or some time has passed. */
  moved(signal: AbortSignal): Promise<void>;
  leave(): void;
}

export interface TurnLines {
  isEmpty(scenarioId: ScenarioId): boolean;
  /** Undefined: the line is as long as it may be. */
  join(scenarioId: ScenarioId): PlaceInLine | undefined;
}

declare module "../../core/app.ts" {
  interface App {
    turnLines: TurnLines;
  }
}

export function createTurnLines(): TurnLines {
  const lines = new Map<ScenarioId, symbol[]>();
  const waiting = new Map<symbol, () => void>();
  return {
    isEmpty: (scenarioId) => !lines.has(scenarioId),
    join(scenarioId) {
      const all = lines.get(scenarioId) ?? [];
      if (all.length >= line.longest) return undefined;
      const own = Symbol(scenarioId);
      all.push(own);
      lines.set(scenarioId, all);
      return {
        ahead: () => all.indexOf(own),
        async moved(signal) {
          const woken = Promise.withResolvers<void>();
          waiting.set(own, woken.resolve);
          const over = new AbortController();
          const late = delay(all[0] === own ? line.lookMs : line.tellMs, undefined, {
            signal: AbortSignal.any([signal, over.signal]),
          });
          // Whoever is woken, or has gone, waits for no timer.
          await Promise.race([woken.promise, late.catch(() => undefined)]);
          over.abort();
          waiting.delete(own);
        },
        leave() {
          const place = all.indexOf(own);
          if (place < 0) return;
          all.splice(place, 1);
          if (all.length === 0) lines.delete(scenarioId);
          const [first] = all;
          if (place === 0 && first) waiting.get(first)?.();
        },
      };
    },
  };
}
