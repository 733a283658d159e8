/**
 * @module How one POST to a stdio server is answered: with JSON when its answers are all there is to say, as an event stream as soon
 * as the server says something else first, or takes long.
 */
import { must } from "@fettle/contract/formats";
import { type RequestId, writeStderrEvent } from "@fettle/mcp";
import type { ByteBudget } from "./byte-budget.ts";
import { type ByteStream, createByteStream } from "./byte-stream.ts";
import { type UpstreamAnswer, UpstreamFailure } from "./upstream.ts";

export interface PostAnswer {
  readonly answer: Promise<UpstreamAnswer>;
  /** An answer to one of its requests. */
  answered(id: RequestId, text: string, errorCode?: number): void;
  /** Something else the server says meanwhile; false when the caller cannot hear it. */
  tell(text: string): boolean;
  /** What the process writes on stderr meanwhile; false when the caller does not want it. */
  tellStderr(text: string): boolean;
  fail(reason: UpstreamFailure): void;
}

export interface PostOptions {
  ids: readonly RequestId[];
  isBatch: boolean;
  /** The caller takes event streams. */
  streams: boolean;
  wantsStderr: boolean;
  headers: [string, string][];
  /** The status of an answer that is an error and all there is to say. */
  statusOfError: (code: number) => number;
  budget: ByteBudget;
  /** It is over: all answers are there, it failed, or the caller left a stream. */
  onOver(): void;
}

/** Well before the relay loses patience with a request that has no status line. */
const patienceMs = 15_000;

export const event = (text: string) => `event: message\ndata: ${text}\n\n`;
export const streamHeaders: [string, string][] = [
  ["content-type", "text/event-stream"],
  ["cache-control", "no-cache"],
];

export function createPostAnswer(options: PostOptions): PostAnswer {
  const { isBatch, streams, budget } = options;
  const open = new Set(options.ids);
  const kept: string[] = [];
  let keptBytes = 0;
  let stream: ByteStream | undefined;
  let isOver = false;
  const head = Promise.withResolvers<UpstreamAnswer>();
  const beat = setInterval(() => {
    if (streams) startStream().push(": still at it\n\n");
  }, patienceMs);

  function over(): void {
    if (isOver) return;
    isOver = true;
    clearInterval(beat);
    options.onOver();
  }

  function startStream(): ByteStream {
    if (stream) return stream;
    stream = createByteStream(budget, over);
    head.resolve({ status: 200, headers: [...streamHeaders, ...options.headers], body: stream.body });
    budget.give(keptBytes);
    keptBytes = 0;
    for (const text of kept.splice(0)) stream.push(event(text));
    return stream;
  }

  function sendJson(status: number): void {
    const text = isBatch ? `[${kept.join(",")}]` : must(kept[0], "the answer to the one request");
    const body = createByteStream(budget);
    budget.give(keptBytes);
    keptBytes = 0;
    body.push(text);
    body.end();
    head.resolve({
      status,
      headers: [["content-type", "application/json"], ...options.headers],
      body: body.body,
    });
  }

  function fail(reason: UpstreamFailure): void {
    if (isOver) return;
    budget.give(keptBytes);
    keptBytes = 0;
    head.reject(reason);
    stream?.fail(reason);
    over();
  }

  return {
    answer: head.promise,
    answered(id, text, errorCode) {
      if (isOver || !open.delete(id)) return;
      if (stream) stream.push(event(text));
      else if (budget.take(text.length)) {
        kept.push(text);
        keptBytes += text.length;
      } else return fail(new UpstreamFailure("overloaded", "The answer is more than may be held."));
      if (open.size > 0) return;
      if (stream) stream.end();
      else sendJson(isBatch || errorCode === undefined ? 200 : options.statusOfError(errorCode));
      over();
    },
    tell(text) {
      if (isOver || !streams) return false;
      return startStream().push(event(text));
    },
    tellStderr(text) {
      if (isOver || !streams || !options.wantsStderr) return false;
      return startStream().push(writeStderrEvent(text));
    },
    fail,
  };
}
