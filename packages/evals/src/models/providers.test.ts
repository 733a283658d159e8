import { expect, onTestFinished, test } from "vitest";
import { createAgent } from "../agent/agent.ts";
import { openServers } from "../agent/servers.ts";
import { said, startTinyServer } from "../agent/testing/tiny-server.ts";
import { finalTextOf } from "../agent/trace.ts";
import { readModelConfiguration } from "./configuration.ts";
import type { Clock } from "./limiter.ts";
import type { ModelDelta, ModelError, ModelRequest } from "./model.ts";
import { createModelSource, type ModelSourceOptions } from "./model-source.ts";
import { type Act, type ModelServer, startModelServer, testKey } from "./testing/model-server.ts";

/** Each provider as people name it, all at one address. */
const wires = {
  custom: "custom:local:stub",
  openai: "openai/stub",
  anthropic: "anthropic/stub",
  google: "google/stub",
  ollama: "ollama/stub",
} as const;
type Wire = keyof typeof wires;
const wireNames = Object.keys(wires) as Wire[];
const everyWay = wireNames.flatMap((wire) => [
  { wire, streams: false },
  { wire, streams: true },
]);

/** Sleeps are noted and over at once. */
function testClock(): Clock & { slept: number[] } {
  let now = Date.parse("2026-11-16T12:00:00Z");
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    random: () => 0,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

function sourceFor(server: ModelServer, options: ModelSourceOptions = {}, key = testKey, others = "none") {
  const section = {
    providers: {
      openai: { apiKey: key, baseUrl: `${server.origin}/v1` },
      anthropic: { apiKey: key, baseUrl: server.origin },
      google: { apiKey: key, baseUrl: `${server.origin}/v1beta` },
      ollama: { apiKey: key, baseUrl: server.origin },
      custom: {
        local: { baseUrl: `${server.origin}/v1`, apiKey: key },
        other: { baseUrl: `${server.origin}/v1`, apiKey: others },
      },
    },
  };
  const clock = testClock();
  const source = createModelSource(readModelConfiguration(section, {}), { clock, ...options });
  onTestFinished(async () => {
    source.close();
    await server.kill().catch(() => {});
  });
  return { source, clock };
}

const request: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", text: "Add 1 and 2." }],
  tools: [
    {
      name: "add",
      description: "Adds",
      inputSchema: { type: "object", properties: { a: { type: "number" } } },
    },
  ],
  toolChoice: "auto",
  parameters: { temperature: 0 },
  now: 0,
  position: { prompt: 0, step: 0 },
};

async function ask(way: { wire: Wire; streams: boolean }, acts: Act[], options: ModelSourceOptions = {}) {
  const server = await startModelServer(...acts);
  const { source, clock } = sourceFor(server, options);
  const deltas: ModelDelta[] = [];
  const answering = source.open(wires[way.wire]).generate(request, {
    signal: AbortSignal.timeout(30_000),
    ...(way.streams && { onDelta: (delta: ModelDelta) => deltas.push(delta) }),
  });
  const outcome = await answering.then(
    (answer) => ({ answer, error: undefined }),
    (error: ModelError) => ({ answer: undefined, error }),
  );
  return { server, clock, deltas, ...outcome };
}

test.each(everyWay)("words: $wire, streams: $streams", async (way) => {
  const { answer, server, deltas } = await ask(way, [{ kind: "answer", text: "It is three." }]);
  expect(answer).toMatchObject({
    parts: [{ type: "text", text: "It is three." }],
    finishReason: "stop",
    usage: { input: 11, output: 7, total: 18 },
  });
  expect(deltas.map((delta) => (delta.kind === "text" ? delta.text : "")).join("")).toBe(
    way.streams ? "It is three." : "",
  );
  expect(answer?.ttfcMs !== undefined).toBe(way.streams);
  expect(JSON.stringify(server.requests[0]!.body)).toContain("Be brief.");
});

