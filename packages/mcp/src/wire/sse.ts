/** @module MCP over the old HTTP+SSE transport of 2024-11-05: one GET stream brings everything, its first event names where to POST. */
import { asMcpError, McpError } from "../failure.ts";
import type { HttpClient, HttpResponse } from "../guard/client.ts";
import type { WireLimits } from "../limits.ts";
import { parseEventStream, type StreamEvent } from "../messages/event-stream.ts";
import { excerptOf, readMessagesInTurn } from "../messages/jsonrpc.ts";
import { inTurn } from "../messages/turns.ts";
import type { Recorder } from "../recording/recording.ts";
import { contentTypeFailure, mediaTypeOf, statusFailure } from "./http-answer.ts";
import { noticeIgnored } from "./ignored-event.ts";
import type { Wire, WireListener } from "./wire.ts";

export interface SseWire extends Wire {
  readonly kind: "sse";
  /** Where messages are posted. */
  readonly endpoint: string;
}

export interface SseOptions {
  url: string;
  client: HttpClient;
  limits: WireLimits;
  recorder: Recorder;
  headers(): Record<string, string>;
  firstByteMs: number;
  signal?: AbortSignal | undefined;
}

/** Opens the stream and waits for its `endpoint` event. */
export async function openSse(listener: WireListener, options: SseOptions): Promise<SseWire> {
  const { client, limits, recorder, url } = options;
  const closing = new AbortController();
  // The given signal ends the opening only; the stream itself lives until `close`.
  const onAbort = () => closing.abort(options.signal?.reason);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  const response = await client.request({
    method: "GET",
    url,
    headers: { ...options.headers(), accept: "text/event-stream" },
    signal: closing.signal,
    timeouts: {
      firstByteMs: options.firstByteMs,
      idleMs: Number.POSITIVE_INFINITY,
      totalMs: Number.POSITIVE_INFINITY,
    },
    maxBodyBytes: Number.POSITIVE_INFINITY,
  });
  if (response.status !== 200) throw statusFailure(response, await firstText(response), options.headers());
  if (mediaTypeOf(response) !== "text/event-stream")
    throw contentTypeFailure(response, await firstText(response));

  const named = Promise.withResolvers<string>();
  const heard: StreamEvent[] = [];
  const parser = parseEventStream(limits.messageBytes, (event) => heard.push(event));
  const hear = async (event: StreamEvent) => {
    recorder.event(url, event);
    if (event.event === "endpoint") {
      try {
        named.resolve(endpointUrl(event.data, url));
      } catch (error) {
        named.reject(error);
      }
      return;
    }
    if (event.data === "") return;
    if (event.event !== "message") {
      await noticeIgnored(listener, event, limits);
      return;
    }
    for (const inbound of await readMessagesInTurn(event.data, limits, { isUtf8: event.isUtf8 !== false })) {
      const isMessage = inbound.kind !== "malformed";
      recorder.message("receive", isMessage ? inbound.message : excerptOf(event.data, 2_000), event.data, {
        ...(!isMessage && { malformed: inbound.reason }),
        ...(event.id !== undefined && { eventId: event.id }),
      });
      listener.inbound(inbound, {
        isStream: true,
        bytes: event.data.length,
        ...(event.id !== undefined && { eventId: event.id }),
      });
    }
  };

  const reading = (async () => {
    let failure: McpError;
    try {
      for await (const chunk of inTurn(response.body, parser.held)) {
        try {
          parser.push(chunk);
        } finally {
          // Also what came before a fault in the same chunk.
          for (const event of heard.splice(0)) await hear(event);
        }
      }
      failure = new McpError("CONNECTION_CLOSED", "The server ended the event stream.", {
        hint: "On the old SSE transport every answer comes on that stream; connect again.",
      });
    } catch (error) {
      failure = asMcpError(error);
    }
    named.reject(failure);
    listener.closed(failure);
  })();

  const endpoint = await firstOf(named.promise, options.firstByteMs, () => response.cancel());
  options.signal?.removeEventListener("abort", onAbort);

  return {
    kind: "sse",
    answersInline: false,
    endpoint,
    async send(message, sendOptions = {}) {
      const body = JSON.stringify(message);
      recorder.message("send", message, body);
      const answer = await client.request({
        method: "POST",
        url: endpoint,
        headers: { ...options.headers(), ...sendOptions.headers, "content-type": "application/json" },
        body,
        signal: closing.signal,
        timeouts: { firstByteMs: options.firstByteMs },
        maxBodyBytes: limits.bodyBytes,
        repeatable: sendOptions.repeatable ?? false,
        suppliedFrom: response.zone,
      });
      const text = await answer.text();
      if (answer.status < 200 || answer.status > 299) throw statusFailure(answer, text, options.headers());
    },
    async close() {
      closing.abort(new McpError("CONNECTION_CLOSED", "The connection was closed."));
      await reading;
      client.close();
    },
  };
}

/** The endpoint must stay on the stream's origin, or a server could have our messages sent anywhere. */
function endpointUrl(data: string, base: string): string {
  const endpoint = URL.parse(data.trim(), base);
  if (!endpoint) {
    throw new McpError(
      "INVALID_MESSAGE",
      `The endpoint event holds "${excerptOf(data)}", which is not a URL.`,
    );
  }
  if (endpoint.origin !== new URL(base).origin) {
    throw new McpError("REDIRECT", `The endpoint event points to another origin, ${endpoint.origin}.`, {
      hint: "Messages are only posted to the origin that was connected to.",
      details: { url: base, location: endpoint.href },
    });
  }
  return endpoint.href;
}

async function firstOf(endpoint: Promise<string>, waitMs: number, giveUp: () => void): Promise<string> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new McpError("TIMEOUT", `The event stream opened, but no endpoint event came within ${waitMs} ms.`, {
        hint: "A proxy may hold the stream back (turn its buffering off), or this is not an MCP endpoint.",
        details: { phase: "endpoint-event", timeoutMs: waitMs },
      }),
    );
  }, waitMs);
  try {
    return await Promise.race([endpoint, late.promise]);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The beginning of a body that may never end. */
async function firstText(response: HttpResponse): Promise<string> {
  for await (const chunk of response.body) return Buffer.from(chunk).toString("utf8");
  return "";
}
