/** @module What the OpenAI directory asks of a listing. */
import { readinessLimits } from "@fettle/contract/servers";
import { isObject } from "@fettle/mcp";
import { nameOf } from "../../apps/observe-apps.ts";
import { uiOf } from "../../apps/tool-ui.ts";
import type { ReadinessEvidence } from "../evidence.ts";
import {
  informational,
  notApplicable,
  notEvaluated,
  type ReadinessRule,
  type ReadinessVerdict,
  satisfied,
  verdictOf,
  violated,
} from "../rule.ts";
import { guardOf, listOf, ofWidgets, wholeListing } from "../server-facts.ts";
import { isPublicHttps, rulesOf, textFaults } from "../shared-rules.ts";
import { openaiAttestations, type SubmissionProfile } from "../submission/profile.ts";
import { modeParts } from "./modes.ts";
import { openaiSource } from "./source.ts";

const { listing } = readinessLimits;

export const openaiCategories = [
  "productivity",
  "education",
  "developer-tools",
  "design",
  "writing",
  "research",
  "data-analysis",
  "marketing",
  "sales",
  "finance",
  "health",
  "travel",
  "entertainment",
];

type OpenaiPart = NonNullable<SubmissionProfile["openai"]>;

function ofProfile(
  judge: (own: OpenaiPart, profile: SubmissionProfile, evidence: ReadinessEvidence) => ReadinessVerdict,
) {
  return (evidence: ReadinessEvidence): ReadinessVerdict =>
    evidence.profile
      ? judge(evidence.profile.openai ?? {}, evidence.profile, evidence)
      : notEvaluated("submissionProfile", "There is no submission profile.");
}

const hasServer = ({ submissionMode }: ReadinessEvidence) =>
  submissionMode === undefined || modeParts[submissionMode].server;

const regions = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
const isCountry = (code: string) =>
  /^[A-Z]{2}$/.test(code) && code !== "ZZ" && regions.of(code) !== undefined;

const noServerSubmitted = notApplicable("No server is submitted.");

