/** @module What the OpenAI directory allows to be published, and what a new version may change. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { nameOf } from "../../apps/observe-apps.ts";
import { diffSurfaces, type SurfaceChange } from "../../surface/diff.ts";
import type { ReadinessEvidence } from "../evidence.ts";
import {
  badge,
  informational,
  notEvaluated,
  type ReadinessRule,
  type ReadinessVerdict,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { guardOf, ofServer, wholeListing } from "../server-facts.ts";
import { rulesOf } from "../shared-rules.ts";
import { interfaceOf, ofPackage } from "./package-facts.ts";
import { skillsExtension } from "./skill-rules.ts";
import { openaiSource } from "./source.ts";

/** Words that praise instead of saying what a thing does. */
const promotional =
  /\b(?:the best|world[- ]class|number one|no\.? ?1|#1|top[- ]rated|leading|market[- ]leading|unmatched|unbeatable|guaranteed?|award[- ]winning|revolutionary|most (?:popular|powerful|advanced|trusted))\b/i;

function praiseIn(texts: Record<string, unknown>): string[] {
  return Object.entries(texts).flatMap(([where, text]) => {
    const found = typeof text === "string" ? promotional.exec(text) : null;
    return found ? [`${where} says "${found[0]}".`] : [];
  });
}

const forAPerson = (what: string) => () => informational(what);

const policyRules = rulesOf(
  {
    lane: "directory-policy",
    class: "required",
    provenance: "declared",
    intrusiveness: "passive",
    source: openaiSource("guidelines", "Content"),
  } as const,
  [
    {
      id: "openai.policy.non-promotional-package",
      title: "The package describes and does not advertise",
      provenance: "static",
      remediation: "Say what it does; leave out rankings, superlatives and guarantees.",
      judge: ofPackage(({ manifest, skills }) => {
        const own = interfaceOf(manifest);
        const descriptions = skills.map(({ path, front }) => [
          path,
          front.ok ? front.fields.description : "",
        ]);
        return verdictOf(
          praiseIn({
            description: manifest?.ok ? manifest.fields.description : "",
            "interface.displayName": own.displayName,
            "interface.shortDescription": own.shortDescription,
            "interface.longDescription": own.longDescription,
            ...Object.fromEntries(descriptions),
          }),
        );
      }),
    },
    {
      id: "openai.policy.non-promotional-listing",
      title: "The listing describes and does not advertise",
      remediation: "Say what it does; leave out rankings, superlatives and guarantees.",
      judge: ({ profile }) =>
        profile
          ? verdictOf(
              praiseIn({
                name: profile.name,
                description: profile.description,
                "openai.shortDescription": profile.openai?.shortDescription,
              }),
            )
          : notEvaluated("submissionProfile", "There is no submission profile."),
    },
    {
      id: "openai.policy.commerce",
      title: "It sells physical goods only, if anything",
      source: openaiSource("guidelines", "Commerce"),
      judge: ({ profile }) => {
        if (!profile) return notEvaluated("submissionProfile", "There is no submission profile.");
        const sells = profile.openai?.sellsDigitalGoods;
        if (sells === undefined) return violated("openai.sellsDigitalGoods is missing.");
        return sells ? violated("It sells digital goods.") : satisfied();
      },
    },
    ...[
      ["no-advertising", "It carries no advertising"],
      ["originality", "It is the publisher's own"],
      ["predictable-side-effects", "What it changes is what people expect"],
      ["response-minimization", "Answers hold no more than was asked for"],
      ["privacy-consistency", "What it collects is what the privacy policy says"],
    ].map(([id = "", title = ""]) => ({
      id: `openai.policy.${id}`,
      title,
      class: "manual-review" as const,
      provenance: "manual" as const,
      judge: forAPerson("For a person to look at."),
    })),
  ],
);

/** Judges the tools of today against those that users have. */
function ofRelease(judge: (changes: SurfaceChange[]) => ReadinessVerdict) {
  return (evidence: ReadinessEvidence): ReadinessVerdict => {
    const { published } = evidence;
    if (!published) return notEvaluated("publishedSnapshot", "No published version was given.");
    const listing = wholeListing(evidence);
    if ("verdict" in listing) return listing.verdict;
    const own: Record<string, JsonObject> = Object.fromEntries(
      listing.tools.map((tool) => [nameOf(tool), tool]),
    );
    const before = published.surface.tools;
    if (!before) return notEvaluated("publishedSnapshot", "The published snapshot holds no tools.");
    return judge(diffSurfaces({ capabilities: {}, tools: before }, { capabilities: {}, tools: own }));
  };
}

const worded = (changes: readonly SurfaceChange[], how: SurfaceChange["class"]) =>
  changes
    .filter((change) => change.class === how)
    .map(({ name, change, path }) => `${name}: ${[change, path].filter(Boolean).join(" ")}.`);

const releaseRules = rulesOf(
  {
    lane: "release-contract",
    class: "required",
    provenance: "wire",
    intrusiveness: "passive",
    source: openaiSource("review", "Maintaining a published version"),
  } as const,
  [
    {
      id: "openai.release.origin",
      title: "The server stays at its origin",
      remediation: "A new origin is a new app: keep the old one, or submit anew.",
      judge: ofServer(({ url }, { published }) => {
        if (!published) return notEvaluated("publishedSnapshot", "No published version was given.");
        const was = URL.parse(published.url)?.origin;
        return was === new URL(url).origin ? satisfied() : violated(`It was at ${was ?? published.url}.`);
      }),
    },
    {
      id: "openai.release.contract",
      title: "No tool changes in a way that breaks its users",
      judge: ofRelease((changes) => verdictOf(worded(changes, "breaking"))),
    },
    {
      id: "openai.release.schema-compatibility",
      title: "What else changes in tools is meant",
      class: "manual-review",
      judge: ofRelease((changes) => {
        const compatible = worded(changes, "compatible");
        return informational(
          compatible.length === 0 ? "Nothing changes." : `To look at: ${compatible.join(" ")}`,
        );
      }),
    },
    {
      id: "openai.release.live-changes",
      title: "Changes of widgets are seen after an hour at most",
      class: "experimental-feature",
      provenance: "declared",
      judge: () => badge("claimed", "Widgets are kept for 3600 seconds after they were read."),
    },
  ],
);

const badges = rulesOf(
  {
    lane: "optional-features",
    class: "experimental-feature",
    provenance: "wire",
    intrusiveness: "passive",
    source: openaiSource("ui", "Features"),
  } as const,
  [
    {
      id: "openai.feature.imported-skills",
      title: "Offers skills of its own",
      judge: ofServer(({ capabilities }) => {
        if (!capabilities) return notEvaluated("serverAnswer", "Nobody could connect.");
        const extensions = isObject(capabilities.extensions) ? capabilities.extensions : {};
        return skillsExtension in extensions
          ? badge("supported", "The extension is advertised.")
          : badge("unsupported", "The extension is not advertised.");
      }),
    },
    {
      id: "openai.feature.ui-templates",
      title: "Shows widgets",
      judge: ofServer(({ documents }) => {
        if (!documents) return notEvaluated("serverAnswer", "Nobody could connect.");
        return documents.some(({ named }) => named)
          ? badge("supported", "Tools name widgets.")
          : badge("unsupported", "No tool names a widget.");
      }),
    },
    {
      id: "openai.feature.cimd",
      title: "Takes client metadata documents",
      judge: ofServer((server) => {
        const guard = guardOf(server);
        if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
        const [first] = server.issuers;
        if (first && "unreached" in first) return notEvaluated("authorizationServer", first.unreached);
        return first && "metadata" in first && first.metadata.client_id_metadata_document_supported === true
          ? badge("claimed", "The authorization server says so.")
          : badge("unsupported", "No authorization server says so.");
      }),
    },
    {
      id: "openai.feature.checkout",
      title: "Takes payments in the conversation",
      judge: ofServer(({ documents }) => {
        if (!documents) return notEvaluated("serverAnswer", "Nobody could connect.");
        const asks = documents.some(
          ({ answer }) => "contents" in answer && JSON.stringify(answer.contents).includes("requestCheckout"),
        );
        return asks
          ? badge("claimed", "A widget asks for a checkout.")
          : badge("unsupported", "No widget asks for a checkout.");
      }),
    },
  ],
);

export const openaiPolicyRules: readonly ReadinessRule[] = [...policyRules, ...releaseRules, ...badges];
