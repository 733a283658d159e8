/** @module One process that speaks MCP over its pipes, asked by several callers at once; what it says finds the one it is for. */
import { parseExactNumbers } from "@fettle/contract/formats";
import {
  type Inbound,
  isObject,
  type JsonObject,
  type McpError,
  metaKeys,
  openStdio,
  Recorder,
  type RequestId,
  type StdioTarget,
  secretsOf,
  statusOfError,
  wireLimits,
  writeStderrEvent,
} from "@fettle/mcp";
import type { ByteBudget } from "./byte-budget.ts";
import { type ByteStream, createByteStream } from "./byte-stream.ts";
import type { Learned } from "./learned.ts";
import { createPostAnswer, event, type PostAnswer, streamHeaders } from "./post-answer.ts";
import { type UpstreamAnswer, UpstreamFailure } from "./upstream.ts";

export interface StdioChild {
  readonly pid: number;
  isAlive(): boolean;
  /** Nothing is under way, and nobody listens. */
  isIdle(): boolean;
  /** It has answered a request with a result. */
  hasProved(): boolean;
  /** Hands messages over. Undefined when none of them wants an answer. */
  post(post: ChildPost): Promise<UpstreamAnswer> | undefined;
  /** A stream of what the server says of its own accord; undefined when somebody has it already. */
  listen(signal: AbortSignal, wantsStderr: boolean): UpstreamAnswer | undefined;
  /** Resolves when it has said anything at all, or is gone. */
  stirred: Promise<void>;
  gone: Promise<McpError>;
  close(): Promise<void>;
}

export interface ChildPost {
  messages: readonly Inbound[];
  text: string;
  /** The caller takes event streams. */
  streams: boolean;
  /** The caller wants to hear what the process writes on stderr. */
  wantsStderr: boolean;
  headers: [string, string][];
  /** Aborts when the caller leaves before its answer. */
  signal: AbortSignal;
  /** Asked in the era without a handshake: an error then has its own status, and logs are for those who ask for them. */
  isStateless: boolean;
  /** Leaving means that the answer is not wanted: so it is where there are no sessions. */
  cancels: boolean;
}

export interface ChildOptions {
  budget: ByteBudget;
  onStderr(text: string): void;
  onAnswer: Learned["hear"];
  /** It wrote something that is no message. */
  onGarbage(reason: string, excerpt: string): void;
}

interface Waiting {
  post: PostAnswer;
  /** As the caller wrote them; on the wire they may differ, where two callers chose the same. */
  id: RequestId;
  token: unknown;
  method: string;
  isStateless: boolean;
  /** Takes log messages. */
  wantsLogs: boolean;
}

/** A message larger than this is refused: several at once have to fit. */
const messageBytes = 8 * 1024 * 1024;
/** Of what is said while nobody listens, the newest is kept. */
const keptUnheard = 64;
/** A server that does not know the question may say nothing; its callers go on to the older handshake then. */
const discoverMs = 2_000;
const startingMs = 5_000;
const beatMs = 15_000;

