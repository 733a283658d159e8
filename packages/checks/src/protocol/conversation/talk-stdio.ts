/**
 * @module The conversation over a child process's pipes. Requests go one after the other, so that what was heard meanwhile belongs to the
 * one under way; one that is not answered soon goes on waiting while the next has its turn.
 */
import { randomUUID } from "node:crypto";
import {
  answerOnStderr,
  type Inbound,
  isAnswerWithoutId,
  isObject,
  isRequestId,
  type JsonObject,
  McpError,
  type RawStdio,
  type RequestId,
  WireWatch,
  wireProblem,
} from "@fettle/mcp";
import { type AnswerInbound, type Exchange, isAnswer, short } from "./exchange.ts";
import {
  type Answerer,
  type AskOptions,
  agreedVersion,
  initializeParams,
  type Opening,
  openingOf,
  prepared,
  replyTo,
  requireAnswer,
  type Talk,
  type TalkOptions,
} from "./talk.ts";

export interface StdioTalk extends Talk {
  readonly transport: "stdio";
  readonly raw: RawStdio;
  /** Why the process has ended, when it has. */
  died(): Promise<McpError | undefined>;
}

export function isStdioTalk(talk: Talk): talk is StdioTalk {
  return talk.transport === "stdio";
}

/** How long a request may keep the others waiting. */
const turnMs = 1_000;
/** So that the time that is left does not differ from run to run. */
const roundMs = 500;
/** How long the right answer may follow one that carries another id. */
const strayMs = 300;

