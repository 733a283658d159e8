/** @module A conversation with the server in which every byte we send is ours to choose and everything that comes back is kept. One interface for both eras and all transports. */
import {
  type EraKind,
  type Inbound,
  isObject,
  type JsonObject,
  McpError,
  type RawAnswer,
  type RawHttp,
  type RequestId,
  statelessEra,
  type WireKind,
  type WireProblem,
} from "@fettle/mcp";
import { type Exchange, resultOf } from "./exchange.ts";

/** What the client of this run is called, and what it can do. */
export const clientInfo = { name: "fettle-conformance", version: "1.0.0" };
export const fullCapabilities: JsonObject = { sampling: {}, elicitation: { form: {} }, roots: {} };

/** Answers a request of the server; undefined leaves it to the default answer. */
export type Answerer = (method: string, params: JsonObject) => JsonObject | undefined;

export interface AskOptions {
  /** Over what the era sends by itself; undefined removes one. */
  headers?: Record<string, string | undefined>;
  /** Over what the era puts into `_meta` by itself. */
  meta?: JsonObject;
  /** Params go out as they are, without the envelope of the era. */
  isBare?: boolean;
  /** What this one request declares, in the stateless era. */
  capabilities?: JsonObject;
  id?: RequestId;
  answer?: Answerer;
  /** How long to watch an answer that may stay open. */
  window?: { totalMs?: number; idleMs?: number };
  /** Stop watching as soon as this came, instead of at the answer. */
  until?: (message: Inbound) => boolean;
  /** After that, how long to see what else comes; over HTTP only. */
  lingerMs?: number;
}

/** How the conversation was opened, by `initialize` or by `server/discover`. */
export interface Opening {
  exchange: Exchange;
  /** The result, when there was one. */
  result?: JsonObject;
  /** How the stateful opening was completed. */
  initialized?: Exchange;
  sessionId?: string;
}

export interface Talk {
  readonly transport: WireKind;
  readonly era: EraKind;
  readonly version: string;
  /** Shakes hands, or asks what the server is; once, however often it is called. */
  open(): Promise<Opening>;
  /** One request. Rejects only when nothing came back that could be judged. */
  ask(method: string, params?: JsonObject, options?: AskOptions): Promise<Exchange>;
  notify(method: string, params?: JsonObject): Promise<Exchange>;
  /** What was odd on the wire so far. */
  problems(): readonly WireProblem[];
  close(): Promise<void>;
}

/** The status line and headers of an answer that may stay open. */
export type SeenHead = Pick<RawAnswer, "status" | "mediaType">;

export interface HttpTalk extends Talk {
  readonly transport: "streamable-http";
  readonly raw: RawHttp;
  /** Given out by the handshake. */
  sessionId(): string | undefined;
  /** What every request of this conversation carries: credentials, version, session. */
  headers(): Record<string, string>;
  /** How the stream was answered that the server may speak on by itself; only of one that listens, in the stateful era. */
  listening(): Promise<SeenHead>;
}

export interface TalkOptions {
  version: string;
  era: EraKind;
  /** Longest wait for one answer. */
  timeoutMs: number;
  /** Every exchange of the run, in the order they ended. */
  transcript: Exchange[];
}

export function isHttpTalk(talk: Talk): talk is HttpTalk {
  return talk.transport === "streamable-http";
}

/** What a request looks like in its era: params with their envelope, and the headers that go with them. */
export function prepared(
  { era, version }: Pick<TalkOptions, "era" | "version">,
  method: string,
  params: JsonObject | undefined,
  { meta, isBare, capabilities = fullCapabilities }: AskOptions,
): { params: JsonObject | undefined; headers: Record<string, string> } {
  const own = meta ? { ...params, _meta: { ...(isObject(params?._meta) && params._meta), ...meta } } : params;
  if (era === "stateful") {
    // Earlier servers do not know the header, and on `initialize` the version is still open.
    const saysVersion = version >= "2025-06-18" && method !== "initialize";
    return { params: own, headers: saysVersion ? { "mcp-protocol-version": version } : {} };
  }
  const wrapped = statelessEra(() => ({ clientInfo, capabilities }), version).prepare(method, own);
  return isBare ? { params: own, headers: wrapped.headers } : wrapped;
}

export function initializeParams(version: string): JsonObject {
  return { protocolVersion: version, capabilities: fullCapabilities, clientInfo };
}

/** Answers what a server may ask, when the check at hand has no answer of its own. */
export function replyTo(
  request: Extract<Inbound, { kind: "request" }>,
  answerers: readonly (Answerer | undefined)[],
): JsonObject {
  const { id, method, params } = request;
  for (const answerer of answerers) {
    const result = answerer?.(method, params);
    if (result) return { jsonrpc: "2.0", id, result };
  }
  const result = defaultAnswers[method];
  if (result) return { jsonrpc: "2.0", id, result };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
}

const defaultAnswers: Record<string, JsonObject> = {
  ping: {},
  "roots/list": { roots: [] },
  "elicitation/create": { action: "decline" },
  "sampling/createMessage": {
    role: "assistant",
    content: { type: "text", text: "This is a test response from the client" },
    model: "test-model",
    stopReason: "endTurn",
  },
};

/** The version both sides agreed on. Without one there is no session to ask anything in. */
export function agreedVersion(opening: Opening): string {
  const { result, exchange } = opening;
  if (typeof result?.protocolVersion === "string") return result.protocolVersion;
  throw new McpError(
    "INVALID_RESULT",
    "The handshake did not succeed, so nothing could be asked in a session.",
    {
      details: { method: "initialize", ...(exchange.http && { status: exchange.http.status }) },
    },
  );
}

export function openingOf(exchange: Exchange, more: Partial<Opening> = {}): Opening {
  const result = resultOf(exchange);
  return { exchange, ...(result && { result }), ...more };
}

/** A time that differs a little from run to run would look like a difference between servers. */
const roundMs = 500;

/** A request that was still unanswered when time ran out shows nothing that could be judged. What is said is how long it was really waited for. */
export function requireAnswer({ ended, answer, method }: Exchange, askedAt: number): void {
  if (ended !== "window" || answer) return;
  throw new McpError("TIMEOUT", `${method ?? "A request"} was not answered within ${msSince(askedAt)} ms.`);
}

function msSince(start: number): number {
  const ms = Math.round(performance.now() - start);
  return ms < roundMs ? ms : ms - (ms % roundMs);
}

/** What the server says it can do. Checks that depend on it could not run when it says nothing usable. */
export function capabilitiesOf({ result, exchange }: Opening): JsonObject {
  if (isObject(result?.capabilities)) return result.capabilities;
  throw new McpError("INVALID_RESULT", `The answer to ${exchange.method} names no capabilities.`);
}
