/** @module Calling a tool. */
import { type AskOptions, askServer } from "../../api/server-asks.ts";
import type { ServerAddress } from "../../api/server-calls.ts";
import type { JsonObject } from "../../lib/json-exact.ts";

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
