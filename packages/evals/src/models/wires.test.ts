/** @module What single providers do that others of the same wire do not: how they say no, what they want back, what they keep. */
import { describe, expect, onTestFinished, test } from "vitest";
import { readModelConfiguration } from "./configuration.ts";
import type { Message } from "./messages.ts";
import type { ModelRequest } from "./model.ts";
import { createModelSource } from "./model-source.ts";
import { costOf } from "./spend.ts";
import { type Act, startModelServer, testKey } from "./testing/model-server.ts";

const paths: Record<string, string> = {
  openai: "/v1",
  anthropic: "",
  google: "/v1beta",
  deepseek: "/deepseek/v1",
  xai: "/xai/v1",
  openrouter: "/openrouter/api/v1",
  bedrock: "/bedrock/openai/v1",
  ollama: "/ollama/v1",
  vllm: "/vllm/v1",
  streaming: "/streaming/v1",
};

/** A provider that does as told, and the model asked of it. */
async function opened(
  name: string,
  acts: Act[] = [],
  { key = testKey, base }: { key?: string; base?: string } = {},
) {
  const server = await startModelServer(...acts);
  const [provider = "", slug = ""] = name.split(/[/:]/);
  const own = provider === "custom" ? slug : provider;
  const settings = { apiKey: key, baseUrl: `${server.origin}${base ?? paths[own]}` };
  const section = {
    providers: provider === "custom" ? { custom: { [slug]: settings } } : { [provider]: settings },
  };
  const source = createModelSource(readModelConfiguration(section, {}), { retries: 0, maxWaitMs: 50 });
  onTestFinished(async () => {
    source.close();
    await server.kill();
  });
  return { server, source, model: source.open(name) };
}

const tools = [
  {
    name: "get_order",
    description: "An order",
    inputSchema: { type: "object", properties: { id: { type: "string" } } },
  },
  { name: "list_orders", inputSchema: { type: "object", properties: {} } },
];
const requestOf = (messages: Message[], fields: Partial<ModelRequest> = {}): ModelRequest => ({
  messages,
  tools,
  toolChoice: "auto",
  parameters: {},
  now: 0,
  position: { prompt: 0, step: 0 },
  ...fields,
});
const asked: Message[] = [{ role: "user", text: "Order 17?" }];
const context = { signal: AbortSignal.timeout(30_000) };
const call: Act = { kind: "answer", calls: [{ id: "c1", name: "get_order", args: '{"id":"17"}' }] };
const answer: Act = { kind: "answer", text: "Shipped." };

const refusedWith = (status: number, words: string): Act => ({ kind: "status", status, words });

describe("a refusal is what the provider means by it", () => {
  test.each([
    "openai/gpt-4.1",
    "openai/gpt-5.4",
    "anthropic/stub",
    "google/stub",
    "deepseek/stub",
    "xai/stub",
    "openrouter/a/b",
    "bedrock/stub",
  ])("%s: a wrong key is told as one", async (name) => {
    const { model } = await opened(name, [], { key: "sk-of-somebody-else" });
    await expect(model.generate(requestOf(asked), context)).rejects.toMatchObject({
      code: "MODEL_KEY_REFUSED",
      message: expect.not.stringContaining("sk-of-somebody-else"),
    });
  });

  test.each([
    [
      "xai/stub",
      403,
      "Content violates usage guidelines. Team: x, Model: grok, Failed check: SAFETY_CHECK_TYPE_BIO",
    ],
    ["openrouter/a/b", 403, "a/b requires moderation on OpenAI. Your input was flagged for violence."],
    [
      "openai/gpt-4.1",
      400,
      "The response was filtered due to the prompt triggering our content management policy.",
    ],
  ])(
    "%s: what its filter stopped is declined, and no fault of the key or the request",
    async (name, status, words) => {
      const { model } = await opened(name, [refusedWith(status, words)]);
      expect(await model.generate(requestOf(asked), context)).toMatchObject({
        parts: [],
        finishReason: "content-filter",
      });
    },
  );

  test.each([
    ["ollama/no-tools", "does not support tools"],
    ["custom:vllm:no-tools", "--enable-auto-tool-choice"],
  ])("%s: a model that is served without tools is told with what to do", async (name, words) => {
    const { model } = await opened(name);
    await expect(model.generate(requestOf(asked), context)).rejects.toMatchObject({
      code: "MODEL_REQUEST_REFUSED",
      message: expect.stringContaining(words),
      hint: expect.stringMatching(/served without tool calls.*Choose another/),
    });
    expect(await model.generate(requestOf(asked, { tools: [] }), context)).toMatchObject({
      finishReason: "stop",
    });
  });

  test.each([
    ["bedrock/stub", "Authentication failed: Please make sure your API Key is valid.", 403],
    ["custom:vllm:stub", "The model `stub` does not exist.", 404],
    ["xai/stub", "The model grok-0 does not exist.", 404],
  ])("%s: its words are told, in whatever shape they come", async (name, words, status) => {
    const { model } = await opened(name, [refusedWith(status, words)]);
    await expect(model.generate(requestOf(asked), context)).rejects.toMatchObject({
      message: expect.stringContaining(words),
    });
  });
});

