import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readModelConfiguration } from "./configuration.ts";
import { parseModelName } from "./model-name.ts";
import { createModelSource } from "./model-source.ts";
import { offeredSchema } from "./offered-schema.ts";
import { retryAfterMs } from "./retry-after.ts";
import { costOf } from "./spend.ts";

const canary = "sk-canary-93bd1";
/** As a file writes it. */
const variable = (name: string) => `\${${name}}`;

test.each<[name: string, expected: object]>([
  ["anthropic/claude-haiku-4.5", { kind: "provider", provider: "anthropic", model: "claude-haiku-4.5" }],
  [
    "openrouter/meta-llama/llama-4",
    { kind: "provider", provider: "openrouter", model: "meta-llama/llama-4" },
  ],
  ["qwen/qwen3-32b", { kind: "provider", provider: "openrouter", model: "qwen/qwen3-32b" }],
  ["x-ai/grok-5", { kind: "provider", provider: "xai", model: "grok-5" }],
  ["custom:vllm:qwen3:32b", { kind: "custom", slug: "vllm", model: "qwen3:32b" }],
  ["ollama/qwen3:8b", { kind: "provider", provider: "ollama", model: "qwen3:8b" }],
  ["fettle/rules-1", { kind: "rules" }],
  ["replay/nightly", { kind: "replay", cassette: "nightly" }],
])("%s is read", (name, expected) => {
  expect(parseModelName(name)).toMatchObject(expected);
});

test.each([
  ["gpt-5", "MODEL_AMBIGUOUS"],
  ["", "MODEL_AMBIGUOUS"],
  ["openai/", "MODEL_AMBIGUOUS"],
  ["constructor/x", "MODEL_NOT_FOUND"],
  ["__proto__/x", "MODEL_NOT_FOUND"],
  ["fettle/rules-2", "MODEL_NOT_FOUND"],
])("%j is refused with %s and a hint", (name, code) => {
  expect(() => parseModelName(name)).toThrow(expect.objectContaining({ code, hint: expect.any(String) }));
});

test("the environment alone is enough, and a file's word comes first", () => {
  const environment = {
    OPENAI_API_KEY: canary,
    GEMINI_API_KEY: "g-key-123",
    OLLAMA_BASE_URL: "http://box:11434/",
    TEAM_KEY: "team-key-1",
  };
  const plain = readModelConfiguration(undefined, environment);
  expect(plain.providers.openai?.apiKey?.reveal()).toBe(canary);
  expect(plain.providers.google?.apiKey?.reveal()).toBe("g-key-123");
  expect(plain.providers.ollama?.baseUrl).toBe("http://box:11434");
  expect(plain.providers.anthropic).toBeUndefined();
  const filed = readModelConfiguration(
    { providers: { openai: { apiKey: variable("TEAM_KEY"), baseUrl: null } } },
    environment,
  );
  expect(filed.providers.openai?.apiKey?.reveal()).toBe("team-key-1");
});

test("a key prints as nothing, wherever it is printed", () => {
  const configuration = readModelConfiguration({ providers: { openai: { apiKey: canary } } }, {});
  const source = createModelSource(configuration);
  const printed = [
    JSON.stringify(configuration),
    inspect(configuration, { depth: 9 }),
    inspect(source.open("openai/gpt-5"), { depth: 9 }),
    JSON.stringify(source.providers()),
  ];
  expect(printed.filter((text) => text.includes(canary))).toEqual([]);
  source.close();
});

test.each<[section: unknown, path: string]>([
  [[], "models"],
  [{ provider: {} }, "models.provider"],
  [{ providers: { opnai: {} } }, "models.providers.opnai"],
  [{ providers: { openai: { apikey: "x" } } }, "models.providers.openai.apikey"],
  [{ providers: { openai: { apiKey: 7 } } }, "models.providers.openai.apiKey"],
  [{ providers: { openai: { baseUrl: "file:///etc/passwd" } } }, "models.providers.openai.baseUrl"],
  [{ providers: { openai: { baseUrl: "https://me:pass@host" } } }, "models.providers.openai.baseUrl"],
  [{ providers: { custom: { vllm: {} } } }, "models.providers.custom.vllm.baseUrl"],
  [
    { providers: { custom: { vllm: { baseUrl: "http://x", kind: "soap" } } } },
    "models.providers.custom.vllm.kind",
  ],
  [{ prices: { "a/b": { inputPerMTok: -1, outputPerMTok: 1 } } }, "models.prices.a/b.inputPerMTok"],
  [{ limits: { concurrentCalls: 0 } }, "models.limits.concurrentCalls"],
  [{ limits: { creditsPerDay: 5 } }, "models.limits.creditsPerDay"],
  [{ providers: { ollama: { discover: true } } }, "models.providers.ollama.discover"],
  [{ egress: { allow: "api.openai.com" } }, "models.egress.allow"],
])("%j is refused at %s", (section, path) => {
  expect(() => readModelConfiguration(section, {})).toThrow(
    expect.objectContaining({ code: "MODEL_CONFIGURATION_INVALID", details: { path } }),
  );
});

