/** @module What came back from an MCP endpoint when it was not a usable answer: status, content type and first bytes become one typed error. */
import { McpError } from "../failure.ts";
import type { HttpResponse } from "../guard/client.ts";
import type { WireLimits } from "../limits.ts";
import { type JsonMeasure, JsonMeter } from "../messages/json-text.ts";
import { excerptOf, type Inbound, looksLikeMessage, readMessagesInTurn } from "../messages/jsonrpc.ts";
import { inTurn } from "../messages/turns.ts";
import { readUtf8 } from "../messages/utf8-text.ts";
import { bodyProblems } from "./body-problems.ts";
import { type BearerChallenge, challengeProblems, parseBearerChallenge } from "./challenge.ts";
import type { WireProblem } from "./wire-problem.ts";

/** `application/json; charset=utf-8` → `application/json`. */
export function mediaTypeOf(response: HttpResponse): string {
  return (response.headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

/** A whole body; of JSON beyond the caps, the beginning. */
export interface BodyText {
  text: string;
  measured?: JsonMeasure;
  /** The bytes were valid UTF-8. */
  isUtf8: boolean;
}

/** What can be said of a body while it comes in. */
export type PeekBody = () => WireProblem | undefined;

const excerptLength = 8 * 1024;

/** Reads a body to its end, in turn with everything else. JSON is measured as it comes and given up at its caps. */
export async function readBody(
  response: HttpResponse,
  limits: WireLimits,
  onPeek?: (peek: PeekBody) => void,
): Promise<BodyText> {
  const mediaType = mediaTypeOf(response);
  const { headers } = response;
  const problemOf = (bytes: Uint8Array, isWhole: boolean) =>
    bodyProblems({ headers, mediaType, bytes, isWhole })[0];
  const meter = mediaTypeOf(response) === "application/json" ? new JsonMeter(limits) : undefined;
  const utf8 = readUtf8();
  const pieces: string[] = [];
  let size = 0;
  const soFar = () => problemOf(Buffer.from(pieces.join("")), false);
  onPeek?.(soFar);
  const chunks = inTurn(response.body);
  for await (const chunk of orRefusal(chunks, () => refusalOf(soFar(), response))) {
    const compressed = size === 0 && refusalOf(problemOf(chunk.subarray(0, 16), true), response);
    if (compressed) throw compressed;
    size += chunk.length;
    if (size > limits.bodyBytes) {
      throw new McpError("TOO_LARGE", `The answer is larger than ${limits.bodyBytes} bytes.`, {
        hint: "Fettle stops reading there; make the server answer in pages.",
        details: { limit: limits.bodyBytes, url: response.url },
      });
    }
    const piece = utf8.write(chunk);
    pieces.push(piece);
    meter?.push(piece);
    if (meter?.excess !== undefined)
      return { text: pieces.join("").slice(0, excerptLength), measured: meter, isUtf8: true };
  }
  pieces.push(utf8.end());
  return { text: pieces.join(""), isUtf8: !utf8.hadBadBytes(), ...(meter && { measured: meter }) };
}

/** What its bytes show makes the answer unusable, whatever is in it. */
function refusalOf(problem: WireProblem | undefined, { url }: HttpResponse): McpError | undefined {
  if (!problem) return undefined;
  return new McpError("INVALID_MESSAGE", problem.message, {
    hint: "Look at what the server, or a proxy before it, does to the body of an answer.",
    details: { url, problems: [problem], ...(problem.excerpt !== undefined && { excerpt: problem.excerpt }) },
  });
}

/** The JSON-RPC messages inside a body, or none: an error status may carry a JSON-RPC error, or a gateway's page. */
export async function messagesInBody({ text, ...facts }: BodyText, limits: WireLimits): Promise<Inbound[]> {
  if (!looksLikeMessage(text)) return [];
  const messages = await readMessagesInTurn(text, limits, facts);
  return messages.filter((inbound) => inbound.kind !== "malformed");
}

/** The same chunks; where they break off, what is known of it is thrown in place of how. */
async function* orRefusal(
  chunks: AsyncIterable<Uint8Array>,
  refusal: () => McpError | undefined,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    throw refusal() ?? error;
  }
}

function isHtml(text: string, mediaType = ""): boolean {
  return mediaType === "text/html" || /^\s*(<!doctype html|<html)/i.test(text);
}

/** A status outside 2xx whose body is no JSON-RPC answer. `sent` tells a missing credential from a refused one. */
export function statusFailure(response: HttpResponse, text: string, sent: Record<string, string>): McpError {
  const { status, url } = response;
  const details = {
    url,
    status,
    contentType: response.headers["content-type"] ?? "",
    excerpt: excerptOf(text),
    ...(response.headers["retry-after"] !== undefined && { retryAfter: response.headers["retry-after"] }),
  };
  const challenge = parseBearerChallenge(response.headers["www-authenticate"]);
  if (status === 401) {
    const credentialSent = Object.keys(sent).some((name) => name.toLowerCase() === "authorization");
    const message = credentialSent ? "The server refuses the credential." : "The server wants a credential.";
    return authFailure(message, challenge, response, { ...details, credentialSent });
  }
  if (status === 403 && challenge?.error === "insufficient_scope") {
    return authFailure("The credential lacks a scope.", challenge, response, {
      ...details,
      credentialSent: true,
    });
  }
  return new McpError("HTTP_STATUS", `The server answered ${status} ${response.statusText}`.trimEnd(), {
    hint: statusHint(status),
    details,
  });
}

/** A 2xx answer to a request that is neither JSON nor an event stream. */
export function contentTypeFailure(response: HttpResponse, text: string): McpError {
  const contentType = response.headers["content-type"] ?? "";
  const html = isHtml(text, mediaTypeOf(response));
  return new McpError(
    "WRONG_CONTENT_TYPE",
    html
      ? "The URL answers with a web page, not with MCP."
      : contentType === ""
        ? "The answer has no Content-Type."
        : `The answer is "${contentType}", not JSON.`,
    {
      hint: html
        ? "This is a site's page; the MCP endpoint is usually at a path such as /mcp or /sse."
        : "An MCP endpoint answers with application/json or text/event-stream.",
      details: { url: response.url, status: response.status, contentType, excerpt: excerptOf(text), html },
    },
  );
}

function authFailure(
  message: string,
  challenge: BearerChallenge | undefined,
  response: HttpResponse,
  details: Record<string, unknown>,
): McpError {
  const problems = challengeProblems(challenge);
  return new McpError("AUTH_REQUIRED", message, {
    hint: challenge?.resourceMetadata
      ? "Sign in with OAuth, or pass an access token."
      : "Pass an access token or the header this server expects.",
    details: {
      ...details,
      zone: response.zone,
      ...(response.headers["www-authenticate"] !== undefined && {
        wwwAuthenticate: response.headers["www-authenticate"],
      }),
      ...(challenge && { challenge }),
      ...(problems.length > 0 && { problems }),
    },
  });
}

function statusHint(status: number): string {
  if (status === 404) return "Nothing answers at this path; check the URL's path (often /mcp).";
  if (status === 405)
    return "This path does not take POST; it may be the old SSE transport, or not the MCP endpoint.";
  if (status === 406)
    return "MCP clients accept application/json and text/event-stream; a gateway or framework before the server may not know them.";
  if (status === 415)
    return "MCP messages are application/json; a gateway or framework may expect something else.";
  if (status === 403) return "The server refuses this caller; check the credential and the allowed origins.";
  if (status === 429) return "Too many requests; wait and try again.";
  if (status >= 500) return "The server or the gateway in front of it failed; look at its log.";
  return "Look at the server's log for this request.";
}

/** It came, and holds no answer to the request. */
export function noAnswer(message: string, response: HttpResponse, text?: string): McpError {
  return new McpError("NO_ANSWER", message, {
    hint: "Every request needs exactly one answer that carries its id.",
    details: {
      status: response.status,
      url: response.url,
      ...(text !== undefined && { excerpt: excerptOf(text) }),
    },
  });
}
