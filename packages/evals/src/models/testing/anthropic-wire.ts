/** @module How Anthropic's messages are written, whole and as events. */
import type { JsonObject } from "@fettle/mcp";
import { nestedSchemas } from "../schema-walk.ts";
import type { ModelWire, Spoken } from "./model-wire.ts";

type Block = { type: string; id?: string; tool_use_id?: string; text?: string; cache_control?: unknown };

/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching, read 2026-11-19: four marks at most, none on an empty text. */
function refuseMarks(blocks: readonly Partial<Block>[]): string | undefined {
  const marked = blocks.filter(({ cache_control: mark }) => mark !== undefined && mark !== null);
  if (marked.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`;
  return marked.some(({ type, text }) => type === "text" && text === "")
    ? "cache_control cannot be set for empty text blocks"
    : undefined;
}

/** `tool-dialect.ts` says where these were read. */
function refuseSchema(schema: JsonObject): string | undefined {
  if (schema.type !== "object") return "input_schema.type: Field required";
  if (["oneOf", "allOf", "anyOf"].some((word) => word in schema))
    return "input_schema does not support oneOf, allOf, or anyOf at the top level";
  for (const { $ref, properties } of nestedSchemas(schema)) {
    if ($ref !== undefined) return "input_schema does not support $ref";
    const odd = Object.keys(properties ?? {}).find((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
    if (odd !== undefined) return `input_schema.properties: Property keys should match pattern, not ${odd}`;
  }
  return undefined;
}

export const anthropicWire: ModelWire = {
  matches: (url, body) =>
    url.pathname.endsWith("/messages") ? { streams: body.stream === true } : undefined,
  key: (headers) => [headers["x-api-key"]].flat()[0],
  refuse({ model, messages, system, temperature, tool_choice: choice, max_tokens: most, tools = [] }) {
    if (String(model).includes(".")) return `model: ${model}`;
    // https://github.com/simstudioai/sim/pull/5328, read 2026-11-19
    if (temperature !== undefined && /claude-[a-z]+-5|-4-[78]/.test(String(model)))
      return "`temperature` is deprecated for this model.";
    // https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5, read 2026-11-19
    if ((choice as { type?: string })?.type === "any" && /-5-5$|fable-5-1/.test(String(model)))
      return "tool_choice: forced tool use is not supported for this model.";
    if (typeof most !== "number") return "max_tokens: Field required";
    for (const tool of tools as { input_schema: JsonObject }[]) {
      const refusal = refuseSchema(tool.input_schema);
      if (refusal !== undefined) return refusal;
    }
    for (const { content } of messages as { content: string | Block[] }[])
      for (const { type, text } of typeof content === "string" ? [] : content)
        if (type === "text" && text?.trim() === "")
          return "text content blocks must contain non-whitespace text";
    const said = (messages as { content: string | Block[] }[]).flatMap(({ content }) =>
      typeof content === "string" ? [] : content,
    );
    const marks = refuseMarks([...(tools as Block[]), ...(Array.isArray(system) ? system : []), ...said]);
    if (marks !== undefined) return marks;
    let open: string[] = [];
    for (const { content } of messages as { content: string | Block[] }[]) {
      const blocks = typeof content === "string" ? [] : content;
      const answered = blocks.flatMap(({ type, tool_use_id: id }) => (type === "tool_result" ? [id!] : []));
      const missing = open.find((id) => !answered.includes(id));
      if (missing !== undefined) return `tool_use ids were found without tool_result blocks: ${missing}`;
      open = blocks.flatMap(({ type, id }) => (type === "tool_use" ? [id!] : []));
    }
    return undefined;
  },
  error: (status, message) => ({
    type: "error",
    error: { type: status === 429 ? "rate_limit_error" : "api_error", message },
  }),
  list: (ids) => ({ data: ids.map((id) => ({ type: "model", id, display_name: id })), has_more: false }),
  whole: (answer) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "stub",
    content: [
      ...textsOf(answer).map((text) => ({ type: "text", text })),
      ...(answer.calls ?? []).map(({ id, name, args }) => ({
        type: "tool_use",
        id,
        name,
        input: JSON.parse(args),
      })),
    ],
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: { ...inputOf(answer), output_tokens: 7 },
  }),
  events(answer) {
    const named = (event: string, data: object) => ({ event, data: { type: event, ...data } });
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "stub",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputOf(answer), output_tokens: 1 },
    };
    const blocks = [
      ...textsOf(answer).map((text) => ({
        start: { type: "text", text: "" },
        deltas: (text.match(/.{1,4}/gs) ?? []).map((piece) => ({ type: "text_delta", text: piece })),
      })),
      ...(answer.calls ?? []).map(({ id, name, args }) => ({
        start: { type: "tool_use", id, name, input: {} },
        deltas: (args.match(/.{1,6}/gs) ?? []).map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      })),
    ];
    return [
      named("message_start", { message }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        named("content_block_start", { index, content_block: start }),
        ...deltas.map((delta) => named("content_block_delta", { index, delta })),
        named("content_block_stop", { index }),
      ]),
      named("message_delta", {
        delta: { stop_reason: stopReason(answer), stop_sequence: null },
        usage: { output_tokens: 7 },
      }),
      named("message_stop", {}),
    ];
  },
};

/** What came from the cache, and went into it, is counted beside the rest. */
const inputOf = ({ cached: { read = 0, written = 0 } = { read: 0 } }: Spoken) => ({
  input_tokens: 11 - read - written,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: written,
});

function textsOf({ text, refusal }: Spoken): string[] {
  return [text, refusal].filter((words) => words !== undefined);
}

function stopReason({ finish, calls, refusal }: Spoken): string {
  if (finish === "filter" || refusal !== undefined) return "refusal";
  if (finish === "length") return "max_tokens";
  return calls ? "tool_use" : "end_turn";
}
