/** @module What Claude asks of a server's widgets. */
import { createHash } from "node:crypto";
import { uiOf, widgetMimeTypes } from "../../apps/tool-ui.ts";
import type { RenderedApp } from "../evidence.ts";
import {
  informational,
  notApplicable,
  notEvaluated,
  type ReadinessRule,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { fromAppsCheck, guardOf, ofWidgets, ofWidgetTools } from "../server-facts.ts";
import { rulesOf } from "../shared-rules.ts";
import { claudeSource } from "./source.ts";

const common = {
  lane: "runtime-compatibility",
  class: "required",
  provenance: "wire",
  intrusiveness: "read-only",
  source: claudeSource("apps", "Resources"),
} as const;

/** The sandbox's own name for a server. */
export function claudeDomainOf(url: string): string {
  return `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.claudemcpcontent.com`;
}

const servedRules = rulesOf(common, [
  {
    id: "claude.apps.resource-uri-modern",
    title: "Tools name their widget in _meta.ui.resourceUri",
    remediation: 'Move `_meta["ui/resourceUri"]` to `_meta.ui.resourceUri`.',
    judge: ofWidgetTools((tools) =>
      verdictOf(
        tools.flatMap(({ name, meta }) =>
          "ui/resourceUri" in meta && uiOf(meta).resourceUri === undefined
            ? [`${name} uses the flat key "ui/resourceUri" only.`]
            : [],
        ),
      ),
    ),
  },
  {
    id: "claude.apps.html-mime-profile",
    title: `Widgets are served as ${widgetMimeTypes.mcp}`,
    remediation: `Serve the document with the MIME type ${widgetMimeTypes.mcp}.`,
    derivedFrom: ["apps:ui-resource-contents-valid"],
    judge: ofWidgets((widgets) =>
      verdictOf(
        widgets
          .filter(({ dialects }) => dialects.includes("mcp"))
          .flatMap(({ uri, content }) =>
            content.mimeType === widgetMimeTypes.mcp
              ? []
              : [`${uri} is ${JSON.stringify(content.mimeType) ?? "of no type"}.`],
          ),
      ),
    ),
  },
  {
    id: "claude.apps.ui-domain-derivation",
    title: "A domain that is asked for is the one Claude gives to this address",
    remediation: "Leave `_meta.ui.domain` out, or derive it from the listed URL.",
    judge: ofWidgets((widgets, { url }) => {
      const asked = widgets.flatMap(({ uri, meta }) => {
        const { domain } = uiOf(meta);
        return domain === undefined ? [] : [{ uri, domain }];
      });
      if (asked.length === 0) return notApplicable("No widget asks for a domain.");
      const own = claudeDomainOf(url);
      return verdictOf(
        asked.flatMap(({ uri, domain }) =>
          domain === own ? [] : [`${uri} asks for ${domain}, not ${own}.`],
        ),
      );
    }),
  },
  {
    id: "claude.apps.openai-only-widget",
    title: "No widget is for another host alone",
    class: "runtime-blocker",
    remediation: "Name the document in `_meta.ui.resourceUri` as well.",
    judge: ofWidgetTools((tools) =>
      verdictOf(
        tools.flatMap(({ name, uris }) =>
          uris.mcp === undefined ? [`${name} has openai/outputTemplate and no _meta.ui.resourceUri.`] : [],
        ),
      ),
    ),
  },
]);

const advised = rulesOf({ ...common, lane: "experience-insights", class: "recommended" } as const, [
  {
    id: "claude.apps.ui-domain-recommended-for-app-oauth",
    title: "Widgets of a server behind a sign-in have a domain of their own",
    remediation: "Ask for the derived domain in `_meta.ui.domain`.",
    judge: ofWidgets((widgets, server) => {
      const guard = guardOf(server);
      if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
      if (guard.is === "open") return notApplicable("The server asks for no authorization.");
      return verdictOf(
        widgets.flatMap(({ uri, dialects, meta }) =>
          dialects.includes("mcp") && uiOf(meta).domain === undefined ? [`${uri} asks for none.`] : [],
        ),
      );
    }),
  },
  {
    id: "claude.apps.csp-shape",
    title: "Content policies name origins, and all that are needed",
    derivedFrom: ["apps:ui-csp-domains-wellformed"],
    judge: fromAppsCheck("ui-csp-domains-wellformed"),
  },
  {
    id: "claude.apps.result-size-budget",
    title: "Results stay small enough for a conversation",
    class: "manual-review",
    provenance: "manual",
    judge: ofWidgetTools(() => informational("No tool is called: look at how long results get.")),
  },
]);

/** What only a browser sees: each a question about what was drawn. */
const drawn: readonly { id: string; title: string; fits(app: RenderedApp): boolean | undefined }[] = [
  {
    id: "instance-supersession",
    title: "A newer widget takes the place of the one before",
    fits: ({ supersedesInstances: seen }) => seen,
  },
  {
    id: "design.narrow-viewport",
    title: "Nothing overflows at 320 px",
    fits: ({ overflowsAt320: seen }) => (seen === undefined ? undefined : !seen),
  },
  {
    id: "design.touch-target",
    title: "What is tapped is at least 44 px large",
    fits: ({ smallestTargetPx: seen }) => (seen === undefined ? undefined : seen >= 44),
  },
  { id: "design.safe-area", title: "The safe area is respected", fits: ({ respectsSafeArea: seen }) => seen },
  { id: "design.theme", title: "The theme of the host is followed", fits: ({ followsTheme: seen }) => seen },
  {
    id: "design.transparent-background",
    title: "The background is transparent",
    fits: ({ transparentBackground: seen }) => seen,
  },
  {
    id: "design.own-scroll-container",
    title: "It does not scroll inside the conversation",
    fits: ({ ownScrollContainer: seen }) => (seen === undefined ? undefined : !seen),
  },
  {
    id: "design.accessibility",
    title: "It can be used without eyes or mouse",
    fits: ({ accessibilityFaults: seen }) => (seen === undefined ? undefined : seen === 0),
  },
  {
    id: "design.display-mode",
    title: "It keeps up with the display mode",
    fits: ({ handlesDisplayModes: seen }) => seen,
  },
];

const drawnRules = drawn.map(
  ({ id, title, fits }): ReadinessRule => ({
    id: `claude.apps.${id}`,
    title,
    lane: "experience-insights",
    class: "heuristic",
    provenance: "browser",
    intrusiveness: "read-only",
    source: id.startsWith("design.")
      ? claudeSource("design", "Layout and themes")
      : claudeSource("supersession", "Instances"),
    requiresCapabilities: ["browser"],
    judge: ofWidgetTools((_tools, _server, { rendered = [] }) => {
      const seen = rendered.flatMap((app) => {
        const holds = fits(app);
        return holds === undefined ? [] : [{ uri: app.uri, holds }];
      });
      if (seen.length === 0) return notEvaluated("browser", "No widget was drawn.");
      const unfit = seen.filter(({ holds }) => !holds).map(({ uri }) => uri);
      return unfit.length === 0 ? satisfied() : violated(`Not so: ${unfit.join(", ")}.`);
    }),
  }),
);

export const claudeAppRules: readonly ReadinessRule[] = [...servedRules, ...advised, ...drawnRules];
