/** @module How OpenAI's chat completions are written, whole and in chunks. */
import type { JsonObject } from "@fettle/mcp";
import { nestedSchemas } from "../schema-walk.ts";
import type { ModelWire, Spoken } from "./model-wire.ts";

interface WireMessage {
  role: string;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { arguments: string } }[];
}

interface WireTool {
  name: string;
  description?: string;
  parameters: JsonObject;
}

/** Its words are those that users report; `tool-dialect.ts` says where they were read. */
export function refuseOpenAiTool({ name, description = "", parameters }: WireTool): string | undefined {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return "A tool's name is not allowed.";
  if (description.length > 1_024)
    return `Expected a string with maximum length 1024, got ${description.length}.`;
  const invalid = (what: string) => `Invalid schema for function '${name}': ${what}.`;
  const barred = ["oneOf", "anyOf", "allOf", "enum", "const", "not"].filter((word) => word in parameters);
  if (parameters.type !== "object" || barred.length > 0)
    return invalid(`schema must have type 'object' and not have ${barred.join("/")} at the top level`);
  for (const { type, properties, items } of nestedSchemas(parameters)) {
    const types = [type].flat();
    if (types.includes("object") && properties === undefined)
      return invalid("object schema missing properties");
    if (types.includes("array") && items === undefined) return invalid("array schema missing items");
    if (Array.isArray(items)) return invalid("items is not of type 'object', 'boolean'");
  }
  return undefined;
}

export const openAiWire: ModelWire = {
  matches: (url, body) =>
    url.pathname.endsWith("/chat/completions") ? { streams: body.stream === true } : undefined,
  key: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  refuse({ model, messages, temperature = 1, tools }) {
    // https://github.com/khoj-ai/khoj/issues/1377, read 2026-11-19
    if (temperature !== 1 && /^gpt-[5-9]/.test(String(model)))
      return `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`;
    // https://github.com/openai/openai-openapi/issues/541 and https://github.com/BerriAI/litellm/pull/34569, read 2026-11-19
    if (tools !== undefined && /^gpt-(?:5\.[4-9]|[6-9])/.test(String(model)))
      return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`;
    let open: string[] = [];
    for (const { role, tool_call_id: answered, tool_calls: calls } of messages as WireMessage[]) {
      if (role === "tool") {
        if (!open.includes(answered ?? "")) return `No tool call has the id ${answered}.`;
        open = open.filter((id) => id !== answered);
        continue;
      }
      if (open.length > 0) return `These tool calls have no answer: ${open.join(", ")}.`;
      open = calls?.map(({ id }) => id) ?? [];
      for (const call of calls ?? []) JSON.parse(call.function.arguments);
    }
    for (const { function: tool } of (tools ?? []) as { function: WireTool }[]) {
      const refusal = refuseOpenAiTool(tool);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  },
  error: (status, message) => ({
    error: { message, type: status === 429 ? "rate_limit_exceeded" : "error", code: null, param: null },
  }),
  list: (ids) => ({
    object: "list",
    data: ids.map((id) => ({ id, object: "model", created: 1, owned_by: "stub" })),
  }),
  whole: (answer) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "stub",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: answer.text ?? null,
          refusal: answer.refusal ?? null,
          ...(answer.calls && { tool_calls: answer.calls.map(toolCall) }),
        },
        finish_reason: finish(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  events(answer) {
    const chunk = (delta: object, reason: string | null = null) => ({
      data: {
        id: "chatcmpl-1",
        object: "chat.completion.chunk",
        created: 1,
        model: "stub",
        choices: [{ index: 0, delta, finish_reason: reason }],
      },
    });
    const pieces = (text = "") => text.match(/.{1,4}/gs) ?? [];
    const calls = answer.calls ?? [];
    return [
      chunk({ role: "assistant", content: "" }),
      ...pieces(answer.text).map((content) => chunk({ content })),
      ...pieces(answer.refusal).map((refusal) => chunk({ refusal })),
      ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...toolCall({ ...call, args: "" }) }] })),
      // Pieces of calls made together come interleaved.
      ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap((at) =>
        calls.flatMap((call, index) => {
          const piece = sliceOf(call.args, at, 8);
          return piece === "" ? [] : [chunk({ tool_calls: [{ index, function: { arguments: piece } }] })];
        }),
      ),
      chunk({}, finish(answer)),
      {
        data: {
          id: "chatcmpl-1",
          object: "chat.completion.chunk",
          created: 1,
          model: "stub",
          choices: [],
          usage: usageOf(answer),
        },
      },
      { data: "[DONE]" },
    ];
  },
};

const usageOf = ({ cached }: Spoken) => ({
  prompt_tokens: 11,
  completion_tokens: 7,
  total_tokens: 18,
  ...(cached && { prompt_tokens_details: { cached_tokens: cached.read } }),
});

function sliceOf(text: string, at: number, parts: number): string {
  const length = Math.ceil(text.length / parts);
  return text.slice(at * length, (at + 1) * length);
}

function toolCall({ id, name, args }: { id: string; name: string; args: string }) {
  return { id, type: "function", function: { name, arguments: args } };
}

function finish({ finish: reason, calls }: Spoken): string {
  if (reason === "filter") return "content_filter";
  return reason ?? (calls ? "tool_calls" : "stop");
}
