/** @module A question to a server in front of a person: told as it goes, the server's own questions put to them, cancelled on the wire. */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, limits } from "@fettle/contract/core";
import type { ServerAnswerRequest, ServerAskRequest } from "@fettle/contract/servers";
import {
  type CallOptions,
  type ClientHandlers,
  type ConnectOptions,
  type HandlerContext,
  isObject,
  type JsonObject,
  RpcRefusal,
} from "@fettle/mcp";
import type { AskPlace, Asks } from "./asks.ts";
import type { Hear, Told } from "./desk.ts";

const { attended } = limits.live;
/** A cancellation is on its way by then, or never will be. */
const cancelMs = 1_000;

/** Who accompanies a call. */
export interface Attending {
  declares: ServerAskRequest["declares"];
  hear: Hear;
  options: Pick<CallOptions, "onProgress" | "timeouts" | "handlers">;
}

export interface AttendedWork {
  asks: Asks;
  place: AskPlace;
  request: ServerAskRequest;
  /** The page left, or the service stops. */
  signal: AbortSignal;
  work(attending: Attending, signal: AbortSignal): Promise<unknown>;
}

/** Runs `work`; whatever becomes of it is the last thing told. */
export async function attend(
  { asks, place, request, signal, work }: AttendedWork,
  tell: Hear,
): Promise<void> {
  const cancelled = new AbortController();
  const notified = Promise.withResolvers<void>();
  /** The last message that took something back: a task's own comes after that of the request it waited in. */
  let cancelledBy: string | null = null;
  const waiting = createWaiting(tell);
  const hear: Hear = (told) => {
    tell(told);
    const by = cancellationIn(told);
    if (by === undefined) return;
    cancelledBy = by;
    notified.resolve();
  };
  using _open = asks.open(place, { answer: waiting.answer, cancel: () => cancelled.abort() });
  try {
    const output = await work(
      { declares: request.declares, hear, options: optionsOf(request, waiting, tell) },
      AbortSignal.any([signal, cancelled.signal]),
    );
    tell({ event: "done", data: output });
  } catch (error) {
    waiting.end();
    if (!cancelled.signal.aborted) tell({ event: "failed", data: failureOf(error) });
    else {
      await Promise.race([notified.promise, delay(cancelMs, undefined, { ref: false })]);
      tell({ event: "cancelled", data: { by: cancelledBy } });
    }
  } finally {
    waiting.end();
  }
}

function optionsOf(
  { declares, limitMs }: ServerAskRequest,
  waiting: Waiting,
  tell: Hear,
): Attending["options"] {
  return {
    onProgress: (progress) => tell({ event: "progress", data: progress }),
    handlers: handlersFor(declares, waiting.ask),
    timeouts: { totalMs: attended.totalMs, ...(limitMs !== undefined && { idleMs: limitMs }) },
  };
}

/** What a page's connection declares and how it answers outside of any call: its roots, and no to everything else. */
export function declared(
  { declares }: Attending,
  settings: JsonObject = {},
): Pick<ConnectOptions, "capabilities" | "takesTasks" | "handlers"> {
  const { sampling: _s, elicitation: _e, roots: _r, tasks: _t, ...others } = settings;
  const extensions = { ...(isObject(others.extensions) && others.extensions), ...widgetExtension };
  return {
    takesTasks: declares.tasks,
    capabilities: {
      ...others,
      ...(declares.sampling && { sampling: {} }),
      ...(declares.elicitation && { elicitation: { form: {}, url: {} } }),
      ...(declares.roots && { roots: {} }),
      ...(declares.widgets && { extensions }),
    },
    handlers: handlersFor({ ...declares, sampling: false, elicitation: false }, unasked),
  };
}

const widgetExtension = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };

const unasked: AskPerson = () => Promise.reject(new RpcRefusal(-1, "Nobody looks on"));

type AskPerson = (method: string, params: JsonObject, context: HandlerContext) => Promise<JsonObject>;

/** Of what is declared. Roots are known without asking anybody. */
function handlersFor(
  { sampling, elicitation, roots }: ServerAskRequest["declares"],
  ask: AskPerson,
): ClientHandlers {
  return {
    ...(sampling && {
      sampling: (params, context) => ask("sampling/createMessage", params, context),
    }),
    ...(elicitation && {
      elicitation: (params, context) => ask("elicitation/create", params, context),
    }),
    ...(roots && { roots: async () => ({ roots }) }),
  };
}

interface Waiting {
  ask: AskPerson;
  answer(given: ServerAnswerRequest): void;
  end(): void;
}

/** The server's questions that wait for the person. */
function createWaiting(tell: Hear): Waiting {
  const open = new Map<string, PromiseWithResolvers<JsonObject>>();
  let last = 0;
  return {
    async ask(method, params, { signal, candidates }) {
      if (open.size >= attended.waiting) throw new RpcRefusal(-32000, "Too many questions wait already");
      last += 1;
      const requestId = String(last);
      const answer = Promise.withResolvers<JsonObject>();
      const withdraw = () => answer.reject(signal.reason);
      open.set(requestId, answer);
      signal.addEventListener("abort", withdraw, { once: true });
      tell({ event: "asked", data: { requestId, method, params, ...(candidates && { candidates }) } });
      let reason: "answered" | "withdrawn" = "withdrawn";
      try {
        const given = await answer.promise;
        reason = "answered";
        return given;
      } catch (error) {
        if (error instanceof RpcRefusal) reason = "answered";
        throw error;
      } finally {
        signal.removeEventListener("abort", withdraw);
        if (open.delete(requestId)) tell({ event: "settled", data: { requestId, reason } });
      }
    },
    answer({ requestId, answer }) {
      const asked = open.get(requestId);
      if ("result" in answer) asked?.resolve(answer.result);
      else asked?.reject(new RpcRefusal(answer.refusal.code, answer.refusal.message));
    },
    end() {
      for (const [requestId, { reject }] of open) {
        tell({ event: "settled", data: { requestId, reason: "withdrawn" } });
        reject(new RpcRefusal(-32800, "The call is over"));
      }
      open.clear();
    },
  };
}

/** The message by which we take something back, if this is one. */
function cancellationIn(told: Told): string | undefined {
  if (told.event !== "wire" || told.data.entry.kind !== "message") return undefined;
  const { direction, message } = told.data.entry;
  const method = isObject(message) ? message.method : undefined;
  const isOne = method === "notifications/cancelled" || method === "tasks/cancel";
  return direction === "send" && isOne ? method : undefined;
}

function failureOf(error: unknown): Extract<Told, { event: "failed" }>["data"] {
  const known = error instanceof ApiError ? error : new ApiError("INTERNAL_ERROR", "The call failed.");
  const { code, message, details, status } = known;
  return { code, message, status, ...(details && { details }) };
}
