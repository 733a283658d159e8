/** @module One fault in an otherwise good server, and the checks that must notice it. */
import type { JsonObject } from "@fettle/mcp";
import type { Fault, ProxiedRequest } from "./faulty-proxy.ts";

export type Revision = "2025-11-25" | "2026-07-28";

export interface Mutation extends Fault {
  /** A sentence about the server. */
  name: string;
  revision: Revision;
  /** Exactly these fail. */
  fails: readonly string[];
}

/** Changes the result of one method. */
export function inResultOf(method: string, change: (result: JsonObject, request: ProxiedRequest) => void) {
  return (message: JsonObject, request: ProxiedRequest): JsonObject => {
    const { result } = message;
    if (request.body?.method === method && typeof result === "object" && result !== null) {
      change(result as JsonObject, request);
    }
    return message;
  };
}

export function asks(request: ProxiedRequest, method: string): boolean {
  return request.body?.method === method;
}
