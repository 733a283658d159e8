/** @module Plays one repetition of a case: fresh connections, the steps in order, a grade. Whatever breaks on the way is an outcome with a cause. */
import type { IterationStatus } from "@fettle/contract/evals";
import type { JsonObject } from "@fettle/mcp";
import { createAgent } from "../agent/agent.ts";
import type { AgentLimits } from "../agent/agent-limits.ts";
import { isTimeOver, lateness } from "../agent/deadline.ts";
import { type AgentServer, SetupFailure } from "../agent/servers.ts";
import type { ToolPolicy } from "../agent/tool-policy.ts";
import { type Exclusion, type FaultOwner, type Trace, waitedFor } from "../agent/trace.ts";
import {
  type GradingOptions,
  gradeCase,
  type IterationGrade,
  judgeStep,
  type PlacedStep,
  placeSteps,
  planOf,
} from "../grading/grade-case.ts";
import { failingRows } from "../grading/scores.ts";
import { type Model, ModelError, type ToolChoice } from "../models/model.ts";
import { JudgeLimit } from "../predicates/pattern.ts";
import type { Step } from "../suite/steps.ts";
import { type SuiteCase, toolsAskedAbout } from "../suite/suite-file.ts";
import { sentences } from "../told.ts";
import { brokenCall, odditiesOf } from "./model-oddities.ts";

export interface PlayOptions {
  model: Model;
  /** Gives the servers for this repetition; what it gives is let go when the repetition has ended. */
  connect(signal: AbortSignal): Promise<AsyncDisposable & { links: readonly AgentServer[] }>;
  /** The connected server that a test's own call means; by the name it gives unless said. */
  serverOf?: ((step: ToolCallStep) => string) | undefined;
  system?: string | undefined;
  temperature?: number | undefined;
  toolChoice?: ToolChoice | undefined;
  policy?: ToolPolicy | undefined;
  limits?: Partial<AgentLimits> | undefined;
  grading?: GradingOptions | undefined;
  signal: AbortSignal;
  /** What relative dates are told by; the same for a whole run. */
  now: number;
}

export type ToolCallStep = Extract<Step, { kind: "toolCall" }>;

export interface PlayedIteration {
  status: IterationStatus;
  result: "passed" | "failed" | null;
  /** In words: why there is no result. */
  error?: string;
  /** Whose fault that is. */
  owner?: FaultOwner;
  /** A recording that does not hold ended it. */
  stoppedByCassette?: true;
  durationMs: number;
  trace?: Trace;
  grade?: IterationGrade;
}

const statusOf: Record<Exclusion, IterationStatus> = {
  setupFailed: "setup_failed",
  cancelled: "cancelled",
  timedOut: "timed_out",
  executionFailed: "failed",
};

export async function playCase(item: SuiteCase, options: PlayOptions): Promise<PlayedIteration> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const { signal } = options;
  if (signal.aborted) return { ...unbegun(signal), result: null, durationMs: 0 };
  try {
    await using servers = await options.connect(signal);
    const agent = createAgent({
      model: options.model,
      servers: servers.links,
      now: options.now,
      ...(options.system !== undefined && { system: options.system }),
      ...(options.policy && { policy: options.policy }),
      ...(options.limits && { limits: options.limits }),
      ...(options.toolChoice && { toolChoice: options.toolChoice }),
      ...(options.temperature !== undefined && { parameters: { temperature: options.temperature } }),
    });
    for (const placed of placeSteps(item.steps)) {
      if (!(await playStep(placed, item, agent, options)) || agent.trace.exclusion !== null) break;
    }
    // What ended while it was being stopped is no evidence, however it looks.
    const outcome = signal.aborted
      ? { ...stopped(signal, agent.trace), result: null }
      : judged(item, agent.trace, options.grading);
    const byCassette = agent.trace.turns.some(({ stop }) => stop.startsWith("cassette_"));
    return {
      ...outcome,
      ...(byCassette && { stoppedByCassette: true }),
      durationMs: durationMs(),
      trace: agent.trace,
    };
  } catch (error) {
    // A mistake in the suite, not an outcome: every repetition would say the same.
    if (error instanceof ModelError && error.code === "TOOL_POLICY_INVALID") throw error;
    if (signal.aborted) return { ...stopped(signal), result: null, durationMs: durationMs() };
    if (error instanceof ModelError) {
      const { message, hint } = error;
      return { ...unrecorded, result: null, error: sentences(message, hint), durationMs: durationMs() };
    }
    const message = error instanceof Error ? error.message : String(error);
    const fault = error instanceof SetupFailure ? setupFault : ownFault;
    return { ...fault, result: null, error: message, durationMs: durationMs() };
  }
}

