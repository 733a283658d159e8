/**
 * A café with one widget in both dialects: MCP Apps (`_meta.ui`) and the Apps SDK (`openai/outputTemplate`). Everything a widget may
 * declare is declared here: content policy, permissions, domain, border, and a tool that only the widget calls.
 * @module
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { serveAtMcp } from "../mcp-endpoint.ts";
import type { ListenOptions, RunningSample } from "../serve-http.ts";

const MCP_MIME = "text/html;profile=mcp-app";
const OPENAI_MIME = "text/html+skybridge";
const MENU_URI = "ui://cafe/menu.html";
const OPENAI_MENU_URI = "ui://cafe/menu-openai.html";

const PICTURES = "https://pictures.example.com";
const PRICES = "https://prices.example.com";

const page = (script: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Menu</title></head>
<body>
<h1>Menu</h1><img src="${PICTURES}/cup.png" alt="A cup"><ul id="menu"></ul><button id="more">Prices of today</button>
<script>
const list = document.getElementById("menu");
function show(result) {
  list.replaceChildren(...result.structuredContent.drinks.map((drink) => Object.assign(document.createElement("li"), { textContent: drink })));
}
document.getElementById("more").onclick = () => fetch("${PRICES}/today.json").then((answer) => answer.json()).then(() => refresh().then(show));
${script}
</script>
</body>
</html>
`;

const MCP_PAGE = page(`let nextId = 1;
const waiting = new Map();
function request(method, params) {
  const id = nextId++;
  parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
  return new Promise((resolve) => waiting.set(id, resolve));
}
addEventListener("message", ({ data, source }) => {
  if (source !== parent || !data) return;
  if (data.method === "ui/notifications/tool-result") show(data.params);
  else if (waiting.has(data.id)) waiting.get(data.id)(data.result);
});
const refresh = () => request("tools/call", { name: "refresh_menu", arguments: {} });
request("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "menu", version: "1.0.0" }, appCapabilities: {} })
  .then(() => parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} }, "*"));`);

const OPENAI_PAGE = page(`const refresh = () => window.openai.callTool("refresh_menu", {});
if (window.openai.toolOutput) show({ structuredContent: window.openai.toolOutput });`);

const Menu = z.object({ drinks: z.array(z.string()) });

function menu() {
  const drinks = ["Espresso", "Flat white", "Mint tea"];
  return { content: [{ type: "text" as const, text: drinks.join(", ") }], structuredContent: { drinks } };
}

export function createCafeServer(): McpServer {
  const server = new McpServer(
    { name: "cafe", title: "Café on the Corner", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [MCP_MIME] } },
      },
    },
  );
  server.registerTool(
    "show_menu",
    {
      description: "Shows the drinks of today.",
      inputSchema: z.object({}),
      outputSchema: Menu,
      annotations: { readOnlyHint: true },
      _meta: {
        ui: { resourceUri: MENU_URI, visibility: ["model", "app"] },
        "openai/outputTemplate": OPENAI_MENU_URI,
        "openai/widgetAccessible": true,
        "openai/toolInvocation/invoking": "Reading the menu",
        "openai/toolInvocation/invoked": "The menu",
      },
    },
    menu,
  );
  server.registerTool(
    "refresh_menu",
    {
      description: "Reads the drinks again. Called by the menu itself.",
      inputSchema: z.object({}),
      outputSchema: Menu,
      annotations: { readOnlyHint: true },
      _meta: { ui: { visibility: ["app"] } },
    },
    menu,
  );
  server.registerTool(
    "say_hello",
    { description: "Greets the guest.", inputSchema: z.object({}), annotations: { readOnlyHint: true } },
    () => ({ content: [{ type: "text", text: "Good morning!" }] }),
  );
  server.registerResource("menu", MENU_URI, { title: "Menu", mimeType: MCP_MIME }, () => ({
    contents: [
      {
        uri: MENU_URI,
        mimeType: MCP_MIME,
        text: MCP_PAGE,
        _meta: {
          ui: {
            csp: { connectDomains: [PRICES], resourceDomains: [PICTURES] },
            permissions: { clipboardWrite: {} },
            domain: "cafe.example.com",
            prefersBorder: true,
          },
        },
      },
    ],
  }));
  server.registerResource(
    "menu-openai",
    OPENAI_MENU_URI,
    { title: "Menu (Apps SDK)", mimeType: OPENAI_MIME },
    () => ({
      contents: [
        {
          uri: OPENAI_MENU_URI,
          mimeType: OPENAI_MIME,
          text: OPENAI_PAGE,
          _meta: {
            "openai/widgetDescription": "The drinks of today, with a button for prices.",
            "openai/widgetPrefersBorder": true,
            "openai/widgetDomain": "https://cafe.example.com",
            "openai/widgetCSP": { connect_domains: [PRICES], resource_domains: [PICTURES] },
          },
        },
      ],
    }),
  );
  return server;
}

export function runCafe(options?: ListenOptions): Promise<RunningSample> {
  return serveAtMcp(createMcpHandler(createCafeServer), options);
}
