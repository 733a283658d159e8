/** @module The one question a flow asks the MCP server, with and without a token, in the words of each protocol version. */
import { isOneOf } from "@fettle/contract/core";
import { latestStateless, statefulVersions } from "../../eras/era.ts";
import { statelessEra } from "../../eras/era-2026-07-28.ts";
import type { AddressZone } from "../../guard/addresses.ts";
import type { HttpClient } from "../../guard/client.ts";
import { type Inbound, isObject, type JsonObject } from "../../messages/jsonrpc.ts";
import { exchangeOver, type RawAnswer } from "../../session/raw.ts";
import { type BearerChallenge, parseBearerChallenge } from "../../wire/challenge.ts";

export interface McpQuestion {
  serverUrl: string;
  version: string;
  /** What the person adds; a credential among them is the caller's to take out. */
  headers: Record<string, string>;
  accessToken?: string | undefined;
  clientInfo: { name: string; version: string };
  capabilities: JsonObject;
  signal?: AbortSignal | undefined;
  timeoutMs: number;
}

export interface McpAnswer {
  status: number;
  statusText: string;
  headers: Record<string, string>;
  zone: AddressZone;
  challenge?: BearerChallenge;
  wwwAuthenticate?: string;
  /** The result, when the server answered as an MCP server does. */
  result?: unknown;
  /** The version that the result proves to be spoken; lax servers answer questions of versions they do not know. */
  spoken?: string;
  error?: { code: number; message: string };
  text: string;
  /** `window`: it began to answer, and time ran out. */
  ended: RawAnswer["ended"];
}

/** Stateful versions are asked for a handshake, the stateless one for its tools. */
export async function askServer(http: HttpClient, question: McpQuestion): Promise<McpAnswer> {
  const { serverUrl, accessToken, timeoutMs, signal } = question;
  const { message, headers } = questionOf(question);
  const answer = await exchangeOver(http, {
    url: serverUrl,
    method: "POST",
    headers: {
      ...question.headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: message,
    until: isAnswer,
    window: { totalMs: timeoutMs, idleMs: timeoutMs },
    ...(signal && { signal }),
  });
  const read = readAnswer(answer, question.version);
  await endSession(http, question, read);
  return read;
}

function questionOf({ version, clientInfo, capabilities }: McpQuestion): {
  message: JsonObject;
  headers: Record<string, string>;
} {
  if (version === latestStateless) {
    const era = statelessEra(() => ({ clientInfo, capabilities }));
    const { params = {}, headers } = era.prepare("tools/list", undefined);
    return { message: { jsonrpc: "2.0", id: 1, method: "tools/list", params }, headers };
  }
  const params = { protocolVersion: version, capabilities, clientInfo };
  return { message: { jsonrpc: "2.0", id: 1, method: "initialize", params }, headers: {} };
}

function isAnswer(message: Inbound): boolean {
  return (message.kind === "result" || message.kind === "error") && message.id === 1;
}

function readAnswer(answer: RawAnswer, asked: string): McpAnswer {
  const { status, statusText, headers, zone, text, ended } = answer;
  const wwwAuthenticate = headers["www-authenticate"];
  const challenge = parseBearerChallenge(wwwAuthenticate);
  const message = answer.messages.find(isAnswer);
  const spoken = message?.kind === "result" ? spokenIn(message.result, asked) : undefined;
  return {
    status,
    statusText,
    headers,
    zone,
    text,
    ended,
    ...(wwwAuthenticate !== undefined && { wwwAuthenticate }),
    ...(challenge && { challenge }),
    ...(message?.kind === "result" && { result: message.result }),
    ...(message?.kind === "error" && { error: message.error }),
    ...(spoken !== undefined && { spoken }),
  };
}

function spokenIn(result: unknown, asked: string): string | undefined {
  if (!isObject(result)) return undefined;
  // Only the stateless revision says what a result is.
  if (asked === latestStateless) {
    return result.resultType !== undefined && Array.isArray(result.tools) ? asked : undefined;
  }
  return isOneOf(statefulVersions, result.protocolVersion) ? result.protocolVersion : undefined;
}

/** A session opened only to ask is not left behind; a server that takes no DELETE ends it by itself. */
async function endSession(http: HttpClient, question: McpQuestion, answer: McpAnswer): Promise<void> {
  const session = answer.headers["mcp-session-id"];
  if (session === undefined || answer.result === undefined) return;
  const { serverUrl, version, accessToken } = question;
  await exchangeOver(http, {
    url: serverUrl,
    method: "DELETE",
    headers: {
      ...question.headers,
      "mcp-session-id": session,
      ...(version >= "2025-06-18" && { "mcp-protocol-version": version }),
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    headOnly: true,
    window: { totalMs: 1_000, idleMs: 1_000 },
  }).catch(() => {});
}

/** A flow brings its own token; what the person put in a header is for other commands. */
export function withoutCredential(headers: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization"),
  );
}
