/** @module What may be wrong with a listing in the OpenAI directory, and with a new version of what is listed. */
import type { JsonObject } from "@fettle/mcp";
import { itemsOf, nameOf } from "../../apps/observe-apps.ts";
import type { ReadinessEvidence } from "../evidence.ts";
import { listedUrl } from "./good.ts";
import type { Profile, Spoiling } from "./spoiling.ts";

/** A change of the openai section that one rule notices. */
const row = (rule: string, name: string, profile: (profile: Profile) => void): Spoiling => ({
  name,
  profile,
  changes: { [rule]: "violated" },
  grade: "not-ready",
});

const fields = "openai.submission.listing-fields";

const profileSpoilings: readonly Spoiling[] = [
  {
    name: "there is no profile",
    profile: "none",
    changes: Object.fromEntries(
      [
        "policy.non-promotional-listing",
        "policy.commerce",
        "ui.useful-without-ui",
        "ui.screenshots",
        "domain.challenge-matches",
        "submission.profile-valid",
        "submission.listing-fields",
        "submission.urls",
        "submission.test-cases",
        "submission.demo-access",
        "submission.account",
        "submission.geography",
        "submission.release-notes",
        "submission.attestations",
        "submission.domain-token",
        "submission.scan-currency",
        "submission.annotation-justifications",
        "submission.test-case-quality",
        "submission.attestation-truth",
        "submission.privacy-disclosure",
      ].map((id) => [`openai.${id}`, "not-evaluated"]),
    ),
    grade: "incomplete",
  },
  row(fields, "the name is too long", (profile) => {
    profile.name = "x".repeat(101);
  }),
  row(fields, "the short description is too long", ({ openai }) => {
    openai.shortDescription = "x".repeat(256);
  }),
  row(fields, "the description is missing", (profile) => {
    delete profile.description;
  }),
  row(fields, "the category is none of the directory's", ({ openai }) => {
    openai.category = "food";
  }),
  row("openai.submission.urls", "there are no terms", ({ urls }) => {
    delete urls.terms;
  }),
  row("openai.submission.urls", "the website is plain http", ({ urls }) => {
    urls.website = "http://cafe.test/";
  }),
  row("openai.submission.test-cases", "four cases succeed", ({ openai }) => {
    openai.testCases?.shift();
  }),
  row("openai.submission.test-cases", "two cases fail gracefully", ({ openai }) => {
    openai.testCases?.pop();
  }),
  row("openai.submission.test-cases", "one case stands twice", ({ openai }) => {
    const [first, second] = openai.testCases ?? [];
    if (first && second) second.prompt = first.prompt;
  }),
  row("openai.submission.account", "the account is not verified", ({ openai }) => {
    openai.account = { verified: false, writePermission: true };
  }),
  row("openai.submission.account", "the account may not write", ({ openai }) => {
    openai.account = { verified: true, writePermission: false };
  }),
  row("openai.submission.geography", "a country is no code", ({ openai }) => {
    openai.countries = ["Germany"];
  }),
  row("openai.submission.geography", "a code is no country's", ({ openai }) => {
    openai.countries = ["DE", "XX"];
  }),
  row("openai.submission.geography", "no country is named", ({ openai }) => {
    delete openai.countries;
  }),
  row("openai.submission.release-notes", "an update says nothing of what is new", ({ openai }) => {
    openai.update = true;
  }),
  row("openai.submission.attestations", "an attestation is missing", ({ openai }) => {
    delete openai.attestations?.contentRights;
  }),
  row("openai.submission.scan-currency", "the portal has never looked", ({ openai }) => {
    delete openai.scan;
  }),
  {
    name: "the domain token is not known",
    profile: ({ openai }) => {
      delete openai.domainToken;
    },
    changes: {
      "openai.submission.domain-token": "violated",
      "openai.domain.challenge-matches": "not-evaluated",
    },
  },
  row("openai.policy.non-promotional-listing", "the listing says that it is the best", (profile) => {
    profile.description = "The best café in the world.";
  }),
  row("openai.policy.commerce", "it sells digital goods", ({ openai }) => {
    openai.sellsDigitalGoods = true;
  }),
  {
    name: "the profile is for the other directory only",
    profile: (profile) => {
      delete (profile as Partial<Profile>).openai;
    },
    changes: {
      ...Object.fromEntries(
        [
          "policy.commerce",
          "ui.useful-without-ui",
          "ui.screenshots",
          "submission.profile-valid",
          "submission.listing-fields",
          "submission.test-cases",
          "submission.account",
          "submission.geography",
          "submission.attestations",
          "submission.domain-token",
          "submission.scan-currency",
          "submission.annotation-justifications",
        ].map((id) => [`openai.${id}`, "violated"]),
      ),
      "openai.domain.challenge-matches": "not-evaluated",
    },
  },
];

/** The lane is there only with a published version, so its findings are all new. */
const released = (
  name: string,
  publish: (tools: Record<string, JsonObject>) => { url?: string },
  changes: Spoiling["changes"],
): Spoiling => ({
  name,
  profile: ({ openai }) => {
    openai.releaseNotes = "Tea.";
  },
  evidence: (evidence: ReadinessEvidence) => {
    const live = evidence.server?.tools ? itemsOf(evidence.server.tools) : [];
    const tools = structuredClone(Object.fromEntries(live.map((tool) => [nameOf(tool), tool])));
    const { url = listedUrl } = publish(tools);
    evidence.published = { url, surface: { capabilities: {}, tools } };
  },
  changes: {
    "openai.submission.release-notes": "satisfied",
    "openai.release.origin": "satisfied",
    "openai.release.contract": "satisfied",
    "openai.release.schema-compatibility": "informational",
    "openai.release.live-changes": "informational",
    ...changes,
  },
});

const releaseSpoilings: readonly Spoiling[] = [
  released("a new version changes nothing", () => ({}), {}),
  released("a new version stands at another origin", () => ({ url: "https://old.test/mcp" }), {
    "openai.release.origin": "violated",
  }),
  released(
    "a new version lacks a tool",
    (tools) => {
      tools.sell_tea = { name: "sell_tea", inputSchema: { type: "object" } };
      return {};
    },
    { "openai.release.contract": "violated" },
  ),
];

export const openaiListingSpoilings: readonly Spoiling[] = [...profileSpoilings, ...releaseSpoilings];
