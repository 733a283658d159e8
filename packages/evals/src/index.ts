export {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createAgent,
  type PinnedCall,
  type TurnOptions,
} from "./agent/agent.ts";
export { type AgentLimits, defaultAgentLimits } from "./agent/agent-limits.ts";
export { openSchemaJudge } from "./agent/check-arguments.ts";
export { type Deadline, startDeadline } from "./agent/deadline.ts";
export {
  type AgentServer,
  type OpenServers,
  openServers,
  type ServerBinding,
  type ServerLink,
  SetupFailure,
} from "./agent/servers.ts";
export { type ToolCatalog, toolCatalog } from "./agent/tool-catalog.ts";
export {
  type ApprovalRequest,
  type Approve,
  checkPolicy,
  decideCall,
  type ToolPolicy,
} from "./agent/tool-policy.ts";
export {
  type CallOutcome,
  type Exclusion,
  exclusionOf,
  type Fault,
  type FaultOwner,
  finalTextOf,
  type PolicyBlock,
  type PolicyReason,
  policyReasons,
  type Span,
  type StopCause,
  stopCauses,
  type ToolCall,
  type ToolError,
  type Trace,
  type TraceServer,
  type TraceTool,
  type Turn,
  toolErrorsOf,
  traceVersion,
} from "./agent/trace.ts";
export { type CalibrationPair, calibrate } from "./calibration/calibrate.ts";
export { factsOf, type MetSession, type SessionFacts } from "./calibration/session-facts.ts";
export { cassettePath, readCassette } from "./cassette/cassette-file.ts";
export {
  type CassetteStatus,
  cassetteStatus,
  deleteCassettes,
  unusedCassettes,
} from "./cassette/cassette-status.ts";
export { stalenessOf } from "./cassette/staleness.ts";
export { openTape, type Tape, type TapeOptions } from "./cassette/tape.ts";
export { withCalls } from "./cassette/taped-servers.ts";
export { openTapes, type TapedCase, type Tapes, type TapesOptions } from "./cassette/tapes.ts";
export { digestOf } from "./digest.ts";
export {
  type CaseComparison,
  type Comparison,
  compareRuns,
  type NumberDiff,
  numberDiff,
  sampleOf,
} from "./gate/compare.ts";
export {
  decideGate,
  type GateInput,
  type GateOutcome,
  type GateReport,
  gateExitCode,
  type Waiver,
} from "./gate/gate.ts";
export type { GateRow } from "./gate/gate-row.ts";
export type { GatePolicy } from "./gate/policy.ts";
export { type CaseFacts, type IterationFacts, type RunFacts, readRunFacts } from "./gate/run-facts.ts";
export {
  type CasePlan,
  expectationsOf,
  type GradingOptions,
  gradeCase,
  type IterationGrade,
  isWantedError,
  judgeStep,
  labelOf,
  matchPrompts,
  type PlacedStep,
  type PromptMatch,
  placeSteps,
  planOf,
  type StepResult,
} from "./grading/grade-case.ts";
export {
  type ArgumentMismatch,
  type CallMatch,
  defaultMatchOptions,
  type ExpectedCall,
  type MadeCall,
  type MatchOptions,
  matchCalls,
} from "./grading/match-calls.ts";
export {
  evaluationConfigHash,
  failingRows,
  integrityOf,
  type ScoreDefinition,
  type ScoreRow,
} from "./grading/scores.ts";
export {
  detectableCount,
  type Interval,
  judgeRegression,
  passAtK,
  passHatK,
  type RegressionOptions,
  type Sample,
  wilson,
} from "./grading/statistics.ts";
export {
  type CaseSummary,
  type ExclusionReason,
  exclusionOfTrial,
  judgeRun,
  type RunVerdict,
  summarizeCase,
  type Trial,
  type Validity,
  type ValidityReason,
} from "./grading/verdict.ts";
export type { CassetteFacts } from "./models/cassette-facts.ts";
export { type CatalogModel, modelCatalog, resolveModel, wireNameOf } from "./models/catalog.ts";
export {
  type CustomProvider,
  knownCredentials,
  type ModelConfiguration,
  modelsSectionOf,
  type ProviderSettings,
  readModelConfiguration,
  type SettingsSource,
} from "./models/configuration.ts";
export { estimateSpend, type PlannedCalls, type SpendEstimate } from "./models/estimate.ts";
export { createLimiters } from "./models/limiters.ts";
export {
  type AssistantMessage,
  type AssistantPart,
  type FinishReason,
  finishReasons,
  type Message,
  type ToolCallPart,
  type Usage,
} from "./models/messages.ts";
export {
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelErrorCode,
  type ModelRequest,
  type Price,
  weakestClass,
} from "./models/model.ts";
export { fullModelName, parseModelName, ruleModelId } from "./models/model-name.ts";
export {
  createModelSource,
  lackOf,
  type ModelFacts,
  type ModelSource,
  type ModelSourceOptions,
  priceOf,
} from "./models/model-source.ts";
export { missingModels } from "./models/provider-models.ts";
export { providerNeeds } from "./models/providers.ts";
export { ruleModel, ruleModelNotice } from "./models/rules/rule-model.ts";
export { costOf, createSpendBudget, estimateCost, type SpendBudget } from "./models/spend.ts";
export { cautionOf } from "./persona/caution.ts";
export {
  draftJourneys,
  draftPersonas,
  type JourneyDraft,
  type PersonaDraft,
  type SkippedTool,
} from "./persona/draft-personas.ts";
export { gradeRubric } from "./persona/grade-rubric.ts";
export { type Persona, type PlayedSession, playSession } from "./persona/play-session.ts";
export {
  type NextWords,
  nextWords,
  type PersonaCard,
  type PlayedTurn,
} from "./persona/rule-persona.ts";
export type { ArgumentMode } from "./predicates/match-arguments.ts";
export type { Judgement } from "./predicates/predicate.ts";
export {
  judgePredicate,
  type Predicate,
  type PredicateType,
  predicateSchema,
  predicates,
  wholeCaseTypes,
} from "./predicates/registry.ts";
export type { GradedCall, RenderObservation, Transcript } from "./predicates/transcript.ts";
export { adviceText, failedAdvice } from "./report/advice.ts";
export {
  type EvalReport,
  type EvalReportCase,
  evalReportOf,
  lostOf,
  lostWord,
  passedOf,
  reasonOf,
  type Sensitivity,
  sensitivityOf,
  shareText,
} from "./report/eval-report.ts";
export { comparisonOf, judgedRunOf } from "./report/hosted-run.ts";
export { evalHtml, type ToldAbove } from "./report/html.ts";
export type { ComparedWith } from "./report/html-diff.ts";
export { type CaseSource, evalMarkdown, failuresFirst, githubAnnotations } from "./report/markdown.ts";
export { scrubbing, scrubRecord } from "./report/scrub-record.ts";
export {
  type PlayedIteration,
  type PlayOptions,
  playCase,
  type ToolCallStep,
  tokensOf,
  whyOf,
} from "./run/play-case.ts";
export { runSuite, type SuiteRun } from "./run/run-suite.ts";
export type {
  JudgedCase,
  JudgedRun,
  RecordedCase,
  RecordedIteration,
  SuiteRecord,
} from "./run/suite-record.ts";
export { type DocumentFault, type Path, type Reading, readDocument } from "./suite/document.ts";
export { type DraftedCases, type DraftMix, draftCases } from "./suite/draft-cases.ts";
export { type DraftOptions, draftSuite } from "./suite/draft-suite.ts";
export { lintCase, lintSuite, type SuiteLint, type SuiteWarning, suiteLints } from "./suite/lint-suite.ts";
export {
  faultsOf,
  inDocumentOrder,
  isCreateBody,
  pointerOf,
  readSuite,
  type SuiteFinding,
  type SuiteReading,
} from "./suite/read-suite.ts";
export {
  checksOf,
  type Refusal,
  type RunRequest,
  refusalsOf,
  type Selection,
  selectCases,
} from "./suite/select-cases.ts";
export { type Step, stepSchema, type WidgetAssertion } from "./suite/steps.ts";
export { type SuiteCase, type SuiteFile, suiteFileSchema } from "./suite/suite-file.ts";
export { arranged, writeSuite, writeYaml } from "./suite/write-suite.ts";
