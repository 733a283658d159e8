/** @module Everything the protocol suite can observe, group by group. */
import { McpError, type WireProblem } from "@fettle/mcp";
import { type AdviceSeen, adviceObservers } from "./advice/observe.ts";
import { type CallSeen, callObservers } from "./calls/observe.ts";
import { type CallInputSeen, callInputObservers } from "./calls/observe-input.ts";
import type { Exchange } from "./conversation/exchange.ts";
import { type EnvelopeSeen, envelopeObservers } from "./envelope/observe.ts";
import { type LifecycleSeen, lifecycleObservers } from "./lifecycle/observe.ts";
import { type ListSeen, listObservers } from "./lists/observe.ts";
import { type ReadingSeen, readingObservers } from "./reading/observe.ts";
import { type RoundTripSeen, roundTripObservers } from "./round-trips/observe.ts";
import { type RoutingSeen, routingObservers } from "./routing/observe.ts";
import type { ProtocolObservers, RunContext } from "./run-context.ts";
import { type SessionSeen, sessionObservers } from "./sessions/observe.ts";
import { type StatelessnessSeen, statelessnessObservers } from "./statelessness/observe.ts";
import { type StdioSeen, stdioObservers } from "./stdio/observe.ts";
import { type SubscriptionSeen, subscriptionObservers } from "./subscriptions/observe.ts";
import { type TransportSeen, transportObservers } from "./transport/observe.ts";
import { type VersionSeen, versionObservers } from "./versions/observe.ts";
import { loadWireSchema, type WireSchema } from "./wire/schema.ts";

export interface ProtocolSeen
  extends LifecycleSeen,
    ListSeen,
    CallSeen,
    ReadingSeen,
    TransportSeen,
    SessionSeen,
    StdioSeen,
    AdviceSeen,
    EnvelopeSeen,
    RoutingSeen,
    SubscriptionSeen,
    RoundTripSeen,
    StatelessnessSeen,
    VersionSeen,
    CallInputSeen {
  /** The published schema of the revision at hand. */
  wireSchema: WireSchema;
  /** Every exchange of the run so far; for checks that come last. */
  transcript: Exchange[];
  /** What came on streams that the server speaks on by itself; for checks that come last. */
  listened: Exchange[];
  /** What was odd on the wire in this run so far; for checks that come last. */
  wire: WireProblem[];
}

export function protocolObservers(run: RunContext): ProtocolObservers {
  return {
    ...lifecycleObservers(run),
    ...listObservers(run),
    ...callObservers(run),
    ...readingObservers(run),
    ...transportObservers(run),
    ...sessionObservers(run),
    ...stdioObservers(run),
    ...adviceObservers(run),
    ...envelopeObservers(run),
    wireSchema: async () => {
      const schema = await loadWireSchema(run.facts.version);
      if (schema) return schema;
      throw new McpError("NOT_SUPPORTED", `There is no JSON Schema for ${run.facts.version}.`);
    },
    ...routingObservers(run),
    ...subscriptionObservers(run),
    ...roundTripObservers(run),
    ...statelessnessObservers(run),
    ...versionObservers(run),
    ...callInputObservers(run),
    // Enough for a check that judges the traffic to be run by itself.
    transcript: async (look) => {
      await Promise.allSettled([look("opening"), look("tools"), look("resources"), look("prompts")]);
      return run.transcript;
    },
    listened: async (look) => {
      await look("transcript");
      return run.listened;
    },
    wire: async (look) => {
      await look("transcript");
      return [...run.problems(), ...streamsLeftOpen(run.transcript)];
    },
  };
}

/** One may be a busy machine; a server that never ends its streams is seen by all of them. */
function streamsLeftOpen(transcript: readonly Exchange[]): WireProblem[] {
  const streams = transcript.filter(
    ({ http, answer, ended }) =>
      http?.mediaType === "text/event-stream" && answer && (ended === "complete" || ended === "until"),
  );
  if (streams.length < 2 || streams.some(({ ended }) => ended === "complete")) return [];
  return [{ code: "STREAM_LEFT_OPEN", message: "Event streams stay open after their answer." }];
}
