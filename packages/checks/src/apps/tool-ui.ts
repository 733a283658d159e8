/** @module What a tool says of its widget, in both dialects: the document to show, and who may call the tool. */
import { isAppOnlyTool, isObject, type JsonObject } from "@fettle/mcp";

/** `mcp`: MCP Apps (`_meta.ui`). `openai`: the Apps SDK (`openai/outputTemplate`). */
export type WidgetDialect = "mcp" | "openai";

export const widgetMimeTypes: Record<WidgetDialect, string> = {
  mcp: "text/html;profile=mcp-app",
  openai: "text/html+skybridge",
};

export interface ToolUi {
  /** The document's address in each dialect the tool speaks; both: it is dual. */
  uris: Partial<Record<WidgetDialect, string>>;
  /** For the widget alone, never for the model. */
  appOnly: boolean;
}

/** Undefined for a tool without a widget. */
export function toolUiOf(tool: JsonObject): ToolUi | undefined {
  const meta = metaOf(tool);
  const mcp = text(uiOf(meta).resourceUri) ?? text(meta["ui/resourceUri"]);
  const openai = text(meta["openai/outputTemplate"]);
  if (mcp === undefined && openai === undefined) return undefined;
  return {
    uris: { ...(mcp !== undefined && { mcp }), ...(openai !== undefined && { openai }) },
    appOnly: isAppOnlyTool(tool),
  };
}

/** Says anything about a widget, right or wrong: what is wrong must not hide it. */
export function declaresUi(meta: JsonObject): boolean {
  return "ui" in meta || "ui/resourceUri" in meta || "openai/outputTemplate" in meta;
}

/** Names a document, right or wrong; a tool that only says who may call it does not. */
export function namesDocument(meta: JsonObject): boolean {
  return "resourceUri" in uiOf(meta) || "ui/resourceUri" in meta || "openai/outputTemplate" in meta;
}

/** A listed resource that is meant as a widget, by its address or by its type. */
export function isUiResource({ uri, mimeType }: JsonObject): boolean {
  const byType = Object.values(widgetMimeTypes).some((type) => type === mimeType);
  return byType || (typeof uri === "string" && uri.startsWith("ui://"));
}

export function metaOf(item: JsonObject): JsonObject {
  return isObject(item._meta) ? item._meta : {};
}

/** `_meta.ui` of a tool or a resource. */
export function uiOf(meta: JsonObject): JsonObject {
  return isObject(meta.ui) ? meta.ui : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The source of a widget's document: its text, or its blob decoded. */
export function widgetSource(content: JsonObject): string | undefined {
  if (typeof content.text === "string") return content.text;
  return typeof content.blob === "string" ? Buffer.from(content.blob, "base64").toString("utf8") : undefined;
}
