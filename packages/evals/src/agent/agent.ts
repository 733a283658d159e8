/**
 * @module The one agent loop: evals, chat turns, visitors and swarms all run it. A turn is a user's message and everything
 * until the agent stops; each step is one model call and the tool calls it asks for.
 */
import { canonicalJson } from "@fettle/contract/formats";
import type { JsonObject } from "@fettle/mcp";
import { digestOf } from "../digest.ts";
import type { FinishReason, Message, Usage } from "../models/messages.ts";
import {
  type Model,
  type ModelAnswer,
  type ModelDelta,
  ModelError,
  type ModelParameters,
  type ToolChoice,
} from "../models/model.ts";
import { costOf } from "../models/spend.ts";
import { type AgentLimits, defaultAgentLimits } from "./agent-limits.ts";
import { type Deadline, lateness, startDeadline } from "./deadline.ts";
import { modelFault } from "./faults.ts";
import { limitedMap } from "./limited-map.ts";
import type { AgentServer } from "./servers.ts";
import { type CallDone, type CallTools, noteCall, runCall } from "./tool-call.ts";
import { offeredTool, toolCatalog } from "./tool-catalog.ts";
import { type Approve, checkPolicy, decideCall, type ToolPolicy } from "./tool-policy.ts";
import { type Span, type StopCause, type ToolCall, type Trace, type Turn, waitedFor } from "./trace.ts";
import { addUsage, TraceRecorder } from "./trace-recorder.ts";

export interface AgentOptions {
  model: Model;
  servers: readonly AgentServer[];
  system?: string;
  /** What was said before; not part of the first turn. */
  history?: readonly Message[];
  limits?: Partial<AgentLimits>;
  policy?: ToolPolicy;
  /** Asked before each call that the policy allows; absent: nobody needs to be asked. */
  approve?: Approve;
  toolChoice?: ToolChoice;
  parameters?: ModelParameters;
  /** What relative dates are told by; the same for a whole run. */
  now?: number;
  /** Milliseconds that only grow; what is taken up again counts the time that it took before. */
  clock?: () => number;
  /** Told everything as it happens; whoever listens makes the model stream. */
  onEvent?: (event: AgentEvent) => void;
}

export type AgentEvent =
  | { kind: "turn-start"; turn: number }
  | { kind: "step-start"; turn: number; step: number }
  | ({ turn: number; step: number } & ModelDelta)
  | { kind: "tool-start"; turn: number; call: ToolCall }
  | { kind: "tool-end"; turn: number; call: ToolCall }
  | { kind: "turn-end"; turn: Turn };

export interface TurnOptions {
  signal?: AbortSignal;
  /** The suite's step that this turn plays. */
  authoredStepId?: string;
}

export interface Agent {
  /** One user message until the agent stops. Resolves in any case; the turn says how it ended. */
  prompt(text: string, options?: TurnOptions): Promise<Turn>;
  /** Exactly this call, with no model: a test's own. It is told to the model as plain text. */
  callTool(server: string, toolName: string, args: JsonObject, options?: TurnOptions): Promise<PinnedCall>;
  readonly trace: Trace;
}

export interface PinnedCall {
  turn: Turn;
  call: ToolCall;
}

/**
 * @example
 * const agent = createAgent({ model, servers: servers.links });
 * await agent.prompt("Which books by Le Guin are in stock?");
 * console.log(finalTextOf(agent.trace.messages));
 */
