/** @module What may be wrong with a listing in the Claude directory, and what only shows where something is left behind. */
import type { IntrusiveEvidence, ReadinessEvidence } from "../evidence.ts";
import { type Spoiling, unspoiled } from "./spoiling.ts";

const listing = (change: NonNullable<Exclude<Spoiling["profile"], "none">>, name: string): Spoiling => ({
  name,
  profile: change,
  changes: { "claude.submission.listing-fields": "violated" },
  grade: "not-ready",
});

const submissionSpoilings: readonly Spoiling[] = [
  {
    name: "there is no profile",
    profile: "none",
    changes: Object.fromEntries(
      [
        "listing-fields",
        "urls",
        "screenshots",
        "screenshot-prompts",
        "attestations",
        "declared-auth-mode",
        "artifact-quality",
      ].map((id) => [`claude.submission.${id}`, "not-evaluated"]),
    ),
    grade: "incomplete",
  },
  listing((profile) => {
    profile.name = "x".repeat(101);
  }, "the name is too long"),
  listing((profile) => void delete profile.name, "the name is missing"),
  listing((profile) => {
    profile.claude.tagline = "x".repeat(56);
  }, "the tagline is too long"),
  listing((profile) => {
    profile.description = "x".repeat(2_001);
  }, "the description is too long"),
  listing((profile) => {
    profile.claude.categories = [];
  }, "there is no category"),
  listing((profile) => {
    profile.claude.categories = [..."abcdef"];
  }, "there are six categories"),
  listing((profile) => {
    profile.claude.slug = "Café Corner";
  }, "the slug is no slug"),
  {
    name: "the privacy policy is not served over https",
    profile: ({ urls }) => {
      urls.privacy = "http://cafe.test/privacy";
    },
    changes: { "claude.submission.urls": "violated" },
  },
  {
    name: "the privacy policy is on the writer's own machine",
    profile: ({ urls }) => {
      urls.privacy = "https://localhost/privacy";
    },
    changes: { "claude.submission.urls": "violated" },
  },
  {
    name: "a screenshot is not there",
    evidence: (evidence) => {
      const [first] = evidence.profile?.claude?.screenshots ?? [];
      evidence.screenshots = { [first?.file ?? ""]: { unread: "there is no such file" } };
    },
    changes: { "claude.submission.screenshots": "violated" },
  },
  {
    name: "a screenshot is smaller than the profile says",
    evidence: (evidence) => {
      const [first] = evidence.profile?.claude?.screenshots ?? [];
      evidence.screenshots = { [first?.file ?? ""]: { kind: "png", width: 640, height: 400 } };
    },
    changes: { "claude.submission.screenshots": "violated" },
  },
  {
    name: "there are two screenshots",
    profile: ({ claude }) => void claude.screenshots?.pop(),
    changes: { "claude.submission.screenshots": "violated" },
  },
  {
    name: "a screenshot is narrow",
    profile: ({ claude }) => void Object.assign(claude.screenshots?.[0] ?? {}, { width: 999 }),
    changes: { "claude.submission.screenshots": "violated" },
  },
  {
    name: "a screenshot has no prompt",
    profile: ({ claude }) => void delete claude.screenshots?.[0]?.prompt,
    changes: { "claude.submission.screenshot-prompts": "violated" },
  },
  {
    name: "an attestation is missing",
    profile: ({ claude }) => void delete claude.attestations?.respondsToReports,
    changes: { "claude.submission.attestations": "violated" },
  },
  {
    name: "it says authless, and asks for a token",
    server: { guard: unspoiled },
    profile: (profile) => {
      profile.authMode = "authless";
    },
    changes: { "claude.submission.declared-auth-mode": "violated" },
  },
  {
    name: "it says oauth, and lets everyone in",
    profile: (profile) => {
      profile.authMode = "oauth-dcr";
    },
    changes: { "claude.submission.declared-auth-mode": "violated" },
  },
  {
    name: "it does not say how people sign in",
    profile: (profile) => void delete profile.authMode,
    changes: { "claude.submission.declared-auth-mode": "violated" },
  },
];

const intrusive = (
  name: string,
  given: Partial<IntrusiveEvidence>,
  changes: Spoiling["changes"],
): Spoiling => ({
  name,
  evidence: (evidence: ReadinessEvidence) => {
    evidence.capabilities = [...evidence.capabilities, "intrusive-probes"];
    evidence.intrusive = {
      enabled: true,
      grantOrigin: "self-acquired",
      clientId: "c1",
      registration: { status: 201, redirectUris: ["https://claude.ai/api/mcp/auth_callback"] },
      refresh: { rotated: true, oldRefused: true },
      stepUp: {
        status: 403,
        wwwAuthenticate:
          'Bearer error="insufficient_scope", scope="orders", resource_metadata="https://cafe.test/x"',
      },
      ...given,
    };
  },
  changes: {
    "claude.intrusive.dynamic-registration": "satisfied",
    "claude.intrusive.refresh-rotation": "satisfied",
    "claude.intrusive.step-up-challenge": "satisfied",
    ...changes,
  },
});

const intrusiveSpoilings: readonly Spoiling[] = [
  intrusive("intrusive probes were asked for, and all is well", {}, {}),
  intrusive(
    "registration is refused",
    { registration: { status: 400, redirectUris: [] } },
    { "claude.intrusive.dynamic-registration": "violated" },
  ),
  intrusive(
    "a spent refresh token still works",
    { refresh: { rotated: true, oldRefused: false } },
    { "claude.intrusive.refresh-rotation": "violated" },
  ),
  intrusive(
    "a tool that needs more answers 500",
    { stepUp: { status: 500 } },
    { "claude.intrusive.step-up-challenge": "violated" },
  ),
  intrusive(
    "the token is borrowed",
    { grantOrigin: "borrowed" },
    {
      "claude.intrusive.dynamic-registration": "not-evaluated",
      "claude.intrusive.refresh-rotation": "not-evaluated",
      "claude.intrusive.step-up-challenge": "not-evaluated",
    },
  ),
];

export const claudeListingSpoilings: readonly Spoiling[] = [...submissionSpoilings, ...intrusiveSpoilings];
