/** @module A server's tools, and calling them. */
import { queryOptions } from "@tanstack/react-query";
import { askedFor, call } from "../../api/operation.ts";
import { liveCall, type ServerAddress, wholeList, withMessages } from "../../api/server-calls.ts";
import type { Json, JsonObject } from "../../lib/json-exact.ts";

/** As the server sent it; only the name and the input schema are certain. */
export type Tool = Record<string, Json> & { name: string; inputSchema: JsonObject };

export const toolsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listTools", address],
    queryFn: async ({ signal }) => {
      const list = await wholeList(address, (body) =>
        call("listTools", { ...address, body, query: withMessages }, { signal }),
      );
      return { ...list, items: list.items as Tool[] };
    },
  });

export async function callTool(
  address: ServerAddress,
  toolName: string,
  parameters: JsonObject,
  signal: AbortSignal,
): Promise<{ result: JsonObject; durationMs: number }> {
  const body = { toolName, parameters };
  const { durationMs, ...result } = await liveCall(address, () =>
    call("callTool", { ...address, body, query: withMessages }, { signal, exactNumbers: true }),
  );
  return { result: result as JsonObject, durationMs };
}
