/** @module What the Claude directory asks of a listing. */
import { readinessLimits } from "@fettle/contract/servers";
import type { ReadinessEvidence } from "../evidence.ts";
import {
  informational,
  notEvaluated,
  type ReadinessRule,
  type ReadinessVerdict,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { guardOf, ofWidgetTools } from "../server-facts.ts";
import { isPublicHttps, rulesOf, shotFaults, textFaults } from "../shared-rules.ts";
import { claudeAttestations, type SubmissionProfile } from "../submission/profile.ts";
import { claudeSource } from "./source.ts";

const common = {
  lane: "submission-artifacts",
  class: "required",
  provenance: "declared",
  intrusiveness: "passive",
  source: claudeSource("submission", "Submission requirements"),
} as const;

const noProfile = notEvaluated("submissionProfile", "There is no submission profile.");
const { listing } = readinessLimits;

function ofProfile(judge: (profile: SubmissionProfile, evidence: ReadinessEvidence) => ReadinessVerdict) {
  return (evidence: ReadinessEvidence) => (evidence.profile ? judge(evidence.profile, evidence) : noProfile);
}

type Shots = NonNullable<NonNullable<SubmissionProfile["claude"]>["screenshots"]>;

/** Judges screenshots, which only servers with MCP Apps are asked for. */
function ofShown(judge: (shots: Shots, evidence: ReadinessEvidence) => ReadinessVerdict) {
  return ofWidgetTools((_tools, _server, evidence) =>
    evidence.profile ? judge(evidence.profile.claude?.screenshots ?? [], evidence) : noProfile,
  );
}

export const claudeSubmissionRules: readonly ReadinessRule[] = rulesOf(common, [
  {
    id: "claude.submission.listing-fields",
    title: "Name, tagline, description, categories and slug are there and fit",
    remediation: "Fill in name, description and the claude section of the profile.",
    judge: ofProfile(({ name, description, claude = {} }) => {
      const { tagline, categories = [], slug } = claude;
      const most = listing.categories;
      return verdictOf([
        ...textFaults("name", name, listing.nameLength),
        ...textFaults("claude.tagline", tagline, listing.taglineLength),
        ...textFaults("description", description, listing.descriptionLength),
        ...(categories.length < 1 || categories.length > most
          ? [`claude.categories has ${categories.length} entries; 1 to ${most} are allowed.`]
          : []),
        ...(slug !== undefined && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)
          ? []
          : [`claude.slug is ${slug ?? "missing"}; it is lower-case words with hyphens.`]),
      ]);
    }),
  },
  {
    id: "claude.submission.urls",
    title: "Documentation, privacy policy and support have https addresses",
    remediation: "Give urls.documentation, urls.privacy and urls.support; an icon, if any, over https too.",
    judge: ofProfile(({ urls = {} }) =>
      verdictOf([
        ...(["documentation", "privacy", "support"] as const).flatMap((name) =>
          isPublicHttps(urls[name]) ? [] : [`urls.${name} is ${urls[name] ?? "missing"}.`],
        ),
        ...(urls.icon === undefined || isPublicHttps(urls.icon) ? [] : [`urls.icon is ${urls.icon}.`]),
      ]),
    ),
  },
  {
    id: "claude.submission.screenshots",
    title: `A server with MCP Apps has ${listing.screenshots.min} to ${listing.screenshots.max} screenshots, at least ${listing.screenshotWidth} px wide`,
    judge: ofShown((all, evidence) => {
      const { min, max } = listing.screenshots;
      return verdictOf([
        ...(all.length < min || all.length > max ? [`There are ${all.length}.`] : []),
        ...all.flatMap(({ file, width }) =>
          width < listing.screenshotWidth ? [`${file} is ${width} px wide.`] : [],
        ),
        ...shotFaults(all, evidence),
      ]);
    }),
  },
  {
    id: "claude.submission.screenshot-prompts",
    title: "Each screenshot comes with what was asked",
    judge: ofShown((all) =>
      all.length === 0
        ? violated("There are no screenshots.")
        : verdictOf(
            all.flatMap(({ file, prompt }) => (prompt === undefined ? [`${file} has no prompt.`] : [])),
          ),
    ),
  },
  {
    id: "claude.submission.attestations",
    title: "All attestations are given",
    judge: ofProfile(({ claude }) =>
      verdictOf(
        claudeAttestations
          .filter((name) => claude?.attestations?.[name] !== true)
          .map((name) => `claude.attestations.${name} is not given.`),
      ),
    ),
  },
  {
    id: "claude.submission.declared-auth-mode",
    title: "How people sign in is declared, and true",
    remediation: "Set authMode to how the server is really reached.",
    judge: ofProfile(judgeAuthMode),
  },
  {
    id: "claude.submission.artifact-quality",
    title: "Texts and pictures are good enough to publish",
    class: "manual-review",
    provenance: "manual",
    judge: ofProfile(() => informational("For a person to look at.")),
  },
]);

/** Whether the wire bears out what is declared. */
function judgeAuthMode({ authMode }: SubmissionProfile, { server }: ReadinessEvidence): ReadinessVerdict {
  if (authMode === undefined) return violated("authMode is missing.");
  if (!server) return notEvaluated("serverUrl", "No server was given.");
  const guard = guardOf(server);
  if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
  const isOpen = guard.is === "open";
  if (authMode === "authless")
    return isOpen ? satisfied() : violated("It says authless, and asks for a token.");
  if (isOpen && !server.probe.oauth.optional)
    return violated(`It says ${authMode}, and the server lets everyone in.`);
  const [issuer] = server.issuers;
  if (issuer && "unreached" in issuer && /^oauth-(?:dcr|cimd)$/.test(authMode)) {
    return notEvaluated("authorizationServer", issuer.unreached);
  }
  const strategies = server.probe.oauth.registrationStrategies;
  const isOauth = server.probe.oauth.resourceMetadata !== undefined;
  const wrong = {
    "oauth-dcr": strategies.includes("dcr") ? undefined : "no client can register there",
    "oauth-cimd": strategies.includes("cimd") ? undefined : "client metadata documents are not supported",
    "oauth-preregistered": isOauth ? undefined : "there is no OAuth metadata",
    "static-header": isOauth ? "the server publishes OAuth metadata" : undefined,
    "custom-connection": undefined,
  }[authMode];
  return wrong === undefined ? satisfied() : violated(`It says ${authMode}, but ${wrong}.`);
}
