/** @module The words that messages of the stateless revision 2026-07-28 carry: keys of `_meta`, its error codes, types of results. */
import { isObject, type JsonObject } from "./jsonrpc.ts";

export const metaKeys = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** The `_meta` of a request that understands tasks; the stateless revision wants it said each time. */
export function taskDeclaration(capabilities: JsonObject): JsonObject {
  const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
  return {
    [metaKeys.clientCapabilities]: { ...capabilities, extensions: { ...extensions, [tasksExtension]: {} } },
  };
}

export function understandsTasks(params: unknown): boolean {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  const capabilities = meta[metaKeys.clientCapabilities];
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined;
  return isObject(extensions) && tasksExtension in extensions;
}

/** Absent counts as complete; a task is a result to those who said that they understand tasks. */
export function isKnownResultType(type: unknown, takesTasks: boolean): boolean {
  return (
    type === undefined || type === "complete" || type === "input_required" || (type === "task" && takesTasks)
  );
}
