/** @module What the OpenAI directory asks of tools, widgets, the domain and skills that a server offers. */
import { readinessLimits } from "@fettle/contract/servers";
import { isObject } from "@fettle/mcp";
import { cspEntryFault, isCovered, loadedOrigins } from "../../apps/csp-sources.ts";
import { metaOf, uiOf, widgetMimeTypes, widgetSource } from "../../apps/tool-ui.ts";
import { notApplicable, notEvaluated, type ReadinessRule, satisfied, verdictOf, violated } from "../rule.ts";
import {
  annotationsOf,
  everyTool,
  guardOf,
  ofServer,
  ofWidgets,
  ofWidgetTools,
  type ReadWidget,
} from "../server-facts.ts";
import { rulesOf, shotFaults } from "../shared-rules.ts";
import { openaiSource } from "./source.ts";

const toolRules = rulesOf(
  {
    lane: "directory-policy",
    class: "required",
    provenance: "wire",
    intrusiveness: "passive",
    source: openaiSource("guidelines", "Tools"),
  } as const,
  [
    {
      id: "openai.tools.annotations",
      title: "Every tool says whether it only reads, destroys, and reaches the open world",
      remediation: "Set readOnlyHint, destructiveHint and openWorldHint, each to true or false.",
      judge: everyTool((tool, name) => {
        const annotations = annotationsOf(tool);
        const missing = ["readOnlyHint", "destructiveHint", "openWorldHint"].filter(
          (hint) => typeof annotations[hint] !== "boolean",
        );
        return missing.length === 0 ? [] : [`${name} lacks ${missing.join(", ")}.`];
      }),
    },
    {
      id: "openai.tools.descriptions",
      title: "Every tool has a description",
      judge: everyTool(({ description }, name) =>
        typeof description === "string" && description.trim() !== "" ? [] : [`${name} has none.`],
      ),
    },
    {
      id: "openai.tools.name-length",
      title: `Tool names have at most ${readinessLimits.toolNameLength} characters`,
      judge: everyTool((_tool, name) =>
        name.length > readinessLimits.toolNameLength ? [`${name} has ${name.length} characters.`] : [],
      ),
    },
    {
      id: "openai.tools.schemas",
      title: "Every tool takes an object",
      judge: everyTool(({ inputSchema }, name) =>
        isObject(inputSchema) && inputSchema.type === "object"
          ? []
          : [`${name}: inputSchema is not of the type object.`],
      ),
    },
    {
      id: "openai.tools.security-schemes",
      title: "Every tool says whether it needs a sign-in",
      class: "recommended",
      source: openaiSource("auth", "Security schemes"),
      judge: everyTool((tool, name, { server }) => {
        // Where nobody ever signs in there is nothing to say.
        if (!server || (guardOf(server).is === "open" && !server.probe.oauth.optional)) return [];
        const schemes = tool.securitySchemes ?? metaOf(tool).securitySchemes;
        return Array.isArray(schemes) && schemes.length > 0 ? [] : [`${name} has no securitySchemes.`];
      }),
    },
    {
      id: "openai.tools.annotation-honesty",
      title: "What a tool is called fits what it says of itself",
      lane: "experience-insights",
      class: "heuristic",
      judge: everyTool((tool, name) =>
        annotationsOf(tool).readOnlyHint === true &&
        /^(create|update|delete|remove|insert|send|post|put|patch|drop|write|cancel|pay)(?![a-z])/i.test(name)
          ? [`${name} says that it only reads.`]
          : [],
      ),
    },
  ],
);

const mimeTypes: readonly unknown[] = Object.values(widgetMimeTypes);

function domainOf({ meta }: ReadWidget): unknown {
  return uiOf(meta).domain ?? meta["openai/widgetDomain"];
}

/** Nobody's own: the hosts', or ones that stand for "put yours here". */
const foreignDomains =
  /(^|\.)(openai\.com|chatgpt\.com|oaiusercontent\.com|claudemcpcontent\.com|localhost|example\.(com|org|net))$/;

function policyEntries({ meta }: ReadWidget): unknown[] {
  return [uiOf(meta).csp, meta["openai/widgetCSP"]].flatMap((policy) =>
    Object.values(isObject(policy) ? policy : {}).flatMap((entries) =>
      Array.isArray(entries) ? entries : [],
    ),
  );
}

