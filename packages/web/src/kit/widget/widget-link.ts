/** @module Which document shows a result: named by the tool, or held by the result itself. */
import { isJsonObject, type Json, type JsonObject } from "../../lib/json-exact.ts";

/** One for each dialect the tool speaks, the standard first; where it names none, what the result brings along. */
export function widgetUris(tool: JsonObject, result: JsonObject | undefined): string[] {
  const content = Array.isArray(result?.content) ? result.content : [];
  const named = [widgetUriOf(tool, "mcp"), widgetUriOf(tool, "openai")].filter(isUri);
  const embedded = content.map((block) => within(within(block).resource).uri).filter(isUi);
  return [...new Set(named.length > 0 ? named : embedded.slice(0, 1))];
}

/** The document that a tool names in one dialect. */
export function widgetUriOf(tool: JsonObject, dialect: "mcp" | "openai"): string | undefined {
  const meta = within(tool._meta);
  const named =
    dialect === "openai"
      ? [meta["openai/outputTemplate"]]
      : [within(meta.ui).resourceUri, meta["ui/resourceUri"]];
  return named.find(isUri);
}

/** Whether a widget may call it at all. */
export function isForWidgets(tool: JsonObject): boolean {
  const { visibility } = within(within(tool._meta).ui);
  return !Array.isArray(visibility) || visibility.includes("app");
}

const isUri = (uri: Json | undefined): uri is string => typeof uri === "string" && uri !== "";
const isUi = (uri: Json | undefined): uri is string => isUri(uri) && uri.startsWith("ui://");
const within = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
