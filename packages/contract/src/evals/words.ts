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

/** `read_only` offers only tools that say of themselves that they change nothing: a policy, and no guarantee. */
export const toolModes = ["read_only", "auto"] as const;
export type ToolMode = (typeof toolModes)[number];

/** Whose model answers where a suite and what it runs against both name one. */
export const suiteModelSources = ["target", "suite"] as const;

/** Who named the model that answers in a run. */
export const runModelSources = ["suite", "environment", "host", "case", "launch", "reported"] as const;

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

/** What became of a repetition, where many are told at once. A `lost` one shows nothing either way, and is in no pass rate. */
export const repetitionLetters = { p: "passed", f: "failed", x: "lost", r: "running", w: "waiting" } as const;
export type RepetitionState = (typeof repetitionLetters)[keyof typeof repetitionLetters];

/** Which kind of model drove a run: results of different kinds are not compared as a whole. */
export const modelClasses = ["live", "rules", "replay"] as const;
export type ModelClass = (typeof modelClasses)[number];

/** Where a suite comes from. One that a file owns is changed by that file, and nothing else becomes a file's. */
export const suiteOrigins = ["app", "api", "file", "sdk"] as const;

/** What became of a case that was brought from elsewhere. `unresolved` is set by the service alone. */
export const importStatuses = ["exact", "approximated", "unsupported", "unresolved"] as const;

export const checkModes = ["inherit", "replace", "extend"] as const;

/** What to do with a case that says the same as another. The first is the default. */
export const duplicatePolicies = ["block", "warn", "create_anyway"] as const;
export type DuplicatePolicy = (typeof duplicatePolicies)[number];

/** Why one case of a batch was not saved; the others were. */
export const caseFailures = [
  "INVALID_ITEM",
  "INVALID_CASE_ID",
  "DUPLICATE_CASE_ID",
  "DUPLICATE_IDEMPOTENCY_KEY",
  "IDEMPOTENCY_CONFLICT",
  "DUPLICATE_CONTENT",
  "OVERRIDE_REASON_REQUIRED",
  "INVALID_CASE",
  "UNSTORABLE_ITEM",
  "ITEM_TOO_LARGE",
] as const;
export type CaseFailure = (typeof caseFailures)[number];

/** `failed` is a crash and no verdict: that is the `result`, which only a completed run has. */
export const evalRunStatuses = [
  "pending",
  "running",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
] as const;
export type EvalRunStatus = (typeof evalRunStatuses)[number];

/** Who or what started a run. */
export const evalRunSources = ["ui", "api", "sdk", "schedule", "check"] as const;
export type EvalRunSource = (typeof evalRunSources)[number];

/** Why a run ended without having settled all its repetitions. */
export const evalStopReasons = [
  "user_cancelled",
  "run_timeout",
  "iteration_timeout",
  "stale_worker",
  "setup_failed",
  "spend_limit",
  "internal_error",
] as const;
export type EvalStopReason = (typeof evalStopReasons)[number];

export const stepStatuses = ["ok", "fail", "skipped", "pending"] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** `incomplete` wins over everything: what showed nothing neither passes nor fails, and cannot be waived. */
export const gateStatuses = ["passed", "failed", "waived", "incomplete"] as const;

/** A case in two runs, the worst news first. */
export const caseStatuses = [
  "regressed",
  "fixed",
  "changed",
  "new_case",
  "removed_case",
  "unchanged_failed",
  "unchanged_passed",
] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** `details.code` of a launch, or a change of a suite, that is refused. */
export const evalRefusals = {
  TARGET_REQUIRED: "Several targets are attached and none is named",
  ENVIRONMENT_NOT_ATTACHED: "The environment is not attached to the suite",
  HOST_NOT_ATTACHED: "The client is not attached to the suite",
  ENVIRONMENT_SERVERS_NOT_OVERRIDABLE: "An environment's servers are its own",
  NO_SAVED_SERVER_SELECTION: "Nothing is attached, and no servers are saved",
  HETEROGENEOUS_TARGETS: "A group is of environments or of clients, not of both",
  UNKNOWN_MODEL: "No model is known by this name",
  NO_ENABLED_CASES: "Every selected case is disabled",
  REPETITIONS_CAP: "More repetitions than a case may have",
  APPROXIMATION_NOT_APPROVED: "A selected case is approximated, and this launch does not approve it",
  APPROVAL_NOT_APPLICABLE: "An approval names a case that needs none",
  CONCURRENT_RUN_LIMIT: "The organization's runs are at their limit",
  EVAL_EXECUTION_UNAVAILABLE: "This deployment cannot run evals",
  WIDGET_RUNTIME_UNAVAILABLE: "A step needs a browser, and there is none",
  TOO_MANY_TURNS: "The launch would ask the model more often than one may",
  SCHEDULE_ENVIRONMENT_PINNED: "The schedule runs in an environment that would be detached",
  SCHEDULE_ENVIRONMENT_PIN_REQUIRED: "Several environments are attached, and the schedule names none",
  SCHEDULE_INTERVAL_REQUIRED: "The schedule has no interval yet",
  SCHEDULE_ENVIRONMENT_WITH_DISABLE: "A schedule is not given an environment while it is turned off",
  RUN_IN_PROGRESS: "A run of the suite has not ended",
  NOT_FILE_OWNED: "Only the cases of a suite that a file owns are changed by a batch",
  CASE_LIMIT: "A suite has as many cases as it may",
  UNKNOWN_SERVERS: "Not every server is a saved server of the project",
  UNKNOWN_HOSTS: "Not every client is a client of the project",
  AMBIGUOUS_SERVER: "Several servers have this name",
  AMBIGUOUS_HOST: "Several clients have this name",
  UNKNOWN_ENVIRONMENTS: "Not every environment is a live one of the project",
  NAMED_TWICE: "One thing is named twice",
  ENVIRONMENT_LIMIT: "A suite has as many environments as it may",
  CASE_KIND_FIXED: "A case that renders one call does not become another kind of case",
  NEGATIVE_CASE_HAS_EXPECTATIONS: "A negative case passes when no tool is called, and expects none",
  STALE_SUITE: "The suite was changed since it was read",
  FILE_OWNED_SUITE: "A file owns the suite, and says what is in it",
  SUITE_DOCUMENT_INVALID: "What was sent is no suite",
  GATE_NOT_WAIVABLE: "Only a gate that failed can be waived",
  WAIVER_IN_FORCE: "A waiver is in force already",
  BASELINE_NOT_FOUND: "There is no run to compare with",
  BASELINE_AMBIGUOUS: "Several commits begin like this",
  TRACE_NOT_AVAILABLE: "No trace of this repetition is kept",
  JUDGE_ALREADY_GRADED: "The run is graded; ask with force to grade it again",
  JUDGE_NOT_ENABLED: "The run was recorded with the judge off; ask with enable",
} as const;
export type EvalRefusal = keyof typeof evalRefusals;

/** `details.code` of a waiver that is refused for what it says. */
export const waiverRefusals = [
  "gate_waiver_reason_empty",
  "gate_waiver_reason_too_long",
  "gate_waiver_expiry_not_future",
  "gate_waiver_expiry_too_far",
  "gate_waiver_unscoped_suite",
] as const;
export type WaiverRefusal = (typeof waiverRefusals)[number];
