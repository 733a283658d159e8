/** @module Plays one repetition of a case: fresh connections, the steps in order, a grade. Whatever breaks on the way is an outcome with a cause. */
import type { IterationStatus } from "@fettle/contract";
import type { JsonObject } from "@fettle/mcp";
import { createAgent } from "../agent/agent.ts";
import type { AgentLimits } from "../agent/agent-limits.ts";
import { isTimeOver, lateness } from "../agent/deadline.ts";
import { openServers, type ServerBinding, SetupFailure } from "../agent/servers.ts";
import type { ToolPolicy } from "../agent/tool-policy.ts";
import type { Exclusion, Trace } from "../agent/trace.ts";
import {
  type GradingOptions,
  gradeCase,
  type IterationGrade,
  judgeStep,
  type PlacedStep,
  placeSteps,
} from "../grading/grade-case.ts";
import { type Model, ModelError } from "../models/model.ts";
import { JudgeLimit } from "../predicates/pattern.ts";
import type { SuiteCase } from "../suite/suite-file.ts";

export interface PlayOptions {
  model: Model;
  bindings: readonly ServerBinding[];
  system?: string | undefined;
  temperature?: number | undefined;
  policy?: ToolPolicy | undefined;
  limits?: Partial<AgentLimits> | undefined;
  grading?: GradingOptions | undefined;
  signal: AbortSignal;
  /** What relative dates are told by; the same for a whole run. */
  now: number;
}

export interface PlayedIteration {
  status: IterationStatus;
  result: "passed" | "failed" | null;
  /** In words: why there is no result. */
  error?: string;
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
    await using servers = await openServers(options.bindings, signal);
    const agent = createAgent({
      model: options.model,
      servers: servers.links,
      now: options.now,
      ...(options.system !== undefined && { system: options.system }),
      ...(options.policy && { policy: options.policy }),
      ...(options.limits && { limits: options.limits }),
      ...(options.temperature !== undefined && { parameters: { temperature: options.temperature } }),
    });
    for (const placed of placeSteps(item.steps)) {
      if (!(await playStep(placed, item, agent, signal)) || agent.trace.exclusion !== null) break;
    }
    // What ended while it was being stopped is no evidence, however it looks.
    const outcome = signal.aborted
      ? { ...stopped(signal), result: null }
      : judged(item, agent.trace, options.grading);
    return { ...outcome, durationMs: durationMs(), trace: agent.trace };
  } catch (error) {
    // A mistake in the suite, not an outcome: every repetition would say the same.
    if (error instanceof ModelError && error.code === "TOOL_POLICY_INVALID") throw error;
    if (signal.aborted) return { ...stopped(signal), result: null, durationMs: durationMs() };
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof SetupFailure ? "setup_failed" : "failed";
    return { status, result: null, error: message, durationMs: durationMs() };
  }
}

type Stopped = Pick<PlayedIteration, "status"> & { error: string };

function stopped(signal: AbortSignal): Stopped {
  return isTimeOver(signal)
    ? { status: "timed_out", error: lateness(signal) }
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
  signal: AbortSignal,
): Promise<boolean> {
  const { step } = placed;
  const turn = { signal, authoredStepId: step.id };
  if (step.kind === "prompt") await agent.prompt(step.prompt, turn);
  // The file held JSON, and only its type says less.
  if (step.kind === "toolCall")
    await agent.callTool(step.serverName, step.toolName, step.arguments as JsonObject, turn);
  if (step.kind !== "assert") return true;
  const advisory = "type" in step.assertion && step.assertion.role === "advisory";
  return advisory || item.continueOnFail === true || holds(placed, agent.trace);
}

/** What cannot be judged ends the conversation; the grading then says why. */
function holds(placed: PlacedStep, trace: Trace): boolean {
  try {
    return judgeStep(placed, trace).passed;
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
    };
  }
  // An answer that our own limits or settings kept from us says nothing about the server.
  const own = trace.faults.find(({ owner }) => owner === "ours");
  if (own) return { status: "failed", result: null, error: own.message };
  try {
    const grade = gradeCase(item, trace, grading);
    return { status: "completed", result: grade.result, grade };
  } catch (error) {
    // Our own fault: it is in no pass rate.
    const message = error instanceof Error ? error.message : String(error);
    return { status: "completed", result: null, error: `Grading failed: ${message}` };
  }
}
