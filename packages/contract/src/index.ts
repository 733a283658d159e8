export { clientConfigSchema } from "../generated/client-config-schema.ts";
export { operationCommands } from "../generated/operation-commands.ts";
export { operationFields } from "../generated/operation-fields.ts";
export { readAnswer } from "./client/answer.ts";
export { type ApiClient, type AppClient, createAppClient, createClient } from "./client/client.ts";
export { type CallOptions, type ClientOptions, freshKey, type Wait } from "./client/request.ts";
export { mayRepeat, retryAfterSeconds, retryWaitMs } from "./client/retry.ts";
export {
  type ClientField,
  type ClientTemplateId,
  clientFields,
  clientTemplateIds,
  type Theme,
  themes,
} from "./client-fields.ts";
export { apiDocument } from "./document/api-document.ts";
export type { OpenApiDocument } from "./document/openapi.ts";
export { type DroppedCredential, droppedNotice, namesOfDropped } from "./dropped-credentials.ts";
export { endToEnd } from "./end-to-end.ts";
export { type AnyErrorCode, ApiError, type ErrorBody, type ErrorCode, errorStatus } from "./errors.ts";
export { type CliErrorCode, cliErrorExit, type ExitCode, exitCodeOf, exitCodes } from "./exit-codes.ts";
export { canonicalJson, isSameJson, sortKeys } from "./formats/canonical-json.ts";
export {
  type ExactNumber,
  isExactNumber,
  mayHoldLongNumber,
  parseExactNumbers,
  withPlainNumbers,
} from "./formats/exact-numbers.ts";
export { type HttpExchange, harOf } from "./formats/har.ts";
export { escapeHidden, hiddenSpans } from "./formats/hidden-characters.ts";
export { type JsonChange, jsonChanges } from "./formats/json-changes.ts";
export {
  readServerSentEvents,
  type ServerSentEvent,
} from "./formats/server-sent-events.ts";
export { shellWord } from "./formats/shell-word.ts";
export { terms, type VerbClass, verbClasses } from "./formats/terms.ts";
export {
  expandTemplate,
  needsNothing,
  parseTemplate,
  type TemplateValue,
  type TemplateVariable,
} from "./formats/uri-template.ts";
export { unzipEntry, type ZipEntry, ZipFault, zipCount, zipEntries } from "./formats/zip.ts";
export type {
  AgentActionId,
  AgentTurnId,
  ApiKeyId,
  AuditEntryId,
  CalibrationId,
  CatalogServerId,
  ChatSessionId,
  ChatTurnId,
  ClientId,
  ComputerId,
  ConformanceRunId,
  DeviceId,
  EnvironmentId,
  EvalArtifactId,
  EvalCaseId,
  EvalCheckRepoId,
  EvalIterationId,
  EvalRunGroupId,
  EvalRunId,
  EvalSuiteId,
  GateWaiverId,
  HistoryEntryId,
  Id,
  InvitationId,
  JobId,
  JourneyId,
  JourneyRunId,
  NoticeId,
  OrganizationId,
  PersonaId,
  PluginId,
  PluginVersionId,
  ProjectId,
  ReadinessRunId,
  RegistryCardId,
  RegistryConnectionId,
  SandboxImageBuildId,
  SandboxImageId,
  SavedCallId,
  ScenarioId,
  ScenarioMemberId,
  ServerConnectionId,
  ServerGroupId,
  ServerId,
  SkillId,
  SwarmId,
  UserId,
  VisitorId,
  WebhookDeliveryId,
  WebhookId,
} from "./id.ts";
export { apiKeyPrefix, type IdKind, idPrefixes } from "./id-prefixes.ts";
export {
  InspectorAck,
  InspectorCommand,
  InspectorCommandAnswer,
  type InspectorFault,
  InspectorHealth,
  type InspectorPayloads,
  type InspectorRefusal,
  InspectorShown,
  InspectorState,
  InspectorStatus,
  InspectorTab,
  InspectorTabs,
  inspectorHeader,
  inspectorRefusals,
  inspectorService,
} from "./inspector/control.ts";
export { inspectorLimits } from "./inspector/limits.ts";
export { type LocalOperationId, localOperationIds } from "./inspector/operations.ts";
export { codeOf, isKeyOf, isOneOf, keysOf } from "./known.ts";
export {
  accountLimits,
  bundleLimits,
  caseLimits,
  chatLimits,
  keyRateLimits,
  limits,
  modelLimits,
  requestLimits,
  streamLimits,
  textLimits,
} from "./limits/limits.ts";
export { auditLimits, noticeLimits } from "./limits/notice.ts";
export { readinessLimits } from "./limits/readiness.ts";
export { registryLimits } from "./limits/registry.ts";
export { sandboxLimits } from "./limits/sandbox.ts";
export { serverHistoryLimits } from "./limits/server-history.ts";
export { swarmLimits } from "./limits/swarm.ts";
export { userTestingLimits } from "./limits/user-testing.ts";
export { watchedLimits } from "./limits/watched.ts";
export { markedArguments } from "./marked-arguments.ts";
export {
  type Access,
  access,
  type BodyOf,
  effectOf,
  type Method,
  type OperationDeclaration,
  type OutputOf,
  operation,
  type ParametersOf,
  type ProjectRole,
  type QueryOf,
  type Surface,
} from "./operation.ts";
export { apiRoutes, appRoutes } from "./operation-routes.ts";
export { type OperationId, type Operations, operations } from "./operations.ts";
export { cursorFieldOf, type Page, page, pageQuery } from "./page.ts";
export { dependsOn, type ProjectPart, projectPart } from "./project-parts.ts";
export {
  isSecretName,
  redact,
  redactArguments,
  redactArgv,
  redactedText,
  redactText,
  secretArguments,
} from "./redact.ts";
export { html } from "./reference/html.ts";
export { apiReferencePage } from "./reference/page.ts";
export { apiReferenceScript } from "./reference/script.ts";
export { apiReferenceStyles } from "./reference/styles.ts";
export { Me, Organization } from "./resources/account.ts";
export type {
  AgentAction,
  AgentMessage,
  AgentTurnRequest,
  AgentTurnResponse,
  CreatedResource,
  ProposedAction,
} from "./resources/agent.ts";
export { ApiKey, ApiKeyCreated } from "./resources/api-key.ts";
export type { AuditEntry, AuditPage, AuditQuery } from "./resources/audit.ts";
export type { Author } from "./resources/author.ts";
export {
  type AttendedTurnRequest,
  type ChatMessage,
  type ChatSession,
  type ChatSessionDetail,
  type ChatSessionPromoted,
  type ChatSessionPromoteRequest,
  type ChatSessionTrace,
  type ChatSessionUpdateRequest,
  type ChatToolCall,
  type ChatTurn,
  type ChatTurnRecord,
  type ChatTurnRequest,
  type ChatTurnWire,
  type SessionSummary,
  settledTurnFields,
} from "./resources/chat.ts";
export {
  Client,
  ClientConfig,
  type ClientCreateRequest,
  ClientDetail,
  ClientImpact,
  type ClientServersRequest,
  type ClientSettings,
  type ClientTemplate,
  type ClientUpdateRequest,
  type Host,
  type HostDetail,
  type HostUpdateRequest,
} from "./resources/client.ts";
export { type ConformanceCase, ConformanceSuiteReport } from "./resources/conformance-report.ts";
export type {
  ConformanceComparison,
  ConformanceExport,
  ConformanceFixtures,
  ConformanceIngestFinished,
  ConformanceIngestReport,
  ConformanceIngestStart,
  ConformanceIngestStarted,
  ConformanceIngestWhole,
  ConformanceReportView,
  ConformanceRun,
  ConformanceRunStartRequest,
  ConformanceSchedule,
  ConformanceScheduleRequest,
  ConformanceTarget,
} from "./resources/conformance-run.ts";
export {
  AdhocEnvironment,
  type AdhocEnvironmentRequest,
  Environment,
  type EnvironmentCreateRequest,
  type EnvironmentNameRequest,
  type EnvironmentUpdateRequest,
  type ResolvedEnvironment,
  SkillSelection,
} from "./resources/environment.ts";
export { ErrorResponse } from "./resources/error.ts";
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
} from "./resources/evals/case.ts";
export type { CaseOfCall, CaseOfCallRequest } from "./resources/evals/case-of-call.ts";
export type { EvalRunCompare } from "./resources/evals/compare.ts";
export type { EvalRunEstimate } from "./resources/evals/estimate.ts";
export type {
  EvalRunGate,
  GateWaiver,
  GateWaiverCreateRequest,
  ImportEligibility,
} from "./resources/evals/gate.ts";
export type { EvalRunGrading, EvalRunRegradeRequest } from "./resources/evals/grading.ts";
export type { EvalIngestReport, EvalIngestResult, EvalIngestStart } from "./resources/evals/ingest.ts";
export type { EvalIteration, EvalIterationStep, EvalIterationTrace } from "./resources/evals/iteration.ts";
export type { EvalRunJudgeRequest, EvalRunJudges, JudgeErrorCode } from "./resources/evals/judge.ts";
export type {
  EvalRunCreated,
  EvalRunCreateRequest,
  EvalRunGroupCreated,
  EvalRunGroupCreateRequest,
} from "./resources/evals/launch.ts";
export type { EvalMatchOptions } from "./resources/evals/match-options.ts";
export type { EvalRunMatrix } from "./resources/evals/matrix.ts";
export type {
  CiInfo,
  EvalRun,
  EvalRunDetail,
  EvalRunSummary,
  EvalRunTarget,
} from "./resources/evals/run.ts";
export { ScoreDefinition, ScoreRow } from "./resources/evals/score.ts";
export {
  EvalCaseImport,
  type EvalStep,
  evalStep,
  fraction,
  nameText,
  opaqueId,
  widgetAssertion,
} from "./resources/evals/step.ts";
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
} from "./resources/evals/suite.ts";
export {
  type EvalSuiteCheck,
  EvalSuiteDocument,
  type EvalSuiteEdition,
  type EvalSuiteFinding,
  type EvalSuiteSaveRequest,
} from "./resources/evals/suite-document.ts";
export { EvalTestCase } from "./resources/evals/test-case.ts";
export type { FileMap } from "./resources/file-map.ts";
export { findingStatuses, ProjectFinding, ProjectFindingDetail } from "./resources/finding.ts";
export { HostCatalog } from "./resources/host-catalog.ts";
export { idOf } from "./resources/id.ts";
export {
  ActionableFinding,
  ActionableFindingEvidence,
  findingSeverities,
  InsightScope,
  InsightsEnvelope,
  insightScopeKinds,
} from "./resources/insights.ts";
export { jsonObject } from "./resources/json-object.ts";
export { ImportTokensRequest } from "./resources/mcp.ts";
export { Invitation, InvitationCreated, InvitationOffer, Member, ProjectMember } from "./resources/member.ts";
export { Model } from "./resources/model.ts";
export type {
  ModelProvider,
  ModelProviderRequest,
  ModelSpend,
  ModelTest,
} from "./resources/model-provider.ts";
export type { OwnComputer } from "./resources/own-computer.ts";
export { Plugin, PluginVersion } from "./resources/plugin.ts";
export { Project, ProjectCreateRequest, ProjectUpdateRequest } from "./resources/project.ts";
export { type ProjectAction, ProjectCapabilities, projectActions } from "./resources/project-capabilities.ts";
export type {
  DirectoryAReadinessStart,
  DirectoryBReadinessStart,
  ReadinessFindingView,
  ReadinessLaneGrade,
  ReadinessObservations,
  ReadinessReportView,
  ReadinessRun,
  ReadinessRunReceipt,
  ReadinessStageGrade,
} from "./resources/readiness/run.ts";
export {
  type DirectoryInput,
  type DirectoryInstallRequest,
  type DirectoryPackage,
  type DirectoryQuery,
  type DirectoryRemote,
  type DirectoryServer,
  type DirectorySource,
  type RegistryCard,
  RegistryCardRequest,
  type RegistryConnection,
  type RegistryInstalled,
  type RegistryInstallRequest,
} from "./resources/registry.ts";
export type {
  ComputerAttached,
  ComputerReset,
  SandboxImage,
  SandboxImageBlueprintValidateResult,
  SandboxImageBuild,
  SandboxImageBuildStarted,
  SandboxImageCreateRequest,
  SandboxImageUpdateRequest,
} from "./resources/sandbox-image.ts";
export {
  headerName,
  ProjectServer,
  ProjectServerCreateRequest,
  ProjectServerUpdated,
  ProjectServerUpdateRequest,
  type ServerLookRequest,
} from "./resources/server.ts";
export type { ServerAnswerRequest, ServerAskRequest } from "./resources/server-ask.ts";
export { ServerCompat } from "./resources/server-compat.ts";
export {
  type AddressWarning,
  type ConnectionCandidate,
  ConnectionConsent,
  type ConnectionError,
  type ConnectionErrorCode,
  type ConnectionStatus,
  connectionStatuses,
  personStatuses,
  ServerConnection,
  ServerConnectionCreateBody,
} from "./resources/server-connection.ts";
export { ServerGroup, ServerGroupCreateRequest } from "./resources/server-group.ts";
export type {
  HistoryComparison,
  HistoryRetention,
  HistoryRetentionUpdateRequest,
  RanAgain,
  SavedCall,
  SavedCallCreateRequest,
  SavedCallUpdateRequest,
  ServerHistoryDetail,
  ServerHistoryEntry,
  ServerHistoryQuery,
  ServerVerdicts,
} from "./resources/server-history.ts";
export type { ServerSignIn, ServerSignInWalk } from "./resources/server-sign-in.ts";
export {
  Bootstrap,
  CliAuthorization,
  Device,
  Email,
  PersonName,
  SignedIn,
  SignedInUser,
  type SignInRefusal,
  signInRefusals,
} from "./resources/session.ts";
export { type Pinnability, Skill, SkillCheck, SkillDetail, SkillFiles } from "./resources/skill.ts";
export type {
  Calibration,
  CalibrationCreateRequest,
  CalibrationEstimate,
  CalibrationReport,
  CalibrationSource,
  RunCalibration,
} from "./resources/swarms/calibration.ts";
export type {
  GenerationDrafts,
  JourneyGenerateRequest,
  PersonaGenerateRequest,
} from "./resources/swarms/drafts.ts";
export type {
  Journey,
  JourneyCreateRequest,
  JourneyUpdateRequest,
  RubricCriterion,
} from "./resources/swarms/journey.ts";
export type {
  GoalGrade,
  GoalRollup,
  JourneyRun,
  JourneyRunCanceled,
  JourneyRunDetail,
  JourneyRunEstimate,
  JourneyRunLaunched,
  JourneyRunLaunchRequest,
  JourneyRunSession,
  JourneyRunSessionDetail,
  SessionGrading,
} from "./resources/swarms/journey-run.ts";
export type { SwarmMatrix } from "./resources/swarms/matrix.ts";
export type { SwarmOverview, SwarmOverviewRun } from "./resources/swarms/overview.ts";
export type { Persona, PersonaCreateRequest, PersonaUpdateRequest } from "./resources/swarms/persona.ts";
export type { FindingDismissed, RunScorecard } from "./resources/swarms/scorecard.ts";
export type { Swarm, SwarmCreateRequest, SwarmUpdateRequest } from "./resources/swarms/swarm.ts";
export type {
  WaveBaseline,
  WaveInsights,
  WaveInsightsCanceled,
  WaveInsightsRequested,
  WavePath,
} from "./resources/swarms/wave-insights.ts";
export { type Tunnel, TunnelGrant } from "./resources/tunnel.ts";
export type {
  ScenarioFindingDismissed,
  ScenarioInsightsCanceled,
  ScenarioInsightsRequested,
  ScenarioSignals,
  ScenarioWindowInsights,
} from "./resources/user-testing/insights.ts";
export {
  GuestExecution,
  type ProjectScenario,
  Scenario,
  type ScenarioDetail,
  type ScenarioMember,
  type ScenarioPublishRequest,
  type ScenarioUpdateRequest,
  type UserTestingScenario,
  UserTestingScenarioDetail,
} from "./resources/user-testing/scenario.ts";
export type {
  ScenarioMetrics,
  ScenarioUsage,
  UserTestingSession,
  UserTestingSessionDetail,
  UserTestingSessionQuery,
} from "./resources/user-testing/sessions.ts";
export type {
  Visit,
  VisitFeedbackRequest,
  VisitMessage,
  VisitSession,
  VisitTold,
  VisitTurnRequest,
  VisitWidget,
  VisitWidgetAsk,
} from "./resources/user-testing/visit.ts";
export type {
  Webhook,
  WebhookCreateRequest,
  WebhookDelivery,
  WebhookDeliveryQuery,
  WebhookUpdateRequest,
  WebhookWithSecret,
} from "./resources/webhook.ts";
export {
  holdsOrganizationRole,
  type OrganizationRole,
  organizationRoles,
  type ProjectGrant,
  projectGrants,
  type Visibility,
  visibilities,
} from "./roles.ts";
export { RunDeleted } from "./run-deleted.ts";
export { Secret } from "./secret.ts";
export { secretPatterns, withoutCredentials } from "./secret-shapes.ts";
export { type HostSnippet, hostSnippets } from "./server-config/host-snippets.ts";
export { fillOpenPlaces, type OpenPlace } from "./server-config/open-place.ts";
export {
  readServerConfig,
  readServerDocument,
  type ServerConfig,
  savedFormOf,
} from "./server-config/read-config.ts";
export type {
  ConfiguredHttpServer,
  ConfiguredServer,
  ConfiguredStdioServer,
} from "./server-config/read-entry.ts";
export { pastedKind, readServerText } from "./server-config/read-text.ts";
export { tunnelDownHint, tunnelSilentHint } from "./server-config/tunnel-command.ts";
export {
  type SchemaJudge,
  type SchemaVerdict,
  schemaJudge,
  type ValueFault,
} from "./server-schema/check-schema.ts";
export { type NotChecked, notCheckedText } from "./server-schema/guard-schema.ts";
export { linearPattern } from "./server-schema/linear-pattern.ts";
export { tags } from "./tags.ts";
export { createTunnelCredit, createTunnelReading, type TunnelCredit } from "./tunnel-credit.ts";
export {
  decodeTunnelChunk,
  earlierTunnelProtocol,
  encodeTunnelChunk,
  inTunnelChunks,
  isAnswerStatus,
  parseTunnelFrame,
  type TunnelAbort,
  type TunnelFrame,
  type TunnelHeaders,
  type TunnelProtocol,
  tunnelAborts,
  tunnelClose,
  tunnelProtocol,
} from "./tunnel-wire.ts";
export { maskQuery, maskUrl, secretsInUrl, unmaskUrl } from "./url-secrets.ts";
export { declaredWidget } from "./widgets/declared.ts";
export { hostDisplayModes, playsOpenAi, widgetHost } from "./widgets/host.ts";
export { widgetLimits } from "./widgets/limits.ts";
export { widgetPolicy } from "./widgets/policy.ts";
export { RenderedWidget, type WidgetRefusals, type WidgetRequest } from "./widgets/rendered.ts";
export { auditWays } from "./words/audit.ts";
export {
  type SessionOrigin,
  type SessionSource,
  searchScopes,
  sessionOrigins,
  sessionSources,
  sessionStatuses,
  sessionVisibilities,
  type TurnRefusal,
  type TurnState,
  turnRefusals,
} from "./words/chat.ts";
export {
  type ConformanceCheckState,
  type ConformanceExportFormat,
  type ConformanceStatus,
  type ConformanceSuite,
  conformanceCheckStates,
  conformanceExportFormats,
  conformanceOutcomes,
  conformanceSources,
  conformanceStatuses,
  conformanceSuites,
  hostedConformanceSuites,
  type RuleWord,
  ruleWords,
} from "./words/conformance.ts";
export {
  type ConfirmSeverity,
  confirmSeverities,
  type Effect,
  type ProposalState,
  type ProposedKind,
  proposalStates,
  proposedKinds,
} from "./words/effect.ts";
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
  suiteOrigins,
  suiteRefusals,
  type ToolMode,
  toolModes,
  type WaiverRefusal,
} from "./words/evals.ts";
export {
  customProviderPattern,
  type EstimateConfidence,
  estimateConfidences,
  type ModelProviderId,
  modelProviderIds,
  modelProviderNames,
} from "./words/models.ts";
export {
  type DeliveryState,
  deliveryStates,
  type NoticeEvent,
  type NoticeType,
  noticeEvents,
  testNotice,
} from "./words/notices.ts";
export {
  type BadgeState,
  hostedSubmissionModes,
  type ObservationReason,
  type ObservationStatus,
  observationReasons,
  observationStatuses,
  type ReadinessAuthMode,
  type ReadinessClass,
  type ReadinessFindingStatus,
  type ReadinessGrade,
  type ReadinessIntrusiveness,
  type ReadinessKind,
  type ReadinessLane,
  type ReadinessProvenance,
  type ReadinessStage,
  type ReadinessStatus,
  type ReadinessWord,
  type RunnerCapability,
  readinessAuthModes,
  readinessClasses,
  readinessFindingStatuses,
  readinessGrades,
  readinessKindOf,
  readinessKinds,
  readinessLanes,
  readinessStages,
  readinessStatuses,
  readinessWords,
  runnerCapabilities,
  type SubmissionMode,
  submissionModes,
} from "./words/readiness.ts";
export {
  type AuthPosture,
  authPostures,
  type CardScope,
  type CardStatus,
  cardScopes,
  cardStatuses,
  type DirectoryRowType,
  directoryRowTypes,
  type EndpointKind,
  endpointKinds,
  type UnavailableReason,
  unavailableReasons,
  type VerifiedTier,
  verifiedTiers,
} from "./words/registry.ts";
export {
  computerStatuses,
  imageBases,
  imageBuildStatuses,
  imageProvider,
  imageSharings,
} from "./words/sandbox-images.ts";
export { scheduleStates } from "./words/schedules.ts";
export {
  type CallKind,
  callKinds,
  type HistoryKind,
  type HistoryOutcome,
  historyKinds,
  historyOutcomes,
  type VerdictKind,
  verdictKinds,
} from "./words/server-history.ts";
export {
  type AttemptState,
  attemptStates,
  type CalibrationMeasure,
  type CalibrationSet,
  calibrationMeasures,
  calibrationSets,
  calibrationStates,
  gradingStates,
  type JourneyRunStatus,
  journeyEnds,
  journeyRunDisplays,
  journeyRunStatuses,
  type PersonaDriver,
  personaDrivers,
  personaSources,
} from "./words/swarms.ts";
export { type TouchedKind, type Touches, touchedKinds } from "./words/touches.ts";
export {
  type FeedbackStyle,
  feedbackStyles,
  isBadRating,
  linkInvalid,
  type Population,
  populations,
  ratingText,
  type ScenarioMode,
  type SessionEnd,
  scenarioModes,
  sessionEnds,
  type VisitRefusal,
  visitRefusals,
} from "./words/user-testing.ts";