export function createAgent(options: AgentOptions): Agent {
  const limits = { ...defaultAgentLimits, ...options.limits };
  const { model, servers, policy, approve } = options;
  const catalog = toolCatalog(servers.map(({ name, tools }) => ({ server: name, tools })));
  const recorder = new TraceRecorder(
    model,
    servers,
    catalog,
    options.system,
    options.clock ?? (() => performance.now()),
  );
  const links = new Map(servers.map((link) => [link.name, link]));
  const tools: CallTools = { catalog, servers: links, limits, policy, approve, recorder };
  const now = options.now ?? Date.now();
  if (policy) recorder.warn(checkPolicy(policy, catalog));
  // The same list at each step.
  const offered = catalog.tools
    .filter((tool) => !policy?.hidesBlocked || decideCall(policy, tool).allowed)
    .map(offeredTool);
  for (const { name, truncated } of servers) {
    if (truncated) recorder.warn([`The list of ${name}'s tools was cut short; not all are offered.`]);
  }
  for (const message of options.history ?? []) recorder.recall(message);
  let prompts = 0;

  return {
    trace: recorder.trace,

    async prompt(text, turnOptions = {}) {
      const turn = new PromptTurn();
      const { onEvent } = options;
      const index = recorder.turn;
      const startMs = recorder.now();
      const messageStart = recorder.trace.messages.length;
      const deadline = startDeadline(limits.turnMs, turnOptions.signal);
      const span = openTurnSpan(index, startMs, turnOptions);
      recorder.say({ role: "user", text });
      onEvent?.({ kind: "turn-start", turn: index });
      try {
        for (;;) {
          const stop = await playStep(turn, prompts, span, deadline);
          if (stop) {
            turn.stop = stop;
            break;
          }
        }
      } catch (error) {
        const { stop, ...fault } = modelFault(error);
        turn.stop = stop;
        recorder.fault(fault);
      } finally {
        deadline.release();
        prompts++;
      }
      span.endMs = recorder.now();
      if (turn.stop !== "completed") span.status = "error";
      noteLateness(turn.stop, deadline);
      const { stop, finishReason, usage, steps } = turn;
      const ended = recorder.endTurn({
        kind: "prompt",
        messageStart,
        steps,
        stop,
        finishReason,
        usage,
        startMs,
      });
      onEvent?.({ kind: "turn-end", turn: ended });
      return ended;
    },

    async callTool(server, toolName, args, turnOptions = {}) {
      const index = recorder.turn;
      const startMs = recorder.now();
      const messageStart = recorder.trace.messages.length;
      const deadline = startDeadline(limits.turnMs, turnOptions.signal);
      const span = openTurnSpan(index, startMs, turnOptions);
      const call = recorder.call({
        toolCallId: recorder.uniqueCallId(`pinned_${index}`),
        pinned: true,
        server,
        toolName,
        arguments: args,
        argsValid: "unknown",
        argIssues: [],
        outcome: "cancelled",
        isError: null,
        resultBytes: null,
        startMs,
        durationMs: null,
      });
      options.onEvent?.({ kind: "tool-start", turn: index, call });
      const done = await runCall({ ...tools, approve: undefined }, call, {
        parentId: span.id,
        signal: deadline.signal,
      });
      deadline.release();
      options.onEvent?.({ kind: "tool-end", turn: index, call });
      // Words, not parts of a call: a provider would want to see the call that it never made.
      recorder.say({ role: "user", text: `Call ${toolName} with ${canonicalJson(args)}.` });
      recorder.say({
        role: "assistant",
        parts: [{ type: "text", text: `${toolName}${call.isError ? " failed" : ""}: ${done.message.text}` }],
      });
      span.endMs = recorder.now();
      if (call.isError !== false) span.status = "error";
      const stop = stopOfCalls([done], deadline) ?? "completed";
      noteLateness(stop, deadline);
      const turn = recorder.endTurn({
        kind: "toolCall",
        messageStart,
        steps: 0,
        stop,
        finishReason: "stop",
        usage: {},
        startMs,
      });
      return { turn, call };
    },
  };

  function noteLateness(stop: StopCause, { signal }: Deadline): void {
    if (stop === "time_limit" && waitedFor(recorder.trace) === undefined)
      recorder.fault({ owner: "ours", code: "TIME_LIMIT", message: lateness(signal) });
  }

  function openTurnSpan(index: number, startMs: number, { authoredStepId }: TurnOptions): Span {
    return recorder.span({
      name: `turn ${index + 1}`,
      category: "step",
      startMs,
      promptIndex: index,
      ...(authoredStepId !== undefined && { authoredStepId }),
      status: "ok",
    });
  }

  /** Undefined: go on. */
  async function playStep(
    turn: PromptTurn,
    prompt: number,
    parent: Span,
    deadline: Deadline,
  ): Promise<StopCause | undefined> {
    if (deadline.signal.aborted) return endedBy(deadline);
    if (turn.steps >= limits.steps) return "max_steps";
    if (limits.tokens !== undefined && (turn.usage.total ?? 0) >= limits.tokens) return "max_tokens";
    const step = turn.steps++;
    options.onEvent?.({ kind: "step-start", turn: recorder.turn, step });
    const answer = await callModel(turn, { prompt, step }, parent, deadline);
    if (typeof answer === "string") return answer;
    const asked = answer.parts.filter((part) => part.type === "tool-call");
    if (asked.length === 0) {
      return answer.finishReason === "content-filter" ? "content_filter" : "completed";
    }
    const room = limits.toolCalls - turn.calls;
    turn.calls += asked.length;
    const calls = asked.map((part) => noteCall(tools, part, step));
    const runnable = calls.slice(0, Math.max(0, room));
    const done = await limitedMap(runnable, limits.parallelCalls, async (call) => {
      options.onEvent?.({ kind: "tool-start", turn: recorder.turn, call });
      const outcome = await runCall(tools, call, { step, parentId: parent.id, signal: deadline.signal });
      options.onEvent?.({ kind: "tool-end", turn: recorder.turn, call });
      return outcome;
    });
    // In the order of asking, whichever was answered first: the next request must not depend on the weather.
    for (const { message } of done) recorder.say(message);
    for (const call of calls.slice(runnable.length)) {
      const name = call.offeredName ?? call.toolName;
      const text = "Not called: the limit of tool calls is reached.";
      recorder.say({ role: "tool", toolCallId: call.toolCallId, name, text, isError: true });
    }
    if (runnable.length < calls.length) return "max_tool_calls";
    return stopOfCalls(done, deadline) ?? (turn.isLooping(done, limits.repeats) ? "loop_guard" : undefined);
  }

  async function callModel(
    turn: PromptTurn,
    position: { prompt: number; step: number },
    parent: Span,
    deadline: Deadline,
  ): Promise<ModelAnswer | StopCause> {
    const startMs = recorder.now();
    const { onEvent } = options;
    const messages = recorder.trace.messages.filter(({ role }) => role !== "system");
    const span = recorder.span({
      parentId: parent.id,
      name: model.id,
      category: "llm",
      startMs,
      promptIndex: recorder.turn,
      stepIndex: position.step,
      status: "ok",
      modelId: model.id,
      provider: model.provider,
      messageStartIndex: 0,
      messageEndIndex: recorder.trace.messages.length - 1,
    });
    const request = {
      ...(options.system !== undefined && { system: options.system }),
      messages,
      tools: offered,
      toolChoice: options.toolChoice ?? ("auto" as const),
      parameters: options.parameters ?? {},
      now,
      position,
    };
    let settle: ((cost: number | null) => void) | undefined;
    try {
      settle = limits.spend?.reserve(model, request);
      const answer = await model.generate(request, {
        signal: deadline.signal,
        ...(onEvent && {
          onDelta: (delta) => onEvent({ ...delta, turn: recorder.turn, step: position.step }),
        }),
      });
      settle?.(costOf(answer.usage, model.price));
      noteAnswer(turn, answer, span);
      return answer;
    } catch (error) {
      // Nobody knows what a call cost that did not come back: what was set aside for it counts as spent.
      settle?.(error instanceof ModelError && error.mayRepeat ? 0 : null);
      span.status = "error";
      span.endMs = recorder.now();
      const { stop, ...fault } = modelFault(error);
      if (deadline.signal.aborted) {
        // What the time went by with is worth more than that it is over.
        if (fault.code === "MODEL_RATE_LIMITED") recorder.fault(fault);
        return endedBy(deadline);
      }
      recorder.fault(fault);
      turn.finishReason = "error";
      return stop;
    }
  }

  function noteAnswer(turn: PromptTurn, answer: ModelAnswer, span: Span): void {
    const { usage, finishReason, responseId, ttfcMs } = answer;
    for (const part of answer.parts) {
      if (part.type === "tool-call") part.toolCallId = recorder.uniqueCallId(part.toolCallId);
    }
    recorder.say({ role: "assistant", parts: answer.parts });
    recorder.warn(answer.warnings);
    for (const { name, reason } of answer.notOffered ?? []) recorder.leaveOut(name, reason);
    turn.usage = turn.steps === 1 ? usage : addUsage(turn.usage, usage);
    turn.finishReason = finishReason;
    span.endMs = recorder.now();
    span.finishReason = finishReason;
    if (usage.input !== undefined) span.inputTokens = usage.input;
    if (usage.output !== undefined) span.outputTokens = usage.output;
    if (usage.total !== undefined) span.totalTokens = usage.total;
    if (responseId !== undefined) span.responseId = responseId;
    if (ttfcMs !== undefined) span.ttfcMs = ttfcMs;
    if (finishReason === "content-filter") {
      const message = "The model or its provider declined to answer.";
      recorder.fault({ owner: "model", code: "CONTENT_FILTER", message });
    }
  }
}

function endedBy(deadline: Deadline): StopCause {
  return deadline.isOver ? "time_limit" : "cancelled";
}

function stopOfCalls(done: readonly CallDone[], deadline: Deadline): StopCause | undefined {
  if (deadline.signal.aborted) return endedBy(deadline);
  return done.find(({ stop }) => stop !== undefined)?.stop;
}

/** What one turn has come to so far. */
class PromptTurn {
  steps = 0;
  calls = 0;
  usage: Usage = {};
  finishReason: FinishReason = "unknown";
  stop: StopCause = "internal_error";
  readonly #seen = new Map<string, number>();

  /** The same call with the same result, again and again, gets nowhere. */
  isLooping(done: readonly CallDone[], repeats: number): boolean {
    return done.some(({ call, message }) => {
      const key = digestOf([call.server, call.toolName, call.arguments, call.rawArguments, message.text]);
      const count = (this.#seen.get(key) ?? 0) + 1;
      this.#seen.set(key, count);
      return count >= repeats;
    });
  }
}
