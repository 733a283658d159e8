/** @module The submission profile: what a listing will say, as a file beside the code (`.fettle/submission.yaml`). Here is its shape; what a publisher thinks of its contents is a matter of rules. */
import * as z from "zod";

export const declaredAuthModes = [
  "oauth-dcr",
  "oauth-cimd",
  "oauth-preregistered",
  "static-header",
  "authless",
  "custom-connection",
] as const;

export const claudeAttestations = [
  "ownsOrAuthorised",
  "dataHandlingAccurate",
  "followsUsagePolicies",
  "noProhibitedContent",
  "securityPractices",
  "respondsToReports",
  "keepsListingAccurate",
] as const;

export const openaiAttestations = [
  "ownsOrAuthorised",
  "followsGuidelines",
  "privacyAccurate",
  "noProhibitedContent",
  "contentRights",
  "testedAsListed",
  "keepsListingAccurate",
] as const;

const text = z.string().trim().min(1);
const attested = <Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.partialRecord(z.enum(names), z.boolean());

const screenshot = z.strictObject({
  file: text,
  width: z.int().positive(),
  height: z.int().positive(),
  /** What a person asked to see this. */
  prompt: text.optional(),
});

const testCase = z.strictObject({
  prompt: text,
  expected: text,
  /** `graceful-failure`: it is refused, and says why. */
  kind: z.enum(["success", "graceful-failure"]),
});

const claude = z.strictObject({
  tagline: text.optional(),
  slug: text.optional(),
  categories: z.array(text).optional(),
  screenshots: z.array(screenshot).optional(),
  attestations: attested(claudeAttestations).optional(),
});

const openai = z.strictObject({
  shortDescription: text.optional(),
  category: text.optional(),
  screenshots: z.array(screenshot).optional(),
  attestations: attested(openaiAttestations).optional(),
  testCases: z.array(testCase).optional(),
  /** How a reviewer gets in, where a sign-in is asked for. */
  demoAccess: z.strictObject({ instructions: text, withoutSecondFactor: z.boolean() }).optional(),
  account: z.strictObject({ verified: z.boolean(), writePermission: z.boolean() }).optional(),
  /** Two-letter codes; `all` for everywhere. */
  countries: z.union([z.literal("all"), z.array(text)]).optional(),
  update: z.boolean().optional(),
  releaseNotes: text.optional(),
  /** What `/.well-known/openai-apps-challenge` must answer. */
  domainToken: text.optional(),
  /** The tools that the portal saw when it last looked. */
  scan: z.strictObject({ at: z.iso.datetime(), tools: z.array(text) }).optional(),
  /** A client that was agreed on, where clients cannot register by themselves. */
  predefinedClient: z.boolean().optional(),
  /** What a person has of a tool whose widget is not shown. */
  withoutUi: text.optional(),
  /** Why a tool's annotations are as they are, by tool. */
  annotationJustifications: z.record(z.string(), text).optional(),
  frameDomainExplanations: z.record(z.string(), text).optional(),
  /** Sells things that are not physical goods, or takes payment in its own page. */
  sellsDigitalGoods: z.boolean().optional(),
});

export const submissionProfileSchema = z.strictObject({
  version: z.literal(1),
  name: text.optional(),
  description: text.optional(),
  authMode: z.enum(declaredAuthModes).optional(),
  urls: z
    .strictObject({
      documentation: text.optional(),
      privacy: text.optional(),
      support: text.optional(),
      terms: text.optional(),
      website: text.optional(),
      icon: text.optional(),
    })
    .optional(),
  /** What users have today: where it is, and a lock or export of it, as a path from this file. */
  published: z.strictObject({ url: text, surface: text }).optional(),
  claude: claude.optional(),
  openai: openai.optional(),
});

export type SubmissionProfile = z.infer<typeof submissionProfileSchema>;