export async function startChild(target: StdioTarget, options: ChildOptions): Promise<StdioChild> {
  const { budget } = options;
  const waiting = new Map<RequestId, Waiting>();
  const tokens = new Map<unknown, Waiting>();
  const unheard: string[] = [];
  const stirred = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<McpError>();
  const startedAt = performance.now();
  /** Written on stderr while nobody heard it, from the beginning on. */
  const lastOutputLines: string[] = [];
  let listener: ByteStream | undefined;
  let listenerWantsStderr = false;
  let isAlive = true;
  let hasProved = false;
  let lastNumber = 0;

  const wire = await openStdio(
    target,
    {
      inbound(inbound, { text }) {
        stirred.resolve();
        hear(inbound, text);
      },
      closed(failure) {
        isAlive = false;
        for (const [id, { method }] of [...waiting]) {
          if (method === "server/discover" && !hasProved) answerUnknown(id);
        }
        const reason = new UpstreamFailure("upstream_error", failure.message, failure);
        for (const { post } of [...waiting.values()]) post.fail(reason);
        listener?.end();
        forgetUnheard();
        stirred.resolve();
        gone.resolve(failure);
      },
    },
    {
      limits: { ...wireLimits, messageBytes },
      recorder: new Recorder({
        secrets: secretsOf(target),
        // Only stderr is looked at, and that as it comes.
        limits: { entries: 100, bytes: 64 * 1024, textBytes: 1024 },
        onEntry: (entry) => {
          if (entry.kind !== "stderr") return;
          options.onStderr(entry.text);
          tellStderr(entry.text);
        },
      }),
    },
  );

  function hear(inbound: Inbound, text: string | undefined): void {
    switch (inbound.kind) {
      case "result":
      case "error": {
        const found = inbound.id === null ? undefined : waiting.get(inbound.id);
        if (!found || inbound.id === null) return;
        if (inbound.kind === "result") hasProved = true;
        options.onAnswer(found, inbound);
        const isSame = inbound.id === found.id;
        const said = isSame && text ? text : JSON.stringify({ ...inbound.message, id: found.id });
        settle(inbound.id, said, inbound.kind === "error" ? inbound.error.code : undefined);
        return;
      }
      case "request":
      case "notification":
        tell(inbound, text);
        return;
      case "malformed": {
        options.onGarbage(inbound.reason, inbound.excerpt);
        if (inbound.id === undefined || !waiting.has(inbound.id)) return;
        answerError(inbound.id, -32603, `The server's answer cannot be passed on: ${inbound.reason}.`);
      }
    }
  }

  function settle(id: RequestId, text: string, errorCode?: number): void {
    const found = waiting.get(id);
    if (!found) return;
    forget(id);
    found.post.answered(found.id, text, errorCode);
  }

  function forget(id: RequestId): void {
    const found = waiting.get(id);
    waiting.delete(id);
    for (const [token, owner] of tokens) if (owner === found) tokens.delete(token);
  }

  function answerError(id: RequestId, code: number, message: string): void {
    const original = waiting.get(id)?.id ?? id;
    settle(id, JSON.stringify({ jsonrpc: "2.0", id: original, error: { code, message } }));
  }

  const answerUnknown = (id: RequestId) => answerError(id, -32601, "Method not found");

  /** Progress and subscriptions name whom they are for; the rest goes to whoever asked last, or to the listener. */
  function tell(inbound: Inbound & { kind: "request" | "notification" }, text: string | undefined): void {
    const { params, message } = inbound;
    const meta = isObject(params._meta) ? params._meta : {};
    const byToken =
      inbound.method === "notifications/progress" ? tokens.get(params.progressToken) : undefined;
    const subscription = meta[metaKeys.subscriptionId] as RequestId | undefined;
    const bySubscription = subscription === undefined ? undefined : waiting.get(subscription);
    const restored: JsonObject | undefined =
      byToken && byToken.token !== params.progressToken
        ? { ...message, params: { ...params, progressToken: byToken.token } }
        : bySubscription && bySubscription.id !== subscription
          ? {
              ...message,
              params: { ...params, _meta: { ...meta, [metaKeys.subscriptionId]: bySubscription.id } },
            }
          : undefined;
    const said = restored || text === undefined ? JSON.stringify(restored ?? message) : text;
    const isLog = inbound.method === "notifications/message";
    const owner =
      byToken ?? bySubscription ?? [...waiting.values()].findLast(({ wantsLogs }) => wantsLogs || !isLog);
    if (owner?.post.tell(said)) return;
    if (listener) listener.push(event(said));
    else if (budget.take(said.length)) {
      unheard.push(said);
      const oldest = unheard.length > keptUnheard ? unheard.shift() : undefined;
      if (oldest !== undefined) budget.give(oldest.length);
    }
  }

  function tellStderr(text: string): void {
    if (listener && listenerWantsStderr) listener.push(writeStderrEvent(text));
    else if (![...waiting.values()].some(({ post }) => post.tellStderr(text))) {
      lastOutputLines.push(text);
      if (lastOutputLines.length > keptUnheard) lastOutputLines.shift();
    }
  }

  function forgetUnheard(use: (said: string) => void = () => {}): void {
    for (const said of unheard.splice(0)) {
      budget.give(said.length);
      use(said);
    }
  }

  function post(asked: ChildPost) {
    const { messages, text, streams, wantsStderr, headers, signal, isStateless, cancels } = asked;
    const requests = messages.filter((message) => message.kind === "request");
    if (requests.length === 0) {
      write(text);
      return undefined;
    }
    const onWire: RequestId[] = [];
    const leave = () => answer.fail(new UpstreamFailure("client_gone", "The caller has left."));
    const answer = createPostAnswer({
      ids: requests.map(({ id }) => id),
      isBatch: text.trimStart().startsWith("["),
      streams,
      wantsStderr,
      headers,
      statusOfError: (code) => (isStateless ? statusOfError(code) : 200),
      budget,
      onOver: () => {
        signal.removeEventListener("abort", leave);
        for (const id of onWire.filter((each) => waiting.has(each))) {
          forget(id);
          // The server still works on what nobody waits for.
          if (cancels) write(JSON.stringify(cancellation(id)));
        }
      },
    });
    // Nobody may be waiting any more when it fails.
    answer.answer.catch(() => {});
    let isRenamed = false;
    const written = messages.map((message) => {
      if (message.kind !== "request") return message.message;
      const { id, method } = message;
      const meta = isObject(message.params._meta) ? message.params._meta : undefined;
      const token = meta?.progressToken;
      const wireId = waiting.has(id) ? `fettle-${++lastNumber}` : id;
      const wireToken = token !== undefined && tokens.has(token) ? `fettle-${++lastNumber}` : token;
      const wantsLogs = !isStateless || meta?.[metaKeys.logLevel] !== undefined;
      const entry: Waiting = { post: answer, id, token, method, isStateless, wantsLogs };
      waiting.set(wireId, entry);
      if (wireToken !== undefined) tokens.set(wireToken, entry);
      onWire.push(wireId);
      if (method === "server/discover" && !hasProved) answerInTime(wireId, entry);
      if (wireId === id && wireToken === token) return message.message;
      isRenamed = true;
      const params =
        token === undefined
          ? message.params
          : { ...message.params, _meta: { ...meta, progressToken: wireToken } };
      return { ...message.message, id: wireId, params };
    });
    signal.addEventListener("abort", leave, { once: true });
    write(isRenamed ? JSON.stringify(messages.length > 1 ? written : written[0]) : text);
    return answer.answer;
  }

  function answerInTime(id: RequestId, entry: Waiting): void {
    const age = performance.now() - startedAt;
    const late = () => {
      if (waiting.get(id) === entry) answerUnknown(id);
    };
    setTimeout(late, Math.max(discoverMs, startingMs - age)).unref();
  }

  /** A message is a line: one that was written over several is written anew. */
  function write(text: string): void {
    const line = /[\r\n]/.test(text) ? JSON.stringify(parseExactNumbers(text)) : text;
    // A process that is gone is told by its end.
    wire.write(`${line}\n`).catch(() => {});
  }

  return {
    pid: wire.pid,
    stirred: stirred.promise,
    gone: gone.promise,
    isAlive: () => isAlive,
    isIdle: () => waiting.size === 0 && listener === undefined,
    hasProved: () => hasProved,
    post,
    listen(signal, wantsStderr) {
      if (listener) return undefined;
      const leave = () => stream.end();
      const stream = createByteStream(budget, () => {
        clearInterval(beat);
        signal.removeEventListener("abort", leave);
        listener = undefined;
      });
      const beat = setInterval(() => stream.push(": still here\n\n"), beatMs);
      signal.addEventListener("abort", leave, { once: true });
      listener = stream;
      listenerWantsStderr = wantsStderr;
      if (wantsStderr) for (const words of lastOutputLines.splice(0)) stream.push(writeStderrEvent(words));
      forgetUnheard((said) => stream.push(event(said)));
      return { status: 200, headers: streamHeaders, body: stream.body };
    },
    close: () => wire.close(),
  };
}

function cancellation(requestId: RequestId): JsonObject {
  return {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId, reason: "The caller has left." },
  };
}
