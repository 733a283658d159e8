/** @module The faults of the wire, each with its one sentence: what was seen. Which rule one breaks, how strongly, and what to do is in the rules of `checks`. */
import { must } from "@fettle/contract/formats";
import { excerptOf, type RequestId } from "../messages/jsonrpc.ts";

/** In words that a person reads as they are: every command and page tells these. */
const sentences = {
  ACCEPTED_WITH_BODY: () => "A notification was answered with 202 and a body; there must be none.",
  BATCH_ARRAY: () => "A message came inside an array (a JSON-RPC batch).",
  BUSY: (method: string) => `Refused ${method}: too many requests of the server at once.`,
  BYTE_ORDER_MARK: () => "A message began with a byte order mark.",
  CAPABILITY_NOT_SERVED: (capability: string, method: string) =>
    `The server declares ${quoted(capability)}, but answers ${method} with -32601 (method not found).`,
  COMPRESSED_UNLABELED: (encoding: string) =>
    `The body is compressed (${encoding}), and no Content-Encoding says so.`,
  CONTENT_WITHOUT_TYPE: (kind: "image" | "audio") =>
    `${kind === "image" ? "An image" : "Audio"} in the tool's result has no mimeType.`,
  CONTENT_LENGTH_TOO_LONG: (said: number, came: number) =>
    `Content-Length says ${said} bytes, and the message ends after ${came}.`,
  DUPLICATE_ANSWER: (id: RequestId, method: string) =>
    `A second answer to request ${JSON.stringify(id)} (${method}) came; the first one counts.`,
  DUPLICATE_TOOL_NAME: (name: string) => `Two tools are named ${quoted(name)}.`,
  EVENT_IGNORED: (event: string) =>
    `A message came in an event of the type ${quoted(event)}; clients read only "message".`,
  EVENT_NOT_ENDED: () => "The event stream ended inside an event: the blank line that ends one is missing.",
  ICON_UNSAFE: (owner: string, src: string) =>
    `The icon of ${owner} is ${quoted(src)}; clients load only HTTPS addresses and base64 images.`,
  INPUT_SCHEMA_ADVISED: inputSchema,
  INPUT_SCHEMA_INVALID: inputSchema,
  INPUT_SCHEMA_OUTSIDE: inputSchema,
  INVALID_UTF8: () => "A message held bytes that are not UTF-8.",
  JSON_AS_EVENT_STREAM: () => "The answer is plain JSON, labeled text/event-stream.",
  LINE_NOT_ENDED: () => "The server wrote a message and did not end its line.",
  LOG_UNDECLARED: () => 'A log message came from a server that does not declare "logging".',
  MALFORMED: (reason: string) => `What came is no JSON-RPC message: ${reason}.`,
  MESSAGE_ON_STDERR: (method: string) => `The answer to ${method} was written to stderr, not to stdout.`,
  NOTIFICATION_STORM: (method: string) =>
    `The server sent ${method} more than ${stormSize} times before it answered.`,
  NOTIFICATION_UNDECLARED: (method: string, capability: string) =>
    `${method} came from a server that does not declare ${capability}.`,
  NOTIFICATION_WITH_ID: (method: string) => `The notification ${method} carries an id.`,
  NO_LISTENING: (why: string) => `No listening stream: ${why}`,
  ORIGIN_LEFT: (origin: string) =>
    `The server redirects to another origin, ${origin}; credentials and session ids do not go along.`,
  PROGRESS_AFTER_ANSWER: (method: string) => `Progress of ${method} came after its answer.`,
  PROGRESS_NOT_RISING: (method: string, before: number, now: number) =>
    `The progress of ${method} went from ${before} to ${now}; it must rise with every notification.`,
  PROGRESS_UNASKED: (token: unknown) =>
    `Progress came for the token ${JSON.stringify(token) ?? "(none)"}, which no request gave.`,
  PROMPT_ROLE_UNKNOWN: (prompt: string, role: unknown) =>
    `The prompt ${quoted(prompt)} has a message ${role === undefined ? "without a role" : `with the role ${JSON.stringify(role)}`}; a role is "user" or "assistant".`,
  REQUEST_IN_STATELESS: (method: string) => `The server sent a request of its own, ${method}.`,
  REQUEST_UNDECLARED: (method: string, missing: string) =>
    `The server asked ${method} of a client that does not declare ${missing}.`,
  RESOURCE_METADATA_INVALID: (pointer: string) =>
    `resource_metadata in WWW-Authenticate is ${quoted(pointer)}, which is not an absolute URL.`,
  RESULT_ON_ERROR_STATUS: (method: string, status: number) =>
    `The result of ${method} came with HTTP ${status}, which says that the request failed.`,
  RESULT_WITHOUT_CONTENT: () => "A tool's result has no list of content.",
  SESSION_GUESSABLE: (one: string, other: string) =>
    one === other
      ? "Two clients got the same session ID."
      : `Session IDs are ${/^\d+$/.test(one + other) ? "sequential" : "predictable"}: two new ones differ only in ${quoted(one)} and ${quoted(other)}.`,
  SESSION_IN_STATELESS: (version: string) =>
    `The server gave out a session id, which ${version} does not have.`,
  SPREAD_OUT: () => "A message is spread over several lines.",
  STREAM_LEFT_OPEN: () => "Event streams stay open after their answer.",
  TOOL_NAME_NOT_PLAIN: (name: string) =>
    name.length > maxToolName
      ? `The tool name ${quoted(name)} has ${name.length} characters; at most ${maxToolName} are allowed.`
      : `The tool name ${quoted(name)} has characters other than letters, digits, "_", "-" and ".".`,
  TOO_MUCH: (reason: string) => `What came is no JSON-RPC message: ${reason}.`,
  UNKNOWN_ID: ({ id, asked, error }: { id?: unknown; asked?: RequestId | undefined; error?: string }) =>
    error !== undefined
      ? `The server sent an error without an id, so it answers no request: ${error}`
      : asked !== undefined
        ? `The answer to request ${JSON.stringify(asked)} carries the ${typeof id} ${JSON.stringify(id)}; the id must keep its type.`
        : id === undefined
          ? "An answer came with no id."
          : typeof id === "string" || typeof id === "number"
            ? `An answer came for id ${JSON.stringify(id)}, which was never asked.`
            : `An answer came with the id ${JSON.stringify(id)}.`,
  UNKNOWN_RESULT_TYPE: (method: string, type: unknown) =>
    `The result of ${method} is of the type ${JSON.stringify(type)}, which the client does not know.`,
} satisfies Record<string, (...facts: never[]) => string>;