const setupFault = { status: "setup_failed", owner: "infrastructure" } as const;
/** Nothing else of a model is asked for before the first step. */
const unrecorded = { status: "setup_failed", owner: "ours", stoppedByCassette: true } as const;
const ownFault = { status: "failed", owner: "ours" } as const;

type Stopped = Pick<PlayedIteration, "status"> & { error: string };

function stopped(signal: AbortSignal, trace?: Trace): Stopped {
  return isTimeOver(signal)
    ? { status: "timed_out", error: (trace && waitedFor(trace)) ?? lateness(signal) }
    : { status: "cancelled", error: "It was stopped." };
}

function unbegun(signal: AbortSignal): Stopped {
  return isTimeOver(signal)
    ? { status: "skipped", error: "The time for the run was over before it began." }
    : { status: "cancelled", error: "The run was stopped." };
}

/** Whether the case goes on. */
async function playStep(
  placed: PlacedStep,
  item: SuiteCase,
  agent: ReturnType<typeof createAgent>,
  { signal, serverOf = ({ serverName }) => serverName }: PlayOptions,
): Promise<boolean> {
  const { step } = placed;
  const turn = { signal, authoredStepId: step.id };
  if (step.kind === "prompt") await agent.prompt(step.prompt, turn);
  // The file held JSON, and only its type says less.
  if (step.kind === "toolCall")
    await agent.callTool(serverOf(step), step.toolName, step.arguments as JsonObject, turn);
  if (step.kind !== "assert") return true;
  const advisory = "type" in step.assertion && step.assertion.role === "advisory";
  return advisory || item.continueOnFail === true || holds(placed, item, agent.trace);
}

/** What cannot be judged ends the conversation; the grading then says why. */
function holds(placed: PlacedStep, item: SuiteCase, trace: Trace): boolean {
  try {
    return judgeStep(placed, item, trace).passed;
  } catch (error) {
    if (error instanceof JudgeLimit) return false;
    throw error;
  }
}

function judged(
  item: SuiteCase,
  trace: Trace,
  grading: GradingOptions | undefined,
): Omit<PlayedIteration, "durationMs"> {
  if (trace.exclusion !== null) {
    const fault = trace.faults.at(-1);
    return {
      status: statusOf[trace.exclusion],
      result: null,
      error: fault?.message ?? `The conversation ended: ${trace.turns.at(-1)?.stop ?? "unknown"}.`,
      ...(fault && { owner: fault.owner }),
    };
  }
  const missing = notOffered(item, trace);
  if (missing !== undefined) return { ...setupFault, result: null, error: missing };
  // An answer that our own limits or settings kept from us says nothing about the server.
  const own = trace.faults.find(({ owner }) => owner === "ours");
  if (own) return { ...ownFault, result: null, error: own.message };
  try {
    const grade = gradeCase(item, trace, grading);
    const broken = brokenCall(trace);
    if (broken !== undefined && mayHaveTurned(item, grade)) {
      return { status: "failed", result: null, error: odditiesOf(trace) ?? broken, owner: "model" };
    }
    return { status: "completed", result: grade.result, grade };
  } catch (error) {
    // Our own fault: it is in no pass rate.
    const message = error instanceof Error ? error.message : String(error);
    return { status: "completed", result: null, error: `Grading failed: ${message}`, owner: "ours" };
  }
}

/** In words: a tool that the case is about and the model never saw, so that its answer says nothing about either. */
function notOffered(item: SuiteCase, { tools }: Trace): string | undefined {
  const asked = toolsAskedAbout(item);
  const left = tools.find((tool) => tool.notOffered !== undefined && asked.includes(tool.name));
  return left && `Not offered: ${left.name} was not offered to the model, because ${left.notOffered}.`;
}

/** Whether a call that the model broke could have made the other result: one that was expected, or one where none is. */
function mayHaveTurned({ isNegativeTest }: SuiteCase, { result }: IterationGrade): boolean {
  return result === (isNegativeTest === true ? "passed" : "failed");
}

/** In words: why a repetition has no result, or the first thing that failed it. */
export function whyOf(
  item: SuiteCase,
  grading: GradingOptions | undefined,
  { error, grade, trace }: PlayedIteration,
): string | undefined {
  if (error !== undefined || grade?.result !== "failed") return error;
  const [first] = failingRows(planOf(item, grading).definitions, grade.scores);
  return sentences(first?.rationale ?? first?.error, odditiesOf(trace));
}

/** Null: not measured. */
export function tokensOf(trace: Trace | undefined): number | null {
  const { input, output, total } = trace?.usage ?? {};
  return total ?? (input === undefined || output === undefined ? null : input + output);
}
