export {
  type CauseCode,
  callCodeOf,
  classifyFailure,
  type FailureCause,
  type NextStep,
  type RpcAnswer,
  rpcAnswerOf,
} from "./classify-failure.ts";
export {
  type EraKind,
  eraOfVersion,
  latestStateful,
  latestStateless,
  type Opening,
  statefulVersions,
  statelessVersions,
} from "./eras/era.ts";
export { statelessEra } from "./eras/era-2026-07-28.ts";
export { type InputRequest, type InputRequired, readInputRequired } from "./eras/input-required.ts";
export {
  decodeHeaderValue,
  encodeHeaderValue,
  type ParamHeader,
  paramHeadersFor,
  scanParamHeaders,
} from "./eras/param-headers.ts";
export {
  isStatelessRequest,
  type KnownOfServer,
  type RequestRefusal,
  refusalOf,
  statusOfError,
  unsupportedVersion,
} from "./eras/request-rules.ts";
export { asMcpError, type FailureCode, type FailureDetails, isMcpError, McpError } from "./failure.ts";
export { type AddressZone, zoneOfAddress } from "./guard/addresses.ts";
export {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
  type HttpTimeouts,
} from "./guard/client.ts";
export {
  bareHost,
  checkDestination,
  checkOauthUrl,
  checkUrl,
  type GuardMode,
  hostedPolicy,
  isLoopbackHost,
  localPolicy,
  type NetworkPolicy,
} from "./guard/policy.ts";
export {
  type HostProfile,
  isAppOnlyTool,
  loadHost,
  loadHosts,
  type VisibleTools,
  visibleTools,
} from "./hosts/host.ts";
export { type HostCatalog, loadHostCatalog } from "./hosts/host-catalog.ts";
export { type HostTemplate, loadTemplates } from "./hosts/host-template.ts";
export { defaultTimeouts, type Timeouts, type WireLimits, wireLimits } from "./limits.ts";
export {
  type Inbound,
  isAnswerWithoutId,
  isObject,
  isRequestId,
  type JsonObject,
  type RequestId,
  type RpcErrorBody,
  type RpcMessage,
  readMessages,
} from "./messages/jsonrpc.ts";
export { metaKeys, rpcCodes, tasksExtension } from "./messages/stateless-meta.ts";
export { gatingLargeAnswers, nextTurn, sliceLength, wholeLength } from "./messages/turns.ts";
export {
  type AuthorizationRequest,
  authorizationFault,
  checkAnswerIssuer,
  createAuthorizationRequest,
  createPkce,
  type Pkce,
  scopeToAsk,
} from "./oauth/authorization-code.ts";
export { answerCallbacks, type CallbackEnding, isSameState } from "./oauth/callback.ts";
export { type AssertionKey, assertionKeyFrom } from "./oauth/client-assertion.ts";
export {
  authorizeWith,
  type CredentialOptions,
  credentialKey,
  isFresh,
  type StoredCredential,
} from "./oauth/credentials.ts";
export {
  type Discovery,
  discoverResourceMetadata,
  discoverServerMetadata,
  type FoundMetadata,
  type MetadataAttempt,
  type ProtectedResource,
  readProtectedResource,
  resourceMetadataMissing,
  serverMetadataMissing,
} from "./oauth/discovery.ts";
export {
  type Flow,
  type FlowGains,
  type FlowPlan,
  type FlowRun,
  runFlow,
} from "./oauth/flow/flow.ts";
export { type FlowMemory, type FlowPause, stageOf } from "./oauth/flow/flow-memory.ts";
export { defaultStepTimeoutMs, type FlowOptions } from "./oauth/flow/flow-options.ts";
export {
  type AuthMode,
  authModes,
  type Decision,
  type FlowFailure,
  type FlowStage,
  type FlowStep,
  type FlowStepId,
  flowStages,
  flowSteps,
  type OauthVersion,
  oauthVersions,
  plannedSteps,
  type Registration,
  registrations,
} from "./oauth/flow/flow-step.ts";
export { type HeadlessWalk, isRedirectUri, walkToRedirect } from "./oauth/flow/headless.ts";
export { askServer, type McpAnswer, type McpQuestion, withoutCredential } from "./oauth/flow/mcp-question.ts";
export { type OnDemandOptions, signInOnDemand } from "./oauth/flow/on-demand.ts";
export { type Verification, type VerificationOptions, verifyToken } from "./oauth/flow/verification.ts";
export { findGuardian, type Guardian } from "./oauth/guardian.ts";
export {
  canonicalResource,
  checkResource,
  type ResourceCheck,
  resourceMetadataUrls,
  serverMetadataUrls,
} from "./oauth/metadata-urls.ts";
export {
  type ClientMetadata,
  clientMetadata,
  type RegistrationAnswer,
  type RegistrationRequest,
  readRegistration,
  registerClient,
  requestRegistration,
} from "./oauth/registration.ts";
export { findAudience, type TokenAudience } from "./oauth/token-audience.ts";
export { isBearerType } from "./oauth/token-type.ts";
export {
  chooseAuthentication,
  clientCredentials,
  exchangeCode,
  type OauthClient,
  refreshTokens,
  requestTokens,
  type TokenAnswer,
  type TokenRequest,
  type TokenSet,
} from "./oauth/tokens.ts";
export {
  type Hide,
  hiding,
  type KnownSecret,
  redactKnowing,
  redactKnowingInTurn,
  secretsOf,
  shortestSecret,
} from "./recording/known-secrets.ts";
export {
  type HeldMessages,
  type HttpEntry,
  Recorder,
  type RecorderOptions,
  type Recording,
  type RecordingEntry,
} from "./recording/recording.ts";
export { type RpcLog, toHar, toRpcLogs } from "./recording/recording-export.ts";
export type { Refusal } from "./session/client-handlers.ts";
export { type ConnectOptions, connect } from "./session/connect.ts";
export {
  type CallOptions,
  type Connection,
  isRepeatable,
  type NotificationListener,
  type ToolWalk,
} from "./session/connection.ts";
export type { AuthorizationDemand, Authorize } from "./session/link.ts";
export type {
  ListOptions,
  ListProblem,
  ListWalk,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from "./session/lists.ts";
export {
  exchangeOver,
  openRawHttp,
  openRawStdio,
  type RawAnswer,
  type RawHttp,
  type RawOptions,
  type RawRequest,
  type RawStdio,
  rawHttpOf,
} from "./session/raw.ts";
export {
  type ChangeListener,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionOutcome,
  subscribe,
} from "./session/subscriptions.ts";
export {
  cancelTask,
  getTask,
  getTaskResult,
  listTasks,
  type TaskWire,
  taskWireOf,
  updateTask,
} from "./session/tasks.ts";
export { taskOf, type Watched, type WatchOutcome, watchTask } from "./session/watch-task.ts";
export {
  type HttpTarget,
  type HttpTargetInput,
  type HttpTransport,
  type ProcessEnd,
  parseTarget,
  type ServerProcess,
  type StdioTarget,
  type StdioTargetInput,
  summarizeTarget,
  type Target,
  type TargetSummary,
  targetLabel,
} from "./target.ts";
export { answerOnStderr } from "./wire/answer-on-stderr.ts";
export {
  type AuthChallenge,
  type BearerChallenge,
  challengeProblems,
  parseBearerChallenge,
  parseChallenges,
} from "./wire/challenge.ts";
export { killSpawnedProcesses } from "./wire/child-process.ts";
export type { Progress, RequestOptions } from "./wire/dialog.ts";
export { stderrHeader, writeStderrEvent } from "./wire/relayed-stderr.ts";
export { promptProblems } from "./wire/result-watch.ts";
export {
  type ClientHandlers,
  type HandlerContext,
  type OpenCall,
  RpcRefusal,
} from "./wire/server-requests.ts";
export { sessionProblems } from "./wire/session-ids.ts";
export { openStdio, type StdioWire } from "./wire/stdio.ts";
export type { Origin, WireKind } from "./wire/wire.ts";
export {
  isPlainToolName,
  type WireProblem,
  type WireProblemCode,
  wireProblem,
} from "./wire/wire-problem.ts";
export { WireWatch } from "./wire/wire-watch.ts";
export { type SpoilMode, spoiledGrants } from "./xaa/grant.ts";
export { issuerConfiguration, issuerKeys, issuerPaths } from "./xaa/issuer-documents.ts";
export { openClientKey, openIssuerKey, readIssuerPublicKey, type SigningKey } from "./xaa/keys.ts";
export { readReflectedKey, reflectedClientMetadata, reflectorPath, reflectorUrl } from "./xaa/reflector.ts";
export type { XaaResult, XaaStep } from "./xaa/result.ts";
export { runXaa, type XaaOptions } from "./xaa/run-xaa.ts";
