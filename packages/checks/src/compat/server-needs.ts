/** @module What was observed of a server, arranged for the rules: its tools, those with widgets and what these need, the versions it speaks. */
import { isAppOnlyTool, isObject, type Tool, type WireKind } from "@fettle/mcp";
import { type ToolUi, toolUiOf } from "../apps/tool-ui.ts";
import type { UnknownDimension } from "./compat-report.ts";
import type { AddressReach, CompatObservations, VersionReading } from "./observe-compat.ts";
import { type WidgetNeeds, widgetNeeds } from "./widget-needs.ts";

export interface WidgetTool {
  tool: Tool;
  ui: ToolUi;
  /** Undefined when a document of this widget could not be read. */
  needs: WidgetNeeds | undefined;
}

export interface CompatServer {
  transport: WireKind;
  address: AddressReach | undefined;
  name: string | null;
  protocolVersion: string;
  versions: VersionReading[];
  tools: Tool[];
  widgetTools: WidgetTool[];
  appOnlyTools: string[];
  /** Tools that answer only as tasks. */
  taskTools: string[];
  askedUndeclared: string[];
  unknown: Set<UnknownDimension>;
}

export function readNeeds(observed: CompatObservations): CompatServer {
  const { tools: seen, widgets } = observed;
  const tools = "fault" in seen ? [] : seen.items;
  const documents = new Map(widgets.map((widget) => [widget.uri, widget]));
  const needsOf = ({ uris }: ToolUi): WidgetNeeds | undefined => {
    const all: WidgetNeeds = { capabilities: {}, openAiFunctions: [], permissions: [] };
    for (const uri of new Set(Object.values(uris))) {
      const document = documents.get(uri);
      if (!document || "fault" in document) return undefined;
      const needs = widgetNeeds(document.source, document.meta);
      Object.assign(all.capabilities, needs.capabilities);
      all.openAiFunctions.push(...needs.openAiFunctions);
      all.permissions.push(...needs.permissions);
    }
    return all;
  };
  const widgetTools = tools.flatMap((tool) => {
    const ui = toolUiOf(tool);
    return ui ? [{ tool, ui, needs: needsOf(ui) }] : [];
  });
  const unknown = new Set<UnknownDimension>();
  if ("fault" in seen) unknown.add("tools");
  else if (seen.truncated) unknown.add("tool-list-truncated");
  if (widgetTools.some(({ needs }) => needs === undefined)) unknown.add("widgets");
  if (observed.versions.some(({ is }) => is === "unknown")) unknown.add("protocol-versions");
  return {
    transport: observed.transport,
    address: observed.address,
    name: observed.serverName,
    protocolVersion: observed.protocolVersion,
    versions: observed.versions,
    tools,
    widgetTools,
    appOnlyTools: tools.filter(isAppOnlyTool).map(({ name }) => name),
    taskTools: tools.filter(isTaskOnly).map(({ name }) => name),
    askedUndeclared: observed.askedUndeclared,
    unknown,
  };
}

function isTaskOnly({ execution }: Tool): boolean {
  return isObject(execution) && execution.taskSupport === "required";
}
