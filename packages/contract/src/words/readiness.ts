/** @module The words of directory readiness: publishers, lanes, findings and grades. Free of zod, for pages and commands. */

/** Whose directory: `directory-a` is Claude's, `directory-b` is OpenAI's. */
export const readinessKinds = ["directory-a", "directory-b"] as const;
export type ReadinessKind = (typeof readinessKinds)[number];

/** What is submitted to publisher B; never inferred. */
export const submissionModes = [
  "skills-only",
  "mcp-only",
  "mcp-imported-skills",
  "mcp-uploaded-skills",
] as const;
export type SubmissionMode = (typeof submissionModes)[number];

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

export type ReadinessProvenance = "wire" | "browser" | "static" | "declared" | "manual" | "llm";
export type ReadinessIntrusiveness = "passive" | "read-only" | "side-effecting";
export type ReadinessAuthMode = "headless" | "interactive" | "provided-token";

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
