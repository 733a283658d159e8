/** @module What a widget asks of its host, read from its source and from what its resource declares. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { uiOf } from "../apps/tool-ui.ts";

interface NeedSignal {
  /** The host's capability in the catalogue. */
  capability: string;
  source: RegExp;
}

const signals: readonly NeedSignal[] = [
  { capability: "serverTools", source: /tools\/call|callTool|callServerTool/ },
  { capability: "serverResources", source: /resources\/read|readResource|readServerResource/ },
  { capability: "message", source: /ui\/message|sendFollowUpMessage/ },
  { capability: "updateModelContext", source: /ui\/update-model-context|setWidgetState/ },
  { capability: "openLinks", source: /ui\/open-link|openExternal/ },
  { capability: "downloadFile", source: /ui\/download-file|getFileDownloadUrl|uploadFile/ },
  { capability: "logging", source: /notifications\/message/ },
];

/** Functions of `window.openai` that some hosts leave out. */
const openAiFunctions = [
  "requestClose",
  "requestModal",
  "uploadFile",
  "selectFiles",
  "getFileDownloadUrl",
  "requestCheckout",
  "setOpenInAppUrl",
  "notifyIntrinsicHeight",
] as const;

export interface WidgetNeeds {
  /** Capability to the text that shows the need. */
  capabilities: Record<string, string>;
  openAiFunctions: string[];
  /** Sandbox permissions asked for by name. */
  permissions: string[];
}

/**
 * @example
 * widgetNeeds("<script>openai.sendFollowUpMessage()</script>", {}).capabilities // { message: "sendFollowUpMessage" }
 */
export function widgetNeeds(source: string, meta: JsonObject): WidgetNeeds {
  const capabilities: Record<string, string> = {};
  for (const { capability, source: pattern } of signals) {
    const found = pattern.exec(source);
    if (found) capabilities[capability] = found[0];
  }
  const ui = uiOf(meta);
  const csp = isObject(ui.csp) ? ui.csp : {};
  for (const [capability, member] of [
    ["cspFrameDomains", "frameDomains"],
    ["cspBaseUriDomains", "baseUriDomains"],
  ] as const) {
    const domains = csp[member];
    if (Array.isArray(domains) && domains.length > 0) capabilities[capability] = `_meta.ui.csp.${member}`;
  }
  const permissions = isObject(ui.permissions) ? Object.keys(ui.permissions) : [];
  return {
    capabilities,
    permissions,
    openAiFunctions: openAiFunctions.filter((name) => new RegExp(`\\b${name}\\b`).test(source)),
  };
}