const heard = (
  given: Awaited<ReturnType<Awaited<ReturnType<typeof opened>>["model"]["generate"]>>,
): Message[] => [
  ...asked,
  { role: "assistant", parts: given.parts },
  { role: "tool", toolCallId: "c1", name: "get_order", text: "shipped", isError: false },
];

describe.each([
  ["whole", undefined],
  ["as a stream", () => {}],
])("%s", (_, onDelta) => {
  const watched = { ...context, ...(onDelta && { onDelta }) };

  test("DeepSeek hears again what it thought before its call, or it would refuse", async () => {
    const { model, server } = await opened("deepseek/deepseek-v4-pro", [call, answer]);
    const first = await model.generate(requestOf(asked), watched);
    expect(await model.generate(requestOf(heard(first)), watched)).toMatchObject({ finishReason: "stop" });
    const { messages } = server.requests.at(-1)!.body as { messages: object[] };
    expect(messages[1]).toMatchObject({ reasoning_content: "Let me look." });
  });

  test("OpenAI's Responses are asked to keep nothing and to take schemas as they are, and hear the sealed thought again", async () => {
    const { model, server } = await opened("openai/gpt-5.4", [call, answer]);
    const first = await model.generate(requestOf(asked, { system: "Be brief." }), watched);
    expect(first.parts.at(-1)).toMatchObject({
      type: "tool-call",
      name: "get_order",
      arguments: { id: "17" },
    });
    const second = await model.generate(requestOf(heard(first)), watched);
    expect(second).toMatchObject({ parts: [{ type: "text", text: "Shipped." }], finishReason: "stop" });
    const [before, after] = server.requests.map(({ path, body }) => ({ path, body }));
    expect(before).toMatchObject({
      path: "/v1/responses",
      body: { store: false, tools: [{ type: "function", name: "get_order", strict: false }, {}] },
    });
    expect(after!.body.input).toMatchObject([
      { role: "user" },
      { type: "reasoning", encrypted_content: "sealed-thought" },
      { type: "function_call", call_id: "c1" },
      { type: "function_call_output", call_id: "c1", output: "shipped" },
    ]);
  });
});

