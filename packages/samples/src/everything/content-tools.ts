/**
 * Tools that answer at once, one for each kind of content, and one whose schema uses the whole 2020-12 vocabulary.
 * @module
 */
import { type CallToolResult, fromJsonSchema, type McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { NO_INPUT } from "./asking-tools.ts";

/** One transparent pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
/** A WAV header with no samples: valid, and silent. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const ANSWERS: Record<string, { description: string; result: CallToolResult }> = {
  test_simple_text: {
    description: "Answers with one text.",
    result: { content: [{ type: "text", text: "This is a simple text response for testing." }] },
  },
  test_image_content: {
    description: "Answers with one PNG image.",
    result: { content: [{ type: "image", data: PNG, mimeType: "image/png" }] },
  },
  test_audio_content: {
    description: "Answers with one WAV recording.",
    result: { content: [{ type: "audio", data: WAV, mimeType: "audio/wav" }] },
  },
  test_embedded_resource: {
    description: "Answers with one embedded resource.",
    result: {
      content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    },
  },
  test_multiple_content_types: {
    description: "Answers with a text, an image and an embedded resource.",
    result: {
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: PNG, mimeType: "image/png" },
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
      ],
    },
  },
  test_error_handling: {
    description: "Always answers with a tool error.",
    result: {
      isError: true,
      content: [{ type: "text", text: "This tool intentionally returns an error for testing" }],
    },
  },
};

const FULL_VOCABULARY = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: `then` is the JSON Schema keyword this tool exists to show.
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

const wholeVocabulary = fromJsonSchema<Record<string, unknown>>(FULL_VOCABULARY);
const celsius = z.object({ celsius: z.number().default(20).describe("A temperature.") });
const bothScales = z.object({ celsius: z.number(), fahrenheit: z.number() });
const mirrored = z.object({
  region: z.string().optional().meta({ "x-mcp-header": "Region" }).describe("Mirrored as Mcp-Param-Region."),
  priority: z
    .int()
    .optional()
    .meta({ "x-mcp-header": "Priority" })
    .describe("Mirrored as Mcp-Param-Priority."),
});

export function addContentTools(server: McpServer): void {
  for (const [name, { description, result }] of Object.entries(ANSWERS)) {
    server.registerTool(
      name,
      { description, inputSchema: NO_INPUT, annotations: { readOnlyHint: true } },
      () => result,
    );
  }

  server.registerTool(
    "json_schema_2020_12_tool",
    {
      description: "Takes arguments described with the whole vocabulary of JSON Schema 2020-12.",
      inputSchema: wholeVocabulary,
      annotations: { readOnlyHint: true },
    },
    (args) => ({ content: [{ type: "text", text: `Received: ${JSON.stringify(args)}` }] }),
  );

  server.registerTool(
    "test_structured_output",
    {
      description: "Answers with structured content that keeps to its output schema.",
      inputSchema: celsius,
      outputSchema: bothScales,
      annotations: { readOnlyHint: true },
    },
    ({ celsius }) => {
      const structuredContent = { celsius, fahrenheit: celsius * 1.8 + 32 };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );

  server.registerTool(
    "test_x_mcp_header",
    {
      description: "Takes parameters that the stateless era mirrors into Mcp-Param headers.",
      inputSchema: mirrored,
      annotations: { readOnlyHint: true },
    },
    (args) => ({ content: [{ type: "text", text: JSON.stringify(args) }] }),
  );
}

function embedded(uri: string, mimeType: string, text: string) {
  return { type: "resource" as const, resource: { uri, mimeType, text } };
}
