export { type HostSnippet, hostSnippets } from "./config/host-snippets.ts";
export { fillOpenPlaces, type OpenPlace } from "./config/open-place.ts";
export {
  readServerConfig,
  readServerDocument,
  type ServerConfig,
  savedFormOf,
} from "./config/read-config.ts";
export type { ConfiguredHttpServer, ConfiguredServer, ConfiguredStdioServer } from "./config/read-entry.ts";
export { pastedKind, readServerText } from "./config/read-text.ts";
export { tunnelDownHint, tunnelSilentHint } from "./config/tunnel-command.ts";
export { type ConformanceCase, ConformanceSuiteReport } from "./conformance/conformance-report.ts";
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
} from "./conformance/conformance-run.ts";
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
} from "./conformance/words.ts";
export { type DroppedCredential, droppedNotice, namesOfDropped } from "./dropped-credentials.ts";
export { serverHistoryLimits } from "./history/limits.ts";
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
} from "./history/server-history.ts";
export {
  type CallKind,
  callKinds,
  type HistoryKind,
  type HistoryOutcome,
  historyKinds,
  historyOutcomes,
  type VerdictKind,
  verdictKinds,
} from "./history/words.ts";
export { ImportTokensRequest } from "./mcp.ts";
export { readinessLimits } from "./readiness/limits.ts";
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
} from "./readiness/readiness-run.ts";
export {
  type BadgeState,
  earlierReadinessWords,
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
} from "./readiness/words.ts";
export { registryLimits } from "./registry/limits.ts";
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
} from "./registry/registry.ts";
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
} from "./registry/words.ts";
export { type SchemaJudge, type SchemaVerdict, schemaJudge, type ValueFault } from "./schema/check-schema.ts";
export { type NotChecked, notCheckedText } from "./schema/guard-schema.ts";
export { linearPattern } from "./schema/linear-pattern.ts";
export {
  headerName,
  ProjectServer,
  ProjectServerCreateRequest,
  ProjectServerUpdated,
  ProjectServerUpdateRequest,
  type ServerLookRequest,
} from "./server.ts";
export type { ServerAnswerRequest, ServerAskRequest } from "./server-ask.ts";
export { ServerCompat } from "./server-compat.ts";
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
} from "./server-connection.ts";
export { ServerGroup, ServerGroupCreateRequest } from "./server-group.ts";
export type { ServerSignIn, ServerSignInWalk } from "./server-sign-in.ts";
export { createTunnelCredit, createTunnelReading, type TunnelCredit } from "./tunnels/credit.ts";
export { type Tunnel, TunnelGrant } from "./tunnels/tunnel.ts";
export {
  chosenTunnelProtocol,
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
  tunnelServerPath,
} from "./tunnels/wire.ts";
export { watchedLimits } from "./watched-limits.ts";
