/** @module What every transport offers: hand over a message, hear messages, and end cleanly. Transports know bytes, not MCP. */
import type { McpError } from "../failure.ts";
import type { Inbound, JsonObject, RequestId } from "../messages/jsonrpc.ts";
import type { WireProblem } from "./wire-problem.ts";

export type WireKind = "stdio" | "streamable-http" | "sse";

/** How a message reached us. */
export interface Origin {
  /** The request whose HTTP answer carried it. */
  answers?: RequestId;
  httpStatus?: number;
  headers?: Record<string, string>;
  eventId?: string;
  /** It came on an event stream, where more may follow. */
  isStream?: boolean;
  /** Size of the text it came in. */
  bytes?: number;
  /** The text it came in, where that is this message alone: for whoever passes it on unchanged. */
  text?: string;
}

export interface WireListener {
  inbound(inbound: Inbound, origin: Origin): void;
  /** The answer to this request will come on an event stream, which is open now. */
  streaming?(id: RequestId): void;
  /** Something odd beside the messages: how they were sent, or what came around them. */
  noticed?(problem: WireProblem): void;
  /** The wire is dead; nothing more will come. Called once, also after `close`. */
  closed(failure: McpError): void;
}

export interface SendOptions {
  headers?: Record<string, string>;
  /** Stops waiting for the answer; over HTTP the response stream is closed. */
  signal?: AbortSignal | undefined;
  /** Has no effects on the server, so it may be sent again over a fresh socket. */
  repeatable?: boolean;
  /** Told when the message is on its way to somebody who took the connection; wires that stand already do not tell. */
  onOpen?: (() => void) | undefined;
}

export interface Wire {
  readonly kind: WireKind;
  /** True when a request's answer comes with its own `send`; false when it comes on a shared stream. */
  readonly answersInline: boolean;
  /**
   * Hands over one message, or a batch. Inline wires settle when the whole answer was heard, shared ones when the
   * message was accepted. Rejects when it was not.
   */
  send(message: JsonObject | JsonObject[], options?: SendOptions): Promise<void>;
  /** What is seen by now of why this request has no answer; asked when its time is over. */
  hindrance?(request: { id: RequestId; method: string }): WireProblem | undefined;
  /** Releases everything; never throws and never hangs. `graceMs`: how long a child may take to leave once it was told. */
  close(options?: { graceMs?: number }): Promise<void>;
}
