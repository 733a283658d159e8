export type { Author } from "./author.ts";
export {
  type ConfirmSeverity,
  confirmSeverities,
  type Effect,
  type ProposalState,
  type ProposedKind,
  proposalStates,
  proposedKinds,
} from "./effect.ts";
export { ErrorResponse } from "./error-response.ts";
export { type AnyErrorCode, ApiError, type ErrorBody, type ErrorCode, errorStatus } from "./errors.ts";
export { type CliErrorCode, cliErrorExit, type ExitCode, exitCodeOf, exitCodes } from "./exit-codes.ts";
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
export { idOf } from "./id-of.ts";
export { apiKeyPrefix, type IdKind, idPrefixes } from "./id-prefixes.ts";
export { jsonObject } from "./json-object.ts";
export { codeOf, isKeyOf, isOneOf, keysOf } from "./known.ts";
export {
  accountLimits,
  bundleLimits,
  caseLimits,
  chatLimits,
  conformanceLimits,
  keyRateLimits,
  limits,
  modelLimits,
  requestLimits,
  streamLimits,
  textLimits,
} from "./limits/limits.ts";
export { userTestingLimits } from "./limits/user-testing.ts";
export {
  type Access,
  access,
  type BodyOf,
  effectOf,
  type Method,
  type OperationDeclaration,
  type OperationSummary,
  type OutputOf,
  operation,
  type ParametersOf,
  type ProjectRole,
  type QueryOf,
  type Surface,
} from "./operation.ts";
export { commaList, cursorFieldOf, type Page, page, pageOrWholeQuery, pageQuery } from "./page.ts";
export { dependsOn, type ProjectPart, projectPart } from "./project-parts.ts";
export { answersRevision, expectedFieldOf, readsOne, revisionFields } from "./revision.ts";
export {
  holdsOrganizationRole,
  type OrganizationRole,
  organizationRoles,
  type ProjectGrant,
  projectGrants,
  type Visibility,
  visibilities,
} from "./roles.ts";
export { tags } from "./tags.ts";
export type { ExpectedUpdatedAt } from "./timestamp.ts";
export {
  type SharedNameKind,
  sharedNameKinds,
  type TouchedKind,
  type Touches,
  touchedKinds,
} from "./touches.ts";
