/** @module A request of ours as the AI SDK takes it: messages, tools in their provider's dialect, and what the provider may keep. */
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AdaptedTool } from "./adapted-tool.ts";
import type { AssistantPart, Message } from "./messages.ts";
import type { ModelRequest } from "./model.ts";

export type SdkOptions = Parameters<LanguageModelV4["doGenerate"]>[0];
type SdkTools = NonNullable<SdkOptions["tools"]>;
type SdkAssistantPart = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"][number];

/** Tools as this provider takes them, by the names they were handed over with. */
export type Offered = ReadonlyMap<string, AdaptedTool>;

/** `marksCache`: what stays the same in the next request is marked, so that the provider keeps it: tools, the system text, all said so far. */
export function sdkRequest(
  request: ModelRequest,
  signal: AbortSignal,
  offered: Offered,
  marksCache: boolean,
): SdkOptions {
  const tools: SdkTools = [...offered].map(([name, { schema, description }]) => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
    // Ours says object and no more; theirs lists keywords that a server may or may not use.
    inputSchema: schema,
  }));
  const prompt = promptOf(request, offered);
  if (marksCache) {
    const system = prompt.find(({ role }) => role === "system");
    // Four marks at most are allowed.
    const tool = tools.at(-1);
    if (tool?.type === "function") tool.providerOptions = cacheMark;
    for (const message of [system, prompt.at(-1)]) if (message) message.providerOptions = cacheMark;
  }
  return {
    prompt,
    ...request.parameters,
    ...(tools.length > 0 && { tools, toolChoice: { type: request.toolChoice } }),
    ...(request.responseSchema && {
      responseFormat: { type: "json", schema: request.responseSchema, name: "answer" },
    }),
    abortSignal: signal,
  };
}

const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };

function promptOf({ system, messages }: ModelRequest, offered: Offered): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  if (system !== undefined && system !== "") prompt.push({ role: "system", content: system });
  for (const message of messages) append(prompt, message, offered);
  return prompt;
}

function append(prompt: LanguageModelV4Prompt, message: Message, offered: Offered): void {
  if (message.role === "system") {
    prompt.push({ role: "system", content: message.text });
  } else if (message.role === "user") {
    prompt.push({ role: "user", content: [{ type: "text", text: message.text }] });
  } else if (message.role === "assistant") {
    const content = message.parts
      // Some providers refuse a text of nothing but white space, which their own models write.
      .filter((part) => part.type !== "text" || part.text.trim() !== "")
      .map((part) => sdkPart(part, offered));
    if (content.length > 0) prompt.push({ role: "assistant", content });
  } else {
    const { toolCallId, name, text, isError } = message;
    const output = { type: isError ? "error-text" : "text", value: text } as const;
    const result = { type: "tool-result", toolCallId, toolName: name, output } as const;
    const last = prompt.at(-1);
    // Answers to calls made together belong together; some providers refuse anything else.
    if (last?.role === "tool") last.content.push(result);
    else prompt.push({ role: "tool", content: [result] });
  }
}

function sdkPart(part: AssistantPart, offered: Offered): SdkAssistantPart {
  const options = part.type !== "text" && part.providerMetadata;
  // It was the provider's own when it came, so it has the shape that it takes.
  const providerOptions = options ? { providerOptions: options as SdkAssistantPart["providerOptions"] } : {};
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "reasoning") return { type: "reasoning", text: part.text, ...providerOptions };
  const { toolCallId, name, arguments: given } = part;
  const input = given && (offered.get(name)?.toProvider(given) ?? given);
  return { type: "tool-call", toolCallId, toolName: name, input: input ?? {}, ...providerOptions };
}