describe("the wire that a model needs", () => {
  test("is chat completions for one that takes tools there", async () => {
    const { model, server } = await opened("openai/gpt-4.1", [answer]);
    await model.generate(requestOf(asked), context);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  });

  test("is learned of one that no catalog knows, once, also by those who ask at the same time", async () => {
    const { model, server, source } = await opened("openai/gpt-7-new");
    await Promise.all([1, 2, 3].map(() => model.generate(requestOf(asked), context)));
    await source.open("openai/gpt-7-new").generate(requestOf(asked), context);
    const to = server.requests.map(({ path }) => path.replace("/v1/", ""));
    expect(to.filter((path) => path === "chat/completions").length).toBeLessThanOrEqual(3);
    expect(to.slice(-1)).toEqual(["responses"]);
    expect(to.filter((path) => path === "responses")).toHaveLength(4);
  });

  test("is chat completions behind a gateway that has nothing else", async () => {
    const { model, server } = await opened("openai/gpt-4.1", [answer], { base: "/vllm/v1" });
    await model.generate(requestOf(asked), context);
    const other = await opened("openai/gpt-5.4", [answer, answer], { base: "/vllm/v1" });
    // The gateway's own rules are others: it knows no such refusal.
    await other.model.generate(requestOf(asked, { tools: [] }), context);
    await other.model.generate(requestOf(asked, { tools: [] }), context);
    expect(server.requests).toHaveLength(1);
    expect(other.server.requests.map(({ path }) => path.replace("/vllm/v1/", ""))).toEqual([
      "responses",
      "chat/completions",
      "chat/completions",
    ]);
  });

  test("is a stream where nothing else is answered, which is learned once", async () => {
    const { model, server } = await opened("custom:streaming:stub", [call, answer]);
    expect((await model.generate(requestOf(asked), context)).parts).toMatchObject([{ type: "tool-call" }]);
    await model.generate(requestOf(asked), context);
    expect(server.requests.map(({ body }) => body.stream === true)).toEqual([false, true, true]);
  });
});

describe("what a provider keeps of a request", () => {
  const long: Message[] = [
    ...asked,
    { role: "assistant", parts: [{ type: "text", text: "Which?" }] },
    { role: "user", text: "17" },
  ];

  test("is marked for Anthropic: the last tool, the system text, the last message", async () => {
    const { model, server } = await opened("anthropic/claude-haiku-4.5", [answer]);
    await model.generate(requestOf(long, { system: "Be brief." }), context);
    const mark = { type: "ephemeral" };
    const {
      tools: sent,
      system,
      messages,
    } = server.requests[0]!.body as Record<string, { cache_control?: object }[]>;
    expect(sent!.map(({ cache_control: one }) => one)).toEqual([undefined, mark]);
    expect(system).toMatchObject([{ text: "Be brief.", cache_control: mark }]);
    expect(JSON.stringify(messages).match(/cache_control/g)).toHaveLength(1);
    expect(messages!.at(-1)).toMatchObject({ content: [{ text: "17", cache_control: mark }] });
  });

  test.each(["openai/gpt-4.1", "openai/gpt-5.4", "google/gemini-2.5-flash", "custom:vllm:stub"])(
    "is left to %s, which marks nothing",
    async (name) => {
      const { model, server } = await opened(name, [answer]);
      await model.generate(requestOf(long, { system: "Be brief." }), context);
      expect(JSON.stringify(server.requests[0]!.body)).not.toContain("cache");
    },
  );

  test.each([
    [
      "anthropic/claude-haiku-4.5",
      { cached: 4, cacheWritten: 2 },
      (5 * 1 + 4 * 0.1 + 2 * 1.25 + 7 * 5) / 1e6,
    ],
    [
      "anthropic/claude-sonnet-5.5",
      { cached: 4, cacheWritten: 2 },
      (5 * 2 + 4 * 0.1 + 2 * 2.5 + 7 * 10) / 1e6,
    ],
    ["openai/gpt-4.1", { cached: 4 }, (7 * 2 + 4 * 0.5 + 7 * 8) / 1e6],
    ["openai/gpt-5.4", { cached: 4 }, (7 * 2.5 + 4 * 0.25 + 7 * 15) / 1e6],
    ["deepseek/deepseek-flash", { cached: 4 }, (7 * 0.3 + 4 * 0.006 + 7 * 1.2) / 1e6],
    // Nobody said what it costs there, so that it is counted as other input.
    ["google/gemini-2.5-flash", { cached: 4 }, (11 * 0.3 + 7 * 2.5) / 1e6],
  ])("is counted and priced: %s", async (name, cached, cost) => {
    const { model } = await opened(name, [
      { kind: "answer", text: "Shipped.", cached: { read: 4, written: 2 } },
    ]);
    const { usage } = await model.generate(requestOf(asked), context);
    expect(usage).toMatchObject({ input: 11, output: 7, ...cached });
    expect(costOf(usage, model.price)).toBeCloseTo(cost, 12);
  });
});
