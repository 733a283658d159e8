/** @module JSON-RPC 2.0 as it arrives: text becomes requests, notifications and answers; what is none of these is kept as evidence. */
import { isExactNumber } from "@fettle/contract/formats";
import { measureInSlices, parseInSlices } from "./json-slices.ts";
import {
  type JsonLimits,
  type JsonMeasure,
  type ParsedJson,
  parseJsonWithin,
  syntaxReason,
} from "./json-text.ts";
import { wholeLength } from "./turns.ts";

export type JsonObject = Record<string, unknown>;
export type RequestId = number | string;

interface RpcRequest {
  jsonrpc: "2.0";
  id: RequestId;
  method: string;
  params?: JsonObject;
}

interface RpcNotification {
  jsonrpc: "2.0";
  method: string;
  params?: JsonObject;
}

export interface RpcErrorBody {
  code: number;
  message: string;
  data?: unknown;
}

interface RpcAnswer {
  jsonrpc: "2.0";
  id: RequestId;
  result?: unknown;
  error?: RpcErrorBody;
}

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer;

/** How a text differed from what a message should look like, without being unreadable. */
export type Oddity = "batch" | "byte-order-mark" | "not-utf8";

/** One thing a server said. `excerpt` is present only when it could not be read as a message. */
export type Inbound = (
  | { kind: "request"; id: RequestId; method: string; params: JsonObject; message: JsonObject }
  | { kind: "notification"; method: string; params: JsonObject; message: JsonObject }
  | { kind: "result"; id: RequestId; result: unknown; message: JsonObject }
  | { kind: "error"; id: RequestId | null; error: RpcErrorBody; message: JsonObject }
  | MalformedInbound
) & { odd?: readonly Oddity[] };

export interface MalformedInbound {
  kind: "malformed";
  reason: string;
  /** Too big, deep or wide, rather than wrong. */
  limit: boolean;
  /** The id it carries, when one can be read: that call can be told at once. */
  id?: RequestId;
  excerpt: string;
  message?: unknown;
}

/**
 * Reads one text as a message, or as a batch where a revision allows it (an array always yields its parts). Whoever
 * measured the text while it came in says so, and of one that is too much need give only the beginning. Whoever saw
 * the bytes says whether they were UTF-8.
 */
export function readMessages(text: string, limits: JsonLimits, known: KnownOfText = {}): Inbound[] {
  const { inside, odd } = openText(text, known);
  return messagesOf(parseJsonWithin(inside, limits, known.measured), inside, odd);
}

/** The same of a text that may be large: it is then read in turn with everything else. */
export async function readMessagesInTurn(
  text: string,
  limits: JsonLimits,
  known: KnownOfText = {},
): Promise<Inbound[]> {
  if (text.length <= wholeLength) return readMessages(text, limits, known);
  const { inside, odd } = openText(text, known);
  return messagesOf(await parseInTurn(inside, limits, known.measured), inside, odd);
}

async function parseInTurn(
  text: string,
  limits: JsonLimits,
  measured: JsonMeasure | undefined,
): Promise<ParsedJson> {
  const { excess, hasLongNumber } = measured ?? (await measureInSlices(text, limits));
  if (excess !== undefined) return { ok: false, reason: excess, limit: true };
  try {
    return { ok: true, value: await parseInSlices(text, { hasLongNumber }) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, reason: syntaxReason(error), limit: false };
  }
}

/** What is known of a text before it is read. */
interface KnownOfText {
  measured?: JsonMeasure | undefined;
  isUtf8?: boolean;
}

function openText(text: string, { isUtf8 = true }: KnownOfText): { inside: string; odd: Oddity[] } {
  const hasMark = text.charCodeAt(0) === 0xfeff;
  const odd: Oddity[] = [
    ...(hasMark ? (["byte-order-mark"] as const) : []),
    ...(isUtf8 ? [] : (["not-utf8"] as const)),
  ];
  return { inside: hasMark ? text.slice(1) : text, odd };
}

function messagesOf(parsed: ParsedJson, text: string, before: Oddity[]): Inbound[] {
  const odd: Oddity[] = parsed.ok && Array.isArray(parsed.value) ? [...before, "batch"] : before;
  const messages = partsOf(parsed, text);
  return odd.length === 0 ? messages : messages.map((message) => ({ ...message, odd }));
}

function partsOf(parsed: ParsedJson, text: string): Inbound[] {
  if (!parsed.ok) {
    return [{ kind: "malformed", reason: parsed.reason, limit: parsed.limit, excerpt: excerptOf(text) }];
  }
  if (!Array.isArray(parsed.value)) return [classify(parsed.value, text)];
  if (parsed.value.length === 0) return [malformedMessage("an empty batch", parsed.value, text)];
  return parsed.value.map((part) => classify(part));
}

/** Says what a parsed value is, by the letter of JSON-RPC 2.0. `text` is what it was read from, if that is at hand. */
export function classify(value: unknown, text?: string): Inbound {
  const malformed = (reason: string) => malformedMessage(reason, value, text);
  if (!isObject(value)) return malformed("not a JSON object");
  if (value.jsonrpc !== "2.0") return malformed('"jsonrpc" is not "2.0"');
  const hasId = "id" in value;
  if ("method" in value) {
    if (typeof value.method !== "string") return malformed('"method" is not a string');
    if (value.params !== undefined && !isObject(value.params)) {
      return malformed('"params" is not an object');
    }
    const params = value.params ?? {};
    // No request is called so: one that carries an id all the same waits for no answer.
    if (!hasId || value.method.startsWith("notifications/"))
      return { kind: "notification", method: value.method, params, message: value };
    if (!isRequestId(value.id)) return malformed('"id" is neither a string nor a number');
    return { kind: "request", id: value.id, method: value.method, params, message: value };
  }
  const hasResult = "result" in value;
  const hasError = "error" in value;
  if (hasResult === hasError) {
    return malformed(hasResult ? 'both "result" and "error"' : 'no "method", "result" or "error"');
  }
  if (hasError) {
    if (!isErrorBody(value.error)) return malformed('"error" lacks an integer code or a message');
    if (hasId && value.id !== null && !isRequestId(value.id)) {
      return malformed('"id" is neither a string nor a number');
    }
    return { kind: "error", id: isRequestId(value.id) ? value.id : null, error: value.error, message: value };
  }
  if (!isRequestId(value.id)) return malformed('an answer without a usable "id"');
  return { kind: "result", id: value.id, result: value.result, message: value };
}

/** A result in which only the id is missing or null: whose answer it is nobody can say. */
export function isAnswerWithoutId(inbound: Inbound): boolean {
  if (inbound.kind !== "malformed" || !isObject(inbound.message)) return false;
  const { jsonrpc, id } = inbound.message;
  return (
    jsonrpc === "2.0" && "result" in inbound.message && !("error" in inbound.message) && !isRequestId(id)
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
}

/** JSON that may be a message: an object or a batch, with or without a byte order mark. */
export function looksLikeMessage(text: string): boolean {
  return /^\uFEFF?\s*[[{]/.test(text);
}

/** The first characters of a text, enough to recognise it by. */
export function excerptOf(text: string, length = 200): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

function isErrorBody(value: unknown): value is RpcErrorBody {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === "string";
}

function malformedMessage(reason: string, value: unknown, text?: string): MalformedInbound {
  return {
    kind: "malformed",
    reason,
    limit: false,
    excerpt: excerptOf(text ?? JSON.stringify(value) ?? ""),
    message: value,
    ...(isObject(value) && isRequestId(value.id) && { id: value.id }),
  };
}
