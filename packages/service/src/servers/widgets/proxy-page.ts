/** @module The frame between the app and a widget: it passes messages on, checks who sent them, and holds nothing. */
import { createHash } from "node:crypto";

/** What a widget may post: larger or more is dropped, and neither side hears of it. */
const bounds = { bytes: 1_000_000, perSecond: 200 };

const style =
  "html,body{height:100%;margin:0}iframe{display:block;width:100%;height:100%;border:0;background:transparent}";

/** Runs in the browser. What it needs to know stands in its document's own attributes, written by the server. */
const script = `"use strict";
const { host, widget, sandbox, allow } = document.documentElement.dataset;
const reserved = "ui/notifications/sandbox-";
const isRpc = (data) => typeof data === "object" && data !== null && data.jsonrpc === "2.0";
const inner = document.createElement("iframe");
inner.setAttribute("sandbox", sandbox);
inner.setAttribute("allow", allow);
inner.setAttribute("referrerpolicy", "no-referrer");
inner.title = "Widget";
let second = 0;
let count = 0;
const isTooMuch = (data) => {
  const now = Math.floor(performance.now() / 1000);
  if (now !== second) { second = now; count = 0; }
  return ++count > ${bounds.perSecond} || JSON.stringify(data).length > ${bounds.bytes};
};
addEventListener("message", ({ source, origin, data }) => {
  if (!isRpc(data)) return;
  const isReserved = String(data.method).startsWith(reserved);
  if (source === parent && origin === host) {
    if (data.method === reserved + "resource-ready") load(data.params?.name);
    else if (data.method === reserved + "color-scheme") document.documentElement.style.colorScheme = String(data.params?.colorScheme);
    else if (!isReserved) inner.contentWindow.postMessage(data, "*");
  } else if (source === inner.contentWindow && origin === "null" && !isReserved && !isTooMuch(data)) {
    parent.postMessage(data, host);
  }
});
const load = (name) => {
  if (inner.isConnected) return;
  // What a document may read before its first message.
  if (typeof name === "string") inner.name = name;
  inner.src = widget;
  document.body.append(inner);
};
if (parent !== window) {
  parent.postMessage({ jsonrpc: "2.0", method: reserved + "proxy-ready", params: {} }, host);
}
`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export interface ProxyPage {
  html: string;
  policy: string;
}

/** One document may be framed by it, and no other: a widget that leads its frame elsewhere finds it closed. */
export function proxyPage(options: {
  appOrigin: string;
  documentUrl: string;
  reportPath: string;
  allow: string;
}): ProxyPage {
  const { appOrigin, documentUrl, reportPath, allow } = options;
  const facts = { host: appOrigin, widget: documentUrl, sandbox: "allow-scripts allow-forms", allow };
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
  return {
    html: `<!doctype html><html lang="en"${attributes.join("")}><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Widget</title><style>${style}</style></head><body><script>${script}</script></body></html>`,
    policy: [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      // The theme is set through the CSSOM, which needs no allowance.
      `style-src ${hashOf(style)}`,
      `frame-src ${documentUrl}`,
      `frame-ancestors ${appOrigin}`,
      "base-uri 'none'",
      "form-action 'none'",
      `report-uri ${reportPath}`,
    ].join("; "),
  };
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
