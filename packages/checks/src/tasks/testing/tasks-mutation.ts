/** @module One fault in the tasks of an otherwise good server, and what its parts are made of. */
import { isObject, type JsonObject, tasksExtension } from "@fettle/mcp";
import type { Fault, ProxiedRequest } from "../../protocol/testing/faulty-proxy.ts";

export interface TasksMutation {
  /** A sentence about the server. */
  name: string;
  /** Made anew for each run: a fault may remember what it saw. */
  fault(): Fault;
  /** Exactly these fail. */
  fails?: readonly string[];
  /** Exactly these pass with advice: what they go by is no MUST. */
  advises?: readonly string[];
  /** A task waits forever, so the run waits for as long as it may. */
  neverEnds?: boolean;
}

export const paramsOf = ({ body }: ProxiedRequest): JsonObject => (isObject(body?.params) ? body.params : {});
export const taskIdOf = (request: ProxiedRequest): string => String(paramsOf(request).taskId);
export const toolOf = (request: ProxiedRequest): string =>
  request.body?.method === "tools/call" ? String(paramsOf(request).name) : "";

/** Tells the first look at a task from those that follow. */
export const firstLooks = () => {
  const known = new Set<string>();
  return (request: ProxiedRequest) => known.size < known.add(taskIdOf(request)).size;
};

const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

export function declares(request: ProxiedRequest): boolean {
  return JSON.stringify(paramsOf(request)._meta ?? {}).includes(tasksExtension);
}

/** The request as if its sender had declared tasks. */
export function declareFor(request: ProxiedRequest): void {
  const meta = (paramsOf(request)._meta ?? {}) as JsonObject;
  const capabilities = (meta[capabilitiesKey] ?? {}) as JsonObject;
  meta[capabilitiesKey] = { ...capabilities, extensions: { [tasksExtension]: {} } };
}

/** Changes the result of one method. */
export function result(
  method: string,
  change: (result: JsonObject, request: ProxiedRequest) => JsonObject | undefined,
): Pick<Fault, "message"> {
  return {
    message: (message, request) =>
      request.body?.method === method && isObject(message.result)
        ? { ...message, result: change(message.result, request) ?? message.result }
        : message,
  };
}

/** Changes the error of one method. */
export function error(
  methods: readonly string[],
  change: (error: JsonObject, request: ProxiedRequest) => void,
): Pick<Fault, "message"> {
  return {
    message: (message, request) => {
      if (methods.includes(String(request.body?.method)) && isObject(message.error))
        change(message.error, request);
      return message;
    },
  };
}

export const rpcError = (message: JsonObject, code: number): JsonObject => ({
  jsonrpc: "2.0",
  id: message.id,
  error: { code, message: "No" },
});
