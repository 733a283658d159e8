/** @module Looking at how a conversation begins and what every server must answer. */
import { McpError } from "@fettle/mcp";
import type { Exchange } from "./exchange.ts";
import type { ClientOutcome, ObserversOf, RunContext } from "./run-context.ts";
import type { Opening } from "./talk.ts";

export interface LifecycleSeen {
  /** What a real client made of the server. */
  client: ClientOutcome;
  opening: Opening;
  ping: Exchange;
  /** A method that no server has. */
  unknownMethod: Exchange;
}

export function lifecycleObservers({ talk, client }: RunContext): ObserversOf<LifecycleSeen> {
  return {
    client: async () => client,
    opening: () => talk.open(),
    ping: () => talk.ask("ping"),
    unknownMethod: () => talk.ask("fettle/no-such-method"),
  };
}

/** What the server says it can do. Checks that depend on it could not run when it says nothing usable. */
export function capabilitiesOf({ result, exchange }: Opening): Record<string, unknown> {
  const capabilities = result?.capabilities;
  if (typeof capabilities === "object" && capabilities !== null && !Array.isArray(capabilities)) {
    return capabilities as Record<string, unknown>;
  }
  throw new McpError("INVALID_RESULT", `The answer to ${exchange.method} names no capabilities.`);
}
