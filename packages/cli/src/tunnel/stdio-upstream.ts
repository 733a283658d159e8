/**
 * @module A server that speaks over its pipes, made to answer like one that speaks Streamable HTTP. Each session is a process of its
 * own; callers without a session share one, as the stateless revision wants it.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { only } from "@fettle/contract/formats";
import {
  type Inbound,
  isStatelessRequest,
  type McpError,
  type RequestRefusal,
  readMessages,
  refusalOf,
  type StdioTarget,
  statelessEra,
  stderrHeader,
  unsupportedVersion,
  wireLimits,
} from "@fettle/mcp";
import { version } from "../version.ts";
import { type ByteBudget, createByteBudget } from "./byte-budget.ts";
import { createLearned } from "./learned.ts";
import { type StdioChild, startChild } from "./stdio-child.ts";
import { type Upstream, type UpstreamAnswer, UpstreamFailure, type UpstreamRequest } from "./upstream.ts";

export interface StdioUpstreamOptions {
  onStderr(text: string): void;
  onGarbage(reason: string, excerpt: string): void;
  /** A process ended that nobody asked to end. */
  onExit(failure: McpError): void;
}

export interface StdioUpstream extends Upstream {
  /** Resolves when the first process has said something, is gone, or has had a moment to do either. */
  started(): Promise<McpError | undefined>;
}

interface Session {
  child: StdioChild;
  usedAt: number;
}

const mostSessions = 8;
const idleMs = 10 * 60_000;
/** One that is greeted answers or ends; only one that ignores what it does not know makes its user wait so long. */
const firstWordMs = 5_000;
/** One that is left alone says nothing as long as it is well. */
const quietMs = 1_500;
/** Of everything that is on its way through, together. */
const heldBytes = 64 * 1024 * 1024;

