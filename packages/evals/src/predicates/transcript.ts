/** @module What grading sees of one repetition of a case. Everything a judge may use is here, so that a stored one can be graded again. */

export interface GradedCall {
  toolName: string;
  serverName?: string;
  arguments: Record<string, unknown>;
  /** Absent where the call never came back. */
  result?: { text: string; structured?: unknown; isError: boolean };
  /** Of the call alone; absent where it was not measured. */
  durationMs?: number;
  /** Of the result as it was serialised. */
  resultBytes?: number;
}

export interface ToolError {
  toolName?: string;
  /** `protocol-error`: the call itself failed. `content-error`: the tool answered `isError: true`. */
  kind: "protocol-error" | "content-error";
  message?: string;
}

export interface RenderObservation {
  toolName: string;
  /** Only `rendered` is success. */
  status: string;
  latencyMs?: number;
  consoleErrors?: readonly string[];
}

export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
}

/** One turn, or a whole repetition. */
export interface Transcript {
  toolCalls: readonly GradedCall[];
  toolErrors: readonly ToolError[];
  /** Of the last assistant message; absent when that message is tool calls alone. Never an earlier answer. */
  finalText?: string;
  usage?: Usage;
  renderObservations?: readonly RenderObservation[];
  /** User turns. Absent where they were not counted. */
  turnCount?: number;
}
