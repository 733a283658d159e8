/** @module The caps Fettle holds as a client: how big, how deep, how many, how long. Nothing a server sends may exceed them. */

export interface WireLimits {
  /** One JSON-RPC message: a stdio line, an HTTP body, the data of one SSE event. */
  messageBytes: number;
  /** All bytes of one HTTP answer, after decompression. A stream that stays open is bounded by time instead. */
  bodyBytes: number;
  /** Nesting of one message. Code that walks a message recurses, so this also protects the stack. */
  jsonDepth: number;
  /** Object members plus array elements of one message. */
  jsonElements: number;
  /** Pages of one list walk. */
  listPages: number;
  /** Bytes of one list walk; the page that passes it is the last. */
  listBytes: number;
  /** What is kept of a child's stderr: its beginning and its end. */
  stderrBytes: number;
  /** Requests of the server that may wait for an answer from us at once. */
  inboundRequests: number;
}

export const wireLimits: WireLimits = {
  messageBytes: 16 * 1024 * 1024,
  bodyBytes: 16 * 1024 * 1024,
  jsonDepth: 200,
  jsonElements: 250_000,
  listPages: 50,
  listBytes: 32 * 1024 * 1024,
  stderrBytes: 64 * 1024,
  inboundRequests: 16,
};

export interface Timeouts {
  /** From the first byte out to a connection that is ready for calls. */
  connectMs: number;
  /** Longest silence within one call; progress starts it anew. */
  idleMs: number;
  /** Longest one call may take, whatever progress it reports. */
  totalMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 30_000, idleMs: 60_000, totalMs: 300_000 };
