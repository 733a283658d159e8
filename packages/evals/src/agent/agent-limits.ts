/** @module How far one agent may go: steps, calls, tokens, time and money. */
import type { SpendBudget } from "../models/spend.ts";
import type { ResultLimits } from "./shown-result.ts";

export interface AgentLimits extends ResultLimits {
  /** Model calls of one turn. */
  steps: number;
  /** Tool calls of one turn. */
  toolCalls: number;
  /** Of one turn, in and out; looked at before each model call. */
  tokens?: number;
  /** One user message with everything that follows from it. */
  turnMs: number;
  /** One call of a tool. */
  callMs: number;
  /** Shared by everything that spends from it; asked before each model call. */
  spend?: SpendBudget;
  /** Tool calls of one step that run at the same time; 1 runs them one after the other. */
  parallelCalls: number;
  /** The same call with the same result this many times ends the turn. */
  repeats: number;
}

export const defaultAgentLimits: AgentLimits = {
  steps: 20,
  toolCalls: 64,
  turnMs: 360_000,
  callMs: 30_000,
  parallelCalls: 8,
  repeats: 3,
  shownLength: 32_000,
  keptBytes: 256 * 1024,
};