test.each(everyWay)("calls made together: $wire, streams: $streams", async (way) => {
  const calls = [
    { id: "call_a", name: "add", args: '{"a": 1, "b": 2}' },
    { id: "call_b", name: "add", args: '{"a": 3, "b": 4}' },
  ];
  const { answer } = await ask(way, [{ kind: "answer", calls }]);
  expect(answer?.finishReason).toBe("tool-calls");
  expect(answer?.parts).toMatchObject([
    { type: "tool-call", name: "add", arguments: { a: 1, b: 2 } },
    { type: "tool-call", name: "add", arguments: { a: 3, b: 4 } },
  ]);
});

// The other wires carry arguments as JSON, so that they cannot be malformed there; Anthropic streams them as text.
test.each([
  { wire: "custom", streams: false },
  { wire: "custom", streams: true },
  { wire: "openai", streams: false },
  { wire: "openai", streams: true },
  { wire: "anthropic", streams: true },
] as const)("malformed arguments are kept as written: $wire, streams: $streams", async (way) => {
  const calls = [{ id: "call_a", name: "add", args: '{"a": 1, ' }];
  const { answer, error } = await ask(way, [{ kind: "answer", calls }]);
  expect(error).toBeUndefined();
  expect(answer?.parts).toMatchObject([
    { type: "tool-call", name: "add", arguments: null, rawArguments: expect.stringContaining('"a": 1') },
  ]);
});

test.each(everyWay)("a refusal is an answer: $wire, streams: $streams", async (way) => {
  const { answer } = await ask(way, [{ kind: "answer", refusal: "I cannot help with that." }]);
  expect(answer).toMatchObject({ finishReason: "content-filter" });
});

test.each(everyWay)("a 429 is a wait as long as asked: $wire, streams: $streams", async (way) => {
  const { answer, clock, server } = await ask(way, [
    { kind: "status", status: 429, headers: { "retry-after": "7" } },
    { kind: "status", status: 429, headers: { "retry-after": "Mon, 16 Nov 2099 12:00:00 GMT" } },
  ]);
  // The first is waited for; the second asks for years, which no call waits.
  expect(answer).toBeUndefined();
  expect(clock.slept).toEqual([7_000]);
  expect(server.requests).toHaveLength(2);
});

test.each(wireNames)(
  "a 429 that names no time is waited for ever longer, then answered: %s",
  async (wire) => {
    const limited = { kind: "status", status: 429 } as const;
    const { answer, clock } = await ask({ wire, streams: false }, [limited, limited, limited]);
    expect(answer?.parts).toEqual([{ type: "text", text: "done" }]);
    expect(clock.slept).toEqual([250, 500, 1_000]);
  },
);

test("a 429 that does not end is no verdict, and says how long it was waited for", async () => {
  const limited = Array.from({ length: 50 }, () => ({ kind: "status", status: 429 }) as const);
  const { error } = await ask({ wire: "custom", streams: false }, limited, { maxWaitMs: 10_000 });
  expect(error).toMatchObject({ code: "MODEL_RATE_LIMITED", status: 429, hint: expect.any(String) });
});

test.each<[what: string, status: number, error: object, code: string, requests: number]>([
  [
    "OpenAI's empty account",
    429,
    { message: "No quota", code: "insufficient_quota" },
    "MODEL_QUOTA_EXHAUSTED",
    1,
  ],
  ["a payment that is wanted", 402, { message: "No more" }, "MODEL_QUOTA_EXHAUSTED", 1],
  [
    "Anthropic's empty account",
    400,
    { message: "Your credit balance is too low" },
    "MODEL_QUOTA_EXHAUSTED",
    1,
  ],
  [
    "a fault that says 200, with its own code",
    200,
    { message: "Overloaded", code: 503 },
    "MODEL_PROVIDER_ERROR",
    3,
  ],
  [
    "an empty account that says 200",
    200,
    { message: "Gone", code: "insufficient_quota" },
    "MODEL_QUOTA_EXHAUSTED",
    1,
  ],
  ["a fault that says 200", 200, { message: "The model sleeps" }, "MODEL_ANSWER_INVALID", 3],
])(
  "%s is told in the provider's words, and asked again only where that may help",
  async (_, status, fault, code, requests) => {
    const body: Act = { kind: "body", status, body: { error: fault } };
    const { error, server } = await ask({ wire: "custom", streams: false }, [body, body, body]);
    expect(error).toMatchObject({ code, message: expect.stringContaining((fault as Error).message) });
    expect(server.requests).toHaveLength(requests);
  },
);

