/** @module A provider package of the AI SDK as a model of ours. Its types stop at this file, and its loop is not used: `docs/decisions/agent-loop.md` says why. */
import type { LanguageModelV4, LanguageModelV4Usage } from "@ai-sdk/provider";
import { isObject, type JsonObject } from "@fettle/mcp";
import { acceptedRequest } from "./accepted-request.ts";
import { type AdaptedTool, adaptTool } from "./adapted-tool.ts";
import type { ResolvedModel } from "./catalog.ts";
import type { AssistantPart, FinishReason, ReasoningPart, TextPart, Usage } from "./messages.ts";
import {
  type CallContext,
  type Model,
  type ModelAnswer,
  type ModelDelta,
  ModelError,
  type ModelRequest,
} from "./model.ts";
import { type Hidden, isFiltered, providerFailure, refusalOf } from "./provider-failure.ts";
import { type Offered, type SdkOptions, sdkRequest } from "./sdk-request.ts";
import type { ToolDialect } from "./tool-dialect.ts";

type SdkMetadata = Record<string, JsonObject>;

export interface SdkModelFacts extends Pick<Model, "id" | "provider" | "price"> {
  /** Loaded at the first call: the package and its validator cost more than everything else at start-up. */
  load(): Promise<LanguageModelV4>;
  /** Another wire to the same model, and the refusals that send us there. */
  otherWire?: {
    load(): Promise<LanguageModelV4>;
    isMeantBy(refusal: { status: number; message: string }): boolean;
  };
  /** Takes keys out of whatever a provider says. */
  hide: Hidden;
  /** What this provider takes of a tool. */
  dialect: ToolDialect;
  /** It keeps what is marked, and charges less for it the next time. */
  marksCache?: boolean;
  /** What its refusals have taught so far. */
  lesson?: Lesson;
  /** What its name stands for; absent: a model that only its own provider knows. */
  resolved?: ResolvedModel;
}

/** How a model is asked: on which wire, and whether only a stream is answered. */
interface Way {
  isOther: boolean;
  streams: boolean;
}

/** What a refusal taught; shared by all who open the same model, so that it is learned once. */
export interface Lesson {
  way: Way;
}

export const nothingLearned = (): Lesson => ({ way: { isOther: false, streams: false } });

const isNotFound = (error: unknown) => [404, 405].includes(refusalOf(error)?.status ?? 0);

/** What is shown of a stream that nobody watches. */
const unwatched = () => {};

/** In the words of those who answer nothing else: github.com/FoundationAgents/OpenManus/issues/330, read 2026-11-19. */
const wantsStream = /only supports? (?:the )?stream|streaming is required|requires? (?:the )?stream/i;

export function sdkModel({
  load,
  otherWire,
  hide,
  dialect,
  marksCache = false,
  resolved,
  lesson = nothingLearned(),
  ...facts
}: SdkModelFacts): Model {
  const loaded = new Map<boolean, Promise<LanguageModelV4>>();
  const sdkOn = (isOther: boolean) => {
    const sdk = loaded.get(isOther) ?? (isOther && otherWire ? otherWire.load() : load());
    loaded.set(isOther, sdk);
    return sdk;
  };

  /** The same request in the way that a refusal asks for; undefined: it asks for none. */
  function betterWay(error: unknown, way: Way): Way | undefined {
    const refusal = refusalOf(error);
    if (!refusal) return undefined;
    if (!way.streams && wantsStream.test(refusal.message)) return { ...way, streams: true };
    if (way.isOther || !otherWire?.isMeantBy(refusal)) return undefined;
    return { ...way, isOther: true };
  }

  const unknown = resolved?.isUnknown
    ? [`${facts.id} is not in Fettle's model catalog. Its name was sent as written; its limits are unknown.`]
    : [];
  return {
    ...facts,
    modelClass: "live",
    deterministic: false,
    async generate(request, context) {
      let { way } = lesson;
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
        const options = sdkRequest(accepted.request, watching.signal, offer.tools, marksCache);
        let refused: unknown;
        let answer: ModelAnswer | undefined;
        while (!answer) {
          try {
            const sdk = await sdkOn(way.isOther);
            answer = await answered(sdk, options, watching.onDelta ?? (way.streams ? unwatched : undefined));
            lesson.way = way;
          } catch (error) {
            const better = wasShown || refused !== undefined ? undefined : betterWay(error, way);
            // Where nothing was found, and nothing at the other address either, the first is what was wrong.
            if (!better) throw isNotFound(refused) && refusalOf(error) ? refused : error;
            refused = error;
            way = better;
          }
        }
        if (isEmpty(answer)) throw new ModelError("MODEL_ANSWER_INVALID", "The model's answer is empty.");
        return hide({
          ...answer,
          parts: answer.parts.map((part) => inServerWords(part, offer.tools)),
          warnings: [...unknown, ...accepted.warnings, ...offer.warnings, ...answer.warnings],
          ...(offer.notOffered.length > 0 && { notOffered: offer.notOffered }),
        });
      } catch (error) {
        // Nobody declined in words, but nobody answered either.
        if (!context.signal.aborted && isFiltered(error)) {
          return { parts: [], finishReason: "content-filter", usage: {}, warnings: unknown };
        }
        throw providerFailure(error, { signal: context.signal, hide, mayRepeat: !wasShown, now: Date.now() });
      }
    },
  };
}

function answered(
  sdk: LanguageModelV4,
  given: SdkOptions,
  onDelta: CallContext["onDelta"],
): Promise<ModelAnswer> {
  // Responses keep what was said at the provider for weeks, unless they are told not to.
  const options = sdk.provider.endsWith(".responses")
    ? { ...given, providerOptions: { openai: { store: false } } }
    : given;
  return onDelta ? streamed(sdk, options, onDelta) : whole(sdk, options);
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
        // Responses name a reason only where they did not come to their end.
        hasEnded =
          part.finishReason.raw !== undefined ||
          /^(?:stop|tool-calls|content-filter)$/.test(part.finishReason.unified);
        answer.finishReason = finishReasonOf(part.finishReason);
        answer.usage = usageOf(part.usage);
        break;
    }
  }
  // A stream that was cut looks like one that ended, but for the reason that only its end tells.
  if (!hasEnded) {
    throw new ModelError("MODEL_CONNECTION", "The model's answer broke off before its end.");
  }
  // A thought may be sealed: it has no words, and the provider wants it back.
  answer.parts = parts.filter(
    (part) => part.type === "tool-call" || part.text !== "" || "providerMetadata" in part,
  );
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

function usageOf({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): Usage {
  const usage: Usage = {};
  if (inputTokens.total !== undefined) usage.input = inputTokens.total;
  if (outputTokens.total !== undefined) usage.output = outputTokens.total;
  // DeepSeek counts it in a field of its own.
  const cached = inputTokens.cacheRead || raw?.prompt_cache_hit_tokens;
  if (typeof cached === "number" && cached > 0) usage.cached = cached;
  if (inputTokens.cacheWrite) usage.cacheWritten = inputTokens.cacheWrite;
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
