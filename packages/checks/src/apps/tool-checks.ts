/** @module Checks of what tools say about their widgets. */
import { isAppOnlyTool, isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, failed, notApplicable, passed, type Verdict } from "../verdict/check-result.ts";
import { type Finding, findingUnless } from "../verdict/rule.ts";
import { type AppsCheck, appsSpec, noWidgets, readDocumentsOf, verdictOf } from "./apps-check.ts";
import { type AppsObserved, itemsOf, nameOf, uiToolsOf, widgetToolsOf } from "./observe-apps.ts";
import { isUiResource, metaOf, toolUiOf, uiOf, widgetSource } from "./tool-ui.ts";

/** What must be there before tools can be judged one by one. */
function unlessListed(tools: AppsObserved["tools"]): Verdict | undefined {
  if ("refused" in tools) return couldNotRun(`tools/list was refused: ${tools.refused}`);
  return uiToolsOf(tools).length === 0 ? noWidgets : undefined;
}

const toolsPresent: AppsCheck = {
  id: "ui-tools-present",
  title: "The server has tools with widgets",
  description: "tools/list answers, and at least one tool names the document of a widget.",
  category: "tools",
  rules: appsSpec("contract", "Resource discovery", "resource-discovery"),
  needs: ["tools", "resources"],
  judge: ({ tools, resources }, { requireUi }) => {
    if ("refused" in tools) return couldNotRun(`tools/list was refused: ${tools.refused}`);
    const count = widgetToolsOf(tools).length;
    if (count > 0) return passed({ uiTools: count });
    const listed = itemsOf(resources).filter(isUiResource).length;
    // Where there are none at all, nothing was tested: that is said of the whole run.
    return requireUi && listed > 0
      ? failed("Widgets are listed, but no tool names one.", { listed })
      : noWidgets;
  },
};

const audiences = ["model", "app"];

function metadataFaults(tool: JsonObject): string[] {
  const name = nameOf(tool);
  const meta = metaOf(tool);
  const faults: string[] = [];
  if ("ui" in meta && !isObject(meta.ui)) faults.push(`${name}: _meta.ui is not an object.`);
  const { resourceUri: nested, visibility } = uiOf(meta);
  const flat = meta["ui/resourceUri"];
  for (const [where, uri] of [
    ["_meta.ui.resourceUri", nested],
    ['_meta["ui/resourceUri"]', flat],
  ] as const) {
    if (uri === undefined) continue;
    if (typeof uri !== "string") faults.push(`${name}: ${where} is not a string.`);
    else if (!uri.startsWith("ui://")) faults.push(`${name}: ${where} does not begin with ui://.`);
  }
  if (visibility === undefined) return faults;
  if (!Array.isArray(visibility)) {
    faults.push(`${name}: _meta.ui.visibility is not an array.`);
  } else if (visibility.some((one) => !audiences.includes(one))) {
    faults.push(`${name}: _meta.ui.visibility holds something other than "model" and "app".`);
  }
  return faults;
}

/** What no sentence forbids, and what only the protocol itself advises. */
function metadataWarnings(tool: JsonObject, all: readonly JsonObject[]): Finding[] {
  const name = nameOf(tool);
  const meta = metaOf(tool);
  const { resourceUri: nested, visibility } = uiOf(meta);
  const flat = meta["ui/resourceUri"];
  return [
    ...findingUnless(
      flat === undefined || nested !== undefined,
      "SHOULD",
      `${name}: only the deprecated key "ui/resourceUri"; use _meta.ui.resourceUri.`,
    ),
    ...findingUnless(
      nested === undefined || flat === undefined || nested === flat,
      "inferred",
      `${name}: _meta.ui.resourceUri and _meta["ui/resourceUri"] name different documents.`,
    ),
    ...findingUnless(
      !Array.isArray(visibility) || visibility.length > 0,
      "inferred",
      `${name}: _meta.ui.visibility is empty, so nobody may use the tool.`,
    ),
    ...findingUnless(
      /^[A-Za-z0-9_.-]{1,128}$/.test(name),
      "SHOULD",
      `${name}: names should be 1 to 128 letters, digits, _, . and -.`,
    ),
    ...findingUnless(
      all.filter((other) => other.name === tool.name).length === 1,
      "SHOULD",
      `${name}: more than one tool has this name.`,
    ),
  ];
}

const toolMetadata: AppsCheck = {
  id: "ui-tool-metadata-valid",
  title: "Tools name their widgets in the right way",
  description:
    "The document's address begins with ui://, and visibility holds nothing but model and app; advice where it is empty or addresses differ.",
  category: "tools",
  rules: appsSpec("MUST", "Resource discovery", "resource-discovery"),
  needs: ["tools"],
  judge: ({ tools }) => {
    const skip = unlessListed(tools);
    if (skip) return skip;
    const all = itemsOf(tools);
    const own = uiToolsOf(tools);
    const warnings = own.flatMap((tool) => metadataWarnings(tool, all));
    // Two tools of one name would tell everything twice.
    return verdictOf(own.flatMap(metadataFaults), [
      ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
    ]);
  },
};

const inputSchema: AppsCheck = {
  id: "ui-tool-input-schema-valid",
  title: "Tools with widgets have an input schema",
  description: "inputSchema is a JSON Schema object.",
  category: "tools",
  rules: appsSpec("schema", "Resource discovery", "resource-discovery"),
  needs: ["tools"],
  judge: ({ tools }) =>
    unlessListed(tools) ??
    verdictOf(
      uiToolsOf(tools)
        .filter((tool) => !isObject(tool.inputSchema))
        .map((tool) => `${nameOf(tool)}: inputSchema is not an object.`),
    ),
};

const appOnlyReachable: AppsCheck = {
  id: "ui-app-only-tools-reachable",
  title: "Tools for widgets alone are called by one",
  description: "The source of some widget holds the name of each tool that only widgets may call.",
  category: "tools",
  rules: appsSpec("inferred", "Resource discovery", "resource-discovery"),
  needs: ["tools", "documents"],
  judge: ({ tools, documents }) => {
    const skip = unlessListed(tools);
    if (skip) return skip;
    const appOnly = itemsOf(tools).filter(isAppOnlyTool);
    if (appOnly.length === 0) return notApplicable("No tool is for widgets alone.");
    const read = readDocumentsOf(documents);
    if (read.length === 0) return couldNotRun("No widget could be read.");
    const sources = read.flatMap(({ contents }) =>
      (Array.isArray(contents) ? contents : [])
        .filter(isObject)
        .map((content) => widgetSource(content) ?? ""),
    );
    const unused = appOnly.map(nameOf).filter((name) => !sources.some((source) => source.includes(name)));
    return verdictOf(unused.map((name) => `${name}: no widget mentions it, and no model may call it.`));
  },
};

/** Used by the check of the other dialect too. */
export function speaksOpenAi(tool: JsonObject): boolean {
  return toolUiOf(tool)?.uris.openai !== undefined || "openai/outputTemplate" in metaOf(tool);
}

export const toolChecks: readonly AppsCheck[] = [toolsPresent, toolMetadata, inputSchema, appOnlyReachable];