test("an answer of another kind is shown as it begins", async () => {
  const other: Act = { kind: "body", status: 200, body: { greeting: "Welcome to the gateway" } };
  const { error } = await ask({ wire: "custom", streams: false }, [other], { retries: 0 });
  expect(error?.message).toContain("Welcome to the gateway");
});

test("everyone who uses a key waits when one is told to", async () => {
  const server = await startModelServer({ kind: "status", status: 429, headers: { "retry-after": "30" } });
  const { source, clock } = sourceFor(server);
  const signal = AbortSignal.timeout(30_000);
  await source.open("custom:local:stub").generate(request, { signal });
  const before = clock.slept.length;
  expect(before).toBe(1);
  server.will({ kind: "status", status: 429, headers: { "retry-after": "5" } });
  // Two names, one key at one address: one limiter.
  await Promise.all([
    source.open("custom:local:stub").generate(request, { signal }),
    source.open("custom:local:other").generate(request, { signal }),
  ]);
  expect(clock.slept.slice(before)).toContain(5_000);
});

test.each(everyWay)("a 500 is tried again, then told: $wire, streams: $streams", async (way) => {
  const broken = { kind: "status", status: 500 } as const;
  const { answer } = await ask(way, [broken, broken]);
  expect(answer?.finishReason).toBe("stop");
  const { error, server } = await ask(way, [broken, broken, broken]);
  expect(error).toMatchObject({ code: "MODEL_PROVIDER_ERROR", status: 500 });
  expect(server.requests).toHaveLength(3);
});

test.each(everyWay)("a model that hangs is a timeout: $wire, streams: $streams", async (way) => {
  const { error } = await ask(way, [{ kind: "hang" }], { retries: 0, timeouts: { firstByteMs: 300 } });
  expect(error).toMatchObject({ code: "MODEL_TIMEOUT" });
});

test("a model that hangs is not waited for again: its time is over once", async () => {
  const hangs = Array.from({ length: 3 }, () => ({ kind: "hang" }) as const);
  const { error, server } = await ask({ wire: "custom", streams: false }, hangs, {
    timeouts: { firstByteMs: 300 },
  });
  expect(error).toMatchObject({ code: "MODEL_TIMEOUT", message: expect.stringMatching(/said nothing/) });
  expect(server.requests).toHaveLength(1);
});

test.each(everyWay)("an answer that is cut is no answer: $wire, streams: $streams", async (way) => {
  const { error, server, deltas } = await ask(way, [{ kind: "cut" }], { retries: 2 });
  if (way.streams) {
    // What was shown cannot be unsaid, so it is not asked again.
    expect(error).toMatchObject({ code: "MODEL_CONNECTION" });
    expect(deltas.length).toBeGreaterThan(0);
    expect(server.requests).toHaveLength(1);
  } else {
    expect(error).toBeUndefined();
    expect(server.requests).toHaveLength(2);
  }
});

test.each(wireNames)("a stream that ends before the answer does is no answer: %s", async (wire) => {
  const { error } = await ask({ wire, streams: true }, [{ kind: "short" }], { retries: 0 });
  expect(error?.code).toMatch(/^MODEL_(CONNECTION|ANSWER_INVALID)$/);
});

test.each(everyWay)("a gateway's page is no answer: $wire, streams: $streams", async (way) => {
  const { error } = await ask(way, [{ kind: "page" }], { retries: 0 });
  expect(error).toBeInstanceOf(Error);
  expect(error?.code).toMatch(/^MODEL_(CONNECTION|ANSWER_INVALID)$/);
});

