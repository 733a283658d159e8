/** @module The two limits of one call: the longest silence, which every sign of life starts anew, and the whole. Both stand still while the server waits for us. */
import type { Timeouts } from "../limits.ts";

export interface CallClock {
  /** A sign of life came. */
  alive(): void;
  /** Stands still until the returned function is called, once for each that holds it. */
  hold(): () => void;
  stop(): void;
}

export function startClock(
  { idleMs, totalMs }: Pick<Timeouts, "idleMs" | "totalMs">,
  expire: (phase: "idle" | "total", ms: number) => void,
): CallClock {
  let idle: NodeJS.Timeout;
  let total: NodeJS.Timeout;
  let leftMs = totalMs;
  let startedAt = 0;
  let holders = 0;
  let isOver = false;

  const start = () => {
    startedAt = performance.now();
    idle = setTimeout(() => expire("idle", idleMs), idleMs);
    total = setTimeout(() => expire("total", totalMs), leftMs);
  };
  const halt = () => {
    clearTimeout(idle);
    clearTimeout(total);
  };
  start();
  return {
    alive: () => {
      if (holders === 0 && !isOver) idle.refresh();
    },
    hold: () => {
      if (holders === 0) {
        halt();
        leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
      }
      holders += 1;
      return () => {
        holders -= 1;
        if (holders === 0 && !isOver) start();
      };
    },
    stop: () => {
      isOver = true;
      halt();
    },
  };
}

/** Waits; an abort ends the wait with its reason. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
