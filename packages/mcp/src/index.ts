export {
  type CauseCode,
  callCodeOf,
  classifyFailure,
  type FailureCause,
  type NextStep,
  type RpcAnswer,
  rpcAnswerOf,
} from "./classify-failure.ts";
export type { ClientHandlers, HandlerContext, Refusal } from "./client-handlers.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export {
  type CallOptions,
  type Connection,
  isRepeatable,
  type NotificationListener,
  type ToolWalk,
} from "./connection.ts";
export type { Progress, RequestOptions } from "./dialog.ts";
export {
  type EraKind,
  eraOfVersion,
  latestStateful,
  latestStateless,
  type Opening,
  statefulVersions,
  statelessVersions,
} from "./era.ts";
export { metaKeys, rpcCodes, statelessEra, tasksExtension } from "./era-2026-07-28.ts";
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
} from "./host.ts";
export { type HostCatalog, loadHostCatalog } from "./host-catalog.ts";
export { type HostTemplate, loadTemplates } from "./host-template.ts";
export { type InputRequest, type InputRequired, readInputRequired } from "./input-required.ts";
export {
  type Inbound,
  isAnswerWithoutId,
  isObject,
  type JsonObject,
  type RequestId,
  type RpcErrorBody,
  type RpcMessage,
  readMessages,
} from "./jsonrpc.ts";
export {
  type Hide,
  hiding,
  type KnownSecret,
  redactKnowing,
  redactKnowingInTurn,
  secretsOf,
} from "./known-secrets.ts";
export { defaultTimeouts, type Timeouts, type WireLimits, wireLimits } from "./limits.ts";
export type { AuthorizationDemand, Authorize } from "./link.ts";
export type {
  ListOptions,
  ListProblem,
  ListWalk,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from "./lists.ts";
export {
  type AuthorizationRequest,
  authorizationFault,
  checkAnswerIssuer,
  createAuthorizationRequest,
  createPkce,
  type Pkce,
  scopeToAsk,
} from "./oauth/authorization-code.ts";
export {
  type AuthChallenge,
  type BearerChallenge,
  parseBearerChallenge,
  parseChallenges,
} from "./oauth/challenge.ts";
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
} from "./oauth/discovery.ts";
export {
  type Flow,
  type FlowGains,
  type FlowPlan,
  type FlowRun,
  runFlow,
} from "./oauth/flow/flow.ts";
export { defaultStepTimeoutMs, type FlowOptions } from "./oauth/flow/flow-options.ts";
export {
  type AuthMode,
  authModes,
  type Decision,
  type FlowFailure,
  type FlowStep,
  type FlowStepId,
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
export {
  chooseAuthentication,
  clientCredentials,
  exchangeCode,
  isBearerType,
  type OauthClient,
  refreshTokens,
  requestTokens,
  type TokenAnswer,
  type TokenRequest,
  type TokenSet,
} from "./oauth/tokens.ts";
export {
  decodeHeaderValue,
  encodeHeaderValue,
  type ParamHeader,
  paramHeadersFor,
  scanParamHeaders,
} from "./param-headers.ts";
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
} from "./raw.ts";
export {
  type HttpEntry,
  Recorder,
  type RecorderOptions,
  type Recording,
  type RecordingEntry,
} from "./recording.ts";
export { type RpcLog, toHar, toRpcLogs } from "./recording-export.ts";
export { killSpawnedProcesses, openStdio, type StdioWire } from "./stdio.ts";
export {
  type ChangeListener,
  type Subscription,
  type SubscriptionFilter,
  type SubscriptionOutcome,
  subscribe,
} from "./subscriptions.ts";
export {
  type HttpTarget,
  type HttpTargetInput,
  type HttpTransport,
  parseTarget,
  type StdioTarget,
  type StdioTargetInput,
  summarizeTarget,
  type Target,
  type TargetSummary,
  targetLabel,
} from "./target.ts";
export {
  cancelTask,
  getTask,
  getTaskResult,
  listTasks,
  type TaskWire,
  taskWireOf,
  updateTask,
} from "./tasks.ts";
export { nextTurn, sliceLength, wholeLength } from "./turns.ts";
export type { WireKind } from "./wire.ts";
export { type WireProblem, type WireProblemCode, WireWatch } from "./wire-watch.ts";
export { type SpoilMode, spoiledGrants } from "./xaa/grant.ts";
export { issuerConfiguration, issuerKeys, issuerPaths } from "./xaa/issuer-documents.ts";
export { openClientKey, openIssuerKey, readIssuerPublicKey, type SigningKey } from "./xaa/keys.ts";
export { readReflectedKey, reflectedClientMetadata, reflectorPath, reflectorUrl } from "./xaa/reflector.ts";
export type { XaaResult, XaaStep } from "./xaa/result.ts";
export { runXaa, type XaaOptions } from "./xaa/run-xaa.ts";
