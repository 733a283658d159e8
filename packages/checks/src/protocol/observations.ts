/** @module How everything that the protocol suite sees is observed, group by group. */
import { McpError, type WireProblem, wireProblem } from "@fettle/mcp";
import { adviceObservers } from "./advice/observe.ts";
import { callObservers } from "./calls/observe.ts";
import { callInputObservers } from "./calls/observe-input.ts";
import type { Exchange } from "./conversation/exchange.ts";
import { envelopeObservers } from "./envelope/observe.ts";
import { lifecycleObservers } from "./lifecycle/observe.ts";
import { listObservers } from "./lists/observe.ts";
import { readingObservers } from "./reading/observe.ts";
import { roundTripObservers } from "./round-trips/observe.ts";
import { routingObservers } from "./routing/observe.ts";
import type { ProtocolObservers, RunContext } from "./run-context.ts";
import { sessionObservers } from "./sessions/observe.ts";
import { statelessnessObservers } from "./statelessness/observe.ts";
import { stdioObservers } from "./stdio/observe.ts";
import { subscriptionObservers } from "./subscriptions/observe.ts";
import { transportObservers } from "./transport/observe.ts";
import { versionObservers } from "./versions/observe.ts";
import { loadWireSchema } from "./wire/schema.ts";

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
  return [wireProblem("STREAM_LEFT_OPEN")];
}
