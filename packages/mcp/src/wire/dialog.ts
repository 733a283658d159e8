/** @module Requests and answers on one wire: ids, timeouts, progress, cancellation, and the server's own requests. A failed call leaves the dialog whole. */
import { abortFailure, asMcpError, McpError } from "../failure.ts";
import type { Timeouts, WireLimits } from "../limits.ts";
import { type Inbound, isObject, isRequestId, type JsonObject, type RequestId } from "../messages/jsonrpc.ts";
import { startClock } from "./call-clock.ts";
import {
  noAnswerWithin,
  resultWithStatus,
  rpcFailure,
  strangeId,
  timeoutKnowing,
  unreadable,
} from "./dialog-failures.ts";
import {
  type ClientHandlers,
  createServerRequests,
  type InboundRequestHandler,
  type OpenCall,
  openCallOf,
  type ServerRequests,
  unattributed,
} from "./server-requests.ts";
import type { SseWire } from "./sse.ts";
import type { StdioWire } from "./stdio.ts";
import type { StreamableHttpWire } from "./streamable-http.ts";
import type { Origin, SendOptions, WireListener } from "./wire.ts";
import { type WireProblem, wireProblem } from "./wire-problem.ts";
import { WireWatch } from "./wire-watch.ts";

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  timeouts?: Partial<Timeouts>;
  onProgress?: ((progress: Progress) => void) | undefined;
  headers?: Record<string, string>;
  repeatable?: boolean;
  /** The answer is a stream that stays open: no idle or total limit. */
  openEnded?: boolean;
  /** Told the id before the request goes out. */
  onId?: ((id: RequestId) => void) | undefined;
  /** Who answers what the server asks during this call, in place of those the connection was made with. */
  handlers?: ClientHandlers | undefined;
}

/** An answer with what the transport knows about it. */
export interface Answer {
  result: unknown;
  origin: Origin;
  id: RequestId;
}

export interface DialogHooks {
  request: InboundRequestHandler;
  notification(method: string, params: JsonObject, origin: Origin): void;
  closed(failure: McpError): void;
}

interface Pending extends OpenCall {
  /** Nobody has taken the connection that it is to be sent over. */
  isConnecting: boolean;
  /** The server opened an event stream for the answer, and nothing has come on it yet. */
  streamSilent: boolean;
  settle(outcome: { answer: Answer } | { failure: McpError }): void;
  /** Progress or another sign that the call is alive. */
  alive(progress?: Progress): void;
  /** The server waits for us: its time does not run until the returned function is called. */
  hold(): () => void;
  handlers: ClientHandlers | undefined;
}

/** There is nothing to cancel before a connection is open. */
type AnyWire = StdioWire | StreamableHttpWire | SseWire;

/** How long the right answer may follow an error without an id, where nothing but this one request was ever sent. */
const ownAnswerMs = 500;

const openingMethods = new Set(["initialize", "server/discover"]);

export class Dialog implements WireListener {
  readonly #timeouts: Timeouts;
  readonly #hooks: DialogHooks;
  readonly #pending = new Map<RequestId, Pending>();
  readonly #watch = new WireWatch();
  readonly #serverRequests: ServerRequests;
  /** What came on the stream of a request in place of its answer: told when the answer itself does not follow. */
  readonly #instead = new Map<RequestId, McpError>();
  #wire: AnyWire | undefined;
  #nextId = 1;
  /** Something was sent that a server may wrongly answer (a notification, a reply), or answer late (a call we gave up). */
  #mayHearOfOthers = false;
  #failure: McpError | undefined;

