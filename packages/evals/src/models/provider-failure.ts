/** @module From whatever a provider, its package or the network throws to one of our errors, with every key taken out of the words. */
import { redactText } from "@fettle/contract/secrets";
import { isMcpError, isObject } from "@fettle/mcp";
import { ModelError, type ModelErrorCode } from "./model.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Takes every known key out, however it is written. */
export type Hidden = <T>(value: T) => T;

export interface Circumstances {
  signal: AbortSignal;
  hide: Hidden;
  /** Nothing was shown to anybody yet. */
  mayRepeat: boolean;
  now: number;
}

/** The packages' own class cannot be asked for here: it would have to be loaded. */
interface ApiCallError extends Error {
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
}

const longestMessage = 500;

export function providerFailure(error: unknown, circumstances: Circumstances): ModelError {
  const { signal, mayRepeat } = circumstances;
  const words = wordsFor(circumstances);
  if (signal.aborted) return cancelled(signal);
  if (error instanceof ModelError) {
    const { code, message, hint, status } = error;
    const facts = { ...(hint && { hint }), ...(status !== undefined && { status }) };
    return new ModelError(code, words(message), { ...facts, mayRepeat: mayRepeat && isPassing(code) });
  }
  if (isMcpError(error)) {
    const code = error.code === "TIMEOUT" ? "MODEL_TIMEOUT" : "MODEL_CONNECTION";
    if (error.code === "BLOCKED_ADDRESS" || error.code === "BAD_TARGET") {
      return new ModelError("MODEL_CONFIGURATION_INVALID", words(error.message), {
        hint: "Check the base URL of the provider.",
      });
    }
    // Whoever was silent for minutes is not waited for again; a connection that is not made takes seconds.
    const isSilent = error.code === "TIMEOUT" && error.details.phase !== "connect";
    const what = isSilent ? "The model said nothing in its time" : "The model cannot be reached";
    return new ModelError(code, `${what}: ${words(error.message)}`, {
      mayRepeat: mayRepeat && !isSilent,
      details: { reason: error.code },
    });
  }
  const { name = "", message = "" } = error instanceof Error ? error : { message: textOf(error) };
  if (name === "AI_APICallError") return statusFailure(error as ApiCallError, circumstances, words);
  if (/^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)/.test(name)) {
    const said = `The provider's answer cannot be understood: ${words(message)}`;
    return new ModelError("MODEL_ANSWER_INVALID", said, { mayRepeat });
  }
  // Some providers tell of their outage inside a stream that began well.
  if (!(error instanceof Error)) {
    return new ModelError("MODEL_PROVIDER_ERROR", `The provider broke off: ${words(message)}`, { mayRepeat });
  }
  return new ModelError("MODEL_ANSWER_INVALID", words(`${name}: ${message}`), { mayRepeat: false });
}

/** Of a request that no provider's package makes. */
export function failedAnswer(
  answer: { status: number; body: string },
  circumstances: Circumstances,
): ModelError {
  const error = Object.assign(new Error("no reason"), {
    statusCode: answer.status,
    responseBody: answer.body,
  });
  return statusFailure(error, circumstances, wordsFor(circumstances));
}

const wordsFor = (circumstances: Circumstances) => (text: string) =>
  clip(redactText(circumstances.hide(text)));

function statusFailure(
  error: ApiCallError,
  circumstances: Circumstances,
  words: (text: string) => string,
): ModelError {
  const status = error.statusCode ?? 0;
  if (isMcpError(error.cause)) return providerFailure(error.cause, circumstances);
  const told = toldIn(error.responseBody);
  const code = codeOf(status, told);
  const wait = retryAfterMs(error.responseHeaders ?? {}, circumstances.now);
  const said = told.message ?? (isFine(status) ? error.responseBody : undefined) ?? error.message;
  return new ModelError(code, `The provider answered ${answerWord(status)}: ${words(said)}`, {
    ...(status > 0 && { status }),
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...hintOf(code, said),
    mayRepeat: circumstances.mayRepeat && isPassing(code),
  });
}

const isFine = (status: number) => status >= 200 && status < 300;

/** Under a status that says that all is well, something came that is no answer of a model. */
const answerWord = (status: number) =>
  isFine(status) ? `${status}, but not as a model does` : status || "nothing";

interface ToldFault {
  message?: string;
  code?: string | number;
}

