/**
 * @module What is kept of a conversation to mine it: small plain JSON, made once, when the conversation ends. No arguments
 * and no results are in it, only their digests; of what was said, a few clipped and scrubbed passages.
 */
import type { ModelClass } from "@fettle/contract/evals";
import type { ErrorClass } from "../errors/error-class.ts";
import type { Named, UnitCohort, UnitKind } from "../observed/unit.ts";

/** Raised when older rows would be misread; whoever stores them makes them anew. */
export const factsVersion = 2;

export interface SchemaIssue {
  /** Names joined by dots, list positions as `[]`: `items.[].price`. */
  path: string;
  /** Of JSON Schema: `required`, `type`, `enum`, … */
  keyword: string;
}

/** Of structured content, where the tool declares a schema for it; null: it does not, or there is no telling. */
export type OutputState = "fits" | "violates" | "missing" | null;

export interface CallFacts {
  index: number;
  turn: number;
  serverId: string | null;
  toolName: string;
  /** The pinned list has it. */
  isKnown: boolean;
  argsDigest: string;
  /** Null: there is no telling. */
  argsValid: boolean | null;
  issues: SchemaIssue[];
  end: "ok" | "error" | "blocked" | "unsent";
  errorClass: ErrorClass | null;
  errorCode: string | null;
  template: string | null;
  /** An error that names what it did not find: nobody had told the agent of it. */
  isInvented: boolean;
  /** After an error: the same tool was called again, or the turn ended without another call. */
  isRetriedOrLeft: boolean;
  durationMs: number | null;
  resultBytes: number | null;
  output: OutputState;
  outputPath: string | null;
  isPinned: boolean;
}

export interface TurnFacts {
  /** Kind of verb and the first two nouns of what the user said, by their stems; null when there is none. */
  intent: Named | null;
  /** How well the best tool's words fit; below `selectionThreshold` no tool is meant. */
  bestScore: number;
  bestTool: { serverId: string; toolName: string } | null;
  toolCount: number;
  firstCall: { serverId: string; toolName: string } | null;
  /** Somebody spoke, and got no words back. */
  isAnswerEmpty: boolean;
  isRefusal: boolean;
  /** The user said the same again in other words, and nothing new had come of it. */
  isRephrased: boolean;
  isFrustrated: boolean;
}

export const frictionKinds = [
  "loop",
  "pair_loop",
  "fan_out",
  "pagination_dead_end",
  "empty_result_repeat",
] as const;
export type FrictionKind = (typeof frictionKinds)[number];

export interface Friction {
  kind: FrictionKind;
  serverId: string | null;
  /** Two for `pair_loop`. */
  toolNames: string[];
  count: number;
  /** The first call of it. */
  call: number;
  /** Its calls failed without saying why, or gave nothing. */
  isUninformed: boolean;
}

export interface ExpectationFacts {
  isNegative: boolean;
  expectedCalls: number;
  expectedTools: string[];
  unknownTools: string[];
  isContradictory: boolean;
  forbiddenTools: string[];
  wrong: { expected: string; called: string; turn: number }[];
  mismatches: { toolName: string; path: string; isFormatOnly: boolean }[];
}

export const excerptKinds = ["tool_error", "transcript", "feedback", "judge"] as const;

/** A passage that may become evidence. `call` or `turn` says what it shows. */
export interface Excerpt {
  kind: (typeof excerptKinds)[number];
  text: string;
  messageIndex: number | null;
  call?: number;
  turn?: number;
}

export type LastEvent = "assistant_text" | "tool_error" | "user_message" | "auth_wall" | "none";

export interface UnitFacts {
  version: typeof factsVersion;
  kind: UnitKind;
  unitId: string;
  startedAt: number;
  durationMs: number | null;
  modelId: string | null;
  modelClass: ModelClass | null;
  case: Named | null;
  journey: Named | null;
  persona: Named | null;
  surface: Named | null;
  target: (Named & { kind: "environment" | "host" }) | null;
  cohort: UnitCohort;
  snapshots: Record<string, string>;
  verdict: "passed" | "failed" | null;
  isGating: boolean;
  judge: { passed: boolean; margin: number } | null;
  criteria: (Named & { passed: boolean })[];
  isNegative: boolean | null;
  stopCause: string | null;
  lastEvent: LastEvent;
  authWallOf: string | null;
  unreachable: { serverId: string; template: string; errorClass: ErrorClass } | null;
  idleAfterMs: number | null;
  reachedTurnCap: boolean;
  totalTokens: number | null;
  staleEntries: number;
  isReadable: boolean;
  /** The tools called, one after the other without repeating: what the conversation went through. */
  path: Named | null;
  calls: CallFacts[];
  /** Calls past what is kept. */
  omittedCalls: number;
  turns: TurnFacts[];
  friction: Friction[];
  expectation: ExpectationFacts | null;
  widgets: { serverId: string; toolName: string; status: string; errorTemplate: string | null }[];
  excerpts: Excerpt[];
}
