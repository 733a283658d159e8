/** @module Faults in what the café says about its widget, and in the widget: one each, with the checks that must notice. */
import { isObject, type JsonObject } from "@fettle/mcp";
import type { Fault, ProxiedRequest } from "../../protocol/testing/faulty-proxy.ts";
import { inResultOf } from "../../protocol/testing/mutation.ts";
import type { SeenBoot } from "../observe-apps.ts";

export interface AppsMutation extends Fault {
  /** A sentence about the server. */
  name: string;
  /** Exactly these fail. */
  fails?: readonly string[];
  /** Exactly these pass with advice: what they go by is no MUST. */
  advises?: readonly string[];
  /** These could not run: nobody can say. */
  unproven?: readonly string[];
  /** The operator says that there are widgets. */
  requireUi?: true;
  /** What a browser saw of the widgets; that it sees so is shown where there is one. */
  boots?: SeenBoot["end"] & { errors?: string[] };
}

const mcpUri = "ui://cafe/menu.html";
const openAiUri = "ui://cafe/menu-openai.html";

/** Changes one tool of the list. */
function tool(name: string, change: (tool: JsonObject, meta: JsonObject) => void) {
  return inResultOf("tools/list", ({ tools }) => {
    const found = (tools as JsonObject[]).find((each) => each.name === name);
    if (found) change(found, isObject(found._meta) ? found._meta : {});
  });
}

const menuTool = (change: (ui: JsonObject, meta: JsonObject) => void) =>
  tool("show_menu", (_tool, meta) => change(meta.ui as JsonObject, meta));

/** Changes what one document is answered with. */
function document(uri: string, change: (content: JsonObject, contents: JsonObject[]) => void) {
  return inResultOf("resources/read", ({ contents }, { body }: ProxiedRequest) => {
    const params = body?.params as JsonObject;
    const list = contents as JsonObject[];
    if (params.uri === uri && list[0]) change(list[0], list);
  });
}

const declared = (change: (ui: JsonObject) => void) =>
  document(mcpUri, (content) => change((content._meta as JsonObject).ui as JsonObject));

function listed(uri: string, change: (resource: JsonObject, all: JsonObject[]) => void) {
  return inResultOf("resources/list", ({ resources }) => {
    const all = resources as JsonObject[];
    const found = all.find((each) => each.uri === uri);
    if (found) change(found, all);
  });
}

const refuse =
  (method: string) =>
  (message: JsonObject, { body }: ProxiedRequest) =>
    body?.method === method
      ? { jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "Out of coffee" } }
      : message;

