/** @module A provider package of the AI SDK as a model of ours. Its types stop at this file, and its loop is not used: `docs/decisions/agent-loop.md` says why. */
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isObject, type JsonObject } from "@fettle/mcp";
import { acceptedRequest } from "./accepted-request.ts";
import { type AdaptedTool, adaptTool } from "./adapted-tool.ts";
import type { ResolvedModel } from "./catalog.ts";
import type { AssistantPart, FinishReason, Message, ReasoningPart, TextPart, Usage } from "./messages.ts";
import {
  type CallContext,
  type Model,
  type ModelAnswer,
  type ModelDelta,
  ModelError,
  type ModelRequest,
} from "./model.ts";
import { type Hidden, providerFailure } from "./provider-failure.ts";
import type { ToolDialect } from "./tool-dialect.ts";

type SdkOptions = Parameters<LanguageModelV4["doGenerate"]>[0];
type SdkTools = NonNullable<SdkOptions["tools"]>;
type SdkAssistantPart = Extract<LanguageModelV4Prompt[number], { role: "assistant" }>["content"][number];
type SdkMetadata = Record<string, JsonObject>;

export interface SdkModelFacts extends Pick<Model, "id" | "provider" | "price"> {
  /** Loaded at the first call: the package and its validator cost more than everything else at start-up. */
  load(): Promise<LanguageModelV4>;
  /** Takes keys out of whatever a provider says. */
  hide: Hidden;
  /** What this provider takes of a tool. */
  dialect: ToolDialect;
  /** What its name stands for; absent: a model that only its own provider knows. */
  resolved?: ResolvedModel;
}

export function sdkModel({ load, hide, dialect, resolved, ...facts }: SdkModelFacts): Model {
  let loading: Promise<LanguageModelV4> | undefined;
  const unknown = resolved?.isUnknown
    ? [`${facts.id} is not in Fettle's model catalog. Its name was sent as written; its limits are unknown.`]
    : [];
  return {
    ...facts,
    modelClass: "live",
    deterministic: false,
    async generate(request, context) {
      loading ??= load();
      const sdk = await loading;
      let wasShown = false;
      const watching: CallContext = { signal: context.signal };
      if (context.onDelta) {
        const { onDelta } = context;
        watching.onDelta = (delta) => {
          wasShown = true;
          onDelta(delta);
        };
      }
      try {
        const accepted = acceptedRequest(request, resolved?.known);
        const offer = offerOf(accepted.request, dialect);
        const options = optionsOf(accepted.request, watching.signal, offer.tools);
        const answer = watching.onDelta
          ? await streamed(sdk, options, watching.onDelta)
          : await whole(sdk, options);
        if (isEmpty(answer)) throw new ModelError("MODEL_ANSWER_INVALID", "The model's answer is empty.");
        return hide({
          ...answer,
          parts: answer.parts.map((part) => inServerWords(part, offer.tools)),
          warnings: [...unknown, ...accepted.warnings, ...offer.warnings, ...answer.warnings],
          ...(offer.notOffered.length > 0 && { notOffered: offer.notOffered }),
        });
      } catch (error) {
        throw providerFailure(error, { signal: context.signal, hide, mayRepeat: !wasShown, now: Date.now() });
      }
    },
  };
}

/** White space and thoughts are no answer. Whoever declines may say nothing. */
function isEmpty({ parts, finishReason }: ModelAnswer): boolean {
  const says = (part: AssistantPart) =>
    part.type === "tool-call" || (part.type === "text" && part.text.trim() !== "");
  return finishReason !== "content-filter" && !parts.some(says);
}

async function whole(sdk: LanguageModelV4, options: SdkOptions): Promise<ModelAnswer> {
  const result = await sdk.doGenerate(options);
  const parts = result.content.flatMap((part): AssistantPart[] => {
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text }];
    if (part.type === "reasoning") {
      return [{ type: "reasoning", text: part.text, ...metadataOf(part.providerMetadata) }];
    }
    if (part.type !== "tool-call" || part.providerExecuted) return [];
    return [toolCallPart(part.toolCallId, part.toolName, part.input, part.providerMetadata)];
  });
  return {
    parts,
    finishReason: finishReasonOf(result.finishReason),
    usage: usageOf(result.usage),
    ...(result.response?.id && { responseId: result.response.id }),
    warnings: result.warnings.map(warningText),
  };
}

