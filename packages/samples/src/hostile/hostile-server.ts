/**
 * What a hostile server is made of: words that say what it does and what a good client makes of it, and one misbehaviour.
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";

export type HostileTransport = "stdio" | "http";

export interface HostileServer {
  name: string;
  transports: HostileTransport[];
  /** What it does. */
  does: string;
  /** The first step at which a client cannot go on; "nowhere" when it can, with care. */
  failsAt: "connect" | "initialize" | "list" | "call" | "nowhere";
  /** What a good client concludes. */
  conclude: string;
  /** Made anew at each start, so that no state is carried over. */
  behave(): Misbehaviour;
}

/** Everything is optional: what is left out is done honestly. */
export interface Misbehaviour {
  /** How it answers a request, over either transport; undefined means honestly. */
  answer?(request: RpcRequest): Answer | undefined;
  /** Takes HTTP over, and may hand back to the ordinary answering. */
  http?(req: IncomingMessage, res: ServerResponse, serveHonestly: () => void): void;
  /** Serves HTTPS with this kind of certificate. */
  certificate?: "self-signed" | "expired";
  /** Runs first in the process, over stdio. */
  atStart?(): void;
  /** Runs when the client closes stdin; without it the process ends. */
  atEnd?(): void;
}

export interface RpcRequest {
  id: string | number;
  method: string;
  params: Record<string, unknown>;
}

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export type Answer =
  /** One JSON-RPC message. */
  | { kind: "message"; message: unknown }
  /** Several messages: lines over stdio, events over HTTP. */
  | { kind: "messages"; messages: Iterable<unknown> | AsyncIterable<unknown> }
  /** These bytes in place of a message, however many they are. */
  | { kind: "bytes"; bytes: Chunks; headers?: Record<string, string>; leavesLineOpen?: true }
  /** Nothing, for ever. */
  | { kind: "silence" }
  /** Half an answer, and then the end of the process or connection. */
  | { kind: "death"; lastOutputLines: string };

export function result(request: RpcRequest, value: unknown): Answer {
  return { kind: "message", message: { jsonrpc: "2.0", id: request.id, result: value } };
}

/** A misbehaviour that concerns one method only. */
export function on(method: string, answer: (request: RpcRequest) => Answer): Misbehaviour {
  return { answer: (request) => (request.method === method ? answer(request) : undefined) };
}