export function openStdioTalk(options: TalkOptions & { raw: RawStdio }): StdioTalk {
  const { raw, era, transcript, timeoutMs } = options;
  const session = randomUUID();
  let version = options.version;
  let nextId = 1;
  let opening: Promise<Opening> | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let silences = 0;

  /** Requests that still wait for an answer. */
  const under = new Set<RequestId>();
  const written: JsonObject[] = [];
  const write = (message: JsonObject) => {
    written.push(message);
    return raw.write(`${JSON.stringify(message)}\n`);
  };

  /** After all that were asked before, whether those succeeded or not. A server that leaves several unanswered is waited for less and less. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { promise: isOver, resolve: yieldTurn } = Promise.withResolvers<void>();
    const done = queue.then(() => {
      // A process takes its time to start, and what it is told first may decide how it takes the rest.
      const ms = raw.heard.length === 0 ? timeoutMs : turnMs / (silences + 1);
      const patience = setTimeout(() => {
        silences += 1;
        yieldTurn();
      }, ms);
      return work().finally(() => {
        clearTimeout(patience);
        yieldTurn();
      });
    });
    queue = isOver;
    return done;
  }

  async function request(
    method: string,
    params: JsonObject | undefined,
    asked: AskOptions,
    id: RequestId,
    askedAt = performance.now(),
  ): Promise<Exchange> {
    const ms = timeLeft(askedAt);
    const made = prepared({ era, version }, method, params, asked);
    const sent = { method, ...(made.params && { params: made.params }), id };
    const from = raw.heard.length;
    const sentAt = performance.now();
    await write({ jsonrpc: "2.0", ...sent });
    const { ended, answer } = await hear(id, from, asked, ms);
    const exchange: Exchange = {
      ...sent,
      session,
      heard: raw.heard.slice(from),
      ...(answer && { answer }),
      events: [],
      ended,
    };
    transcript.push(exchange);
    if (asked.window) return exchange;
    const misplaced = answerOnStderr(raw.stderr(), [{ id, method }]);
    if (ended === "window" && misplaced) throw new McpError("TIMEOUT", misplaced.message);
    requireAnswer(exchange, sentAt);
    return exchange;
  }

  /** The check has waited since it asked, also for a slow start and for others' turns. What is said of it are round numbers. */
  function timeLeft(askedAt: number): number {
    const left = timeoutMs - (performance.now() - askedAt);
    return Math.max(timeoutMs / 2, Math.min(timeoutMs, Math.ceil(left / roundMs) * roundMs));
  }

  async function hear(
    id: RequestId,
    from: number,
    { answer: answerer, until, window }: AskOptions,
    ms: number,
  ): Promise<{ ended: Exchange["ended"]; answer?: AnswerInbound }> {
    // One whose id came back in another type is meant for us too; what is wrong with it is judged later.
    const isOurs = (message: Inbound): message is AnswerInbound =>
      isAnswer(message) && String(message.id) === String(id);
    // So is one that nobody asked for when nothing else is under way, or one without an id by what was asked last; unless the right one follows.
    const isStray = (message: Inbound): message is AnswerInbound =>
      isAnswer(message) &&
      (under.size === 1 || (hasNoId(message) && [...under].at(-1) === id)) &&
      !isNoise(message) &&
      !wasAsked(message.id);
    const wait = (matches: (message: Inbound) => boolean, ms: number) =>
      raw.next(
        (message) => {
          if (message.kind === "request") reply(message, answerer);
          return until?.(message) === true || isOurs(message) || matches(message);
        },
        { timeoutMs: ms, from },
      );
    const totalMs = window?.totalMs ?? ms;
    under.add(id);
    try {
      const first = await wait(isStray, totalMs);
      const last = isStray(first) ? await wait(() => false, strayMs).catch(() => first) : first;
      return isAnswer(last) && !until?.(last) ? { ended: "complete", answer: last } : { ended: "until" };
    } catch (error) {
      if (error instanceof McpError && error.code === "TIMEOUT") return { ended: "window" };
      throw error;
    } finally {
      under.delete(id);
    }
  }

  /** Answers that belong to another of our requests, late or twice, are not meant for the one under way. */
  function wasAsked(id: unknown): boolean {
    return written.some(
      (message) => "method" in message && "id" in message && String(message.id) === String(id),
    );
  }

  function reply(message: Extract<Inbound, { kind: "request" }>, answerer: Answerer | undefined): void {
    write(replyTo(message, [answerer])).catch(() => {});
  }

  async function shakeHands(): Promise<Opening> {
    const found = openingOf(await request("initialize", initializeParams(version), {}, nextId++));
    if (typeof found.result?.protocolVersion !== "string") return found;
    version = found.result.protocolVersion;
    await write({ jsonrpc: "2.0", method: "notifications/initialized" });
    return found;
  }

  const open = () => {
    opening ??= inTurn(async () =>
      era === "stateful"
        ? shakeHands()
        : openingOf(await request("server/discover", undefined, {}, nextId++)),
    );
    return opening;
  };

  return {
    transport: "stdio",
    era,
    raw,
    get version() {
      return version;
    },
    open,
    async ask(method, params, asked = {}) {
      const askedAt = performance.now();
      if (era === "stateful") agreedVersion(await open());
      return inTurn(() => request(method, params, asked, asked.id ?? nextId++, askedAt));
    },
    async notify(method, params) {
      if (era === "stateful") agreedVersion(await open());
      const made = prepared({ era, version }, method, params, {});
      const sent = { method, ...(made.params && { params: made.params }) };
      await write({ jsonrpc: "2.0", ...sent });
      return { ...sent, heard: [], events: [], ended: "complete" };
    },
    /** Everything that was written went out before it could be answered, so the order of the two does not matter. */
    problems() {
      const watch = new WireWatch({ sendsUnreadable: true });
      for (const message of written) watch.sent(message);
      for (const message of raw.heard) watch.heard(message);
      const excerpt = raw.unfinished();
      const answered = new Set(raw.heard.map((message) => ("id" in message ? message.id : undefined)));
      const waiting = written.flatMap(({ id, method }) =>
        isRequestId(id) && typeof method === "string" && !answered.has(id) ? [{ id, method }] : [],
      );
      const misplaced = answerOnStderr(raw.stderr(), waiting);
      if (misplaced) watch.add(misplaced);
      if (excerpt !== undefined)
        watch.add({ ...wireProblem("LINE_NOT_ENDED"), excerpt: short(excerpt, 200) });
      return watch.problems;
    },
    died: () => Promise.race([raw.ended, Promise.resolve(undefined)]),
    close: () => raw.close(),
  };
}

function hasNoId(message: AnswerInbound): boolean {
  return (message.kind === "error" && message.id === null) || isAnswerWithoutId(message);
}

/** Not even meant as an answer: a log line, say. */
function isNoise(message: AnswerInbound): boolean {
  if (message.kind !== "malformed") return false;
  return !isObject(message.message) || !("result" in message.message || "error" in message.message);
}