  constructor(options: { limits: WireLimits; timeouts: Timeouts; hooks: DialogHooks }) {
    this.#timeouts = options.timeouts;
    this.#hooks = options.hooks;
    this.#serverRequests = createServerRequests({
      handle: options.hooks.request,
      reply: (message) => this.#reply(message),
      maxAtOnce: options.limits.inboundRequests,
    });
  }

  attach(wire: AnyWire): void {
    this.#wire = wire;
    this.#mayHearOfOthers = false;
    this.#failure = undefined;
  }

  /** What the server did that no client expects, as far as it was noticed. */
  get problems(): readonly WireProblem[] {
    return this.#watch.problems;
  }

  get attached(): boolean {
    return this.#wire !== undefined;
  }

  get wire(): AnyWire {
    if (!this.#wire) throw new McpError("CONNECTION_CLOSED", "Not connected.");
    return this.#wire;
  }

  /** Why the wire ended, once it has. */
  get failure(): McpError | undefined {
    return this.#failure;
  }

  request(method: string, params: JsonObject | undefined, options: RequestOptions = {}): Promise<Answer> {
    const id = this.#nextId++;
    options.onId?.(id);
    const message: JsonObject = { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
    if (options.onProgress) {
      const meta = params?._meta;
      message.params = { ...params, _meta: { ...(isObject(meta) && meta), progressToken: id } };
    }
    return this.#call(id, method, message, options);
  }

  async notify(method: string, params?: JsonObject, options: SendOptions = {}): Promise<void> {
    this.#mayHearOfOthers = true;
    await this.wire.send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) }, options);
  }

  #call(id: number, method: string, message: JsonObject, options: RequestOptions): Promise<Answer> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(abortFailure(signal));
    const wire = this.wire;
    const limits = { ...this.#timeouts, ...options.timeouts };
    const problemsBefore = this.problems.length;

    return new Promise((resolve, reject) => {
      const stopReading = new AbortController();
      const onAbort = () => signal && giveUp(this.#whileWaiting(id, abortFailure(signal), problemsBefore));

      const settle: Pending["settle"] = (outcome) => {
        if (!this.#pending.delete(id)) return;
        this.#instead.delete(id);
        clock?.stop();
        signal?.removeEventListener("abort", onAbort);
        if ("answer" in outcome) resolve(outcome.answer);
        else reject(outcome.failure);
      };
      /** We stop waiting: the server is told, and over HTTP the stream is closed. */
      const giveUp = (failure: McpError) => {
        settle({ failure });
        this.#mayHearOfOthers = true;
        this.#watch.abandoned(id);
        stopReading.abort(failure);
        if (!openingMethods.has(method)) this.#tellCancelled(id, failure.message, options.headers);
      };
      const clock = options.openEnded
        ? undefined
        : startClock(limits, (phase, ms) => giveUp(this.#timeout(id, phase, ms, problemsBefore)));
      signal?.addEventListener("abort", onAbort, { once: true });

      this.#pending.set(id, {
        ...openCallOf(method, message.params),
        isConnecting: wire.kind === "streamable-http",
        streamSilent: false,
        settle,
        alive(progress) {
          clock?.alive();
          if (progress) options.onProgress?.(progress);
        },
        hold: () => clock?.hold() ?? (() => {}),
        handlers: options.handlers,
      });
      this.#watch.sent(message);
      wire
        .send(message, {
          signal: stopReading.signal,
          onOpen: () => {
            const pending = this.#pending.get(id);
            if (pending) pending.isConnecting = false;
          },
          ...(options.headers && { headers: options.headers }),
          ...(options.repeatable !== undefined && { repeatable: options.repeatable }),
        })
        .catch((error: unknown) => settle({ failure: this.#knowingWhatCame(id, asMcpError(error)) }));
    });
  }

  inbound(inbound: Inbound, origin: Origin): void {
    const asker = origin.answers === undefined ? undefined : this.#pending.get(origin.answers);
    if (asker) asker.streamSilent = false;
    this.#watch.heard(inbound, origin);
    switch (inbound.kind) {
      case "result":
        this.#answer(inbound.id, origin, this.#resultOutcome(inbound, origin));
        break;
      case "error":
        this.#answerError(inbound, origin);
        break;
      case "notification":
        this.#notification(inbound.method, inbound.params, origin);
        break;
      case "request":
        void this.#serve(inbound.id, inbound.method, inbound.params, origin);
        break;
      case "malformed":
        this.#malformed(inbound, origin);
        break;
    }
  }

  streaming(id: RequestId): void {
    const pending = this.#pending.get(id);
    if (pending) pending.streamSilent = true;
  }

  closed(failure: McpError): void {
    if (this.#failure) return;
    this.#failure = failure;
    this.#serverRequests.stop(failure);
    for (const pending of [...this.#pending.values()]) pending.settle({ failure });
    this.#hooks.closed(failure);
  }

  noticed(problem: WireProblem): void {
    this.#watch.add(problem);
  }

  #resultOutcome(
    { id, result }: Extract<Inbound, { kind: "result" }>,
    origin: Origin,
  ): { answer: Answer } | { failure: McpError } {
    const { httpStatus = 200 } = origin;
    if (httpStatus < 400) return { answer: { result, origin, id } };
    return { failure: resultWithStatus(this.#pending.get(id)?.method ?? "the request", httpStatus) };
  }

  #answer(id: RequestId, origin: Origin, outcome: { answer: Answer } | { failure: McpError }): void {
    const pending = this.#pending.get(id);
    if (pending) {
      pending.settle(outcome);
      return;
    }
    if (this.#watch.knows(id)) return;
    // A body belongs to one request, so its caller need not wait for the right id any longer; on a stream it may follow.
    const meant = this.#watch.requestNamed(id) ?? (origin.isStream ? undefined : origin.answers);
    const asker = meant === undefined ? undefined : this.#pending.get(meant);
    if (asker && meant !== undefined) asker.settle({ failure: strangeId(id, meant, asker.method) });
    else if (origin.answers !== undefined) {
      const method = this.#pending.get(origin.answers)?.method ?? "the request";
      this.#instead.set(origin.answers, strangeId(id, origin.answers, method));
    }
  }

  /** A stream that ended without the answer, but brought something else. */
  #knowingWhatCame(id: RequestId, failure: McpError): McpError {
    return failure.code === "NO_ANSWER" ? (this.#instead.get(id) ?? failure) : failure;
  }

  #answerError(inbound: Extract<Inbound, { kind: "error" }>, origin: Origin): void {
    const { answers, isStream } = origin;
    // A body is the answer to its request, whatever it lacks. Anywhere else the right answer may follow.
    const id = inbound.id ?? (isStream ? undefined : answers);
    const meant = id ?? answers ?? this.#onlySent();
    const pending = meant === undefined ? undefined : this.#pending.get(meant);
    const failure = rpcFailure(inbound.error, pending?.method, origin);
    if (id !== undefined) this.#answer(id, origin, { failure });
    else if (answers !== undefined) this.#instead.set(answers, failure);
    else setTimeout(() => pending?.settle({ failure }), ownAnswerMs).unref();
  }

  #malformed(inbound: Extract<Inbound, { kind: "malformed" }>, origin: Origin): void {
    // What is too large to be read is the answer that is awaited, unless its beginning says otherwise.
    const isTooLargeAnswer = inbound.limit && !/"method"\s*:/.test(inbound.excerpt);
    const id = inbound.id ?? origin.answers ?? (isTooLargeAnswer ? this.#onlyPending() : undefined);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (!pending) return;
    pending.settle({ failure: unreadable(inbound, pending.method) });
  }

  #notification(method: string, params: JsonObject, origin: Origin): void {
    if (method === "notifications/progress") {
      const { progressToken, progress, total, message } = params;
      const pending = isRequestId(progressToken) ? this.#pending.get(progressToken) : undefined;
      if (pending && typeof progress === "number") {
        pending.alive({
          progress,
          ...(typeof total === "number" && { total }),
          ...(typeof message === "string" && { message }),
        });
      }
    } else if (method === "notifications/cancelled") {
      if (isRequestId(params.requestId)) this.#serverRequests.cancel(params.requestId);
    }
    this.#hooks.notification(method, params, origin);
  }

  async #serve(id: RequestId, method: string, params: JsonObject, origin: Origin): Promise<void> {
    const calls = this.#callsAsking(origin);
    // While we answer the server, or a person does, the calls it may belong to wait for us.
    const releases = calls.map((call) => call.hold());
    const served = await this.#serverRequests
      .serve(id, method, params, {
        byCall: calls.flatMap(({ handlers }) => handlers ?? []),
        ...unattributed(calls),
      })
      .finally(() => {
        for (const release of releases) release();
      });
    if (!served) this.noticed(wireProblem("BUSY", method));
  }

  /** Headers of replies and cancellations, set by the era (the version header of HTTP). */
  replyHeaders: () => Record<string, string> = () => ({});
  /** Stateless HTTP cancels by closing the stream alone. */
  cancelsByNotification: () => boolean = () => true;

  #reply(message: JsonObject): void {
    this.#mayHearOfOthers = true;
    // A reply that cannot be delivered has no one to be told to: its call fails by its own timeout or the wire's end.
    this.#wire?.send(message, { headers: this.replyHeaders() }).catch(() => {});
  }

  #tellCancelled(id: RequestId, reason: string, headers: Record<string, string> | undefined): void {
    if (this.#failure || !this.cancelsByNotification()) return;
    this.#wire
      ?.send(
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id, reason } },
        { headers: headers ?? this.replyHeaders() },
      )
      .catch(() => {});
  }

  /** The call whose stream it came on; else every open call, because it may belong to any of them. */
  #callsAsking({ answers }: Origin): Pending[] {
    if (answers === undefined) return [...this.#pending.values()];
    const pending = this.#pending.get(answers);
    return pending ? [pending] : [];
  }

  /** The one request that an answer without an id can belong to, while nothing else was ever sent. */
  #onlySent(): RequestId | undefined {
    return this.#mayHearOfOthers ? undefined : this.#onlyPending();
  }

  #onlyPending(): RequestId | undefined {
    return this.#pending.size === 1 ? this.#pending.keys().next().value : undefined;
  }

  #timeout(id: RequestId, phase: string, timeoutMs: number, problemsBefore: number): McpError {
    const method = this.#pending.get(id)?.method ?? "the request";
    return this.#whileWaiting(id, noAnswerWithin(method, phase, timeoutMs), problemsBefore);
  }

  #whileWaiting(id: RequestId, failure: McpError, problemsBefore: number): McpError {
    const pending = this.#pending.get(id);
    if (failure.code !== "TIMEOUT" || !pending) return failure;
    const hindrance = this.#wire?.hindrance?.({ id, method: pending.method });
    if (hindrance) this.noticed(hindrance);
    return timeoutKnowing(failure, pending, this.problems.slice(problemsBefore));
  }
}
