/**
 * @module Large answers take turns with everything else this process does: they are read, parsed and written in slices,
 * one slice of one answer at a time, with a rest in between. What is small never waits.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay, setImmediate as immediate } from "node:timers/promises";

/** What is no longer than this, in bytes or characters, is worked on in one go: a millisecond or two of reading or parsing. */
export const wholeLength = 256 * 1024;

/**
 * How much of what is longer is worked on between two rests: what a socket gives at once. A call of somebody else comes
 * back to this process a dozen times, and each time may find a slice before it.
 */
export const sliceLength = 64 * 1024;

/** Others get at least this long between two slices, however many answers wait. */
const restMs = 1;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for one's turn to work on the next slice.
 *
 * @example
 * for (const slice of slices) {
 *   await nextTurn();
 *   work(slice);
 * }
 */
export function nextTurn(): Promise<void> {
  last = last.then(rest);
  return last;
}

async function rest(): Promise<void> {
  // First out of the turn that has just been worked in, or its own length would count as the rest.
  await immediate();
  // In a thread of its own nobody else waits. Asked only here: most programs never meet an answer that long.
  const { isMainThread } = await import("node:worker_threads");
  if (isMainThread) await delay(restMs);
}

const gates = new AsyncLocalStorage<() => Promise<void>>();

/**
 * Runs `work`, which waits for `gate` each time before it reads on in an answer that is more than is worked on in one go:
 * so whoever holds many answers in memory bounds how many.
 */
export function gatingLargeAnswers<T>(gate: () => Promise<void>, work: () => T): T {
  return gates.run(gate, work);
}

/**
 * The same chunks, with a rest for everyone else after each slice of them once they are more than is worked on in one go.
 * `held`: how many bytes of them are kept, if not all.
 */
export async function* inTurn(
  chunks: AsyncIterable<Uint8Array>,
  held?: () => number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  let sinceRest = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    sinceRest += chunk.length;
    if (length > wholeLength && sinceRest > sliceLength) {
      sinceRest = chunk.length;
      await nextTurn();
    }
    if ((held?.() ?? length) > wholeLength) await gates.getStore()?.();
    yield chunk;
  }
}