export const openaiSubmissionRules: readonly ReadinessRule[] = rulesOf(
  {
    lane: "submission-artifacts",
    class: "required",
    provenance: "declared",
    intrusiveness: "passive",
    source: openaiSource("submission", "Submission form"),
  } as const,
  [
    {
      id: "openai.submission.profile-valid",
      title: "There is a submission profile, and it can be read",
      remediation: "Write .fettle/submission.yaml.",
      judge: ofProfile((_own, { openai }) => (openai ? satisfied() : violated("It has no openai section."))),
    },
    {
      id: "openai.submission.listing-fields",
      title: "Name, short description, description and category are there and fit",
      judge: ofProfile(({ shortDescription, category }, { name, description }) =>
        verdictOf([
          ...textFaults("name", name, listing.nameLength),
          ...textFaults("openai.shortDescription", shortDescription, listing.shortDescriptionLength),
          ...textFaults("description", description, listing.descriptionLength),
          ...(category !== undefined && openaiCategories.includes(category)
            ? []
            : [`openai.category is ${category ?? "missing"}; it is one of ${openaiCategories.join(", ")}.`]),
        ]),
      ),
    },
    {
      id: "openai.submission.urls",
      title: "Website, privacy policy, terms and support have https addresses",
      judge: ofProfile((_own, { urls = {} }) =>
        verdictOf(
          (["website", "privacy", "terms", "support"] as const).flatMap((name) =>
            isPublicHttps(urls[name]) ? [] : [`urls.${name} is ${urls[name] ?? "missing"}.`],
          ),
        ),
      ),
    },
    {
      id: "openai.submission.test-cases",
      title: `${listing.successCases} cases that succeed and ${listing.failureCases} that fail gracefully`,
      judge: ofProfile(({ testCases = [] }) => {
        // The same question twice is one case.
        const count = (wanted: string) =>
          new Set(testCases.flatMap(({ kind, prompt }) => (kind === wanted ? [prompt] : []))).size;
        const [good, bad] = [count("success"), count("graceful-failure")];
        return verdictOf([
          ...(good < listing.successCases ? [`There are ${good} cases that succeed.`] : []),
          ...(bad < listing.failureCases ? [`There are ${bad} cases that fail gracefully.`] : []),
        ]);
      }),
    },
    {
      id: "openai.submission.demo-access",
      title: "A reviewer can get in",
      remediation: "Give openai.demoAccess: an account with data in it, without a second factor.",
      judge: ofProfile(({ demoAccess }, _profile, evidence) => {
        if (!hasServer(evidence)) return noServerSubmitted;
        if (!evidence.server) return notEvaluated("serverUrl", "No server was given.");
        const guard = guardOf(evidence.server);
        if (guard.is === "unknown") return notEvaluated("serverAnswer", guard.why);
        if (guard.is === "open" && !evidence.server.probe.oauth.optional) {
          return notApplicable("The server asks for no authorization.");
        }
        if (!demoAccess) return violated("openai.demoAccess is missing.");
        return demoAccess.withoutSecondFactor
          ? satisfied()
          : violated("The account asks for a second factor.");
      }),
    },
    {
      id: "openai.submission.account",
      title: "The account is verified and may write",
      judge: ofProfile(({ account }) =>
        verdictOf([
          ...(account?.verified === true ? [] : ["openai.account.verified is not true."]),
          ...(account?.writePermission === true ? [] : ["openai.account.writePermission is not true."]),
        ]),
      ),
    },
    {
      id: "openai.submission.geography",
      title: "It is said where the app may be offered",
      judge: ofProfile(({ countries }) => {
        if (countries === "all") return satisfied();
        if (!countries || countries.length === 0) return violated("openai.countries is missing.");
        return verdictOf(
          countries.flatMap((code) =>
            isCountry(code) ? [] : [`${code} is no two-letter code of a country.`],
          ),
        );
      }),
    },
    {
      id: "openai.submission.release-notes",
      title: "An update says what is new",
      judge: ofProfile(({ update, releaseNotes }, _profile, { published }) => {
        if (update !== true && !published) return notApplicable("It is a first submission.");
        return releaseNotes === undefined ? violated("openai.releaseNotes is missing.") : satisfied();
      }),
    },
    {
      id: "openai.submission.attestations",
      title: "All attestations are given",
      judge: ofProfile(({ attestations }) =>
        verdictOf(
          openaiAttestations
            .filter((name) => attestations?.[name] !== true)
            .map((name) => `openai.attestations.${name} is not given.`),
        ),
      ),
    },
    {
      id: "openai.submission.domain-token",
      title: "The token of the domain challenge is known",
      judge: ofProfile(({ domainToken }, _profile, evidence) => {
        if (!hasServer(evidence)) return noServerSubmitted;
        return domainToken === undefined ? violated("openai.domainToken is missing.") : satisfied();
      }),
    },
    {
      id: "openai.submission.scan-currency",
      title: "The portal has seen the tools of today",
      remediation: "Scan the tools in the portal again, and write down when, and which, in openai.scan.",
      judge: ofProfile(({ scan }, _profile, evidence) => {
        if (!hasServer(evidence)) return noServerSubmitted;
        if (!scan) return violated("openai.scan is missing.");
        const listing = wholeListing(evidence);
        if ("verdict" in listing) return listing.verdict;
        const live = new Set(listing.tools.map(nameOf));
        return verdictOf([
          ...scan.tools.flatMap((name) => (live.has(name) ? [] : [`${name} was scanned, and is gone.`])),
          ...[...live].flatMap((name) => (scan.tools.includes(name) ? [] : [`${name} was not scanned.`])),
        ]);
      }),
    },
    {
      id: "openai.submission.annotation-justifications",
      title: "Every tool's annotations are explained",
      class: "recommended",
      judge: ofProfile(({ annotationJustifications = {} }, _profile, evidence) => {
        if (!hasServer(evidence)) return noServerSubmitted;
        const listing = wholeListing(evidence);
        if ("verdict" in listing) return listing.verdict;
        return verdictOf(
          listing.tools
            .map(nameOf)
            .flatMap((name) => (name in annotationJustifications ? [] : [`${name} is not explained.`])),
        );
      }),
    },
    {
      id: "openai.submission.frame-domain-explanations",
      title: "Every page that a widget frames is explained",
      class: "recommended",
      judge: ofWidgets((widgets, _server, { profile }) => {
        const framed = widgets.flatMap(({ meta }) => {
          const { csp } = uiOf(meta);
          return isObject(csp) ? listOf(csp.frameDomains) : [];
        });
        if (framed.length === 0) return notApplicable("No widget frames another page.");
        if (!profile) return notEvaluated("submissionProfile", "There is no submission profile.");
        const explained = profile.openai?.frameDomainExplanations ?? {};
        return verdictOf(
          framed.flatMap((domain) => (domain in explained ? [] : [`${domain} is not explained.`])),
        );
      }),
    },
    ...[
      ["test-case-quality", "The test cases show what the app is for"],
      ["attestation-truth", "What is attested is true"],
      ["privacy-disclosure", "The privacy policy says what is collected"],
    ].map(([id = "", title = ""]) => ({
      id: `openai.submission.${id}`,
      title,
      class: "manual-review" as const,
      provenance: "manual" as const,
      judge: ofProfile(() => informational("For a person to look at.")),
    })),
  ],
);
