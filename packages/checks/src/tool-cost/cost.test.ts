import { loadHost, type Tool } from "@fettle/mcp";
import { expect, test } from "vitest";
import { toolCosts } from "./cost.ts";
import { familyOf, toolTexts } from "./formats.ts";
import { loadTokenCounter } from "./tokens.ts";

const weather: Tool = {
  name: "get_weather",
  description: "Current weather.\nIn any city.",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      city: { type: "string", description: "Where" },
      unit: { enum: ["c", "f"], default: "c" },
      days: { type: ["integer", "null"] },
      tags: { type: "array", items: { anyOf: [{ type: "string" }, { type: "object", properties: {} }] } },
    },
    required: ["city"],
  },
};
const hidden: Tool = {
  name: "internal",
  inputSchema: { type: "object" },
  _meta: { ui: { visibility: ["app"] } },
};

test("OpenAI's models see a signature", () => {
  const { words, schema } = toolTexts.openai(weather);
  expect(words + schema).toBe(
    [
      "// Current weather.",
      "// In any city.",
      "type get_weather = (_: {",
      "// Where",
      "city: string,",
      'unit?: "c" | "f", // default: "c"',
      "days?: number | null,",
      "tags?: (string | {})[],",
      "}) => any;",
      "",
    ].join("\n"),
  );
});

test("the others see JSON, without the dialect", () => {
  const { words, schema } = toolTexts.anthropic(weather);
  expect(JSON.parse(words)).toEqual({ name: "get_weather", description: "Current weather.\nIn any city." });
  expect(Object.keys(JSON.parse(schema))).toEqual(["input_schema"]);
  expect(schema).not.toContain("$schema");
});

test("a definition that refers to itself has an end", () => {
  const loop: Record<string, unknown> = { type: "object" };
  loop.properties = { self: loop };
  expect(toolTexts.openai({ name: "loop", inputSchema: loop }).schema.length).toBeLessThan(500);
});

test("each host is told apart by model, and says how well it was counted", async () => {
  const hosts = await Promise.all(["claude", "chatgpt", "claude-code"].map(loadHost));
  const [claude, chatgpt, code] = await toolCosts([hidden, weather], hosts);
  expect(claude).toMatchObject({ family: "anthropic", accuracy: "estimate", toolsDroppedVisibility: 1 });
  expect(chatgpt).toMatchObject({ family: "openai", accuracy: "exact encoding" });
  expect(claude!.tools).toEqual([
    {
      name: "get_weather",
      tokens: claude!.totalTokens,
      wordTokens: expect.any(Number),
      schemaTokens: expect.any(Number),
    },
  ]);
  expect(claude!.totalTokens).toBeGreaterThan(chatgpt!.totalTokens);
  // Its names carry a prefix, which costs too.
  expect(code!.totalTokens).toBeGreaterThan(claude!.totalTokens);
  expect(code!.loadsOnDemand).toBe(true);
});

test("the encoding is OpenAI's: a known text has its known count, and markers are only text", async () => {
  const countTokens = await loadTokenCounter();
  expect(countTokens("hello world")).toBe(2);
  expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
});

test.each([
  ["anthropic/claude-haiku-4.5", "anthropic"],
  ["openai/gpt-5-nano", "openai"],
  ["gpt-4o", "openai"],
  ["google/gemini-3", "google"],
  ["mistralai/mistral-large", "other"],
])("%s is of the %s family", (model, family) => {
  expect(familyOf(model)).toBe(family);
});