test.each<[name: string, section: unknown, code: string]>([
  ["anthropic/claude", {}, "MODEL_UNAVAILABLE"],
  ["openai/gpt-5", { providers: { openai: { apiKey: variable("NOT_SET") } } }, "MODEL_UNAVAILABLE"],
  ["azure/gpt-5", { providers: { azure: { apiKey: canary } } }, "MODEL_UNAVAILABLE"],
  ["custom:vllm:x", {}, "MODEL_UNAVAILABLE"],
  [
    "custom:vllm:x",
    { providers: { custom: { vllm: { baseUrl: "http://x", models: ["y"] } } } },
    "MODEL_NOT_FOUND",
  ],
])("%s with %j cannot be opened, and nothing is called: %s", (name, section, code) => {
  const source = createModelSource(readModelConfiguration(section, {}));
  expect(() => source.open(name)).toThrow(expect.objectContaining({ code }));
  source.close();
});

test("a host that egress does not list is not called", async () => {
  const section = {
    providers: { custom: { it: { baseUrl: "http://127.0.0.1:9/v1" } } },
    egress: { allow: ["*.openai.com"] },
  };
  const source = createModelSource(readModelConfiguration(section, {}));
  const asking = source.open("custom:it:m").generate(
    {
      messages: [{ role: "user", text: "hi" }],
      tools: [],
      toolChoice: "auto",
      parameters: {},
      now: 0,
      position: { prompt: 0, step: 0 },
    },
    { signal: AbortSignal.timeout(30_000) },
  );
  await expect(asking).rejects.toMatchObject({ code: "MODEL_CONFIGURATION_INVALID" });
  source.close();
});

test("without anything configured the rule model is the default", () => {
  const source = createModelSource(readModelConfiguration(undefined, {}));
  expect(source.open(source.defaultModel).modelClass).toBe("rules");
  source.close();
});

const noon = Date.parse("2026-11-16T12:00:00Z");
test.each<[headers: Record<string, string>, ms: number | undefined]>([
  [{ "retry-after": "3" }, 3_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after-ms": "120", "retry-after": "9" }, 120],
  [{ "retry-after": "Mon, 16 Nov 2026 12:00:30 GMT" }, 30_000],
  [{ "retry-after": "Mon, 16 Nov 2026 11:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "5-1" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{}, undefined],
])("%j asks to wait %s", (headers, ms) => {
  expect(retryAfterMs(headers, noon)).toBe(ms);
});

test("a schema is offered with its references in place, and what is lost is said", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { at: { $ref: "#/$defs/place", description: "where" }, $ref: { type: "string" } },
    $defs: { place: { type: "string" } },
  };
  expect(offeredSchema(schema)).toEqual({
    schema: {
      type: "object",
      properties: { at: { type: "string", description: "where" }, $ref: { type: "string" } },
    },
    losses: [],
  });
  const tree = {
    type: "object",
    properties: { left: { $ref: "#" }, right: { $ref: "#/nowhere" }, far: { $ref: "http://x/y" } },
  };
  expect(offeredSchema(tree).losses).toHaveLength(3);
  const wide = {
    type: "object",
    properties: {} as Record<string, unknown>,
    $defs: {} as Record<string, unknown>,
  };
  for (let level = 0; level < 30; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    wide.$defs[`d${level}`] = { type: "object", properties: { a: next, b: next, c: next } };
  }
  wide.properties.root = { $ref: "#/$defs/d0" };
  expect(offeredSchema(wide).losses.length).toBeGreaterThan(0);
});

test("a cost is known only when everything about it is", () => {
  const price = { inputPerMTok: 1, outputPerMTok: 5 };
  expect(costOf({ input: 1_000_000, output: 200_000 }, price)).toBe(2);
  expect(costOf({ input: 1_000_000 }, price)).toBeNull();
  expect(costOf({ input: 1, output: 1 }, undefined)).toBeNull();
});
