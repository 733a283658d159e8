/** @module Which document shows a result: named by the tool, or held by the result itself. */
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";

/** The tool's own word first, in the standard dialect before the other; then what the result brings along. */
export function widgetUri(tool: JsonObject, result: JsonObject | undefined): string | undefined {
  const meta = within(tool._meta);
  const content = Array.isArray(result?.content) ? result.content : [];
  const embedded = content.map((block) => within(within(block).resource).uri).find(isUi);
  const named = [
    within(meta.ui).resourceUri,
    meta["ui/resourceUri"],
    meta["openai/outputTemplate"],
    embedded,
  ];
  return named.find((uri): uri is string => typeof uri === "string" && uri !== "");
}

/** Whether a widget may call it at all. */
export function isForWidgets(tool: JsonObject): boolean {
  const { visibility } = within(within(tool._meta).ui);
  return !Array.isArray(visibility) || visibility.includes("app");
}

const isUi = (uri: Json | undefined) => typeof uri === "string" && uri.startsWith("ui://");
const within = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
