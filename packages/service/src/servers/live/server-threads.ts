/**
 * @module Threads in which the servers of some projects are spoken to: those that have sent much. There their answers are read,
 * parsed, checked and written, and their garbage is collected; the main thread only passes on bytes. A thread starts when it
 * is first needed, ends when nobody asks any more, and one that dies fails the calls it had and no others.
 */
import { Worker } from "node:worker_threads";
import { ApiError, codeOf, type ProjectId } from "@fettle/contract/core";
import type { Authorize } from "@fettle/mcp";
import type { Log } from "../../core/log/log.ts";
import { WrittenJson } from "../../core/routing/written-json.ts";
import { completed, type HistoryDraft, type PendingDraft } from "./history-draft.ts";
import type { AskName } from "./live.ts";
import type { Reach } from "./reach.ts";
import type { AskedServer } from "./session.ts";
import { type FromThread, readFailure, type ToThread, writeFailure } from "./thread-messages.ts";

export interface Errand {
  name: AskName;
  input: unknown;
  server: AskedServer;
  withLogs: boolean;
  reach: Reach;
  keep(pending: PendingDraft): Promise<void>;
}

export interface ServerThreads {
  /** From now on the servers of this project are spoken to apart. */
  move(projectId: ProjectId): void;
  has(projectId: ProjectId): boolean;
  /** Of a project that was moved. */
  ask(errand: Errand, signal: AbortSignal): Promise<WrittenJson>;
  close(): Promise<void>;
}

declare module "../../core/app.ts" {
  interface App {
    /** Where the servers of projects are spoken to that have sent much. */
    serverThreads: ServerThreads;
  }
}

/** Projects that send much share this many. */
const mostThreads = 2;
/** A thread that nobody has asked for so long ends, and its projects are where all others are. */
const idleMs = 5 * 60_000;
/** How long connections may take to say goodbye. */
const closeMs = 2_000;
/** Room for as many large answers as a thread holds at once. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 };

type Piece = Extract<FromThread, { kind: "piece" }>;

interface Thread {
  ask(errand: Errand, signal: AbortSignal): Promise<WrittenJson>;
  isBusy(): boolean;
  close(): Promise<void>;
}

interface Place {
  projects: Set<ProjectId>;
  /** None before the first call, and after one that died. */
  thread: Thread | undefined;
  usedAt: number;
}

export function createServerThreads(log: Log): ServerThreads {
  const places = new Set<Place>();
  const placeOf = (projectId: ProjectId) => [...places].find(({ projects }) => projects.has(projectId));
  const sweep = setInterval(() => {
    for (const place of places) {
      if (place.thread?.isBusy() || performance.now() - place.usedAt < idleMs) continue;
      places.delete(place);
      void place.thread?.close();
    }
  }, idleMs / 4).unref();

  function placeFor(projectId: ProjectId): Place {
    const place =
      placeOf(projectId) ??
      (places.size < mostThreads
        ? { projects: new Set(), thread: undefined, usedAt: performance.now() }
        : [...places].reduce((least, other) => (other.projects.size < least.projects.size ? other : least)));
    place.projects.add(projectId);
    places.add(place);
    return place;
  }

  return {
    has: (projectId) => placeOf(projectId) !== undefined,
    move: (projectId) => void placeFor(projectId),
    ask(errand, signal) {
      const place = placeFor(errand.server.key.projectId);
      place.usedAt = performance.now();
      place.thread ??= startThread((cause) => {
        place.thread = undefined;
        if (cause !== undefined) log.warn("a thread that speaks to servers died", { error: cause });
      });
      return place.thread.ask(errand, signal);
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...places].map(({ thread }) => thread?.close()));
      places.clear();
    },
  };
}

