/** @module Everything the protocol suite can observe, group by group. */
import { type EnvelopeSeen, envelopeObservers } from "./envelope-observations.ts";
import type { Exchange } from "./exchange.ts";
import { type LifecycleSeen, lifecycleObservers } from "./lifecycle-observations.ts";
import { type ListSeen, listObservers } from "./list-observations.ts";
import type { ProtocolObservers, RunContext } from "./run-context.ts";
import { type TransportSeen, transportObservers } from "./transport-observations.ts";

export interface ProtocolSeen extends LifecycleSeen, ListSeen, TransportSeen, EnvelopeSeen {
  /** Every exchange of the run so far; for checks that come last. */
  transcript: Exchange[];
}

export function protocolObservers(run: RunContext): ProtocolObservers {
  return {
    ...lifecycleObservers(run),
    ...listObservers(run),
    ...transportObservers(run),
    ...envelopeObservers(run),
    // Enough for a check that judges the traffic to be run by itself.
    transcript: async (look) => {
      await Promise.allSettled([look("opening"), look("tools"), look("resources"), look("prompts")]);
      return run.transcript;
    },
  };
}
