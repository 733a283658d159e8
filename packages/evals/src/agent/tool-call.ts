/** @module One tool call from the model's words to what it is told: found, allowed, sent, bounded, recorded. */

import { must } from "@fettle/contract/formats";
import { redactText } from "@fettle/contract/secrets";
import { isMcpError, type JsonObject } from "@fettle/mcp";
import type { ToolCallPart, ToolMessage } from "../models/messages.ts";
import { ModelError } from "../models/model.ts";
import type { AgentLimits } from "./agent-limits.ts";
import { checkArguments } from "./check-arguments.ts";
import { callFault, type FaultFacts, modelFault } from "./faults.ts";
import type { AgentServer } from "./servers.ts";
import { showResult } from "./shown-result.ts";
import { annotationsOf, type CatalogTool, hasWidget, type ToolCatalog } from "./tool-catalog.ts";
import { type Approve, decideCall, type ToolPolicy } from "./tool-policy.ts";
import type { FaultOwner, StopCause, ToolCall } from "./trace.ts";
import type { TraceRecorder } from "./trace-recorder.ts";

export interface CallTools {
  catalog: ToolCatalog;
  servers: ReadonlyMap<string, AgentServer>;
  limits: AgentLimits;
  policy?: ToolPolicy | undefined;
  approve?: Approve | undefined;
  recorder: TraceRecorder;
}

export interface CallPlace {
  step?: number;
  parentId?: string;
  signal: AbortSignal;
}

export interface CallDone {
  call: ToolCall;
  message: ToolMessage;
  /** What stood between us and the server: nothing more can be learned from this turn. */
  outage?: FaultFacts;
  /** Why the turn ends with this call. */
  stop?: StopCause;
}

/** What the model asked for, written down before anything runs, so that calls stay in the order of asking. */
export function noteCall(tools: CallTools, part: ToolCallPart, step: number): ToolCall {
  const entry = tools.catalog.find(part.name);
  // Before anybody is told of the call.
  if (entry && part.arguments)
    tools.servers.get(entry.server)?.connection.withhold?.(entry.name, part.arguments);
  return tools.recorder.call({
    toolCallId: part.toolCallId,
    step,
    server: entry?.server ?? null,
    toolName: entry?.name ?? part.name,
    ...(entry && entry.offeredName !== entry.name && { offeredName: entry.offeredName }),
    ...(entry && hasWidget(entry.tool) && { hasWidget: true }),
    arguments: part.arguments ?? {},
    ...(part.arguments === null && { rawArguments: (part.rawArguments ?? "").slice(0, longestRaw) }),
    argsValid: part.arguments === null ? false : "unknown",
    argIssues: [],
    outcome: "cancelled",
    isError: null,
    resultBytes: null,
    startMs: tools.recorder.now(),
    durationMs: null,
  });
}

const longestRaw = 10_000;

/** Runs a call that was noted. Resolves in any case: what goes wrong is part of the record. */
export async function runCall(tools: CallTools, call: ToolCall, place: CallPlace): Promise<CallDone> {
  const { catalog, recorder } = tools;
  const entry = call.server === null ? undefined : catalog.of(call.server, call.toolName);
  if (!entry) return unknown(tools, call);
  if (call.rawArguments !== undefined) {
    const problem = "The arguments are not a JSON object, so the tool was not called.";
    return invalid(tools, call, "MALFORMED_ARGUMENTS", problem);
  }
  const blocked = await refusal(tools, call, entry, place.signal);
  if (blocked) return blocked;
  Object.assign(call, await checkArguments(entry.tool.inputSchema, call.arguments));
  call.startMs = recorder.now();
  const span = recorder.span({
    ...(place.parentId !== undefined && { parentId: place.parentId }),
    name: call.toolName,
    category: "tool",
    startMs: call.startMs,
    promptIndex: recorder.turn,
    ...(place.step !== undefined && { stepIndex: place.step }),
    status: "ok",
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    serverId: entry.server,
  });
  const done = await send(tools, call, entry, place.signal);
  span.endMs = recorder.now();
  if (call.isError !== false) span.status = "error";
  if (done.outage?.rpcCode !== undefined) span.mcpErrorCode = done.outage.rpcCode;
  return done;
}

async function send(
  { servers, limits, recorder }: CallTools,
  call: ToolCall,
  entry: CatalogTool,
  signal: AbortSignal,
): Promise<CallDone> {
  const { connection } = must(servers.get(entry.server), "the server of each tool");
  const started = recorder.now();
  const timeouts = { idleMs: limits.callMs, totalMs: limits.callMs };
  try {
    const answer = await connection.callTool(entry.name, call.arguments, { signal, timeouts });
    // A server may repeat the credentials that it was sent; neither a model nor a report is to see them.
    const result = connection.recorder.hide(answer);
    call.durationMs = recorder.now() - started;
    return answered(recorder, call, result, limits);
  } catch (error) {
    call.durationMs = recorder.now() - started;
    if (signal.aborted || isMcpError(error, "ABORTED")) {
      return cancelled(call);
    }
    if (error instanceof ModelError) return unrecorded(recorder, call, error);
    const fault = await callFault(error, connection);
    // Arguments that do not fit were refused as they should be.
    const isRefused = fault.owner === "server" && fault.rpcCode === -32602 && call.argsValid === false;
    const owner = isRefused ? "model" : fault.owner;
    const message = redactText(fault.message);
    recorder.fault({ ...fault, owner, message, ...subject(call) });
    call.outcome = "failed";
    call.isError = true;
    call.errorCode = fault.rpcCode === undefined ? fault.code : `rpc:${fault.rpcCode}`;
    call.errorMessage = message;
    const isOutage = owner === "infrastructure";
    return {
      call,
      message: told(call, message, true),
      ...(isOutage && { outage: fault, stop: "server_lost" }),
    };
  }
}

