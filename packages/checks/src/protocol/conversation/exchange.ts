/** @module One request and everything that came back for it: the evidence that checks judge. Pure readings of it live here too. */
import {
  type Inbound,
  isObject,
  type JsonObject,
  type RawAnswer,
  type RequestId,
  type RpcErrorBody,
} from "@fettle/mcp";
import { internalError } from "../../verdict/ask-again.ts";

export interface HttpFacts {
  status: number;
  mediaType: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The beginning of the body. */
  excerpt: string;
  /** Empty but for white space. */
  isEmpty: boolean;
}

export interface Exchange {
  /** Absent when what was sent is no request of ours, as a broken body. */
  method?: string;
  params?: JsonObject;
  /** Absent for a notification. */
  id?: RequestId;
  /** What it was part of: a session, or a process. Absent over HTTP without sessions. Never shown. */
  session?: string;
  /** Headers that this exchange was about; credentials are never among them. */
  headers?: Record<string, string>;
  /** Absent over stdio. */
  http?: HttpFacts;
  /** Every message that came while waiting, in order; the answer among them. */
  heard: Inbound[];
  /** The first message that answers; over HTTP it may carry a wrong id. */
  answer?: AnswerInbound;
  events: RawAnswer["events"];
  ended: RawAnswer["ended"];
}

/** An exchange that needs something the server may not have. */
export type Attempt = { kind: "done"; exchange: Exchange } | { kind: "no-subject"; why: string };

export type AnswerInbound = Extract<Inbound, { kind: "result" | "error" | "malformed" }>;

export function isAnswer(message: Inbound): message is AnswerInbound {
  return message.kind === "result" || message.kind === "error" || message.kind === "malformed";
}

export function resultOf({ answer }: Exchange): JsonObject | undefined {
  return answer?.kind === "result" && isObject(answer.result) ? answer.result : undefined;
}

/** What a result of a tool says in words. */
export function textsOf({ content }: JsonObject): string[] {
  const blocks = Array.isArray(content) ? content : [];
  return blocks.flatMap((block) => (isObject(block) && typeof block.text === "string" ? [block.text] : []));
}

export function errorOf({ answer }: Exchange): RpcErrorBody | undefined {
  return answer?.kind === "error" ? answer.error : undefined;
}

export function notificationsOf({ heard }: Exchange, method: string): JsonObject[] {
  return heard.flatMap((message) =>
    message.kind === "notification" && message.method === method ? [message.params] : [],
  );
}

/** A body that is no JSON-RPC at all: a gateway's page or nothing. It says nothing about the server's MCP. */
export function isForeign({ http, answer }: Exchange): boolean {
  return http !== undefined && http.status >= 400 && answer?.kind !== "error" && answer?.kind !== "result";
}

/** What a server or its gateway says when it cannot answer just then. */
export function isOutageStatus(status: number | undefined): boolean {
  return status !== undefined && [429, 500, 502, 503, 504].includes(status);
}

/** The server, or a gateway before it, could not answer just then: no MCP, and no verdict. */
export function isOutage(exchange: Exchange): boolean {
  return isForeign(exchange) && isOutageStatus(exchange.http?.status);
}

/** The server says that something in it or behind it is out of order: that is no answer to judge, and no violation. */
export function isTrouble(exchange: Exchange): boolean {
  return errorOf(exchange)?.code === internalError;
}

/** Larger, deeper or wider than we accept: that is our rule, not the protocol's. */
export function isBeyondLimits({ answer, ended }: Exchange): boolean {
  return ended === "limit" || (answer?.kind === "malformed" && answer.limit);
}

/** In words, for a verdict's reason. */
export function describeAnswer({ http, answer, ended }: Exchange): string {
  const status = http ? `HTTP ${http.status}` : "";
  const body =
    answer === undefined
      ? ended === "window"
        ? "no answer in time"
        : "no JSON-RPC answer"
      : answer.kind === "result"
        ? "a result"
        : answer.kind === "error"
          ? `error ${answer.error.code} "${short(answer.error.message.replace(/\s+/g, " "), 120)}"`
          : `no valid message (${answer.reason})`;
  return [status, body].filter((part) => part !== "").join(", ");
}

const evidenceLength = 600;

/** What was sent and what came, short enough to show. */
export function evidenceOf(exchange: Exchange): JsonObject {
  const { method, params, id, headers, http, heard } = exchange;
  const messages = heard.slice(0, 5).map((message) => ("message" in message ? message.message : message));
  return {
    sent: {
      ...(method !== undefined && { method }),
      ...(id !== undefined && { id }),
      ...(params && { params: shown(params) }),
      ...(headers && { headers }),
    },
    received: {
      ...(http && { status: http.status, contentType: http.headers["content-type"] ?? "" }),
      ...(messages.length > 0
        ? { messages: messages.map(shown) }
        : http && { body: short(http.excerpt, 200) }),
      ...(heard.length > 5 && { more: heard.length - 5 }),
    },
  };
}

/** A value as it is when it is small, else the beginning of its text. */
export function shown(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "";
  return text.length <= evidenceLength ? value : short(text, evidenceLength);
}

export function short(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
