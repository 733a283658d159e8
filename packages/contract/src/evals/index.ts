export {
  type EvalAdvancedConfig,
  type EvalCase,
  EvalCaseCreateRequest,
  type EvalCaseGenerated,
  type EvalCaseGenerateRequest,
  type EvalCasesBatchCreateRequest,
  type EvalCasesBatchResult,
  type EvalCaseUpdateRequest,
  type EvalModelChoice,
} from "./case.ts";
export type { CaseOfCall, CaseOfCallRequest } from "./case-of-call.ts";
export type { EvalRunCompare } from "./compare.ts";
export type { EvalRunEstimate } from "./estimate.ts";
export type { EvalRunGate, GateWaiver, GateWaiverCreateRequest, ImportEligibility } from "./gate.ts";
export type { EvalRunGrading, EvalRunRegradeRequest } from "./grading.ts";
export type {
  EvalIngestDropped,
  EvalIngestReport,
  EvalIngestResult,
  EvalIngestStart,
} from "./ingest.ts";
export type { EvalIteration, EvalIterationStep, EvalIterationTrace } from "./iteration.ts";
export type { EvalRunJudgeRequest, EvalRunJudges, JudgeErrorCode } from "./judge.ts";
export type {
  EvalRunCreated,
  EvalRunCreateRequest,
  EvalRunGroupCreated,
  EvalRunGroupCreateRequest,
  EvalRunModel,
} from "./launch.ts";
export type { EvalMatchOptions } from "./match-options.ts";
export type { EvalRunMatrix } from "./matrix.ts";
export type { CiInfo, EvalRun, EvalRunDetail, EvalRunSummary, EvalRunTarget } from "./run.ts";
export { EvaluationConfig, ScoreDefinition, ScoreRow } from "./score.ts";
export {
  EvalCaseImport,
  type EvalStep,
  ExpectToolError,
  evalStep,
  fraction,
  nameText,
  opaqueId,
  widgetAssertion,
} from "./step.ts";
export type {
  EvalSuite,
  EvalSuiteCreated,
  EvalSuiteCreateRequest,
  EvalSuiteDetail,
  EvalSuiteEnvironmentAttached,
  EvalSuiteSchedule,
  EvalSuiteScheduleRequest,
  EvalSuiteSettings,
  EvalSuiteUpdateRequest,
  FileSuiteSync,
  FileSuiteSynced,
} from "./suite.ts";
export {
  type EvalSuiteCheck,
  EvalSuiteDocument,
  type EvalSuiteEdition,
  type EvalSuiteFinding,
  type EvalSuiteSaveRequest,
} from "./suite-document.ts";
export { EvalTestCase } from "./test-case.ts";
export { whoseModel } from "./whose-model.ts";
export {
  type CaseFailure,
  type CaseStatus,
  caseStatuses,
  type DuplicatePolicy,
  duplicatePolicies,
  type EvalRefusal,
  type EvalResult,
  type EvalRunSource,
  type EvalRunStatus,
  type EvalStopReason,
  evalRefusals,
  evalResults,
  evalRunSources,
  evalRunStatuses,
  evalStopReasons,
  type IterationStatus,
  iterationStatuses,
  type ModelClass,
  modelClasses,
  type RepetitionState,
  repetitionLetters,
  type StepStatus,
  type SuiteFindingCode,
  type SuiteRefusal,
  type SuiteStage,
  suiteFindingStage,
  suiteModelSources,
  suiteOrigins,
  suiteRefusals,
  type ToolMode,
  toolModes,
  type WaiverRefusal,
} from "./words.ts";
