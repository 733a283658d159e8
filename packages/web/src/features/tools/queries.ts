/** @module A server's tools, and calling them. */
import { queryOptions } from "@tanstack/react-query";
import { askedFor } from "../../api/operation.ts";
import { type AskOptions, askServer } from "../../api/server-asks.ts";
import { type LivePage, type ServerAddress, wholeList } from "../../api/server-calls.ts";
import type { Json, JsonObject } from "../../lib/json-exact.ts";

/** As the server sent it; only the name and the input schema are certain. */
export type Tool = Record<string, Json> & { name: string; inputSchema: JsonObject };

export const toolsQuery = (address: ServerAddress) =>
  queryOptions({
    ...askedFor,
    queryKey: ["listTools", address],
    queryFn: ({ signal }) =>
      wholeList((input) => askServer<LivePage<Tool>>(address, { name: "listTools", input }, { signal })),
  });

export async function callTool(
  address: ServerAddress,
  toolName: string,
  parameters: JsonObject,
  { asTask, ...options }: AskOptions & { asTask: boolean },
): Promise<{ result: JsonObject; durationMs: number }> {
  const input = { toolName, parameters, ...(asTask && { taskOptions: {} }) };
  const { durationMs, ...result } = await askServer<JsonObject & { durationMs: number }>(
    address,
    { name: "callTool", input },
    options,
  );
  return { result, durationMs };
}
