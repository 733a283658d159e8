/** @module Raw access for judging: send exactly these bytes and headers, see exactly what came back. Guarded, bounded and recorded like everything else. */
import { isUtf8 } from "node:buffer";
import { asMcpError, McpError } from "../failure.ts";
import type { AddressZone } from "../guard/addresses.ts";
import { createHttpClient, type HttpClient, type HttpResponse } from "../guard/client.ts";
import { localPolicy, type NetworkPolicy } from "../guard/policy.ts";
import { type WireLimits, wireLimits } from "../limits.ts";
import { parseEventStream, type StreamEvent } from "../messages/event-stream.ts";
import { type Inbound, type JsonObject, looksLikeMessage, readMessages } from "../messages/jsonrpc.ts";
import { secretsOf } from "../recording/known-secrets.ts";
import { Recorder } from "../recording/recording.ts";
import { type HttpTarget, type StdioTarget, targetLabel } from "../target.ts";
import { bodyProblems } from "../wire/body-problems.ts";
import { mediaTypeOf } from "../wire/http-answer.ts";
import { noticeIgnored } from "../wire/ignored-event.ts";
import { openStdio } from "../wire/stdio.ts";
import type { WireProblem } from "../wire/wire-problem.ts";
import type { Connection } from "./connection.ts";

export interface RawRequest {
  /** POST unless said. */
  method?: string;
  /** Sent as they are; nothing is added but what HTTP itself needs. */
  headers?: Record<string, string>;
  /** Text and bytes go out untouched; an object is sent as JSON. */
  body?: string | Uint8Array | JsonObject | JsonObject[];
  url?: string;
  /** How long to watch an answer that may stay open. */
  window?: { totalMs?: number; idleMs?: number };
  /** Stop watching as soon as this message came. */
  until?: (message: Inbound) => boolean;
  /** After that, how long to see whether the server ends the stream itself, and what else it says. */
  lingerMs?: number;
  /** Follow redirects as a client does; otherwise the 3xx answer is what came back. */
  follows?: boolean;
  /** Has no effects on the server, so it may be sent again when a kept-alive socket turns out dead. */
  repeatable?: boolean;
  /** Read the status line and headers only, as for a GET stream. */
  headOnly?: boolean;
  /** Told of the status line and headers as they come, before a body that may stay open. */
  onHead?: (head: Pick<RawAnswer, "status" | "mediaType">) => void;
  signal?: AbortSignal;
}

export interface RawAnswer {
  status: number;
  statusText: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Names and values in turn, as sent. */
  rawHeaders: string[];
  /** Content type without parameters. */
  mediaType: string;
  /** The body as text; of an event stream, what was read of it. */
  text: string;
  /** Messages in the body or in its events, malformed ones included. */
  messages: Inbound[];
  events: StreamEvent[];
  /** What was odd beside the messages. */
  noticed: WireProblem[];
  /** Where the answer came from, after redirects. */
  url: string;
  /** `complete`: the server ended it. Otherwise we stopped: the window closed, `until` was met, or a cap was reached. */
  ended: "complete" | "window" | "until" | "limit" | "head-only";
  /** Where the server is, which bounds where the addresses in its answer may lead. */
  zone: AddressZone;
  /** The address that answered. */
  address: string;
  headMs: number;
  durationMs: number;
}

export interface RawHttp {
  readonly kind: "http";
  readonly recorder: Recorder;
  exchange(request: RawRequest): Promise<RawAnswer>;
  close(): Promise<void>;
}

export interface RawStdio {
  readonly kind: "stdio";
  readonly recorder: Recorder;
  /** Everything heard on stdout so far. */
  readonly heard: readonly Inbound[];
  write(bytes: string | Uint8Array): Promise<void>;
  /** The first message after `from` (an index into `heard`) that matches; TIMEOUT when none comes. */
  next(
    matches: (message: Inbound) => boolean,
    options: { timeoutMs: number; from?: number },
  ): Promise<Inbound>;
  stderr(): string;
  /** A message that waits only for the end of its line. */
  unfinished(): string | undefined;
  /** Resolves with the reason once the process has ended. */
  ended: Promise<McpError>;
  /** Closes stdin only, to see whether the server leaves by itself. */
  close(): Promise<void>;
}

export interface RawOptions {
  recorder?: Recorder;
  limits?: Partial<WireLimits>;
  policy?: NetworkPolicy;
}

/** A server that never stops talking is not remembered for ever. */
const maxHeard = 10_000;
const defaultWindow = { totalMs: 15_000, idleMs: 15_000 };

/** A target's endpoint, for hand-made requests. */
export function openRawHttp(target: HttpTarget, options: RawOptions = {}): RawHttp {
  const recorder =
    options.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  const limits = { ...wireLimits, ...options.limits };
  const client = createHttpClient({ policy: options.policy ?? localPolicy, observer: recorder });
  return {
    kind: "http",
    recorder,
    exchange: (request) => exchangeOver(client, { url: target.url, ...request }, limits),
    async close() {
      client.close();
    },
  };
}

/** The endpoint of a live HTTP connection, over its own guarded client; headers are still yours to give. */
export async function rawHttpOf(connection: Connection): Promise<RawHttp> {
  const { link } = connection;
  if (link.target.kind !== "http") {
    throw new McpError("NOT_SUPPORTED", "This connection is not over HTTP.");
  }
  const { url } = link.target;
  const client = await link.http();
  return {
    kind: "http",
    recorder: link.recorder,
    exchange: (request) => exchangeOver(client, { url, ...request }, link.limits),
    close: async () => {},
  };
}

