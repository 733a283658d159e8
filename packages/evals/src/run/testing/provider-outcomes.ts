/** @module Every provider by what it may answer: the table that runs on this machine and in the service are held to. */
import type { Act } from "../../models/testing/model-server.ts";

/** As a base URL of each is written. */
export const providerPaths = {
  "openai/stub": "/v1",
  // On the Responses wire
  "openai/gpt-5.4": "/v1",
  "anthropic/stub": "",
  "google/stub": "/v1beta",
  "deepseek/stub": "/deepseek/v1",
  "xai/stub": "/xai/v1",
  "openrouter/some/stub": "/openrouter/api/v1",
  "bedrock/stub": "/bedrock/openai/v1",
  "ollama/stub": "/ollama/v1",
  "custom:vllm:stub": "/vllm/v1",
  "custom:streaming:stub": "/streaming/v1",
} as const;
const call = { id: "c1", name: "get_order", args: "{}" };
const status = (code: number, headers?: Record<string, string>, words?: string): Act => ({
  kind: "status",
  status: code,
  ...(headers && { headers }),
  ...(words !== undefined && { words }),
});
/** Said at every try. */
const always = (act: Act): Act[] => [act, act, act, act];
const body = (value: unknown): Act => ({ kind: "body", status: 200, body: value });

/** Answers that are judged: with what result where a call is expected, and where none is. */
export const verdictOutcomes: Record<
  string,
  { acts: Act[]; asked: "passed" | "failed"; none: "passed" | "failed" }
> = {
  words: { acts: [{ kind: "answer", text: "Hello." }], asked: "failed", none: "passed" },
  "a tool call": {
    acts: [
      { kind: "answer", calls: [call] },
      { kind: "answer", text: "Shipped." },
    ],
    asked: "passed",
    none: "failed",
  },
  "calls made together": {
    acts: [
      { kind: "answer", calls: [call, { ...call, id: "c2" }] },
      { kind: "answer", text: "Shipped." },
    ],
    asked: "passed",
    none: "failed",
  },
  "words that are cut at the most tokens": {
    acts: [{ kind: "answer", text: "Order 17 is", finish: "length" }],
    asked: "failed",
    none: "passed",
  },
  "a 429 that passes": {
    acts: [status(429, { "retry-after": "0" }), { kind: "answer", text: "Hello." }],
    asked: "failed",
    none: "passed",
  },
  "a 500 that passes": {
    acts: [status(500), { kind: "answer", text: "Hello." }],
    asked: "failed",
    none: "passed",
  },
};

/** What is no answer, and the code of the fault. */
export const lostOutcomes: Record<string, { acts: Act[]; code: RegExp }> = {
  "a refusal": { acts: [{ kind: "answer", refusal: "I cannot help with that." }], code: /^CONTENT_FILTER$/ },
  "the provider's filter": {
    acts: [{ kind: "answer", text: "Order", finish: "filter" }],
    code: /^CONTENT_FILTER$/,
  },
  "nothing at all": { acts: always({ kind: "answer" }), code: /^MODEL_ANSWER_INVALID$/ },
  "white space": { acts: always({ kind: "answer", text: " \n" }), code: /^MODEL_ANSWER_INVALID$/ },
  "200 with an error in it": {
    acts: always(body({ error: { message: "Upstream is overloaded", code: 502 } })),
    code: /^MODEL_(PROVIDER_ERROR|ANSWER_INVALID)$/,
  },
  "200 without an answer in it": {
    acts: always(body({ choices: [], candidates: [], content: [], usage: {}, id: "x", type: "message" })),
    code: /^MODEL_ANSWER_INVALID$/,
  },
  "200 with a page": { acts: always({ kind: "page" }), code: /^MODEL_(ANSWER_INVALID|CONNECTION)$/ },
  "malformed JSON": {
    acts: always({ kind: "text", status: 200, text: '{"id": "x", "choices": [' }),
    code: /^MODEL_ANSWER_INVALID$/,
  },
  "a 429 that names no time": { acts: always(status(429)), code: /^MODEL_RATE_LIMITED$/ },
  "a 429 that asks for an hour": {
    acts: always(status(429, { "retry-after": "3600" })),
    code: /^MODEL_RATE_LIMITED$/,
  },
  "an empty account": {
    acts: always(status(402, undefined, "Insufficient credits")),
    code: /^MODEL_QUOTA_EXHAUSTED$/,
  },
  "a 400": { acts: always(status(400)), code: /^MODEL_REQUEST_REFUSED$/ },
  "a 401": { acts: always(status(401)), code: /^MODEL_KEY_REFUSED$/ },
  "a 404": { acts: always(status(404)), code: /^MODEL_NOT_FOUND$/ },
  "a 500": { acts: always(status(500)), code: /^MODEL_PROVIDER_ERROR$/ },
  "a 529": { acts: always(status(529)), code: /^MODEL_PROVIDER_ERROR$/ },
  silence: { acts: always({ kind: "hang" }), code: /^MODEL_TIMEOUT$/ },
  "an answer that breaks off": { acts: always({ kind: "cut" }), code: /^MODEL_CONNECTION$/ },
};