/** Played back, and never made when it was recorded. */
function unrecorded(recorder: TraceRecorder, call: ToolCall, error: ModelError): CallDone {
  const { stop, ...fault } = modelFault(error);
  recorder.fault({ ...fault, ...subject(call) });
  call.outcome = "cancelled";
  return { call, message: told(call, fault.message, true), stop };
}

function answered(
  recorder: TraceRecorder,
  call: ToolCall,
  result: JsonObject,
  limits: AgentLimits,
): CallDone {
  const shown = showResult(result, limits);
  call.result = shown.kept;
  if (shown.truncated) call.truncated = true;
  call.resultBytes = shown.bytes;
  if (!Array.isArray(result.content)) return malformed(recorder, call);
  call.outcome = "result";
  call.isError = shown.isError;
  if (shown.isError) {
    call.errorMessage = shown.text.slice(0, longestMessage);
    const owner = call.argsValid === false ? "model" : "tool";
    recorder.fault({ owner, code: "TOOL_ERROR", message: call.errorMessage, ...subject(call) });
  }
  return { call, message: told(call, shown.text, shown.isError) };
}

/** It came, but it is none: what a host makes of it is anybody's guess. */
function malformed(recorder: TraceRecorder, call: ToolCall): CallDone {
  const message =
    "The server answered the call with a result that has no list of content, which MCP requires.";
  call.outcome = "failed";
  call.isError = true;
  call.errorCode = "RESULT_INVALID";
  call.errorMessage = message;
  recorder.fault({ owner: "server", code: call.errorCode, message, ...subject(call) });
  return { call, message: told(call, message, true) };
}

const longestMessage = 2_000;

/** A model makes names up; a test's own call says what the server should have. */
function unknown(tools: CallTools, call: ToolCall): CallDone {
  const { pinned, server, toolName } = call;
  if (!pinned) return invalid(tools, call, "UNKNOWN_TOOL", `There is no tool called "${toolName}".`);
  call.isError = true;
  return invalid(
    tools,
    call,
    "UNKNOWN_TOOL",
    `The server "${server}" has no tool called "${toolName}".`,
    "server",
  );
}

function invalid(
  { recorder }: CallTools,
  call: ToolCall,
  code: string,
  message: string,
  owner: FaultOwner = "model",
): CallDone {
  call.outcome = "invalid";
  call.errorCode = code;
  call.errorMessage = message;
  recorder.fault({ owner, code, message, ...subject(call) });
  return { call, message: told(call, message, true) };
}

function cancelled(call: ToolCall): CallDone {
  call.outcome = "cancelled";
  return { call, message: told(call, "The call was cancelled.", true) };
}

async function refusal(
  { policy, approve, recorder }: CallTools,
  call: ToolCall,
  entry: CatalogTool,
  signal: AbortSignal,
): Promise<CallDone | undefined> {
  const decision = decideCall(policy, entry);
  const { toolCallId, toolName } = call;
  const block = (reason: "approvalDenied" | typeof decision.reason) => {
    call.outcome = "blocked";
    const classification = decision.allowed ? "unclassified" : decision.classification;
    recorder.trace.policyBlocks.push({
      turn: call.turn,
      toolCallId,
      server: entry.server,
      toolName,
      reason,
      classification,
    });
    return { call, message: told(call, "This call is not allowed here, so it was not made.", true) };
  };
  if (!decision.allowed) return block(decision.reason);
  if (!approve) return undefined;
  const isReadOnly = annotationsOf(entry.tool).readOnlyHint === true;
  const request = { toolCallId, server: entry.server, toolName, arguments: call.arguments, isReadOnly };
  // Whoever cannot be asked has not agreed.
  const isApproved = await approve(request, signal).catch(() => false);
  if (isApproved === true) return undefined;
  // Nobody said no: the turn was stopped before anybody answered.
  return signal.aborted ? cancelled(call) : block("approvalDenied");
}

function subject({ server, toolName, toolCallId }: ToolCall) {
  return { ...(server !== null && { server }), toolName, toolCallId };
}

function told({ toolCallId, toolName, offeredName }: ToolCall, text: string, isError: boolean): ToolMessage {
  return { role: "tool", toolCallId, name: offeredName ?? toolName, text, isError };
}
