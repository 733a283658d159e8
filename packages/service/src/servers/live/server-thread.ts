/** @module The thread that speaks to servers which send much: asks them, and hands back the bytes of the answers' JSON as they are wanted. */
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { must, parseExactNumbers } from "@fettle/contract/formats";
import { type Authorize, sliceLength } from "@fettle/mcp";
import { isLargeJson, jsonPieces } from "../../http/json-pieces.ts";
import { askKept } from "./kept-calls.ts";
import { createLargePlaces } from "./large-places.ts";
import { createPool } from "./pool.ts";
import type { LiveCall } from "./session.ts";
import { type FromThread, readFailure, type ToThread, writeFailure } from "./thread-messages.ts";

type AskMessage = Extract<ToThread, { kind: "ask" }>;

const port = must(parentPort, "a parent, as this file is run as a thread");
const connections = createPool();
const places = createLargePlaces();
const running = new Map<number, { gone: AbortController; wanted: PromiseWithResolvers<void> }>();
const demands = new Map<number, PromiseWithResolvers<Record<string, string> | undefined>>();
let lastDemand = 0;
/** Of nineteen steps: a third of the share of one who waits for the same processor. */
const behindOthers = 5;
// What is large waits while others want the processor. Only on Linux is this a thread's own: elsewhere it would hold back the process.
if (process.platform === "linux") setPriority(behindOthers);

/** Connections outlive the call that opened them; when the last has gone, nothing can be demanded in its name any more. */
const released = new FinalizationRegistry<number>((id) => post({ kind: "released", id }));

port.on("message", (message: ToThread) => {
  switch (message.kind) {
    case "ask":
      void serve(message);
      break;
    case "more":
      running.get(message.id)?.wanted.resolve();
      break;
    case "stop":
      running.get(message.id)?.gone.abort();
      // Whoever waits to be asked for the next piece learns of it so.
      running.get(message.id)?.wanted.resolve();
      break;
    case "authorized": {
      const demand = demands.get(message.demandId);
      demands.delete(message.demandId);
      if (message.failureJson === undefined) demand?.resolve(message.headers);
      else demand?.reject(readFailure(message.failureJson));
      break;
    }
    case "close":
      void connections.close().finally(() => process.exit());
  }
});

function post(message: FromThread): void {
  port.postMessage(message, message.kind === "piece" ? [message.bytes.buffer] : []);
}

async function serve(message: AskMessage): Promise<void> {
  const { id, name, inputJson, server } = message;
  const gone = new AbortController();
  const call = { gone, wanted: Promise.withResolvers<void>() };
  running.set(id, call);
  try {
    // Its input was held to its schema before it was sent here.
    const pieces = await places.within(server.key.projectId, async () =>
      bytesOf(await askKept(name, liveCall(message, gone.signal), inputJson && parseExactNumbers(inputJson))),
    );
    // Only bytes are left of the answer, so a caller who reads slowly keeps nobody else from a place.
    for (const [index, bytes] of pieces.entries()) {
      const isLast = index === pieces.length - 1;
      call.wanted = Promise.withResolvers<void>();
      post({ kind: "piece", id, bytes, isLast });
      if (isLast) break;
      await call.wanted.promise;
      gone.signal.throwIfAborted();
    }
  } catch (error) {
    post({ kind: "failed", id, failureJson: writeFailure(error) });
  } finally {
    running.delete(id);
  }
}

function liveCall({ id, server, withLogs, reach, canAuthorize }: AskMessage, signal: AbortSignal): LiveCall {
  // Made also for a call that finds a connection warm: what is never used is released all the same.
  const options = { ...reach.options, ...(canAuthorize && { authorize: authorizing(id) }) };
  return {
    server,
    connections,
    signal,
    withLogs,
    attending: undefined,
    now: Date.now,
    reach: async () => ({ ...reach, options }),
    heard: () => {},
    // Before its answer, so that whoever asked can find it.
    keep: async (pending) => post({ kind: "kept", id, draft: pending.complete() }),
  };
}

/** Demands for credentials are answered where they are kept. */
function authorizing(id: number): Authorize {
  const authorize: Authorize = (demand) => {
    lastDemand += 1;
    const answer = Promise.withResolvers<Record<string, string> | undefined>();
    demands.set(lastDemand, answer);
    post({ kind: "authorize", id, demandId: lastDemand, demand });
    return answer.promise;
  };
  released.register(authorize, id);
  return authorize;
}

/** The answer's JSON, in pieces of about a slice. */
async function bytesOf(output: unknown): Promise<Uint8Array<ArrayBuffer>[]> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let text = "";
  for await (const piece of isLargeJson(output) ? jsonPieces(output) : [JSON.stringify(output)]) {
    text += piece;
    if (text.length < sliceLength) continue;
    pieces.push(encoder.encode(text));
    text = "";
  }
  if (text !== "") pieces.push(encoder.encode(text));
  return pieces;
}
