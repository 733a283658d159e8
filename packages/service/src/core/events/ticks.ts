/** @module What is heard on a stream, and a tick whenever there was nothing for a while. */
import type { StreamItem } from "./events.ts";
import { keepAliveMs } from "./sse.ts";

/** Ticks fall together on these beats, so that idle streams ask about their access together. */
const beatMs = 500;

export async function* withTicks(
  items: AsyncIterator<StreamItem>,
  signal: AbortSignal,
): AsyncGenerator<StreamItem | "tick"> {
  let next = items.next();
  for (;;) {
    const first = await orTick(next);
    if (signal.aborted) return;
    if (first === "tick") yield first;
    else if (first.done) return;
    else {
      yield first.value;
      next = items.next();
    }
  }
}

function orTick<T>(next: Promise<T>): Promise<T | "tick"> {
  return new Promise((resolve, reject) => {
    const now = performance.now();
    const timer = setTimeout(resolve, beatMs * Math.ceil((now + keepAliveMs) / beatMs) - now, "tick");
    next.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
