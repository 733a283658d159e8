/** @module MCP over Streamable HTTP: each message is a POST, its answer JSON or an event stream; sessions, resumption and a listening stream where the revision has them. */
import { asMcpError, McpError } from "../failure.ts";
import type { HttpClient, HttpResponse } from "../guard/client.ts";
import type { WireLimits } from "../limits.ts";
import { parseEventStream, type StreamEvent } from "../messages/event-stream.ts";
import {
  excerptOf,
  type Inbound,
  type JsonObject,
  type RequestId,
  readMessagesInTurn,
} from "../messages/jsonrpc.ts";
import { inTurn } from "../messages/turns.ts";
import type { Recorder } from "../recording/recording.ts";
import { bodyProblems, keepEnd } from "./body-problems.ts";
import { pause } from "./call-clock.ts";
import {
  type BodyText,
  contentTypeFailure,
  mediaTypeOf,
  messagesInBody,
  noAnswer,
  type PeekBody,
  readBody,
  statusFailure,
} from "./http-answer.ts";
import { noticeIgnored } from "./ignored-event.ts";
import { readStderrEvent } from "./relayed-stderr.ts";
import { requestAgainSoon } from "./retry-rate-limited.ts";
import type { Origin, SendOptions, Wire, WireListener } from "./wire.ts";
import { type WireProblem, wireProblem } from "./wire-problem.ts";

export interface StreamableHttpWire extends Wire {
  readonly kind: "streamable-http";
  sessionId(): string | undefined;
  /** Drops a session the server no longer knows. */
  forgetSession(): void;
  /** Opens the stream for what the server says of its own accord, once; resolves false when it offers none. */
  listen(headers: Record<string, string>): Promise<boolean>;
}

export interface StreamableHttpOptions {
  url: string;
  client: HttpClient;
  limits: WireLimits;
  recorder: Recorder;
  /** Headers of every request, credentials among them; asked anew each time, because tokens change. */
  headers(): Record<string, string>;
  /** Longest wait for the status line of a notification or a stream. */
  firstByteMs: number;
  /** Whether this revision has sessions, GET streams and resumption. */
  stateful(): boolean;
  /** A session id came where the revision has none. */
  onStraySession?(): void;
}

const acceptBoth = "application/json, text/event-stream";
const closeWaitMs = 1_000;
const lingerMs = 250;
const maxResumptions = 20;