test.each(wireNames)("a key that is refused is told without the key: %s", async (wire) => {
  const server = await startModelServer();
  const wrong = "sk-wrong-canary-77ab31c9";
  const { source } = sourceFor(server, {}, wrong);
  const failed = source.open(wires[wire]).generate(request, { signal: AbortSignal.timeout(30_000) });
  const error = await failed.then(
    () => undefined,
    (reason: ModelError) => reason,
  );
  expect(error).toMatchObject({ code: "MODEL_KEY_REFUSED", status: 401 });
  expect(server.requests).toHaveLength(1);
  expect(`${error?.message} ${error?.stack} ${JSON.stringify(error)}`).not.toContain(wrong);
});

/** A gateway knows many keys, and providers tell which one they mean by its two ends. */
test.each(wireNames)(
  "no key of any provider is told by another one's refusal, in whatever form: %s",
  async (wire) => {
    const others = "gateway-canary-0c9d41e7";
    const quoted = [testKey, others, `${testKey.slice(0, 9)}*****${testKey.slice(-4)}`, btoa(others)];
    const server = await startModelServer(
      ...[401, 400].map((status) => ({ kind: "status", status, words: `No: ${quoted.join(", ")}` }) as const),
      { kind: "answer", text: `I was called with ${testKey}` },
    );
    const { source } = sourceFor(server, {}, ` ${testKey}\n`, others);
    const model = source.open(wires[wire]);
    const ask = () => model.generate(request, { signal: AbortSignal.timeout(30_000) });
    const said = [];
    for (const _ of [401, 400]) said.push(await ask().catch((error: ModelError) => error.message));
    said.push(JSON.stringify(await ask()));
    expect(server.requests).toHaveLength(3);
    expect(said.join(" ")).not.toMatch(/canary|sk-test|9a\b/);
    expect(said[1]).toContain("The provider answered 400: No: [REDACTED]");
  },
);

test.each(everyWay)(
  "a whole turn with a tool, key nowhere in the trace: $wire, streams: $streams",
  async (way) => {
    const model = await startModelServer(
      { kind: "answer", text: "Let me see.", calls: [{ id: "c1", name: "add", args: '{"a": 1, "b": 2}' }] },
      { kind: "answer", text: "Three." },
    );
    const { source } = sourceFor(model);
    const tiny = await startTinyServer("tiny", {
      add: { run: ({ a, b }) => said(String(Number(a) + Number(b))) },
    });
    const servers = await openServers([tiny.binding]);
    const agent = createAgent({
      model: source.open(wires[way.wire]),
      servers: servers.links,
      system: "Be brief.",
      ...(way.streams && { onEvent: () => {} }),
    });
    const turn = await agent.prompt("Add 1 and 2.");
    expect(turn).toMatchObject({ stop: "completed", steps: 2, usage: { input: 22, output: 14, total: 36 } });
    expect(finalTextOf(agent.trace.messages)).toBe("Three.");
    expect(agent.trace.toolCalls).toMatchObject([{ toolName: "add", result: said("3") }]);
    expect(agent.trace.model.modelClass).toBe("live");
    expect(JSON.stringify(agent.trace)).not.toContain(testKey);
    await servers.close();
    await tiny.kill();
  },
);

test("a model that dies in the middle of a turn leaves no verdict", async () => {
  const model = await startModelServer({ kind: "answer", calls: [{ id: "c1", name: "go", args: "{}" }] });
  const { source } = sourceFor(model);
  const tiny = await startTinyServer("tiny", {
    go: { run: () => model.kill().then(() => said("gone")) },
  });
  const servers = await openServers([tiny.binding]);
  const agent = createAgent({ model: source.open(wires.custom), servers: servers.links });
  expect(await agent.prompt("go")).toMatchObject({ stop: "model_error" });
  expect(agent.trace).toMatchObject({
    exclusion: "executionFailed",
    faults: [{ owner: "infrastructure", code: "MODEL_CONNECTION" }],
  });
  await servers.close();
  await tiny.kill();
});

test("a cancel ends a model call that hangs", async () => {
  const server = await startModelServer({ kind: "hang" });
  const { source } = sourceFor(server);
  const stop = new AbortController();
  const answering = source.open(wires.custom).generate(request, { signal: stop.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  stop.abort();
  await expect(answering).rejects.toMatchObject({ code: "MODEL_CANCELLED" });
});
