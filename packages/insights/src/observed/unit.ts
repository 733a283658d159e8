/**
 * @module One conversation as it was observed: a repetition of an eval case, a swarm's session, a visitor's session. What
 * insights ask of a conversation, and nothing else; whoever keeps conversations maps them to this.
 */
import type { ModelClass } from "@fettle/contract/evals";

export const unitKinds = ["iteration", "session"] as const;
export type UnitKind = (typeof unitKinds)[number];

export interface Named {
  id: string;
  label: string;
}

/** What the user said and what came of it; its position is what a call's `turn` names. */
export interface UnitTurn {
  /** Null: nobody spoke, a test made a call itself. */
  user: string | null;
  /** The last words of the assistant in this turn; null when it said none. */
  answer: string | null;
  /** Of the user's message in the transcript. */
  messageIndex: number;
}

/** `ok` and `error` reached the server; `unsent`: there is no such tool, or it was cancelled before. */
export type CallEnd = "ok" | "error" | "blocked" | "unsent";

export interface UnitCall {
  turn: number;
  messageIndex: number;
  /** Null: no server has a tool of this name. */
  serverId: string | null;
  toolName: string;
  arguments: Record<string, unknown>;
  end: CallEnd;
  /** The CallToolResult, or its beginning as a text where it was too large to keep. */
  result?: unknown;
  /** Of the result as it came. */
  resultBytes: number | null;
  error?: { text: string; code?: number | undefined } | undefined;
  durationMs: number | null;
  /** Made by the test, not chosen by a model. */
  isPinned?: boolean | undefined;
}

/** What a case asked of its tool calls, and what was missed. */
export interface UnitExpectation {
  /** No tool is to be called. */
  isNegative: boolean;
  /** Every tool that an assertion or an expectation names. */
  namedTools: readonly string[];
  turns: readonly {
    turn: number;
    expected: readonly string[];
    missing: readonly string[];
    mismatches: readonly {
      toolName: string;
      expectedArgs: Record<string, unknown>;
      actualArgs: Record<string, unknown>;
    }[];
  }[];
  failedPredicates: readonly { type: string; toolName?: string | undefined }[];
  /** `contradictory_checks` and its like, from reading the case. */
  lints: readonly string[];
}

export interface UnitWidget {
  toolName: string;
  serverId: string;
  /** `rendered`, or why not: `no_ui_resource`, `resource_read_failed`, `render_error`, `browser_unavailable`, … */
  status: string;
  consoleErrors: readonly string[];
}

/** How a visitor differs from others; what is unknown is absent. */
export interface UnitCohort {
  segment?: string | undefined;
  deviceKind?: string | undefined;
  language?: string | undefined;
  recency?: string | undefined;
  authType?: string | undefined;
}

export interface UnitEnd {
  /** Why the agent stopped: `completed`, `max_steps`, `loop_guard`, … */
  stopCause: string | null;
  /** It ended where somebody had to sign in to this server. */
  authWallOf?: string | undefined;
  /** Quiet for so long after the last event; null when it was ended. */
  idleAfterMs: number | null;
  reachedTurnCap: boolean;
  /** The server that could not be reached before anything began, and what was said. */
  setupFailure?: { serverId: string; text: string } | undefined;
}

export interface UnitFeedback {
  isNegative: boolean;
  comment?: string | undefined;
  /** Where the turn begins that the comment is about. */
  messageIndex?: number | undefined;
}

export interface Unit {
  kind: UnitKind;
  id: string;
  startedAt: number;
  durationMs: number | null;
  model: { id: string; modelClass: ModelClass } | null;
  case?: Named | undefined;
  journey?: Named | undefined;
  persona?: Named | undefined;
  /** Where visitors met it: the scenario. */
  surface?: Named | undefined;
  target?: (Named & { kind: "environment" | "host" }) | undefined;
  cohort?: UnitCohort | undefined;
  /** The hash of the snapshot it met, by server id. */
  snapshots: Readonly<Record<string, string>>;
  turns: readonly UnitTurn[];
  calls: readonly UnitCall[];
  totalTokens: number | null;
  /** Null: not judged. */
  verdict: "passed" | "failed" | null;
  /** Whether its verdict decides the run's. */
  isGating: boolean;
  judge?: { passed: boolean; score: number; threshold: number; reason: string } | undefined;
  criteria?: readonly (Named & { passed: boolean })[] | undefined;
  expectation?: UnitExpectation | undefined;
  widgets?: readonly UnitWidget[] | undefined;
  feedback?: UnitFeedback | undefined;
  end: UnitEnd;
  /** Entries of its recording that were made against other tools; above 0 it is told, and not analysed. */
  staleEntries?: number | undefined;
  /** What was said can no longer be read; the rest still counts. */
  isUnreadable?: boolean | undefined;
}
