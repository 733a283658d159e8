/** @module The words of conformance runs: suites, where a run came from, how far it is. Free of zod, for pages and commands. */

export const conformanceSuites = ["protocol", "apps", "tasks", "oauth"] as const;
export type ConformanceSuite = (typeof conformanceSuites)[number];

/** Suites the service runs by itself. OAuth is not among them: nobody is there to sign in. */
export const hostedConformanceSuites = ["protocol", "apps", "tasks"] as const;

export const conformanceSources = ["ui", "sdk", "cli", "github_action", "github_app", "api"] as const;

export const conformanceStatuses = ["queued", "running", "completed", "timed_out", "cancelled"] as const;
export type ConformanceStatus = (typeof conformanceStatuses)[number];

export const conformanceOutcomes = ["passed", "failed", "incomplete"] as const;

export const conformanceCheckStates = ["failed", "could-not-run", "passed", "not-applicable"] as const;
export type ConformanceCheckState = (typeof conformanceCheckStates)[number];

/** What a run can be taken away as: everything, the summary for CI, or the file CI shows. */
export const conformanceExportFormats = ["json", "json-summary", "junit-xml"] as const;
export type ConformanceExportFormat = (typeof conformanceExportFormats)[number];

/**
 * How strongly a rule is said. MUST, SHOULD and MAY are the text's own words; `schema` is what the published schema or types demand;
 * `contract` is what the official suite's fixtures promise beyond the text; `inferred` has no text, only a reason.
 */
export const ruleWords = ["MUST", "SHOULD", "MAY", "schema", "contract", "inferred"] as const;
export type RuleWord = (typeof ruleWords)[number];
