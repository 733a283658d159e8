/** @module How OpenAI's Responses are written, whole and as events. Nothing is kept at the provider: what is said before comes along. */
import type { JsonObject } from "@fettle/mcp";
import type { ModelWire, Spoken } from "./model-wire.ts";
import { refuseOpenAiTool } from "./openai-wire.ts";

interface Item {
  type?: string;
  role?: string;
  id?: string;
  call_id?: string;
  arguments?: string;
  encrypted_content?: string | null;
}

interface Tool {
  type: string;
  name: string;
  description?: string;
  parameters: JsonObject;
  strict?: boolean;
}

/**
 * Read on 2026-11-19. Calls and their answers: github.com/router-for-me/CLIProxyAPI/issues/2368, github.com/continuedev/continue/issues/10092; items that were not stored:
 * github.com/jrkropp/open-webui-developer-toolkit/issues/715; `strict`, which is on unless it is turned off and then wants every
 * property to be required: github.com/vercel/ai/pull/15889.
 */
function refuseInput(items: readonly Item[], isStored: boolean): string | undefined {
  let open: string[] = [];
  for (const { type, id, call_id: call = "", arguments: written, encrypted_content: sealed } of items) {
    if (type === "item_reference" || (type === "reasoning" && !isStored && !sealed))
      return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`;
    if (type === "function_call") {
      JSON.parse(written ?? "");
      open.push(call);
    } else if (type === "function_call_output") {
      if (!open.includes(call)) return `No tool call found for function call output with call_id ${call}.`;
      open = open.filter((one) => one !== call);
    } else if (type !== "reasoning" && open.length > 0) break;
  }
  return open.length > 0 ? `No tool output found for function call ${open[0]}.` : undefined;
}

export const responsesWire: ModelWire = {
  matches: (url, body) => (url.pathname === "/v1/responses" ? { streams: body.stream === true } : undefined),
  key: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  refuse({ model, input, temperature, store, tools = [], messages }) {
    if (messages !== undefined) return "Unsupported parameter: 'messages'. Use 'input' instead.";
    if (temperature !== undefined && /^gpt-[5-9]/.test(String(model)))
      return "Unsupported parameter: 'temperature' is not supported with this model.";
    for (const tool of tools as Tool[]) {
      if (tool.strict !== false)
        return `Invalid schema for function '${tool.name}': 'required' must list every key.`;
      const refusal = refuseOpenAiTool(tool);
      if (refusal !== undefined) return refusal;
    }
    return refuseInput(input as Item[], store !== false);
  },
  error: (status, message) => ({
    error: {
      message,
      type: status === 429 ? "rate_limit_exceeded" : "invalid_request_error",
      code: null,
      param: null,
    },
  }),
  list: (ids) => ({ object: "list", data: ids.map((id) => ({ id, object: "model" })) }),
  whole: (answer) => response(answer, "completed"),
  events(answer) {
    const items = itemsOf(answer);
    const named = (type: string, data: object) => ({
      event: type,
      data: { type, sequence_number: 0, ...data },
    });
    return [
      named("response.created", {
        response: { ...response(answer, "in_progress"), output: [], usage: null },
      }),
      ...items.flatMap((item, index) => {
        const at = { output_index: index, item_id: item.id };
        const begun =
          item.type === "message"
            ? { ...item, content: [], status: "in_progress" }
            : item.type === "function_call"
              ? { ...item, arguments: "", status: "in_progress" }
              : item;
        return [
          named("response.output_item.added", { output_index: index, item: begun }),
          ...deltasOf(item).map(([type, delta]) => named(type, { ...at, content_index: 0, delta })),
          named("response.output_item.done", { output_index: index, item }),
        ];
      }),
      named(answer.finish ? "response.incomplete" : "response.completed", {
        response: response(answer, "completed"),
      }),
    ];
  },
};

interface OutputItem extends Item {
  type: string;
  id: string;
  name?: string;
  status?: string;
  summary?: unknown[];
  content?: { type: string; text?: string; refusal?: string }[];
}

function deltasOf(item: OutputItem): [string, string][] {
  if (item.type === "function_call") {
    return (item.arguments?.match(/.{1,6}/gs) ?? []).map((piece) => [
      "response.function_call_arguments.delta",
      piece,
    ]);
  }
  return (item.content ?? []).flatMap(({ text, refusal }) =>
    ((text ?? refusal)?.match(/.{1,4}/gs) ?? []).map((piece): [string, string] => [
      text === undefined ? "response.refusal.delta" : "response.output_text.delta",
      piece,
    ]),
  );
}

/** A thought comes first, sealed, as these models write it; then words, then calls. */
function itemsOf({ text, refusal, calls = [] }: Spoken): OutputItem[] {
  const content = [
    ...(text === undefined ? [] : [{ type: "output_text", text, annotations: [], logprobs: [] }]),
    ...(refusal === undefined ? [] : [{ type: "refusal", refusal }]),
  ];
  return [
    ...(calls.length > 0
      ? [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed-thought" }]
      : []),
    ...(content.length > 0
      ? [{ type: "message", id: "msg_1", role: "assistant", status: "completed", content }]
      : []),
    ...calls.map(({ id, name, args }) => ({
      type: "function_call",
      id: `fc_${id}`,
      call_id: id,
      name,
      arguments: args,
      status: "completed",
    })),
  ];
}

function response(answer: Spoken, status: string) {
  const { finish } = answer;
  return {
    id: "resp_1",
    object: "response",
    created_at: 1,
    model: "stub",
    status: finish === "length" || finish === "filter" ? "incomplete" : status,
    error: null,
    incomplete_details:
      finish === "length"
        ? { reason: "max_output_tokens" }
        : finish === "filter"
          ? { reason: "content_filter" }
          : null,
    output: itemsOf(answer),
    parallel_tool_calls: true,
    store: false,
    usage: {
      input_tokens: 11,
      input_tokens_details: { cached_tokens: answer.cached?.read ?? 0 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 18,
    },
  };
}