export function openStreamableHttp(
  listener: WireListener,
  options: StreamableHttpOptions,
): StreamableHttpWire {
  const { client, limits, recorder, url } = options;
  const closing = new AbortController();
  let session: string | undefined;
  let listening: Promise<boolean> | undefined;
  let stopListening = new AbortController();
  let lastHeaders: Record<string, string> = {};
  const streams = { ended: 0, leftOpen: 0 };
  /** Bodies that are being read, by the request they answer. */
  const reading = new Map<RequestId, PeekBody>();

  function headersFor(own: Record<string, string> = {}): Record<string, string> {
    return { ...options.headers(), ...own, ...(session !== undefined && { "mcp-session-id": session }) };
  }

  async function deliver({ text, ...facts }: BodyText, origin: Origin): Promise<boolean> {
    let answered = false;
    for (const inbound of await readMessagesInTurn(text, limits, facts)) {
      recordInbound(inbound, text, origin);
      answered ||= isAnswerTo(inbound, origin.answers);
      listener.inbound(inbound, { ...origin, bytes: text.length });
    }
    return answered;
  }

  function recordInbound(inbound: Inbound, text: string, origin: Origin): void {
    const facts = {
      ...(origin.httpStatus !== undefined && { httpStatus: origin.httpStatus }),
      ...(origin.eventId !== undefined && { eventId: origin.eventId }),
    };
    if (inbound.kind !== "malformed") recorder.message("receive", inbound.message, text, facts);
    else {
      recorder.message("receive", excerptOf(text, 2_000), text, {
        ...facts,
        malformed: inbound.reason,
      });
    }
  }

  /** Reads one event stream to its end; true when the answer to `answers` was in it. */
  async function readStream(
    response: HttpResponse,
    answers: RequestId | undefined,
    state: StreamState,
  ): Promise<boolean> {
    let answered = false;
    const hear = async (event: StreamEvent) => {
      recorder.event(response.url, event);
      if (event.id !== undefined) state.lastEventId = event.id;
      if (event.retry !== undefined) state.retryMs = event.retry;
      if (event.data === "") return;
      const stderr = readStderrEvent(event);
      if (stderr !== undefined) {
        recorder.stderr(stderr);
        return;
      }
      if (event.event !== "message") {
        await noticeIgnored(listener, event, limits);
        return;
      }
      const origin: Origin = {
        httpStatus: response.status,
        isStream: true,
        ...(answers !== undefined && { answers }),
        ...(event.id !== undefined && { eventId: event.id }),
      };
      if (await deliver({ text: event.data, isUtf8: event.isUtf8 !== false }, origin)) answered = true;
    };
    const heard: StreamEvent[] = [];
    const parser = parseEventStream(limits.messageBytes, (event) => heard.push(event));
    const kept = keepEnd();
    let linger: NodeJS.Timeout | undefined;
    const cutOff = () => {
      streams.leftOpen += 1;
      response.cancel();
      // Once may be a busy machine; a server that never ends a stream does so each time.
      if (streams.leftOpen !== 2 || streams.ended > 0) return;
      listener.noticed?.(wireProblem("STREAM_LEFT_OPEN"));
    };
    try {
      for await (const chunk of inTurn(response.body, parser.held)) {
        kept.push(chunk);
        try {
          parser.push(chunk);
        } finally {
          // Also what came before a fault in the same chunk.
          for (const event of heard.splice(0)) await hear(event);
        }
        // The stream must end after the answer, and then its socket can be used again; one that does not is cut.
        if (answered && answers !== undefined) linger ??= setTimeout(cutOff, lingerMs).unref();
      }
      if (answered) streams.ended += 1;
      else if (answers !== undefined) state.problem = noticeStream(response, kept.bytes());
    } catch (error) {
      if (!answered) throw error;
    } finally {
      clearTimeout(linger);
    }
    return answered;
  }

  function noticeStream(response: HttpResponse, bytes: Uint8Array): WireProblem | undefined {
    const { headers } = response;
    const [problem] = bodyProblems({ headers, mediaType: mediaTypeOf(response), bytes, isWhole: true });
    if (problem) listener.noticed?.(problem);
    return problem;
  }

  /** Follows a stream that was cut before its answer, as 2025-11-25 lets a server do on purpose. */
  async function resume(answers: RequestId, state: StreamState, signal: AbortSignal): Promise<boolean> {
    for (let round = 0; round < maxResumptions && state.lastEventId !== undefined; round++) {
      await pause(Math.min(state.retryMs ?? 1_000, 30_000), signal);
      recorder.note("stream resumed", { lastEventId: state.lastEventId });
      const response = await getStream({ ...lastHeaders, "last-event-id": state.lastEventId }, signal);
      if (!response) return false;
      if (await readStream(response, answers, state)) return true;
    }
    return false;
  }

  async function getStream(
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpResponse | undefined> {
    const response = await client.request({
      method: "GET",
      url,
      headers: { ...headersFor(headers), accept: "text/event-stream" },
      signal,
      timeouts: openEnded(options.firstByteMs),
      maxBodyBytes: Number.POSITIVE_INFINITY,
    });
    if (response.status === 200 && mediaTypeOf(response) === "text/event-stream") return response;
    if (response.status === 405) {
      response.cancel();
      return undefined;
    }
    throw statusFailure(response, (await readBody(response, limits)).text, options.headers());
  }

  async function post(message: JsonObject | JsonObject[], sendOptions: SendOptions): Promise<void> {
    const body = JSON.stringify(message);
    const expects = requestIdIn(message);
    lastHeaders = sendOptions.headers ?? {};
    const signal = sendOptions.signal
      ? AbortSignal.any([closing.signal, sendOptions.signal])
      : closing.signal;
    const sentSession = session;
    recorder.message("send", message, body);
    const request: Parameters<HttpClient["request"]>[0] = {
      method: "POST",
      url,
      headers: { ...headersFor(sendOptions.headers), accept: acceptBoth, "content-type": "application/json" },
      body,
      signal,
      // A request's own timeouts decide how long it waits; a notification has none.
      timeouts: openEnded(expects === undefined ? options.firstByteMs : Number.POSITIVE_INFINITY),
      maxBodyBytes: Number.POSITIVE_INFINITY,
      // What expects no answer does no harm twice: a notification of ours, or a reply.
      repeatable: sendOptions.repeatable ?? expects === undefined,
      onOpen: sendOptions.onOpen,
    };
    const response = await requestAgainSoon(client, request, recorder);
    const origin: Origin = {
      httpStatus: response.status,
      headers: response.headers,
      ...(expects !== undefined && { answers: expects }),
    };
    noticeRedirect(response);
    const mediaType = mediaTypeOf(response);
    if (response.status >= 200 && response.status < 300) {
      const given = response.headers["mcp-session-id"];
      if (options.stateful()) session = given ?? session;
      else if (given !== undefined) options.onStraySession?.();
      if (expects === undefined) {
        // 202 and no body is the rule; whatever else a server says to a notification is read for the record only.
        if (mediaType === "text/event-stream") response.cancel();
        else noticeBody(response, (await readBody(response, limits)).text);
        return;
      }
      if (mediaType === "text/event-stream") {
        const state: StreamState = {};
        listener.streaming?.(expects);
        if (await readStream(response, expects, state)) return;
        if (options.stateful() && (await resume(expects, state, signal))) return;
        const { problem } = state;
        throw noAnswer(
          problem?.message ?? "The event stream ended without the answer.",
          response,
          problem?.excerpt,
        );
      }
      const peek = (body: PeekBody) => reading.set(expects, body);
      const received = await readBody(response, limits, peek)
        .catch((error: unknown) => {
          for (const problem of asMcpError(error).details.problems ?? []) listener.noticed?.(problem);
          throw error;
        })
        .finally(() => reading.delete(expects));
      const { text } = received;
      if (text === "") throw noAnswer("The answer is empty.", response);
      if (mediaType !== "application/json") throw contentTypeFailure(response, text);
      if (!(await deliver(received, origin)))
        throw noAnswer("The body holds no answer to the request.", response, text);
      return;
    }
    const received = await readBody(response, limits);
    const { text } = received;
    if (response.status === 404 && sentSession !== undefined) {
      throw new McpError("SESSION_EXPIRED", "The server no longer knows this session.", {
        hint: "Connect again; a server that restarts or times sessions out does this.",
        details: { status: 404, url, excerpt: excerptOf(text) },
      });
    }
    const answers = response.status === 401 ? [] : await messagesInBody(received, limits);
    for (const inbound of answers) {
      recordInbound(inbound, text, origin);
      listener.inbound(inbound, origin);
    }
    const told = answers.some((inbound) => isAnswerTo(inbound, expects) || isErrorWithoutId(inbound));
    if (!told) throw statusFailure(response, text, options.headers());
  }

  function noticeBody({ status }: HttpResponse, text: string): void {
    if (status !== 202 || text.trim() === "") return;
    listener.noticed?.({ ...wireProblem("ACCEPTED_WITH_BODY"), excerpt: excerptOf(text) });
  }

  function noticeRedirect({ redirects }: HttpResponse): void {
    const left = redirects.find((hop) => new URL(hop).origin !== new URL(url).origin);
    if (left === undefined) return;
    listener.noticed?.(wireProblem("ORIGIN_LEFT", new URL(left).origin));
  }

  async function openListening(headers: Record<string, string>): Promise<boolean> {
    const signal = AbortSignal.any([closing.signal, stopListening.signal]);
    const first = await getStream(headers, signal);
    if (!first) return false;
    void keepListening(first, headers, signal);
    return true;
  }

  /** Follows the stream, and opens it again where it broke off, until the session or the connection ends. */
  async function keepListening(
    first: HttpResponse,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<void> {
    const state: StreamState = {};
    let stream: HttpResponse | undefined = first;
    try {
      while (stream) {
        await readStream(stream, undefined, state);
        await pause(Math.min(state.retryMs ?? 1_000, 30_000), signal);
        const resumeAfter: Record<string, string> =
          state.lastEventId === undefined ? {} : { "last-event-id": state.lastEventId };
        stream = await getStream({ ...headers, ...resumeAfter }, signal);
      }
    } catch (error) {
      recorder.note("listening ended", { reason: asMcpError(error).message });
    }
  }

  return {
    kind: "streamable-http",
    answersInline: true,
    sessionId: () => session,
    forgetSession() {
      session = undefined;
      listening = undefined;
      stopListening.abort();
      stopListening = new AbortController();
    },
    send: (message, sendOptions = {}) => post(message, sendOptions),
    hindrance: ({ id }) => reading.get(id)?.(),
    listen(headers) {
      listening ??= openListening(headers);
      return listening;
    },
    async close() {
      closing.abort(new McpError("CONNECTION_CLOSED", "The connection was closed."));
      if (session !== undefined && options.stateful()) {
        try {
          const response = await client.request({
            method: "DELETE",
            url,
            headers: headersFor(lastHeaders),
            timeouts: {
              connectMs: closeWaitMs,
              firstByteMs: closeWaitMs,
              idleMs: closeWaitMs,
              totalMs: closeWaitMs,
            },
          });
          response.cancel();
        } catch (error) {
          recorder.note("session not ended", { reason: asMcpError(error).message });
        }
      }
      client.close();
      listener.closed(new McpError("CONNECTION_CLOSED", "The connection was closed."));
    },
  };
}

interface StreamState {
  /** Why it has brought no answer, where its bytes show that. */
  problem?: WireProblem | undefined;
  lastEventId?: string;
  retryMs?: number;
}

/** A stream may rest as long as its call may wait; the call's own timeouts end it. */
function openEnded(firstByteMs: number) {
  return { firstByteMs, idleMs: Number.POSITIVE_INFINITY, totalMs: Number.POSITIVE_INFINITY };
}

function requestIdIn(message: JsonObject | JsonObject[]): RequestId | undefined {
  const messages = Array.isArray(message) ? message : [message];
  return messages.find((part) => "method" in part && "id" in part)?.id as RequestId | undefined;
}

function isAnswerTo(inbound: Inbound, id: RequestId | undefined): boolean {
  if (inbound.kind === "malformed") return inbound.id !== undefined && inbound.id === id;
  return (inbound.kind === "result" || inbound.kind === "error") && inbound.id === id;
}

function isErrorWithoutId(inbound: Inbound): boolean {
  return inbound.kind === "error" && inbound.id === null;
}
