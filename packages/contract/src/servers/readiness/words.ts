/** @module The words of directory readiness: publishers, lanes, findings and grades. Free of zod, for pages and commands. */

/** Whose directory. */
export const readinessKinds = ["claude", "openai"] as const;
export type ReadinessKind = (typeof readinessKinds)[number];

/** What publishers were called before, still taken for one release; databases keep these words. */
export const earlierReadinessWords = { claude: "directory-a", openai: "directory-b" } as const;
export const readinessWords = [...readinessKinds, ...Object.values(earlierReadinessWords)] as const;
export type ReadinessWord = (typeof readinessWords)[number];

/**
 * @example
 * readinessKindOf("directory-a") // "claude"
 */
export function readinessKindOf(word: ReadinessWord): ReadinessKind {
  return readinessKinds.find((kind) => earlierReadinessWords[kind] === word) ?? (word as ReadinessKind);
}

/** What is submitted to publisher B; never inferred. */
export const submissionModes = [
  "skills-only",
  "mcp-only",
  "mcp-imported-skills",
  "mcp-uploaded-skills",
] as const;
export type SubmissionMode = (typeof submissionModes)[number];

/** What the service can grade of a saved server: nothing is uploaded to it. */
export const hostedSubmissionModes = ["mcp-only", "mcp-imported-skills"] as const satisfies SubmissionMode[];

/** In the order reports list them. */
export const readinessLanes = [
  "runtime-compatibility",
  "directory-policy",
  "plugin-package",
  "release-contract",
  "optional-features",
  "submission-artifacts",
  "experience-insights",
] as const;
export type ReadinessLane = (typeof readinessLanes)[number];

/** Most consequential first. The first two decide; the others never do. */
export const readinessClasses = [
  "runtime-blocker",
  "required",
  "recommended",
  "by-agreement",
  "manual-review",
  "heuristic",
  "experimental-feature",
] as const;
export type ReadinessClass = (typeof readinessClasses)[number];

/** In the order in which a class lists them. */
export const readinessFindingStatuses = [
  "violated",
  "not-evaluated",
  "informational",
  "satisfied",
  "not-applicable",
] as const;
export type ReadinessFindingStatus = (typeof readinessFindingStatuses)[number];

/** Worst first. */
export const readinessGrades = ["not-ready", "incomplete", "ready"] as const;
export type ReadinessGrade = (typeof readinessGrades)[number];

export const readinessStages = ["technical-preflight", "submission-ready"] as const;
export type ReadinessStage = (typeof readinessStages)[number];

/** How far a run is; the grade and the model's pass are axes of their own. */
export const readinessStatuses = ["pending", "running", "completed", "failed", "cancelled"] as const;
export type ReadinessStatus = (typeof readinessStatuses)[number];

export const observationStatuses = [
  "not-requested",
  "pending",
  "completed",
  "billing-blocked",
  "provider-failed",
  "invalid-output",
] as const;
export type ObservationStatus = (typeof observationStatuses)[number];

export const observationReasons = [
  "not_requested",
  "billing_limit_reached",
  "provider_error",
  "provider_timeout",
  "schema_invalid",
  "no_evidence",
  "cancelled",
] as const;
export type ObservationReason = (typeof observationReasons)[number];

export const readinessProvenances = ["wire", "browser", "static", "declared", "manual", "llm"] as const;
export type ReadinessProvenance = (typeof readinessProvenances)[number];
export const readinessIntrusivenesses = ["passive", "read-only", "side-effecting"] as const;
export type ReadinessIntrusiveness = (typeof readinessIntrusivenesses)[number];
export const readinessAuthModes = ["headless", "interactive", "provided-token"] as const;
export type ReadinessAuthMode = (typeof readinessAuthModes)[number];

/** What whoever gathers the evidence is able to do. */
export const runnerCapabilities = [
  "dns",
  "raw-origin",
  "interactive-oauth",
  "browser",
  "webkit-browser",
  "intrusive-probes",
] as const;
export type RunnerCapability = (typeof runnerCapabilities)[number];

export type BadgeState = "supported" | "unsupported" | "claimed" | "not-evaluated";
