/** @module One fault in an otherwise good server, and the checks that must notice it. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { neverVersion } from "../envelope/observe.ts";
import type { Fault, ProxiedRequest, Reply } from "./faulty-proxy.ts";

export type Revision = "2025-11-25" | "2026-07-28";

export interface Mutation extends Fault {
  /** A sentence about the server. */
  name: string;
  revision: Revision;
  /** Exactly these fail. */
  fails?: readonly string[];
  /** Exactly these pass with advice: what they go by is no MUST. */
  advises?: readonly string[];
  /** Advice that the good server gets and that does not apply any more. */
  silences?: readonly string[];
  /** The client brings this token. */
  accessToken?: string;
  /** Hides other faults of its group, or is hidden by them: it gets a run of its own. */
  apart?: true;
  /** Has the sample to itself as well: other runs would change its lists meanwhile. */
  alone?: true;
}

export type MessageFault = NonNullable<Fault["message"]>;

/** Asks for this method, and where it is given for this tool, prompt or resource; in a revision that never was it is refused before that. */
export function asks({ body, headers }: ProxiedRequest, method: string, subject?: string): boolean {
  if (body?.method !== method || headers["mcp-protocol-version"] === neverVersion) return false;
  const { name, uri } = isObject(body.params) ? body.params : {};
  return subject === undefined || name === subject || uri === subject;
}

/** Changes the result of one method, or only that of one tool, prompt or resource. */
export function inResultOf(
  method: string,
  change: (result: JsonObject, request: ProxiedRequest) => void,
  subject?: string,
): MessageFault {
  return (message, request) => {
    if (asks(request, method, subject) && isObject(message.result)) change(message.result, request);
    return message;
  };
}

export function inCallOf(tool: string, change: (result: JsonObject) => void): MessageFault {
  return inResultOf("tools/call", change, tool);
}

/** Changes one item of a list, found by its name or URI. */
export function inItem(
  method: string,
  member: string,
  key: string,
  change: (item: JsonObject, items: JsonObject[]) => void,
): MessageFault {
  return inResultOf(method, (result) => {
    const items = result[member] as JsonObject[];
    const item = items.find(({ name, uri }) => name === key || uri === key);
    if (item) change(item, items);
  });
}

/** The first block of content, or the first contents of a resource. */
export function firstOf(result: JsonObject, member: "content" | "contents" | "messages"): JsonObject {
  return (result[member] as JsonObject[])[0] ?? {};
}

/** Answers instead of the server. */
export function resultInstead({ body }: ProxiedRequest, result: JsonObject): Reply {
  return { status: 200, body: { jsonrpc: "2.0", id: body?.id, result } };
}

export function errorInstead({ body }: ProxiedRequest, code: number, status = 200): Reply {
  return { status, body: { jsonrpc: "2.0", id: body?.id, error: { code, message: "No" } } };
}

/** The `_meta` of a request, when it has one. */
export function metaOf({ body }: ProxiedRequest): JsonObject | undefined {
  return (body?.params as JsonObject | undefined)?._meta as JsonObject | undefined;
}

/** Answers some requests with a result of one's own. */
export function answering(when: (request: ProxiedRequest) => boolean, result: JsonObject): Fault["answer"] {
  return (request) => (request.body && when(request) ? resultInstead(request, result) : undefined);
}

/** Refuses some requests. */
export function refusing(
  when: (request: ProxiedRequest) => boolean,
  code: number,
  status: number,
): Fault["answer"] {
  return (request) => (request.body && when(request) ? errorInstead(request, code, status) : undefined);
}