function startThread(onEnd: (cause?: unknown) => void): Thread {
  // Sources are run as they are; in the bundle the thread's file lies beside it.
  const file = import.meta.url.endsWith(".ts") ? "./server-thread.ts" : "./server-thread.mjs";
  const worker = new Worker(new URL(file, import.meta.url), { resourceLimits });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  /** Each call waits for at most one message at a time. */
  const waiting = new Map<number, PromiseWithResolvers<Piece>>();
  /** By the call that opened a connection, as long as one of its connections stands. */
  const authorizes = new Map<number, Authorize>();
  const keeps = new Map<number, (draft: HistoryDraft) => void>();
  let lastId = 0;
  let cause: unknown;

  const post = (message: ToThread) => worker.postMessage(message);

  worker
    .on("message", (message: FromThread) => {
      if (message.kind === "authorize") void answerDemand(message);
      else if (message.kind === "released") authorizes.delete(message.id);
      else if (message.kind === "kept") keeps.get(message.id)?.(message.draft);
      else if (message.kind === "piece") waiting.get(message.id)?.resolve(message);
      else waiting.get(message.id)?.reject(readFailure(message.failureJson));
    })
    .on("error", (error) => {
      cause = error;
    })
    .on("exit", () => {
      onEnd(cause);
      for (const { reject } of waiting.values()) reject(threadEnded(cause));
    });

  async function answerDemand({ id, demandId, demand }: Extract<FromThread, { kind: "authorize" }>) {
    try {
      post({ kind: "authorized", demandId, headers: await authorizes.get(id)?.(demand) });
    } catch (error) {
      post({ kind: "authorized", demandId, failureJson: writeFailure(error) });
    }
  }

  /** Says something of a call and waits for what comes of it. */
  async function next(message: Extract<ToThread, { id: number }>): Promise<Piece> {
    const heard = Promise.withResolvers<Piece>();
    waiting.set(message.id, heard);
    post(message);
    try {
      return await heard.promise;
    } finally {
      waiting.delete(message.id);
    }
  }

  return {
    async ask({ name, input, server, withLogs, reach: { options, ...reach }, keep }, signal) {
      lastId += 1;
      const id = lastId;
      const { authorize, ...plainOptions } = options;
      if (authorize) authorizes.set(id, authorize);
      let kept = Promise.resolve();
      keeps.set(id, (draft) => {
        kept = keep(completed(draft));
      });
      // Until the last byte is out: whoever goes away before leaves nothing behind in the thread.
      const stop = () => post({ kind: "stop", id });
      signal.addEventListener("abort", stop, { once: true });
      const answer = next({
        kind: "ask",
        id,
        name,
        inputJson: JSON.stringify(input),
        server,
        withLogs,
        reach: { ...reach, options: plainOptions },
        canAuthorize: authorize !== undefined,
      });
      if (signal.aborted) stop();
      const first = await answer.finally(() => {
        keeps.delete(id);
        return kept;
      });
      if (first.isLast) {
        signal.removeEventListener("abort", stop);
        return new WrittenJson(first.bytes);
      }
      return new WrittenJson(first.bytes, rest());

      async function* rest(): AsyncGenerator<Uint8Array> {
        for (;;) {
          const piece = await next({ kind: "more", id });
          yield piece.bytes;
          if (piece.isLast) break;
        }
        signal.removeEventListener("abort", stop);
      }
    },
    isBusy: () => waiting.size > 0,
    async close() {
      post({ kind: "close" });
      const late = setTimeout(() => void worker.terminate(), closeMs);
      await ended;
      clearTimeout(late);
    },
  };
}

function threadEnded(cause: unknown): ApiError {
  const isFull = codeOf(cause) === "ERR_WORKER_OUT_OF_MEMORY";
  return new ApiError(
    "UNAVAILABLE",
    isFull
      ? "The servers of this project sent more at once than is held in memory."
      : "What spoke to the servers of this project ended before the answer came.",
    {
      reason: isFull ? "TOO_MUCH_AT_ONCE" : "THREAD_ENDED",
      hint: "Try again, with fewer calls at once or smaller answers.",
    },
    { status: 503, retryAfter: 1, cause },
  );
}
