/** @module What may be wrong with the widgets of a server that is submitted to the Claude directory. */
import { inResultOf } from "../../protocol/testing/mutation.ts";
import type { ReadinessEvidence, RenderedApp } from "../evidence.ts";
import type { ServerSpoiling } from "./listed-server.ts";
import { menuUri, type Spoiling, tool, widget } from "./spoiling.ts";

const drawnBadly: RenderedApp = {
  uri: menuUri,
  overflowsAt320: true,
  smallestTargetPx: 20,
  respectsSafeArea: false,
  followsTheme: false,
  transparentBackground: false,
  ownScrollContainer: true,
  accessibilityFaults: 3,
  handlesDisplayModes: false,
  supersedesInstances: false,
};

const withoutWidgets: ServerSpoiling = {
  fault: {
    message: inResultOf("tools/list", ({ tools }) => {
      for (const item of tools as Record<string, unknown>[]) delete item._meta;
    }),
  },
};

const nothingShown: Spoiling["changes"] = Object.fromEntries(
  [
    "submission.screenshots",
    "submission.screenshot-prompts",
    "apps.resource-uri-modern",
    "apps.html-mime-profile",
    "apps.openai-only-widget",
    "apps.csp-shape",
    "apps.result-size-budget",
    "apps.instance-supersession",
    "apps.design.narrow-viewport",
    "apps.design.touch-target",
    "apps.design.safe-area",
    "apps.design.theme",
    "apps.design.transparent-background",
    "apps.design.own-scroll-container",
    "apps.design.accessibility",
    "apps.design.display-mode",
  ].map((id) => [`claude.${id}`, "not-applicable"]),
);

export const claudeAppSpoilings: readonly Spoiling[] = [
  {
    name: "a tool names its widget by the flat key alone",
    server: tool("show_menu", (_item, meta) => {
      meta["ui/resourceUri"] = menuUri;
      delete meta.ui;
    }),
    changes: { "claude.apps.resource-uri-modern": "violated" },
  },
  {
    name: "a widget is of another type",
    server: widget(menuUri, (content) => {
      content.mimeType = "text/html";
    }),
    changes: { "claude.apps.html-mime-profile": "violated" },
  },
  {
    name: "a widget asks for a domain of its own",
    server: widget(menuUri, (_content, meta) => {
      (meta.ui as Record<string, unknown>).domain = "cafe.test";
    }),
    changes: { "claude.apps.ui-domain-derivation": "violated" },
  },
  {
    name: "a widget is for the other host alone",
    server: tool("show_menu", (_item, meta) => {
      delete meta.ui;
    }),
    changes: { "claude.apps.openai-only-widget": "violated" },
  },
  {
    name: "a content policy allows everything",
    server: widget(menuUri, (_content, meta) => {
      (meta.ui as Record<string, unknown>).csp = {
        connectDomains: ["*", "https://prices.example.com"],
        resourceDomains: ["https://pictures.example.com"],
      };
    }),
    changes: { "claude.apps.csp-shape": "violated" },
    grade: "ready",
  },
  {
    name: "a widget cannot be read",
    server: {
      fault: {
        message: (message, { body }) =>
          body?.method === "resources/read"
            ? { jsonrpc: "2.0", id: message.id, error: { code: -32603, message: "Out of coffee" } }
            : message,
      },
    },
    changes: {
      "claude.apps.html-mime-profile": "not-evaluated",
      "claude.apps.ui-domain-derivation": "not-evaluated",
      "claude.apps.ui-domain-recommended-for-app-oauth": "not-evaluated",
      "claude.apps.csp-shape": "not-evaluated",
    },
    grade: "incomplete",
  },
  {
    name: "a widget is drawn badly",
    evidence: (evidence: ReadinessEvidence) => {
      evidence.capabilities = [...evidence.capabilities, "browser"];
      evidence.rendered = [drawnBadly];
    },
    changes: Object.fromEntries(
      [
        "instance-supersession",
        "design.narrow-viewport",
        "design.touch-target",
        "design.safe-area",
        "design.theme",
        "design.transparent-background",
        "design.own-scroll-container",
        "design.accessibility",
        "design.display-mode",
      ].map((id) => [`claude.apps.${id}`, "violated"]),
    ),
    grade: "ready",
  },
  {
    name: "no tool shows anything",
    server: withoutWidgets,
    changes: nothingShown,
    grade: "ready",
  },
  {
    name: "no tool shows anything, and the listing has no screenshots",
    profile: ({ claude }) => void Object.assign(claude, { screenshots: [] }),
    server: withoutWidgets,
    changes: nothingShown,
    grade: "ready",
  },
];
