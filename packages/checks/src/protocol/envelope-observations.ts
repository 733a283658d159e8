/** @module Looking at how a stateless server takes envelopes and headers that are wrong. */
import type { Exchange } from "./exchange.ts";
import type { ObserversOf, RunContext } from "./run-context.ts";

export interface EnvelopeSeen {
  /** A version that never was, in header and envelope alike. */
  unsupportedVersion: Exchange;
  /** Header and envelope name different versions. */
  versionMismatch: Exchange;
  /** `Mcp-Method` names another method. */
  methodMismatch: Exchange;
}

export const versionKey = "io.modelcontextprotocol/protocolVersion";
export const neverVersion = "1999-01-01";

export function envelopeObservers({ talk }: RunContext): ObserversOf<EnvelopeSeen> {
  const discover = (options: Parameters<typeof talk.ask>[2]) =>
    talk.ask("server/discover", undefined, options);
  return {
    unsupportedVersion: () =>
      discover({ headers: { "mcp-protocol-version": neverVersion }, meta: { [versionKey]: neverVersion } }),
    versionMismatch: () => discover({ headers: { "mcp-protocol-version": "2025-11-25" } }),
    methodMismatch: () => discover({ headers: { "mcp-method": "tools/list" } }),
  };
}
