/** @module Tools that a run may execute, as they are typed: a name, and its arguments as JSON. */
import type { ConformanceFixtures } from "@fettle/contract/servers";
import { isJsonObject, type JsonObject, tryParse } from "../../lib/json-exact.ts";

export interface TypedTool {
  toolName: string;
  /** JSON; empty means none. */
  text: string;
}

export function typedTools(fixtures: ConformanceFixtures | null | undefined): TypedTool[] {
  return (fixtures?.toolCalls ?? []).map(({ toolName, arguments: given }) => ({
    toolName,
    text: Object.keys(given).length === 0 ? "" : JSON.stringify(given),
  }));
}

/** Undefined where it is no JSON object. */
export function argumentsOf({ text }: TypedTool): JsonObject | undefined {
  if (text.trim() === "") return {};
  const parsed = tryParse(text);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

/** Rows without a name are not meant. `prompts` stay as they were. */
export function fixturesOf(
  tools: readonly TypedTool[],
  prompts: ConformanceFixtures["promptGets"] = [],
): ConformanceFixtures | undefined {
  const toolCalls = tools
    .filter(({ toolName }) => toolName.trim() !== "")
    .map((tool) => ({ toolName: tool.toolName.trim(), arguments: argumentsOf(tool) ?? {} }));
  return toolCalls.length + prompts.length === 0 ? undefined : { toolCalls, promptGets: prompts };
}