export type WireProblemCode = keyof typeof sentences;

/** Something a server did that no rule allows, but that did not have to end the call. */
export interface WireProblem {
  code: WireProblemCode;
  /** One sentence: what was seen. */
  message: string;
  excerpt?: string;
  /** How often it was seen, where the like of it came again. */
  times?: number;
}

/**
 * A fault that was seen, in its own words.
 *
 * @example
 * wireProblem("DUPLICATE_ANSWER", 3, "tools/list");
 */
export function wireProblem<Code extends WireProblemCode>(
  code: Code,
  ...facts: Parameters<(typeof sentences)[Code]>
): WireProblem {
  const say = sentences[code] as (...given: typeof facts) => string;
  return { code, message: say(...facts) };
}

/** More than any work has steps to tell of. */
export const stormSize = 500;

const maxToolName = 128;

/** `path` is a JSON Pointer, `reason` a sentence without its subject and full stop. */
function inputSchema(tool: string, path: string, reason: string): string {
  return `In the input schema of ${quoted(tool)}, ${path || "the root"} ${reason}.`;
}

/** What every revision since 2025-11-25 asks of the name of a tool. */
export function isPlainToolName(name: string): boolean {
  return /^[A-Za-z0-9_.-]{1,128}$/.test(name);
}

/** What cannot be seen is written out, so that the sentence is the same wherever it is shown. */
function quoted(text: string): string {
  const escaped = (character: string) => `\\u{${must(character.codePointAt(0), "a character").toString(16)}}`;
  return JSON.stringify(excerptOf(text, 60)).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}
