/**
 * @module What others make of OpenAI's chat completions, each below a path of its own: what they add to an answer, how they say no, and
 * what they refuse. Read in their documentation and in what their users report, on 2026-11-19.
 */
import type { ModelWire, Spoken } from "./model-wire.ts";
import { openAiWire } from "./openai-wire.ts";

interface WireMessage {
  role: string;
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: unknown[];
}

interface Whole {
  choices: { message: object; finish_reason?: string }[];
  usage: object;
}

/** The wire of one provider: OpenAI's, but for what it does otherwise. */
function compatible(name: string, own: Partial<ModelWire>): ModelWire {
  const wire: ModelWire = {
    ...openAiWire,
    matches: (url, body) =>
      url.pathname.startsWith(`/${name}/`) ? openAiWire.matches(url, body) : undefined,
    ...own,
  };
  return {
    ...wire,
    refuse: (body) => own.refuse?.(body) ?? openAiWire.refuse(body),
  };
}

const hits = { prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 7 };
const wholeOf = (answer: Spoken) => openAiWire.whole(answer) as Whole;

/**
 * Thinks unless told not to, says so in `reasoning_content`, and wants to hear it again with the calls it made:
 * api-docs.deepseek.com/guides/thinking_mode, github.com/qwersyk/Newelle/issues/404. Tokens from its cache are counted in
 * fields of its own: docs.stigg.io/documentation/ai-agents/llm-wrappers/providers/deepseek. Its codes: api-docs.deepseek.com/quick_start/error_codes.
 */
const deepSeekWire = compatible("deepseek", {
  refuse: ({ messages }) =>
    (messages as WireMessage[]).some(
      ({ role, tool_calls: calls, reasoning_content: thought }) =>
        role === "assistant" && calls !== undefined && thought !== "Let me look.",
    )
      ? "The `reasoning_content` in the thinking mode must be passed back to the API."
      : undefined,
  whole(answer) {
    const { choices, usage, ...rest } = wholeOf(answer);
    return {
      ...rest,
      choices: choices.map((choice) => ({
        ...choice,
        message: { ...choice.message, reasoning_content: "Let me look." },
      })),
      usage: { ...usage, ...hits },
    };
  },
  events(answer) {
    const [first, ...rest] = openAiWire.events(answer);
    const thought = {
      choices: [{ index: 0, delta: { reasoning_content: "Let me look." }, finish_reason: null }],
    };
    const counted = rest.map(({ data }) =>
      typeof data === "object" && data !== null && "usage" in data
        ? { data: { ...data, usage: { ...(data.usage as object), ...hits } } }
        : { data },
    );
    return [first!, { data: { ...(first!.data as object), ...thought } }, ...counted];
  },
  error: (_, message) => ({
    error: { message, type: "invalid_request_error", param: null, code: "invalid_request_error" },
  }),
});

/**
 * An error is a text beside a code that is a sentence, also for a wrong key, which is a 400:
 * github.com/i-am-bee/beeai-framework/issues/447. What its filter stops is a 403: github.com/UKGovernmentBEIS/inspect_ai/pull/2267.
 */
const xaiWire = compatible("xai", {
  wrongKeyStatus: 400,
  error: (status, message) => ({
    code:
      status === 429
        ? "Some resource has been exhausted"
        : status === 403
          ? "The caller does not have permission to execute the specified operation"
          : "Client specified an invalid argument",
    error: message,
  }),
});

/** A number as the code, and what broke later under 200, also inside a stream: openrouter.ai/docs/api-reference/errors. */
const openRouterWire = compatible("openrouter", {
  error: (status, message) => ({ error: { code: status, message, metadata: { provider_name: "Stub" } } }),
});

/**
 * Its own front door writes `Message`: github.com/anomalyco/opencode/issues/47073. Behind it, OpenAI's shape:
 * docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html.
 */
const bedrockWire = compatible("bedrock", {
  wrongKeyStatus: 403,
  error: (status, message) =>
    status === 401 || status === 403
      ? { Message: message }
      : { error: { code: "validation_error", message, param: null, type: "invalid_request_error" } },
});

/** The error is the whole answer: github.com/langchain4j/langchain4j/issues/3475. A model without tools: github.com/vllm-project/vllm/issues/9986. */
const vllmWire = compatible("vllm", {
  refuse: ({ model, tools }) =>
    model === "no-tools" && tools !== undefined
      ? '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
      : undefined,
  error: (status, message) => ({
    object: "error",
    message,
    type: "BadRequestError",
    param: null,
    code: status,
  }),
});

/** github.com/ollama/ollama/issues/5793 */
const ollamaWire = compatible("ollama", {
  refuse: ({ model, tools }) =>
    model === "no-tools" && tools !== undefined ? "no-tools does not support tools" : undefined,
  error: (_, message) => ({ error: { message, type: "api_error", param: null, code: null } }),
});

/** Answers only as a stream: github.com/FoundationAgents/OpenManus/issues/330. */
const streamingWire = compatible("streaming", {
  refuse: ({ stream }) =>
    stream === true
      ? undefined
      : "This model only support stream mode, please enable the stream parameter to access the model. ",
  error: (_, message) => ({
    error: { code: "invalid_parameter_error", message, param: null, type: "invalid_request_error" },
  }),
});

export const compatibleWires: readonly ModelWire[] = [
  ...[deepSeekWire, xaiWire, openRouterWire, bedrockWire],
  ...[vllmWire, ollamaWire, streamingWire],
];
