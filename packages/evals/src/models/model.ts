/** @module What a model is to us: one request in, one answer out, told piece by piece to whoever listens. No provider's words in here. */

import type { ModelClass } from "@fettle/contract/evals";
import type { JsonObject } from "@fettle/mcp";
import type { CassetteFacts } from "./cassette-facts.ts";
import type { AssistantPart, FinishReason, Message, Usage } from "./messages.ts";

/** A tool as a model is offered it. */
export interface OfferedTool {
  name: string;
  description?: string;
  inputSchema: JsonObject;
  /** The server says that it destroys something; for the rule model, never sent to a provider. */
  isDestructive?: boolean;
}

export type ToolChoice = "auto" | "required" | "none";

export interface ModelParameters {
  temperature?: number;
  maxOutputTokens?: number;
  seed?: number;
}

export interface ModelRequest {
  system?: string;
  /** Everything but the system text. */
  messages: readonly Message[];
  tools: readonly OfferedTool[];
  toolChoice: ToolChoice;
  parameters: ModelParameters;
  /** Asks for one JSON value of this shape instead of words. */
  responseSchema?: JsonObject;
  /** The moment that relative dates are told by; frozen for a whole run. */
  now: number;
  /** Which prompt of the conversation and which model step of it, both from 0. */
  position: { prompt: number; step: number };
}

export type ModelDelta =
  | { kind: "text"; text: string }
  | { kind: "reasoning"; text: string }
  | { kind: "tool-call"; toolCallId: string; name: string };

export interface CallContext {
  signal: AbortSignal;
  /** Present when somebody watches: the provider is then asked to stream. */
  onDelta?: (delta: ModelDelta) => void;
  /** Awaited before each request to the provider: from then on the call may cost something, whatever comes back. */
  onSend?: () => Promise<void> | void;
}

export interface ModelAnswer {
  parts: AssistantPart[];
  finishReason: FinishReason;
  usage: Usage;
  responseId?: string;
  /** From the request to the first piece, when it was streamed. */
  ttfcMs?: number;
  /** What a reader of the trace should know, such as a setting that the provider ignored. */
  warnings: string[];
  /** Tools, by the names they were handed over with, that this provider would have refused. */
  notOffered?: { name: string; reason: string }[];
  /** Set by the rule model: the two best tools were too close to call. */
  ambiguous?: true;
  /** How a recording gave this answer. */
  replay?: { kind: "exact" | "loose"; seq: number };
}

/** US dollars for a million tokens. */
export interface Price {
  inputPerMTok: number;
  outputPerMTok: number;
  /** What comes from the provider's cache; absent: as other input, so that nothing is counted too low. */
  cachedInputPerMTok?: number;
  /** What goes into it; absent: as other input. */
  cacheWritePerMTok?: number;
}

export interface Model {
  /** As people write it: `anthropic/claude-haiku-4.5`, `fettle/rules-1`. */
  readonly id: string;
  readonly provider: string;
  readonly modelClass: ModelClass;
  /** The same request always gives the same answer, so that repeating it proves nothing. */
  readonly deterministic: boolean;
  /** Of what is played back: how many repetitions differ. More of them would be copies, and no evidence. */
  readonly recordings?: number;
  /** What must be said wherever its results appear. */
  readonly notice?: string;
  readonly price?: Price;
  /** What a recording has answered so far. */
  cassette?(): CassetteFacts;
  generate(request: ModelRequest, context: CallContext): Promise<ModelAnswer>;
}

export type ModelErrorCode =
  | "MODEL_AMBIGUOUS"
  | "MODEL_ANSWER_INVALID"
  | "MODEL_CANCELLED"
  | "MODEL_CONFIGURATION_INVALID"
  | "MODEL_CONNECTION"
  | "MODEL_KEY_REFUSED"
  | "MODEL_NOT_FOUND"
  | "MODEL_PRICE_UNKNOWN"
  | "MODEL_PROVIDER_ERROR"
  | "MODEL_QUOTA_EXHAUSTED"
  | "MODEL_RATE_LIMITED"
  | "MODEL_REQUEST_REFUSED"
  | "MODEL_SPEND_LIMIT"
  | "MODEL_TIMEOUT"
  | "MODEL_UNAVAILABLE"
  | "SERVICE_UNAVAILABLE"
  | "TOOL_POLICY_INVALID"
  | "CASSETTE_INVALID"
  | "CASSETTE_MISS"
  | "CASSETTE_STALE";

export interface ModelErrorFacts {
  hint?: string;
  /** HTTP status of the provider. */
  status?: number;
  /** What the provider asked to wait, as asked. */
  retryAfterMs?: number;
  /** Nothing of the answer was shown yet, so asking again cannot say anything twice. */
  mayRepeat?: boolean;
  details?: JsonObject;
  cause?: unknown;
}

/**
 * A model call that gave no answer. Never holds a key: whoever makes one has taken keys out of the words.
 *
 * @example
 * if (error instanceof ModelError && error.code === "MODEL_RATE_LIMITED") showWait(error.retryAfterMs);
 */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly mayRepeat: boolean;
  readonly details: JsonObject;

  constructor(code: ModelErrorCode, message: string, facts: ModelErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "ModelError";
    this.code = code;
    this.hint = facts.hint;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.mayRepeat = facts.mayRepeat ?? false;
    this.details = facts.details ?? {};
  }
}

/** A mixture of models counts as the weakest evidence in it. */
export function weakestClass(classes: readonly ModelClass[]): ModelClass {
  return classes.includes("rules") ? "rules" : classes.includes("replay") ? "replay" : "live";
}
