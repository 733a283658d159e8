/** @module Requests the server makes of us: served one by one within a cap, answered or refused, and dropped when it cancels them. */
import { isObject, type JsonObject, type RequestId, type RpcErrorBody } from "../messages/jsonrpc.ts";

/** A call of ours that waits for its answer. */
export interface OpenCall {
  method: string;
  /** Of the tool or prompt, or the resource's URI. */
  name?: string;
}

export function openCallOf(method: string, params: unknown): OpenCall {
  const name = isObject(params) ? (params.name ?? params.uri) : undefined;
  return { method, ...(typeof name === "string" && { name }) };
}

export interface HandlerContext {
  signal: AbortSignal;
  /** The open calls this may belong to, when there are several and the server does not say which. */
  candidates?: readonly OpenCall[];
}

/** What a handler is told of the open calls: nothing where it can only be one. */
export function unattributed(calls: readonly OpenCall[]): Pick<HandlerContext, "candidates"> {
  if (calls.length < 2) return {};
  return { candidates: calls.map(({ method, name }) => ({ method, ...(name !== undefined && { name }) })) };
}

/** Who answers what a server asks of its client. */
export interface ClientHandlers {
  sampling?(params: JsonObject, context: HandlerContext): Promise<JsonObject>;
  elicitation?(params: JsonObject, context: HandlerContext): Promise<JsonObject>;
  /** Answers `{roots: [{uri, name?}]}`. */
  roots?(params: JsonObject, context: HandlerContext): Promise<JsonObject>;
}

/** Answers a request of the server with a result, or by throwing an RpcRefusal. */
export type InboundRequestHandler = (
  method: string,
  params: JsonObject,
  context: HandlerContext & {
    /** Handlers of the open calls that bring their own; the connection's answer when there are none. */
    byCall: readonly ClientHandlers[];
  },
) => Promise<JsonObject>;

/** Thrown by a handler to answer with a JSON-RPC error of its choice. */
export class RpcRefusal extends Error {
  readonly rpcCode: number;
  readonly data: unknown;
  constructor(rpcCode: number, message: string, data?: unknown) {
    super(message);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

export interface ServerRequests {
  /** Serves one request and replies; resolves when that is done. False when there were too many already. */
  serve(
    id: RequestId,
    method: string,
    params: JsonObject,
    asked: Omit<Parameters<InboundRequestHandler>[2], "signal">,
  ): Promise<boolean>;
  cancel(id: RequestId): void;
  stop(reason: unknown): void;
}

export function createServerRequests(options: {
  handle: InboundRequestHandler;
  reply(message: JsonObject): void;
  /** How many may wait for an answer at once. */
  maxAtOnce: number;
}): ServerRequests {
  const working = new Map<RequestId, AbortController>();
  return {
    async serve(id, method, params, asked) {
      if (working.size >= options.maxAtOnce) {
        options.reply({ jsonrpc: "2.0", id, error: { code: -32000, message: "Too many requests at once" } });
        return false;
      }
      const work = new AbortController();
      working.set(id, work);
      try {
        const result = await options.handle(method, params, { ...asked, signal: work.signal });
        if (!work.signal.aborted) options.reply({ jsonrpc: "2.0", id, result });
      } catch (error) {
        if (!work.signal.aborted) options.reply({ jsonrpc: "2.0", id, error: errorBody(error) });
      } finally {
        working.delete(id);
      }
      return true;
    },
    cancel(id) {
      working.get(id)?.abort();
    },
    stop(reason) {
      for (const work of working.values()) work.abort(reason);
      working.clear();
    },
  };
}

function errorBody(error: unknown): RpcErrorBody {
  if (error instanceof RpcRefusal) {
    return {
      code: error.rpcCode,
      message: error.message,
      ...(error.data !== undefined && { data: error.data }),
    };
  }
  return { code: -32603, message: error instanceof Error ? error.message : String(error) };
}