/** Starts the first process; rejects when it cannot be started. */
export async function openStdioUpstream(
  target: StdioTarget,
  options: StdioUpstreamOptions,
): Promise<StdioUpstream> {
  const budget: ByteBudget = createByteBudget(heldBytes);
  const sessions = new Map<string, Session>();
  const all = new Set<StdioChild>();
  const learned = createLearned();
  let isClosing = false;
  /** Of callers without a session. A handshake may have it while it has not proved to need none. */
  let common: StdioChild | undefined = await start();
  const first = common;
  let endsWhenGreeted = false;
  let isStarting = true;
  const sweep = setInterval(endIdle, 60_000);

  async function start(): Promise<StdioChild> {
    if (isClosing) throw new UpstreamFailure("upstream_error", "The tunnel is closing.");
    const child = await startChild(target, { budget, ...options, onAnswer: learned.hear });
    all.add(child);
    child.gone.then((failure) => {
      all.delete(child);
      for (const [id, session] of sessions) if (session.child === child) sessions.delete(id);
      if (common === child) common = undefined;
      if (failure.code !== "CONNECTION_CLOSED" && !isStarting) options.onExit(failure);
    });
    return child;
  }

  function endIdle(): void {
    const now = performance.now();
    for (const [id, { child, usedAt }] of sessions) {
      if (child.isIdle() && now - usedAt > idleMs) end(id);
    }
  }

  function end(id: string): void {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.child.close();
  }

  /** The one that has been quiet for longest gives way; its caller is told to begin anew when it comes back. */
  function makeRoom(): void {
    if (sessions.size < mostSessions) return;
    const [oldest] = [...sessions]
      .filter(([, { child }]) => child.isIdle())
      .sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (!oldest) throw new UpstreamFailure("overloaded", `${mostSessions} sessions are busy.`);
    end(oldest[0]);
  }

  async function childForHandshake(): Promise<StdioChild> {
    makeRoom();
    const spare = common;
    if (spare?.isAlive() && spare.isIdle() && !spare.hasProved()) {
      common = undefined;
      return spare;
    }
    return start();
  }

  async function commonChild(): Promise<StdioChild> {
    if (!common?.isAlive()) common = await start();
    return common;
  }

  async function post(request: UpstreamRequest, sessionId: string | undefined): Promise<UpstreamAnswer> {
    const text = request.body.toString("utf8");
    const messages = readMessages(text, wireLimits);
    const broken = messages.find((message) => message.kind === "malformed");
    if (broken) return rpcError(400, { code: -32700, message: `This is no message: ${broken.reason}.` });
    const alone = only(messages);
    for (const message of messages) {
      const refusal = refusalOf(message, request.headers, learned);
      if (refusal) return rpcError(400, refusal, message);
    }
    const isStateless = alone !== undefined && isStatelessRequest(alone, request.headers, learned);
    const begins = !isStateless && messages.some((message) => asks(message, "initialize"));
    if (endsWhenGreeted && sessionId === undefined && alone && asks(alone, "server/discover")) {
      return rpcError(200, { code: -32601, message: "Method not found" }, alone);
    }
    const session = sessionId === undefined ? undefined : sessions.get(sessionId);
    if (sessionId !== undefined && !session) return unknownSession();
    const newId = begins && sessionId === undefined ? randomUUID() : undefined;
    const child = session?.child ?? (newId === undefined ? await commonChild() : await childForHandshake());
    const id = newId ?? sessionId;
    if (id !== undefined) sessions.set(id, { child, usedAt: performance.now() });
    const answer = child.post({
      messages,
      text,
      streams: (request.headers.accept ?? "").includes("text/event-stream"),
      wantsStderr: stderrHeader in request.headers,
      headers: newId === undefined ? [] : [["mcp-session-id", newId]],
      signal: request.signal,
      isStateless,
      cancels: id === undefined,
    });
    return answer ?? empty(202);
  }

  async function started(): Promise<McpError | undefined> {
    const startedAt = performance.now();
    greet(first);
    await settled(first.stirred, firstWordMs);
    if (first.isAlive()) return undefined;
    const livedMs = performance.now() - startedAt;
    // Some end when asked what they do not know. One that is left alone says whether it can start at all.
    endsWhenGreeted = true;
    const again = await start();
    common = again;
    // What the first took to end, a second may take too, and longer on a busy machine.
    await settled(again.stirred, Math.max(quietMs, 3 * livedMs));
    return again.isAlive() ? undefined : again.gone;
  }

  return {
    started: () =>
      started().finally(() => {
        isStarting = false;
      }),
    async request(request) {
      const sessionId = request.headers["mcp-session-id"];
      const session = sessionId === undefined ? undefined : sessions.get(sessionId);
      const refusal = unsupportedVersion(request.headers["mcp-protocol-version"]?.trim(), learned);
      if (refusal && request.method !== "POST") return rpcError(400, refusal);
      switch (request.method) {
        case "POST":
          return post(request, sessionId);
        case "GET": {
          if (sessionId === undefined) return notAllowed("POST");
          if (!session) return unknownSession();
          const wantsStderr = stderrHeader in request.headers;
          return (
            session.child.listen(request.signal, wantsStderr) ??
            rpcError(409, { code: -32000, message: "Somebody listens already." })
          );
        }
        case "DELETE": {
          if (!session || sessionId === undefined) return unknownSession();
          end(sessionId);
          return empty(204);
        }
        default:
          return notAllowed("GET, POST, DELETE");
      }
    },
    async close() {
      isClosing = true;
      clearInterval(sweep);
      await Promise.all([...all].map((child) => child.close()));
    },
  };
}

/** Asks what any caller asks first, which also tells which era the process has to be kept for. */
function greet(child: StdioChild): void {
  const { params } = statelessEra(() => identity).prepare("server/discover", undefined);
  const text = JSON.stringify({ jsonrpc: "2.0", id: "fettle-greeting", method: "server/discover", params });
  const messages = readMessages(text, wireLimits);
  const signal = AbortSignal.timeout(firstWordMs);
  child
    .post({
      messages,
      text,
      streams: false,
      wantsStderr: false,
      headers: [],
      signal,
      isStateless: true,
      cancels: false,
    })
    ?.catch(() => {});
}

const identity = { clientInfo: { name: "fettle-tunnel", version }, capabilities: {} };

/** Waits for it, but not for long. */
async function settled(event: Promise<void>, ms: number): Promise<void> {
  const over = new AbortController();
  const moment = delay(ms, undefined, { signal: over.signal }).catch(() => {});
  await Promise.race([event, moment]);
  over.abort();
}

function empty(status: number): UpstreamAnswer {
  return { status, headers: [], body: bytes("") };
}

function notAllowed(allow: string): UpstreamAnswer {
  return { ...empty(405), headers: [["allow", allow]] };
}

const unknownSession = () =>
  rpcError(404, { code: -32001, message: "There is no such session; begin with initialize." });

const asks = (message: Inbound, method: string) => message.kind === "request" && message.method === method;

function rpcError(status: number, error: RequestRefusal, asked?: Inbound): UpstreamAnswer {
  const id = asked && "id" in asked ? asked.id : null;
  const body = JSON.stringify({ jsonrpc: "2.0", id, error });
  return { status, headers: [["content-type", "application/json"]], body: bytes(body) };
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  if (text !== "") yield Buffer.from(text);
}