async function streamed(
  sdk: LanguageModelV4,
  options: SdkOptions,
  onDelta: (delta: ModelDelta) => void,
): Promise<ModelAnswer> {
  const startedAt = performance.now();
  const { stream } = await sdk.doStream(options);
  const parts: AssistantPart[] = [];
  const open = new Map<string, TextPart | ReasoningPart>();
  const answer: ModelAnswer = { parts, finishReason: "unknown", usage: {}, warnings: [] };
  let hasEnded = false;
  const isFirst = () => {
    answer.ttfcMs ??= Math.round(performance.now() - startedAt);
  };
  for await (const part of stream) {
    switch (part.type) {
      case "stream-start":
        answer.warnings.push(...part.warnings.map(warningText));
        break;
      case "response-metadata":
        if (part.id) answer.responseId = part.id;
        break;
      case "text-start":
      case "reasoning-start": {
        const opened = { type: part.type === "text-start" ? "text" : "reasoning", text: "" } as const;
        open.set(part.id, opened);
        parts.push(opened);
        if (opened.type === "reasoning") Object.assign(opened, metadataOf(part.providerMetadata));
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const opened = open.get(part.id);
        if (!opened) break;
        isFirst();
        opened.text += part.delta;
        if (opened.type === "reasoning") Object.assign(opened, metadataOf(part.providerMetadata));
        onDelta({ kind: opened.type, text: part.delta });
        break;
      }
      case "reasoning-end": {
        const opened = open.get(part.id);
        if (opened?.type === "reasoning") Object.assign(opened, metadataOf(part.providerMetadata));
        break;
      }
      case "tool-call":
        if (part.providerExecuted) break;
        isFirst();
        parts.push(toolCallPart(part.toolCallId, part.toolName, part.input, part.providerMetadata));
        onDelta({ kind: "tool-call", toolCallId: part.toolCallId, name: part.toolName });
        break;
      case "error":
        throw part.error;
      case "finish":
        hasEnded = part.finishReason.raw !== undefined;
        answer.finishReason = finishReasonOf(part.finishReason);
        answer.usage = usageOf(part.usage);
        break;
    }
  }
  // A stream that was cut looks like one that ended, but for the reason that only its end tells.
  if (!hasEnded) {
    throw new ModelError("MODEL_CONNECTION", "The model's answer broke off before its end.");
  }
  answer.parts = parts.filter((part) => part.type === "tool-call" || part.text !== "");
  return answer;
}

function toolCallPart(
  toolCallId: string,
  name: string,
  written: string,
  metadata: SdkMetadata | undefined,
): AssistantPart {
  const given = argumentsIn(written);
  return {
    type: "tool-call",
    toolCallId,
    name,
    arguments: given,
    ...(given === null && { rawArguments: written }),
    ...metadataOf(metadata),
  };
}

/** What the model wrote as arguments; null when it is no JSON object. Nothing at all is a call without arguments. */
function argumentsIn(written: string): JsonObject | null {
  if (written.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(written);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function metadataOf(metadata: SdkMetadata | undefined): { providerMetadata?: JsonObject } {
  const hasFacts = metadata && Object.values(metadata).some((facts) => Object.keys(facts).length > 0);
  return hasFacts ? { providerMetadata: metadata } : {};
}

function finishReasonOf({ unified }: { unified: string }): FinishReason {
  // What interrupts a provider's own tool cannot happen here, where none is offered.
  return unified === "interrupted" ? "other" : (unified as FinishReason);
}

function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage {
  const usage: Usage = {};
  if (inputTokens.total !== undefined) usage.input = inputTokens.total;
  if (outputTokens.total !== undefined) usage.output = outputTokens.total;
  if (inputTokens.cacheRead) usage.cached = inputTokens.cacheRead;
  if (outputTokens.reasoning) usage.reasoning = outputTokens.reasoning;
  if (usage.input !== undefined && usage.output !== undefined) usage.total = usage.input + usage.output;
  return usage;
}

function warningText(warning: {
  type: string;
  feature?: string;
  details?: string;
  message?: string;
}): string {
  const { type, feature, details, message } = warning;
  const words = message ?? details ?? "";
  return feature === undefined
    ? words || type
    : `${feature} is not supported by the provider${words && `: ${words}`}`;
}

type Offered = ReadonlyMap<string, AdaptedTool>;

interface Offer {
  tools: Offered;
  warnings: string[];
  notOffered: NonNullable<ModelAnswer["notOffered"]>;
}

function offerOf({ tools }: ModelRequest, dialect: ToolDialect): Offer {
  const offered = new Map<string, AdaptedTool>();
  const offer: Offer = { tools: offered, warnings: [], notOffered: [] };
  for (const tool of tools) {
    const { name } = tool;
    const adapted = adaptTool(tool, dialect);
    if ("refusal" in adapted) {
      offer.notOffered.push({ name, reason: adapted.refusal });
      continue;
    }
    offered.set(name, adapted);
    offer.warnings.push(...adapted.changes.map((change) => `The model sees a changed ${name}: ${change}.`));
  }
  return offer;
}

function inServerWords(part: AssistantPart, tools: Offered): AssistantPart {
  if (part.type !== "tool-call" || part.arguments === null) return part;
  const adapted = tools.get(part.name);
  return adapted ? { ...part, arguments: adapted.fromProvider(part.arguments) } : part;
}

function optionsOf(request: ModelRequest, signal: AbortSignal, offered: Offered): SdkOptions {
  const tools: SdkTools = [...offered].map(([name, { schema, description }]) => ({
    type: "function",
    name,
    ...(description !== undefined && { description }),
    // Ours says object and no more; theirs lists keywords that a server may or may not use.
    inputSchema: schema,
  }));
  return {
    prompt: promptOf(request, offered),
    ...request.parameters,
    ...(tools.length > 0 && { tools, toolChoice: { type: request.toolChoice } }),
    ...(request.responseSchema && {
      responseFormat: { type: "json", schema: request.responseSchema, name: "answer" },
    }),
    abortSignal: signal,
  };
}

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