const widgetRules = rulesOf(
  {
    lane: "runtime-compatibility",
    class: "required",
    provenance: "wire",
    intrusiveness: "read-only",
    source: openaiSource("reference", "Component resource _meta fields"),
  } as const,
  [
    {
      id: "openai.ui.mime",
      title: "Widgets are served as a widget's type",
      class: "runtime-blocker",
      remediation: `Serve the document with the MIME type ${widgetMimeTypes.mcp}.`,
      judge: ofWidgets((widgets) =>
        verdictOf(
          widgets.flatMap(({ uri, content }) =>
            mimeTypes.includes(content.mimeType)
              ? []
              : [`${uri} is ${JSON.stringify(content.mimeType) ?? "of no type"}.`],
          ),
        ),
      ),
    },
    {
      id: "openai.ui.domain-present",
      title: "Every widget has a domain",
      class: "runtime-blocker",
      remediation: "Set `_meta.ui.domain` of the document to a domain of your own.",
      judge: ofWidgets((widgets) =>
        verdictOf(
          widgets.flatMap((widget) =>
            typeof domainOf(widget) === "string" ? [] : [`${widget.uri} has no _meta.ui.domain.`],
          ),
        ),
      ),
    },
    {
      id: "openai.ui.domain-unique",
      title: "The domain is the app's own",
      remediation: "Use a domain that no other app and no host has.",
      judge: ofWidgets((widgets) => {
        const named = widgets.filter((widget) => typeof domainOf(widget) === "string");
        if (named.length === 0) return notApplicable("No widget has a domain.");
        return verdictOf(
          named.flatMap((widget) => {
            const domain = String(domainOf(widget));
            const url = URL.parse(domain.includes("://") ? domain : `https://${domain}`);
            if (url?.protocol !== "https:") return [`${widget.uri}: ${domain} is no https domain.`];
            return foreignDomains.test(url.hostname)
              ? [`${widget.uri}: ${domain} is not the app's own.`]
              : [];
          }),
        );
      }),
    },
    {
      id: "openai.ui.csp-exact",
      title: "The content policy names what the widget loads, and no more than origins",
      provenance: "static",
      derivedFrom: ["apps:ui-csp-domains-wellformed"],
      remediation: "Name each origin that the widget loads from; no wildcards.",
      judge: ofWidgets((widgets) =>
        verdictOf(
          widgets.flatMap((widget) => {
            const entries = policyEntries(widget);
            const named = entries.filter((entry) => typeof entry === "string");
            return [
              ...entries.flatMap((entry) => {
                const fault =
                  cspEntryFault(entry) ?? (String(entry).includes("*") ? "is a wildcard" : undefined);
                return fault === undefined ? [] : [`${widget.uri}: ${JSON.stringify(entry)} ${fault}.`];
              }),
              ...loadedOrigins(widgetSource(widget.content) ?? "").flatMap((origin) =>
                isCovered(origin, named) ? [] : [`${widget.uri} loads from ${origin}, which is not named.`],
              ),
            ];
          }),
        ),
      ),
    },
    {
      id: "openai.ui.output-schema",
      title: "Tools with a widget say what they answer",
      remediation: "Give the tool an outputSchema.",
      judge: ofWidgetTools((tools) =>
        verdictOf(
          tools.flatMap(({ name, tool }) =>
            isObject(tool.outputSchema) ? [] : [`${name} has no outputSchema.`],
          ),
        ),
      ),
    },
    {
      id: "openai.ui.useful-without-ui",
      title: "A tool is of use where its widget is not shown",
      provenance: "declared",
      intrusiveness: "passive",
      remediation: "Say in openai.withoutUi what people have then.",
      judge: ofWidgetTools((_tools, _server, { profile }) => {
        if (!profile) return notEvaluated("submissionProfile", "There is no submission profile.");
        return profile.openai?.withoutUi === undefined
          ? violated("openai.withoutUi is missing.")
          : satisfied();
      }),
    },
    {
      id: "openai.ui.screenshots",
      title: "The listing shows the widget",
      provenance: "declared",
      intrusiveness: "passive",
      source: openaiSource("submission", "Screenshots"),
      judge: ofWidgetTools((_tools, _server, evidence) => {
        const { profile } = evidence;
        if (!profile) return notEvaluated("submissionProfile", "There is no submission profile.");
        const shots = profile.openai?.screenshots ?? [];
        return shots.length > 0
          ? verdictOf(shotFaults(shots, evidence))
          : violated("openai.screenshots is empty.");
      }),
    },
  ],
);

const domainRules = rulesOf(
  {
    lane: "runtime-compatibility",
    class: "required",
    provenance: "wire",
    intrusiveness: "passive",
    source: openaiSource("review", "Domain verification"),
  } as const,
  [
    {
      id: "openai.domain.challenge-served",
      title: "The server's origin answers the domain challenge",
      remediation: "Serve the token at /.well-known/openai-apps-challenge as plain text.",
      judge: ofServer(({ domainChallenge: seen }) => {
        if (!seen) return notEvaluated("serverAnswer", "It was not asked for.");
        if ("fault" in seen) return notEvaluated("serverAnswer", seen.fault);
        return seen.status === 200 && seen.text.trim() !== ""
          ? satisfied()
          : violated(`/.well-known/openai-apps-challenge is answered with ${seen.status}.`);
      }),
    },
    {
      id: "openai.domain.challenge-matches",
      title: "The answer is the token of this submission",
      remediation: "Serve exactly the token that the portal shows, and write it into openai.domainToken.",
      judge: ofServer(({ domainChallenge: seen }, { profile }) => {
        const token = profile?.openai?.domainToken;
        if (token === undefined) return notEvaluated("submissionProfile", "The profile has no domain token.");
        if (!seen || !("status" in seen) || seen.status !== 200) {
          return notEvaluated("serverAnswer", "There is no answer to compare.");
        }
        return seen.text.trim() === token ? satisfied() : violated("It is another token.");
      }),
    },
  ],
);

export const openaiToolRules: readonly ReadinessRule[] = [...toolRules, ...widgetRules, ...domainRules];
