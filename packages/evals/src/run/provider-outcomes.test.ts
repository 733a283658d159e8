/** @module What an eval makes of everything that a provider may answer: no provider's fault ever passes or fails a case. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openServers } from "../agent/servers.ts";
import { said, startTinyServer, type TinyServer } from "../agent/testing/tiny-server.ts";
import { readModelConfiguration } from "../models/configuration.ts";
import { createModelSource } from "../models/model-source.ts";
import { type Act, startModelServer, testKey } from "../models/testing/model-server.ts";
import type { SuiteCase } from "../suite/suite-file.ts";
import { playCase } from "./play-case.ts";

/** As a base URL of each is written. */
const providers = {
  "openai/stub": "/v1",
  "anthropic/stub": "",
  "google/stub": "/v1beta",
  "deepseek/stub": "/v1",
  "xai/stub": "/v1",
  "openrouter/some/stub": "/v1",
  "bedrock/stub": "/v1",
  "ollama/stub": "",
  "custom:vllm:stub": "/v1",
} as const;
type ProviderName = keyof typeof providers;
const names = Object.keys(providers) as ProviderName[];

const called: SuiteCase = {
  id: "called",
  title: "Calls the tool",
  steps: [{ id: "ask", kind: "prompt", prompt: "Order 17?" }],
  checks: [{ type: "toolCalledAtLeastOnce", toolName: "get_order" }],
};
const callsNothing: SuiteCase = {
  id: "none",
  title: "Calls nothing",
  isNegativeTest: true,
  steps: [{ id: "ask", kind: "prompt", prompt: "Hello?" }],
};

let shop: TinyServer;
beforeAll(async () => {
  shop = await startTinyServer("shop", { get_order: { run: () => said("shipped") } });
});
afterAll(() => shop.kill());

async function play(name: ProviderName, item: SuiteCase, acts: readonly Act[]) {
  const isSilent = acts.some(({ kind }) => kind === "hang");
  await using server = await startModelServer(...acts);
  const [provider = "", slug = ""] = name.split(/[/:]/);
  const settings = { apiKey: testKey, baseUrl: `${server.origin}${providers[name]}` };
  const section = {
    providers: provider === "custom" ? { custom: { [slug]: settings } } : { [provider]: settings },
  };
  const source = createModelSource(readModelConfiguration(section, {}), {
    retries: 1,
    maxWaitMs: 50,
    timeouts: { firstByteMs: isSilent ? 300 : 60_000 },
  });
  try {
    return await playCase(item, {
      model: source.open(name),
      connect: (signal) => openServers([shop.binding], signal),
      signal: AbortSignal.timeout(120_000),
      now: 0,
    });
  } finally {
    source.close();
  }
}

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

/** What comes, and the code of the fault where it is no answer. */
const verdicts: Record<string, { acts: Act[]; asked: "passed" | "failed"; none: "passed" | "failed" }> = {
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

const lost: Record<string, { acts: Act[]; code: RegExp }> = {
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

describe.concurrent.each(names)("%s", (name) => {
  test.each(Object.entries(verdicts))("%s is judged", async (_, { acts, asked, none }) => {
    expect(await play(name, called, acts)).toMatchObject({ status: "completed", result: asked });
    expect(await play(name, callsNothing, acts)).toMatchObject({ status: "completed", result: none });
  });

  test.each(Object.entries(lost))("%s is lost, with its reason", async (_, { acts, code }) => {
    for (const item of [called, callsNothing]) {
      const { status: came, result, error, trace } = await play(name, item, acts);
      expect([result, came]).toEqual([null, "failed"]);
      expect(error).toMatch(/\w/);
      expect(trace?.faults.at(-1)?.code).toMatch(code);
    }
  });
});