/** Spawns the target and hands over its pipes. */
export async function openRawStdio(target: StdioTarget, options: RawOptions = {}): Promise<RawStdio> {
  const recorder =
    options.recorder ?? new Recorder({ label: targetLabel(target), secrets: secretsOf(target) });
  const heard: Inbound[] = [];
  const waiting = new Set<() => void>();
  const ended = Promise.withResolvers<McpError>();
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  const wire = await openStdio(
    target,
    {
      inbound(inbound) {
        if (heard.length < maxHeard) heard.push(inbound);
        wake();
      },
      closed: ended.resolve,
    },
    { limits: { ...wireLimits, ...options.limits }, recorder },
  );
  return {
    kind: "stdio",
    recorder,
    heard,
    write: wire.write,
    stderr: wire.stderr,
    unfinished: wire.unfinished,
    ended: ended.promise,
    close: wire.close,
    next(matches, { timeoutMs, from = 0 }) {
      return new Promise((resolve, reject) => {
        let at = from;
        const finish = () => {
          waiting.delete(check);
          clearTimeout(timer);
        };
        const check = () => {
          for (let message = heard[at]; message; message = heard[++at]) {
            if (!matches(message)) continue;
            finish();
            resolve(message);
            return;
          }
        };
        const timer = setTimeout(() => {
          finish();
          reject(
            new McpError("TIMEOUT", `Nothing that matches came within ${timeoutMs} ms.`, {
              details: { timeoutMs },
            }),
          );
        }, timeoutMs);
        waiting.add(check);
        ended.promise.then((failure) => {
          finish();
          reject(failure);
        });
        check();
      });
    },
  };
}

/** One hand-made request over a guarded client that somebody else opened. */
export async function exchangeOver(
  client: HttpClient,
  request: RawRequest & { url: string },
  limits: WireLimits = wireLimits,
): Promise<RawAnswer> {
  const window = { ...defaultWindow, ...request.window };
  const started = performance.now();
  const body =
    request.body === undefined || typeof request.body === "string" || request.body instanceof Uint8Array
      ? request.body
      : JSON.stringify(request.body);
  const response = await client.request({
    method: request.method ?? "POST",
    url: request.url,
    redirect: request.follows ? "follow" : "manual",
    repeatable: request.repeatable ?? false,
    signal: request.signal,
    timeouts: {
      connectMs: window.totalMs,
      firstByteMs: window.totalMs,
      idleMs: window.idleMs,
      totalMs: window.totalMs,
    },
    maxBodyBytes: limits.bodyBytes,
    ...(request.headers && { headers: request.headers }),
    ...(body !== undefined && { body }),
  });
  const headMs = performance.now() - started;
  request.onHead?.({ status: response.status, mediaType: mediaTypeOf(response) });
  const seen = request.headOnly ? headOf(response) : await watch(response, limits, request);
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    mediaType: mediaTypeOf(response),
    url: response.url,
    zone: response.zone,
    address: response.address,
    ...seen,
    headMs: Math.round(headMs),
    durationMs: Math.round(performance.now() - started),
  };
}

type Seen = Pick<RawAnswer, "text" | "messages" | "events" | "noticed" | "ended">;

function headOf(response: HttpResponse): Seen {
  response.cancel();
  return { text: "", messages: [], events: [], noticed: [], ended: "head-only" };
}

async function watch(
  response: HttpResponse,
  limits: WireLimits,
  { until, lingerMs = 0 }: RawRequest,
): Promise<Seen> {
  const chunks: Uint8Array[] = [];
  const seen: Seen = { text: "", messages: [], events: [], noticed: [], ended: "complete" };
  const streaming = mediaTypeOf(response) === "text/event-stream";
  let met = false;
  const parser = parseEventStream(limits.messageBytes, (event) => {
    seen.events.push(event);
    if (event.data === "") return;
    if (event.event !== "message") {
      noticeIgnored({ noticed: (problem) => seen.noticed.push(problem) }, event, limits);
      return;
    }
    const messages = readMessages(event.data, limits, { isUtf8: event.isUtf8 !== false });
    seen.messages.push(...messages);
    if (until && messages.some(until)) met = true;
  });
  let linger: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      if (streaming) parser.push(chunk);
      if (!met) continue;
      if (lingerMs === 0) {
        seen.ended = "until";
        break;
      }
      linger ??= setTimeout(response.cancel, lingerMs);
    }
  } catch (error) {
    const failure = asMcpError(error);
    if (met) seen.ended = "until";
    else if (failure.code === "TIMEOUT") seen.ended = "window";
    else if (failure.code === "TOO_LARGE") seen.ended = "limit";
    else if (problemsOf(response, chunks, false).length > 0) seen.ended = "window";
    else throw failure;
  } finally {
    clearTimeout(linger);
  }
  const bytes = Buffer.concat(chunks);
  seen.text = bytes.toString("utf8");
  const problems = problemsOf(response, chunks, seen.ended === "complete");
  seen.noticed.push(...problems);
  // Compressed bytes are no text, and nothing that a text could be is held against them.
  if (problems.some(({ code }) => code === "COMPRESSED_UNLABELED")) return seen;
  const isJson = mediaTypeOf(response) === "application/json" && response.status < 300 && bytes.length > 0;
  if (!streaming && (isJson || looksLikeMessage(seen.text))) {
    seen.messages = readMessages(seen.text, limits, { isUtf8: isUtf8(bytes) });
  }
  return seen;
}

function problemsOf(response: HttpResponse, chunks: readonly Uint8Array[], isWhole: boolean): WireProblem[] {
  const { headers } = response;
  return bodyProblems({ headers, mediaType: mediaTypeOf(response), bytes: Buffer.concat(chunks), isWhole });
}
