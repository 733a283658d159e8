/**
 * @module `window.openai`, for documents that are written for the Apps SDK: a script that translates it to the messages of MCP Apps, so that
 * the page around a widget speaks one protocol. What it cannot do is not there, so that a document which asks first is told the truth.
 */

import { withFirstScript } from "./peer-guard.ts";

/** Runs first in the document. What the widget finds at once is the name its frame was given. */
const script = `(() => {
  const globals = JSON.parse(window.name || "{}");
  window.name = "";
  const waiting = new Map();
  let nextId = 1;
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const ask = (method, params) => {
    const id = "openai-" + nextId++;
    post({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  const set = (changed) => {
    Object.assign(globals, changed);
    dispatchEvent(new CustomEvent("openai:set_globals", { detail: { globals: changed } }));
  };
  const ofContext = ({ theme, locale, displayMode, containerDimensions: size, safeAreaInsets: insets, deviceCapabilities: capabilities }) =>
    Object.fromEntries(Object.entries({
      theme, locale, displayMode,
      maxHeight: size && (size.maxHeight ?? size.height),
      safeArea: insets && { insets },
      userAgent: capabilities && { device: { type: capabilities.touch && !capabilities.hover ? "mobile" : "desktop" }, capabilities },
    }).filter(([, value]) => value !== undefined));
  const told = {
    "ui/notifications/tool-input": ({ arguments: toolInput }) => set({ toolInput }),
    "ui/notifications/tool-result": ({ structuredContent = null, _meta = null }) => set({ toolOutput: structuredContent, toolResponseMetadata: _meta }),
    "ui/notifications/host-context-changed": (context) => set(ofContext(context)),
  };
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data || data.jsonrpc !== "2.0") return;
    if (data.method === "ui/resource-teardown") return post({ id: data.id, result: {} });
    if (data.method) return void (Object.hasOwn(told, data.method) && told[data.method](data.params ?? {}));
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) asked?.reject(new Error(data.error.message));
    else asked?.resolve(data.result);
  });
  const methods = {
    callTool: (name, args = {}) => ask("tools/call", { name, arguments: args }),
    sendFollowUpMessage: ({ prompt }) => ask("ui/message", { role: "user", content: [{ type: "text", text: String(prompt) }] }).then(() => {}),
    openExternal: ({ href }) => ask("ui/open-link", { url: href }).then(() => {}),
    requestDisplayMode: ({ mode }) => ask("ui/request-display-mode", { mode }),
    setWidgetState: async (widgetState) => {
      set({ widgetState });
      await ask("ui/update-model-context", { structuredContent: widgetState ?? {} });
    },
    notifyIntrinsicHeight: (size) => post({ method: "ui/notifications/size-changed", params: { height: typeof size === "number" ? size : size?.height } }),
    requestClose: () => post({ method: "ui/notifications/request-teardown", params: {} }),
  };
  const names = ["toolInput", "toolOutput", "toolResponseMetadata", "widgetState", "theme", "locale", "displayMode", "maxHeight", "safeArea", "userAgent", "view"];
  const openai = Object.assign({}, methods);
  for (const name of names) Object.defineProperty(openai, name, { enumerable: true, get: () => globals[name] ?? null });
  globals.view = { mode: "inline", params: null };
  Object.assign(globals, ofContext(globals.context ?? {}));
  Object.defineProperty(window, "openai", { value: openai });
  ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: document.title || "widget", version: "0" }, appCapabilities: {} })
    .then(({ hostContext }) => { set(ofContext(hostContext)); post({ method: "ui/notifications/initialized", params: {} }); });
  addEventListener("DOMContentLoaded", () => {
    new ResizeObserver(() => methods.notifyIntrinsicHeight(document.documentElement.scrollHeight)).observe(document.body);
  });
})();`;

export function withOpenAiGlobals(html: string): string {
  return withFirstScript(html, script);
}
