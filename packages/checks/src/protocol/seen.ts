/** @module What the protocol suite sees of a server. Each group of observers adds its part where it says what that is, by `declare module`. */
import type { WireProblem } from "@fettle/mcp";
import type { Exchange } from "./conversation/exchange.ts";
import type { WireSchema } from "./wire/schema.ts";

export interface ProtocolSeen {
  /** The published schema of the revision at hand. */
  wireSchema: WireSchema;
  /** Every exchange of the run so far; for checks that come last. */
  transcript: Exchange[];
  /** What came on streams that the server speaks on by itself; for checks that come last. */
  listened: Exchange[];
  /** What was odd on the wire in this run so far; for checks that come last. */
  wire: WireProblem[];
}
