/** @module What a server proposes for an argument that is being typed. */
import { askServer } from "./server-asks.ts";
import type { ServerAddress } from "./server-calls.ts";

export type CompletedThing = { prompt: string } | { uriTemplate: string };

export type Complete = (
  argument: { name: string; value: string },
  /** The other arguments, as far as they are filled in. */
  context: Record<string, string>,
  signal: AbortSignal,
) => Promise<readonly string[]>;

/** A server that completes nothing, or fails at it, proposes nothing: whoever types is not to be disturbed. */
export function completer(address: ServerAddress, ref: CompletedThing): Complete {
  return async (argument, context, signal) => {
    const asked = { name: "complete" as const, input: { ref, argument, context } };
    const answer = askServer<{ values: string[] }>(address, asked, { signal, isQuiet: true });
    return answer.then(
      ({ values }) => values,
      () => [],
    );
  };
}
