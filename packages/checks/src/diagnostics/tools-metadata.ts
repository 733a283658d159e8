/** @module The `_meta` of every tool that has one, by tool name. */
import { isObject, type JsonObject, type Tool } from "@fettle/mcp";

export function toolsMetadataOf(tools: readonly Tool[]): Record<string, JsonObject> {
  return Object.fromEntries(tools.flatMap(({ name, _meta }) => (isObject(_meta) ? [[name, _meta]] : [])));
}
