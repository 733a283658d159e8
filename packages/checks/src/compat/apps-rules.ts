/** @module How a host shows the server's widgets: the rules of the `apps` lane. */
import type { JsonObject } from "@fettle/mcp";
import type { CompatFinding } from "./compat-report.ts";
import type { HostFacts } from "./host-facts.ts";
import type { CompatServer, WidgetTool } from "./server-needs.ts";

/** A finding before it is told how the host's fact is known. */
export type Draft = Omit<CompatFinding, "lane" | "provenance" | "confidence" | "sources"> &
  Partial<Pick<CompatFinding, "confidence" | "sources">>;

export type Rule = (host: HostFacts, server: CompatServer) => Draft[];

export function canRender({ apps }: HostFacts, { ui: { uris } }: WidgetTool): boolean {
  return (
    (uris.mcp !== undefined && apps.rendersMcpApps) || (uris.openai !== undefined && apps.rendersOpenAiApps)
  );
}

const names = (tools: readonly WidgetTool[]) => tools.map(({ tool }) => tool.name);

const unrenderable: Rule = (host, { widgetTools }) => {
  const hidden = widgetTools.filter((tool) => !canRender(host, tool));
  const appOnly = hidden.filter(({ ui }) => ui.appOnly);
  const others = hidden.filter(({ ui }) => !ui.appOnly);
  const dialects = (tools: readonly WidgetTool[]) => ({
    dialects: [...new Set(tools.flatMap(({ ui }) => Object.keys(ui.uris)))],
  });
  const openAiOnly = (tools: readonly WidgetTool[]) =>
    host.apps.rendersMcpApps && tools.every(({ ui }) => ui.uris.mcp === undefined);
  const findings: Draft[] = [];
  if (appOnly.length > 0) {
    findings.push({
      severity: "blocker",
      code: "app_only_unrenderable",
      title: "Tools that only a widget can use are out of reach",
      detail: `${host.label} cannot show their widget, and their visibility keeps them from the model.`,
      remediation: openAiOnly(appOnly)
        ? "Declare _meta.ui.resourceUri too: the host shows MCP Apps."
        : 'Add "model" to _meta.ui.visibility, or answer the same question with another tool.',
      tools: names(appOnly),
      evidence: dialects(appOnly),
    });
  }
  if (others.length > 0) {
    findings.push({
      severity: "degraded",
      code: "widget_text_fallback",
      title: "Widgets are not shown",
      detail: `${host.label} does not show this kind of widget; people see the text of the result.`,
      remediation: openAiOnly(others)
        ? "Declare _meta.ui.resourceUri too: the host shows MCP Apps."
        : "Make the text of the result complete enough to be read alone.",
      tools: names(others),
      evidence: dialects(others),
    });
  }
  return findings;
};

/** Judged only where a widget is shown at all, and by what its source was seen to use. */
const capabilities: Rule = (host, server) => {
  const shown = server.widgetTools.filter((tool) => canRender(host, tool));
  const matrix = host.apps.capabilities;
  if (!matrix) return [];
  const needs = new Map<string, { tools: Set<string>; signals: Set<string> }>();
  for (const { tool, needs: own } of shown) {
    for (const [capability, signal] of Object.entries(own?.capabilities ?? {})) {
      const need = needs.get(capability) ?? { tools: new Set(), signals: new Set() };
      needs.set(capability, need);
      need.tools.add(tool.name);
      need.signals.add(signal);
    }
  }
  return [...needs].flatMap(([capability, { tools, signals }]): Draft[] => {
    const supported = matrix[capability];
    if (supported === true) return [];
    return [
      {
        severity: capability === "logging" ? "info" : "degraded",
        code: "capability_unsupported",
        title: `Widgets use ${capability}`,
        detail:
          supported === false
            ? `${host.label} does not support it.`
            : `It is not confirmed that ${host.label} supports it.`,
        remediation:
          "Look at the host's capabilities when the widget starts, and do without what is missing.",
        tools: [...tools],
        capability,
        evidence: { signals: [...signals] },
        ...(supported !== false && { confidence: "low" as const }),
      },
    ];
  });
};

/** Permissions are compared name by name; a capability that is off overrides the list. */
const permissions: Rule = (host, server) => {
  const shown = server.widgetTools.filter((tool) => canRender(host, tool));
  const matrix: JsonObject = host.apps.capabilities ?? {};
  const allow = host.apps.sandbox?.permissions?.allow;
  const wanted = new Map<string, string[]>();
  for (const { tool, needs } of shown) {
    for (const name of needs?.permissions ?? []) wanted.set(name, [...(wanted.get(name) ?? []), tool.name]);
  }
  return [...wanted].flatMap(([name, tools]): Draft[] => {
    const off = matrix.sandboxPermissions === false;
    if (!off && allow?.[name] === true) return [];
    const known = off || allow !== undefined;
    return [
      {
        severity: "degraded",
        code: "capability_unsupported",
        title: `Widgets ask for the permission ${name}`,
        detail: known
          ? `${host.label} does not grant it.`
          : `Which permissions ${host.label} grants is not known.`,
        remediation: "Work without it, and say so to the person.",
        tools,
        capability: "sandboxPermissions",
        evidence: { permission: name },
        ...(!known && { confidence: "low" as const }),
      },
    ];
  });
};

const openAiFunctions: Rule = (host, server) => {
  const overrides = host.apps.openAiAppsOverrides ?? {};
  const shown = server.widgetTools.filter(
    ({ ui }) => ui.uris.openai !== undefined && host.apps.rendersOpenAiApps,
  );
  const missing = new Map<string, string[]>();
  for (const { tool, needs } of shown) {
    for (const name of needs?.openAiFunctions ?? []) {
      if (overrides[name] === false) missing.set(name, [...(missing.get(name) ?? []), tool.name]);
    }
  }
  return [...missing].map(([name, tools]) => ({
    severity: "degraded",
    code: "capability_unsupported",
    title: `Widgets call window.openai.${name}`,
    detail: `${host.label} does not provide it.`,
    remediation: "Test for the function before calling it.",
    tools,
    capability: `openai.${name}`,
    evidence: { function: name },
  }));
};

const visibility: Rule = (host, { appOnlyTools }) =>
  host.respectsToolVisibility || appOnlyTools.length === 0
    ? []
    : [
        {
          severity: "info",
          code: "visibility_ignored",
          title: "Tools meant for widgets alone are offered to the model",
          detail: `${host.label} ignores _meta.ui.visibility.`,
          remediation: "Describe these tools so that a model knows when not to call them.",
          tools: appOnlyTools,
          evidence: {},
        },
      ];

export const appsRules: readonly Rule[] = [
  unrenderable,
  capabilities,
  permissions,
  openAiFunctions,
  visibility,
];
