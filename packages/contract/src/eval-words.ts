/** @module The words of evals that travel: what a suite file is refused for, what a trial, a case and a run can come to. */

/** Findings of `eval validate`, in the order of its stages. */
export const suiteFindingStage = {
  SUITE_FILE_UNREADABLE: "input",
  SUITE_FILE_TOO_LARGE: "input",
  SUITE_FILE_EMPTY: "parse",
  SUITE_FILE_YAML_INVALID: "parse",
  SUITE_FILE_MULTIPLE_DOCUMENTS: "parse",
  SUITE_FILE_INVALID: "contract",
  /** A threshold that is no percentage with at most one decimal. */
  PASS_THRESHOLD_NOT_REPRESENTABLE: "contract",
} as const;

export type SuiteFindingCode = keyof typeof suiteFindingStage;
export type SuiteStage = (typeof suiteFindingStage)[SuiteFindingCode];

/** Why a valid suite file is not run. */
export const suiteRefusals = [
  "NO_ENABLED_CASES",
  "CASE_NOT_FOUND",
  "CASE_DISABLED",
  "REPETITIONS_CAP",
  "PASS_THRESHOLD_OVERRIDE_UNSUPPORTED",
  "TOOL_POLICY_UNSUPPORTED",
  "VALIDITY_UNSUPPORTED",
  "APPROXIMATION_NOT_APPROVED",
  "APPROVAL_NOT_APPLICABLE",
  "IMPORT_UNSUPPORTED",
  "IMPORT_UNRESOLVED",
  "WIDGET_RUNTIME_UNAVAILABLE",
] as const;
export type SuiteRefusal = (typeof suiteRefusals)[number];

/** Of a case and of a run. `inconclusive` is no verdict: nothing was shown either way. */
export const evalResults = ["passed", "failed", "inconclusive"] as const;
export type EvalResult = (typeof evalResults)[number];

/** How one repetition of a case ended. Only `completed` ones have a verdict. */
export const iterationStatuses = [
  "pending",
  "running",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
  "setup_failed",
  "skipped",
] as const;
export type IterationStatus = (typeof iterationStatuses)[number];

/** Which kind of model drove a run: results of different kinds are not compared as a whole. */
export const modelClasses = ["live", "rules", "replay"] as const;
export type ModelClass = (typeof modelClasses)[number];
