/** @module What is told while a server is asked, in order, as server-sent events. */
import { isLargeJson, jsonPieces } from "../../http/json-pieces.ts";
import type { Told } from "./desk.ts";

/** Large answers are written piece by piece, so that others are not held up. */
export async function* frameOf({ event, data }: Told): AsyncGenerator<string> {
  if (!isLargeJson(data)) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  else {
    yield `event: ${event}\ndata: `;
    for await (const piece of jsonPieces(data)) yield piece;
    yield "\n\n";
  }
}

/** Waits for what is told next, and for nothing at all no longer than a tick. */
export function createTelling() {
  const waiting: Told[] = [];
  let isOver = false;
  let wake = Promise.withResolvers<void>();
  const ring = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  return {
    push: (told: Told) => {
      waiting.push(told);
      ring();
    },
    end: () => {
      isOver = true;
      ring();
    },
    async next(tickMs: number): Promise<Told | "tick" | "over"> {
      const isQuiet = () => waiting.length === 0 && !isOver;
      if (isQuiet()) {
        let timer: NodeJS.Timeout | undefined;
        const tick = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, tickMs);
        });
        await Promise.race([wake.promise, tick]);
        clearTimeout(timer);
      }
      return waiting.shift() ?? (isOver ? "over" : "tick");
    },
  };
}