export const appsMutations: readonly AppsMutation[] = [
  {
    name: "a widget never says that it is initialized",
    boots: { fault: "The widget did not begin." },
    fails: ["ui-widget-boots"],
  },
  {
    name: "a widget begins after an error that nobody caught",
    boots: { begun: true, errors: ["Error: no menu"] },
    advises: ["ui-widget-boots"],
  },
  {
    name: "no browser is there to show a widget",
    boots: { unseen: "No browser was found on this machine." },
    unproven: ["ui-widget-boots"],
  },
  {
    name: "no tool names a widget, though widgets are promised",
    message: inResultOf("tools/list", ({ tools }) => {
      for (const each of tools as JsonObject[]) delete each._meta;
    }),
    requireUi: true,
    fails: ["ui-tools-present"],
  },
  {
    name: "tools/list is refused",
    message: refuse("tools/list"),
    unproven: [
      "ui-tools-present",
      "ui-tool-metadata-valid",
      "ui-tool-input-schema-valid",
      "ui-app-only-tools-reachable",
      "ui-openai-dialect-valid",
    ],
  },
  {
    name: "a widget's address is that of a web page",
    message: menuTool((ui) => {
      ui.resourceUri = "https://cafe.example.com/menu.html";
    }),
    fails: ["ui-tool-metadata-valid", "ui-resources-readable"],
    advises: ["ui-resource-listed-for-tool"],
  },
  {
    name: "a widget's address is a number",
    message: menuTool((ui) => {
      ui.resourceUri = 7;
    }),
    fails: ["ui-tool-metadata-valid"],
    advises: ["ui-openai-dialect-valid"],
  },
  {
    name: "the old key names another document",
    message: menuTool((_ui, meta) => {
      meta["ui/resourceUri"] = openAiUri;
    }),
    advises: ["ui-tool-metadata-valid"],
  },
  {
    name: "only the old key is there",
    message: menuTool((_ui, meta) => {
      meta["ui/resourceUri"] = mcpUri;
      delete meta.ui;
    }),
    advises: ["ui-tool-metadata-valid"],
  },
  {
    name: "visibility is a word",
    message: menuTool((ui) => {
      ui.visibility = "model";
    }),
    fails: ["ui-tool-metadata-valid"],
  },
  {
    name: "visibility is empty",
    message: menuTool((ui) => {
      ui.visibility = [];
    }),
    advises: ["ui-tool-metadata-valid"],
  },
  {
    name: "visibility names a stranger",
    message: menuTool((ui) => {
      ui.visibility = ["model", "user"];
    }),
    fails: ["ui-tool-metadata-valid"],
  },
  {
    name: "a tool with a widget has no input schema",
    message: tool("show_menu", (own) => {
      own.inputSchema = null;
    }),
    fails: ["ui-tool-input-schema-valid"],
  },
  {
    name: "a tool for widgets alone is called by none",
    message: tool("refresh_menu", (own) => {
      own.name = "forgotten_tool";
    }),
    advises: ["ui-app-only-tools-reachable"],
  },
  {
    name: "a listed widget has the type of any page",
    message: listed(mcpUri, (resource) => {
      resource.mimeType = "text/html";
    }),
    advises: ["ui-listed-resources-valid"],
  },
  {
    name: "a widget is listed at a web address",
    message: listed(mcpUri, (_resource, all) => {
      all.push({ uri: "cafe://menu", name: "m", mimeType: "text/html;profile=mcp-app" });
    }),
    fails: ["ui-listed-resources-valid", "ui-resources-readable"],
  },
  {
    name: "resources/list is refused",
    message: refuse("resources/list"),
    unproven: ["ui-listed-resources-valid"],
  },
  {
    name: "a widget that a tool names is not listed",
    message: inResultOf("resources/list", (result) => {
      result.resources = (result.resources as JsonObject[]).filter(({ uri }) => uri !== mcpUri);
    }),
    advises: ["ui-resource-listed-for-tool"],
  },
  {
    name: "a widget cannot be read",
    message: (message, { body }) =>
      body?.method === "resources/read" && (body.params as JsonObject).uri === mcpUri
        ? { jsonrpc: "2.0", id: message.id, error: { code: -32602, message: "No such resource" } }
        : message,
    fails: ["ui-resources-readable"],
  },
  {
    name: "a widget has two entries",
    message: document(mcpUri, (content, contents) => {
      contents.push({ ...content });
    }),
    advises: ["ui-resource-contents-valid"],
  },
  {
    name: "a document goes by another address",
    message: document(mcpUri, (content) => {
      content.uri = "ui://cafe/other.html";
    }),
    fails: ["ui-resource-contents-valid"],
  },
  {
    name: "a document has the type of any page",
    message: document(mcpUri, (content) => {
      content.mimeType = "text/html";
    }),
    fails: ["ui-resource-contents-valid"],
  },
  {
    name: "a document is there twice, as text and as blob",
    message: document(mcpUri, (content) => {
      content.blob = btoa(String(content.text).replace(/[^\x20-\x7e]/g, ""));
    }),
    fails: ["ui-resource-contents-valid"],
  },
  {
    name: "a document is blank",
    message: document(mcpUri, (content) => {
      content.text = " ";
    }),
    fails: ["ui-resource-contents-valid"],
  },
  {
    name: "a document is JSON",
    message: document(mcpUri, (content) => {
      content.text = '{"drinks":[]}';
    }),
    fails: ["ui-resource-contents-valid"],
  },
  {
    name: "a content policy is a list",
    message: declared((ui) => {
      ui.csp = ["https://pictures.example.com", "https://prices.example.com"];
    }),
    fails: ["ui-resource-meta-valid"],
    advises: ["ui-csp-domains-wellformed"],
  },
  {
    name: "a permission is true instead of an object",
    message: declared((ui) => {
      ui.permissions = { camera: true };
    }),
    fails: ["ui-resource-meta-valid"],
  },
  {
    name: "prefersBorder is a word",
    message: declared((ui) => {
      ui.prefersBorder = "yes";
    }),
    fails: ["ui-resource-meta-valid"],
  },
  {
    name: "a domain is an object",
    message: declared((ui) => {
      ui.domain = { host: "cafe.example.com" };
    }),
    fails: ["ui-resource-meta-valid"],
  },
  {
    name: "a content policy allows everything",
    message: declared((ui) => {
      (ui.csp as JsonObject).frameDomains = ["*"];
    }),
    advises: ["ui-csp-domains-wellformed"],
  },
  {
    name: "a content policy names a path",
    message: declared((ui) => {
      (ui.csp as JsonObject).frameDomains = ["https://maps.example.com/embed"];
    }),
    advises: ["ui-csp-domains-wellformed"],
  },
  {
    name: "a content policy allows plain http",
    message: declared((ui) => {
      (ui.csp as JsonObject).frameDomains = ["http://maps.example.com"];
    }),
    advises: ["ui-csp-domains-wellformed"],
  },
  {
    name: "a widget loads from where its policy forbids",
    message: declared((ui) => {
      (ui.csp as JsonObject).connectDomains = [];
    }),
    advises: ["ui-csp-domains-wellformed"],
  },
  {
    name: "an output template is a list",
    message: menuTool((_ui, meta) => {
      meta["openai/outputTemplate"] = [openAiUri];
    }),
    advises: ["ui-openai-dialect-valid"],
  },
  {
    name: "widgetAccessible is a word",
    message: menuTool((_ui, meta) => {
      meta["openai/widgetAccessible"] = "yes";
    }),
    advises: ["ui-openai-dialect-valid"],
  },
  {
    name: "an output template has a type nobody knows",
    message: document(openAiUri, (content) => {
      content.mimeType = "text/html";
    }),
    advises: ["ui-openai-dialect-valid"],
  },
  {
    name: "a content policy of the other dialect is a word",
    message: document(openAiUri, (content) => {
      (content._meta as JsonObject)["openai/widgetCSP"] = {
        connect_domains: "https://prices.example.com",
        resource_domains: ["https://pictures.example.com"],
      };
    }),
    advises: ["ui-openai-dialect-valid", "ui-csp-domains-wellformed"],
  },
  {
    name: "a widget speaks the other dialect alone",
    message: menuTool((_ui, meta) => {
      delete meta.ui;
    }),
    advises: ["ui-openai-dialect-valid"],
  },
];
