/** @module How one provider's wire is described to the model server of the tests: what it takes, what it refuses, how it answers. */
import type { IncomingMessage } from "node:http";

export interface Spoken {
  kind: "answer";
  text?: string;
  /** `args` as the model writes them, which may be no JSON. */
  calls?: { id: string; name: string; args: string }[];
  refusal?: string;
  finish?: "stop" | "length" | "filter";
  /** Tokens of the request that came from the provider's cache, and that went into it. */
  cached?: { read: number; written?: number };
}

/** How one provider writes. */
export interface ModelWire {
  /** Whether this is one of its addresses, and whether the answer is asked for as a stream. */
  matches(url: URL, body: Record<string, unknown>): { streams: boolean } | undefined;
  key(headers: IncomingMessage["headers"]): string | undefined;
  /** What the real one would refuse, as its words. */
  refuse(body: Record<string, unknown>): string | undefined;
  /** Under which status a wrong key is refused; 401 by most. */
  wrongKeyStatus?: number;
  error(status: number, message: string): unknown;
  /** Its models, as it lists them. */
  list(ids: readonly string[]): unknown;
  whole(answer: Spoken): unknown;
  /** Events with their data, in turn; the last ones are what ends the answer. */
  events(answer: Spoken): { event?: string; data: unknown }[];
}
