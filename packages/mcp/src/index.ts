export type { ClientHandlers, HandlerContext, Refusal } from "./client-handlers.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export type { CallOptions, Connection, NotificationListener, ToolWalk } from "./connection.ts";
export type { Progress, RequestOptions, WireProblem } from "./dialog.ts";
export {
  type EraKind,
  eraOfVersion,
  latestStateful,
  latestStateless,
  type Opening,
  statefulVersions,
  statelessVersions,
} from "./era.ts";
export { asMcpError, type FailureCode, type FailureDetails, isMcpError, McpError } from "./failure.ts";
export type { HttpClient, HttpRequest, HttpResponse, HttpTimeouts } from "./guard/client.ts";
export { type GuardMode, hostedPolicy, localPolicy, type NetworkPolicy } from "./guard/policy.ts";
export {
  type HostProfile,
  isAppOnlyTool,
  loadHost,
  loadHosts,
  type VisibleTools,
  visibleTools,
} from "./host.ts";
export type { InputRequest, InputRequired } from "./input-required.ts";
export type { Inbound, JsonObject, RequestId, RpcErrorBody, RpcMessage } from "./jsonrpc.ts";
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
export { Recorder, type RecorderOptions, type Recording, type RecordingEntry } from "./recording.ts";
export {
  type HttpTarget,
  type HttpTargetInput,
  type HttpTransport,
  parseTarget,
  type StdioTarget,
  type StdioTargetInput,
  type Target,
  targetLabel,
} from "./target.ts";
export type { WireKind } from "./wire.ts";