/** What the body says of itself, as most of them write it: an `error` with a message and a code or type. */
function toldIn(body: string | undefined): ToldFault {
  try {
    const parsed: unknown = JSON.parse(body ?? "");
    if (!isObject(parsed)) return {};
    const { error: fault } = parsed;
    if (typeof fault === "string") return { message: fault };
    if (!isObject(fault)) {
      // The whole body is the error, or a gateway before the provider has its own word for one.
      const said = [parsed.message, parsed.Message, parsed.detail].find((one) => typeof one === "string");
      return typeof said === "string" ? { message: said } : {};
    }
    const { message, code, type } = fault;
    const named = [code, type].find((one) => typeof one === "string" || typeof one === "number");
    return {
      ...(typeof message === "string" && { message }),
      ...((typeof named === "string" || typeof named === "number") && { code: named }),
    };
  } catch {
    return {};
  }
}

/** Some say all of it under 200, and name the status that they mean inside. */
function codeOf(status: number, { message = "", code }: ToldFault): ModelErrorCode {
  const isEmpty = /^(insufficient_(quota|balance|credits)|billing_\w+)$/.test(String(code));
  if (
    status === 402 ||
    code === 402 ||
    isEmpty ||
    /credit balance is too low|insufficient (balance|credits?|funds)/i.test(message)
  ) {
    return "MODEL_QUOTA_EXHAUSTED";
  }
  // xAI and Google refuse a wrong key with 400.
  if (status === 400 && /(?:incorrect|invalid) api key|api key not valid/i.test(message))
    return "MODEL_KEY_REFUSED";
  if (!isFine(status)) return codeOfStatus(status);
  return typeof code === "number" && code >= 400 ? codeOfStatus(code) : "MODEL_ANSWER_INVALID";
}

function codeOfStatus(status: number): ModelErrorCode {
  if (status === 429) return "MODEL_RATE_LIMITED";
  if (status === 401 || status === 403) return "MODEL_KEY_REFUSED";
  if (status === 404) return "MODEL_NOT_FOUND";
  if (status === 408) return "MODEL_TIMEOUT";
  if (status === 0 || status >= 500) return "MODEL_PROVIDER_ERROR";
  return "MODEL_REQUEST_REFUSED";
}

const hints: Partial<Record<ModelErrorCode, string>> = {
  MODEL_KEY_REFUSED: "Check the key of this provider, and whether it may use the model.",
  MODEL_QUOTA_EXHAUSTED:
    "Waiting does not help: add credit to the account behind this key, or use another key.",
  MODEL_NOT_FOUND: "Check the model's name after the first slash, and the provider's base URL.",
  MODEL_REQUEST_REFUSED: "The provider does not take this request; its words say why.",
};

/** Words of Ollama and vLLM, where a model is served without tools. */
const servesNoTools = /does not support tools|--enable-auto-tool-choice/i;

function hintOf(code: ModelErrorCode, said: string): { hint?: string } {
  const hint =
    code === "MODEL_REQUEST_REFUSED" && servesNoTools.test(said)
      ? "This model is served without tool calls. Choose another one, or turn them on where it is served (vLLM: --enable-auto-tool-choice and --tool-call-parser)."
      : hints[code];
  return hint === undefined ? {} : { hint };
}

/** What a provider said no to, and in which words; undefined: it is no refusal of a request. */
export function refusalOf(error: unknown): { status: number; message: string; code: string } | undefined {
  if (!(error instanceof Error) || error.name !== "AI_APICallError") return undefined;
  const { statusCode = 0, responseBody } = error as ApiCallError;
  if (statusCode < 400 || statusCode >= 500) return undefined;
  const { message = "", code = "" } = toldIn(responseBody);
  return { status: statusCode, message, code: String(code) };
}

/**
 * Whether a filter stopped it, which says nothing about the key or the request. Read on 2026-11-19: xAI answers 403
 * (github.com/UKGovernmentBEIS/inspect_ai/pull/2267), as does OpenRouter (openrouter.ai/docs/api-reference/errors); Azure answers 400 with
 * a code of its own (www.dotnetstudioai.com/hospital/fix-azure-openai-content-filter-error-csharp).
 */
export function isFiltered(error: unknown): boolean {
  const refusal = refusalOf(error);
  if (refusal?.status !== 400 && refusal?.status !== 403) return false;
  return (
    /^content_(?:filter|policy_violation)$/.test(refusal.code) ||
    /violates usage guidelines|requires moderation|input was flagged|content management policy/i.test(
      refusal.message,
    )
  );
}

/** Faults that may be gone a moment later. */
function isPassing(code: ModelErrorCode): boolean {
  return (
    code === "MODEL_RATE_LIMITED" ||
    code === "MODEL_PROVIDER_ERROR" ||
    code === "MODEL_TIMEOUT" ||
    code === "MODEL_CONNECTION" ||
    code === "MODEL_ANSWER_INVALID"
  );
}

function cancelled(signal: AbortSignal): ModelError {
  return new ModelError("MODEL_CANCELLED", "The model call was cancelled.", { cause: signal.reason });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

function clip(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage - 1)}…`;
}
