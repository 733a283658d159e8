/** @module What makes two model requests the same: everything the model sees, but for ids, and for what differs from call to call in tool results. Pure. */
import { canonicalJson } from "@fettle/contract/formats";
import { isObject } from "@fettle/mcp";
import { digestOf } from "../digest.ts";
import type { AssistantPart, Message } from "../models/messages.ts";
import type { ModelRequest, OfferedTool } from "../models/model.ts";

export interface RequestKeys {
  /** The same request in every respect. */
  exact: string;
  /** The same but for what the tools answered. */
  loose: string;
}

/** What a tool's result may differ in from run to run without being another result: `timestamps`, `uuids`, or a JSONPath. */
export const defaultMasks: readonly string[] = ["timestamps", "uuids"];

const namedMasks: Record<string, readonly [RegExp, string]> = {
  timestamps: [/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>"],
  uuids: [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<uuid>"],
};

export function isMask(mask: string): boolean {
  return Object.hasOwn(namedMasks, mask) || /^\$(?:\.[\w-]+|\[(?:\d+|\*)\])+$/.test(mask);
}

export function keysOf(model: string, request: ModelRequest, masks: readonly string[]): RequestKeys {
  const { system, toolChoice, responseSchema, parameters, position } = request;
  const messages = withOrdinals(request.messages);
  const tools = toolHashes(request.tools);
  const seen = messages.map((message) =>
    message.role === "tool" ? { ...message, text: masked(message.text, masks) } : message,
  );
  return {
    exact: digestOf({ model, system, messages: seen, tools, toolChoice, responseSchema, parameters }),
    loose: digestOf({
      position,
      system,
      tools,
      messages: messages.flatMap((message): object[] => {
        if (message.role === "tool") return [];
        if (message.role !== "assistant") return [message];
        return message.parts.filter((part) => part.type === "tool-call");
      }),
    }),
  };
}

export function messagesHash(messages: readonly Message[]): string {
  return digestOf(withOrdinals(messages));
}

/** By the name offered, what a model chooses by. */
export function toolHashes(tools: readonly OfferedTool[]): Record<string, string> {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, digestOf({ description, inputSchema })]),
  );
}

/** Ids are made up anew by every provider; what counts is which answer belongs to which call. */
function withOrdinals(messages: readonly Message[]): Message[] {
  const ordinals = new Map<string, string>();
  const ordinal = (id: string) => {
    const known = ordinals.get(id) ?? `#${ordinals.size + 1}`;
    ordinals.set(id, known);
    return known;
  };
  return messages.map((message) => {
    if (message.role === "tool") return { ...message, toolCallId: ordinal(message.toolCallId) };
    if (message.role !== "assistant") return message;
    const parts = message.parts.flatMap((part): AssistantPart[] => {
      if (part.type === "text") return [part];
      if (part.type === "reasoning") return [];
      const { providerMetadata: _dropped, ...call } = part;
      return [{ ...call, toolCallId: ordinal(part.toolCallId) }];
    });
    return { role: "assistant", parts };
  });
}

function masked(text: string, masks: readonly string[]): string {
  let rest = text;
  for (const mask of masks) {
    const named = Object.hasOwn(namedMasks, mask) ? namedMasks[mask] : undefined;
    rest = named ? rest.replace(named[0], named[1]) : maskedAt(rest, mask);
  }
  return rest;
}

/** The value at a path of a result that is JSON; other results are left as they are. */
function maskedAt(text: string, path: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  const steps = [...path.matchAll(/\.([\w-]+)|\[(\d+|\*)\]/g)].flatMap(([, name, at]) => name ?? at ?? []);
  try {
    const value: unknown = JSON.parse(text);
    return canonicalJson(hideAt(value, steps));
  } catch {
    return text;
  }
}

function hideAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return "<masked>";
  if (Array.isArray(value)) {
    return value.map((item, index) => (step === "*" || Number(step) === index ? hideAt(item, rest) : item));
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  return { ...value, [step]: hideAt(value[step], rest) };
}
