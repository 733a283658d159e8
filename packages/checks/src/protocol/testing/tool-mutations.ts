/** @module Faults in what a server says about its tools, and in what they answer. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { asks, errorInstead, firstOf, inCallOf, inItem, type Mutation, resultInstead } from "./mutation.ts";

const inTool = (name: string, change: (tool: JsonObject, tools: JsonObject[]) => void) =>
  inItem("tools/list", "tools", name, change);

const plain = { content: [{ type: "text", text: "Done without asking." }] };

function inForm(field: string, change: (form: JsonObject) => void) {
  return (message: JsonObject): JsonObject => {
    const { requestedSchema } = (message.params ?? {}) as { requestedSchema?: { properties: JsonObject } };
    const form = requestedSchema?.properties[field];
    if (message.method === "elicitation/create" && isObject(form)) change(form);
    return message;
  };
}

export const toolMutations: Mutation[] = [
  {
    name: "a tool has no name",
    revision: "2025-11-25",
    apart: true,
    message: inTool("test_x_mcp_header", (tool) => delete tool.name),
    fails: ["tools-list", "wire-schema-valid"],
  },
  {
    name: "an input schema is that of a text",
    revision: "2026-07-28",
    message: inTool("test_x_mcp_header", (tool) => {
      tool.inputSchema = { type: "string" };
    }),
    fails: ["tools-input-schemas-valid", "wire-schema-valid"],
  },
  {
    name: "an input schema refers to what is not there",
    revision: "2025-11-25",
    message: inTool("test_simple_text", (tool) => {
      tool.inputSchema = { type: "object", properties: { a: { $ref: "#/$defs/nowhere" } } };
    }),
    fails: ["tools-input-schemas-valid"],
  },
  {
    name: "two tools have one name",
    revision: "2026-07-28",
    message: inTool("test_simple_text", (tool, tools) => tools.push({ ...tool })),
    advises: ["tools-names-unique"],
  },
  {
    name: "a tool's name holds a space",
    revision: "2025-11-25",
    message: inTool("test_x_mcp_header", (tool) => {
      tool.name = "test x mcp header";
    }),
    advises: ["tools-name-format"],
  },
  {
    name: "schemas lose their composition",
    revision: "2026-07-28",
    message: inTool("json_schema_2020_12_tool", ({ inputSchema }) => {
      const schema = inputSchema as JsonObject;
      for (const keyword of ["allOf", "if", "then", "else"]) delete schema[keyword];
    }),
    advises: ["tools-schema-keywords-preserved"],
  },
  {
    name: "schemas lose additionalProperties",
    revision: "2025-11-25",
    message: inTool("json_schema_2020_12_tool", ({ inputSchema }) => {
      delete (inputSchema as JsonObject).additionalProperties;
    }),
    advises: ["tools-schema-keywords-preserved"],
  },
  {
    name: "structured content is not what the schema says",
    revision: "2025-11-25",
    message: inCallOf("test_structured_output", (result) => {
      result.structuredContent = { celsius: "warm" };
    }),
    fails: ["tool-output-schema-conformant"],
  },
  {
    name: "structured content is left out",
    revision: "2026-07-28",
    message: inCallOf("test_structured_output", (result) => delete result.structuredContent),
    fails: ["tool-output-schema-conformant"],
  },
  {
    name: "a text has no text",
    revision: "2025-11-25",
    message: inCallOf("test_simple_text", (result) => delete firstOf(result, "content").text),
    fails: ["tools-call-text", "wire-schema-valid"],
  },
  {
    name: "an image is not base64",
    revision: "2026-07-28",
    message: inCallOf("test_image_content", (result) => {
      firstOf(result, "content").data = "not base64!";
    }),
    fails: ["tools-call-image"],
  },
  {
    name: "a recording has no media type",
    revision: "2025-11-25",
    message: inCallOf("test_audio_content", (result) => delete firstOf(result, "content").mimeType),
    fails: ["tools-call-audio", "wire-schema-valid"],
  },
  {
    name: "an embedded resource has no URI",
    revision: "2025-11-25",
    message: inCallOf("test_embedded_resource", (result) => {
      delete (firstOf(result, "content").resource as JsonObject).uri;
    }),
    fails: ["tools-call-embedded-resource", "wire-schema-valid"],
  },
  {
    name: "of several contents the image has no data",
    revision: "2026-07-28",
    apart: true,
    message: inCallOf("test_multiple_content_types", (result) => {
      for (const block of result.content as JsonObject[]) if (block.type === "image") delete block.data;
    }),
    fails: ["tools-call-mixed", "wire-schema-valid"],
  },
  {
    name: "of several contents the image is lost",
    revision: "2026-07-28",
    message: inCallOf("test_multiple_content_types", (result) => {
      result.content = (result.content as JsonObject[]).filter(({ type }) => type !== "image");
    }),
    advises: ["tools-call-mixed"],
  },
  {
    name: "a tool's error is a JSON-RPC error",
    revision: "2025-11-25",
    answer: (request) =>
      asks(request, "tools/call", "test_error_handling") ? errorInstead(request, -32000) : undefined,
    advises: ["tools-call-error"],
  },
  {
    name: "a tool's error looks like success",
    revision: "2026-07-28",
    message: inCallOf("test_error_handling", (result) => delete result.isError),
    advises: ["tools-call-error"],
  },
  {
    name: "an unknown tool is a tool error",
    revision: "2025-11-25",
    answer: (request) =>
      asks(request, "tools/call", "fettle-no-such-tool")
        ? resultInstead(request, { isError: true, content: [{ type: "text", text: "No such tool" }] })
        : undefined,
    advises: ["tools-call-unknown"],
  },
  {
    name: "an unknown tool is told in a result without isError",
    revision: "2025-11-25",
    apart: true,
    answer: (request) =>
      asks(request, "tools/call", "fettle-no-such-tool")
        ? resultInstead(request, { content: [{ type: "text", text: "Error: tool 'x' was not found." }] })
        : undefined,
    advises: ["tools-call-unknown"],
  },
  {
    name: "an unknown tool is called with success",
    revision: "2025-11-25",
    apart: true,
    answer: (request) =>
      asks(request, "tools/call", "fettle-no-such-tool")
        ? resultInstead(request, { content: [{ type: "text", text: "Done." }] })
        : undefined,
    fails: ["tools-call-unknown"],
  },
  {
    name: "progress carries another token",
    revision: "2025-11-25",
    message: (message) => {
      const { params } = message;
      if (message.method === "notifications/progress" && isObject(params)) params.progressToken = "another";
      return message;
    },
    fails: ["progress-token-known", "tools-call-progress"],
    advises: ["tools-call-progress"],
  },
  {
    name: "progress goes back",
    revision: "2026-07-28",
    message: (message) => {
      const { params } = message;
      if (message.method === "notifications/progress" && isObject(params)) {
        params.progress = 100 - Number(params.progress);
      }
      return message;
    },
    fails: ["progress-rises", "tools-call-progress"],
  },
  {
    name: "a tool that should ask the model does not",
    revision: "2025-11-25",
    answer: (request) =>
      asks(request, "tools/call", "test_sampling") ? resultInstead(request, plain) : undefined,
    // It answers alike whatever it is given.
    fails: ["tools-call-invalid-arguments"],
    advises: ["tools-call-sampling"],
  },
  {
    name: "a tool that should ask the person does not",
    revision: "2025-11-25",
    answer: (request) =>
      asks(request, "tools/call", "test_elicitation") ? resultInstead(request, plain) : undefined,
    advises: ["tools-call-elicitation"],
  },
  {
    name: "a form loses a default",
    revision: "2025-11-25",
    message: inForm("score", (field) => delete field.default),
    advises: ["elicitation-defaults"],
  },
  {
    name: "a form loses the titles of its choices",
    revision: "2025-11-25",
    message: inForm("titledSingle", (field) => {
      field.enum = ["value1", "value2", "value3"];
      delete field.oneOf;
    }),
    advises: ["elicitation-enums"],
  },
  {
    name: "a title is a number",
    revision: "2025-11-25",
    message: inTool("test_simple_text", (tool) => {
      tool.title = 5;
    }),
    fails: ["wire-schema-valid"],
  },
];
