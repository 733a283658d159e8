/** @module What a server may ask of us: sampling, elicitation, roots. Each is handled by whoever connected, or refused in so many words. */
import { excerptOf, isObject, type JsonObject } from "../messages/jsonrpc.ts";
import {
  type ClientHandlers,
  type HandlerContext,
  type InboundRequestHandler,
  RpcRefusal,
} from "../wire/server-requests.ts";
import { createClientTasks } from "./client-tasks.ts";

/** Something a server asked and did not get. */
export interface Refusal {
  method: string;
  reason: "not-declared" | "no-handler";
  /** What it asked with, in brief. */
  excerpt: string;
}

const families: Record<string, keyof ClientHandlers> = {
  "sampling/createMessage": "sampling",
  "elicitation/create": "elicitation",
  "roots/list": "roots",
};

const keptRefusals = 50;

/** The capabilities that handlers stand for. */
export function capabilitiesOf(handlers: ClientHandlers): JsonObject {
  return {
    ...(handlers.sampling && { sampling: {} }),
    ...(handlers.elicitation && { elicitation: { form: {}, url: {} } }),
    ...(handlers.roots && { roots: {} }),
  };
}

export interface InboundRequests {
  serve: InboundRequestHandler;
  /** Answers one request embedded in an `input_required` result, by others where they can; undefined when nobody can. */
  answer(
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    others?: ClientHandlers,
  ): Promise<JsonObject> | undefined;
  refusals: Refusal[];
  /** The connection has ended. */
  end(): void;
}

export function inboundRequests(handlers: ClientHandlers, capabilities: () => JsonObject): InboundRequests {
  const refusals: Refusal[] = [];
  const refuse = (method: string, reason: Refusal["reason"], params: JsonObject) => {
    if (refusals.length < keptRefusals)
      refusals.push({ method, reason, excerpt: excerptOf(JSON.stringify(params), 500) });
  };

  const tasks = createClientTasks();
  /** Declared (a host is emulated) but nobody is here to answer: decline the way the method itself provides. */
  const decline = async (method: string, params: JsonObject): Promise<JsonObject> => {
    refuse(method, "no-handler", params);
    if (method === "elicitation/create") return { action: "decline" };
    if (method === "roots/list") return { roots: [] };
    throw new RpcRefusal(-1, "The sampling request was declined");
  };

  return {
    answer(method, params, signal, others = {}) {
      const family = families[method];
      return family ? (others[family] ?? handlers[family])?.(params, { signal }) : undefined;
    },
    async serve(method, params, { byCall, ...context }) {
      if (method === "ping") return {};
      const takesTasks = isObject(capabilities().tasks);
      const told = takesTasks ? tasks.serve(method, params) : undefined;
      if (told) return told;
      const family = families[method];
      if (!family || !isObject(capabilities()[family])) {
        refuse(method, "not-declared", params);
        throw new RpcRefusal(-32601, `Method not found: this client did not declare ${family ?? method}`);
      }
      const able = byCall.filter((each) => each[family]);
      const asked = able.length > 0 ? able : [handlers].filter((each) => each[family]);
      const work = (signal: AbortSignal) =>
        asked.length === 0
          ? decline(method, params)
          : firstAnswer(asked, family, params, { ...context, signal });
      // Roots are never a task: what they are is known at once.
      return takesTasks && isObject(params.task) && family !== "roots"
        ? tasks.start(params.task, work)
        : work(context.signal);
    },
    refusals,
    end: tasks.end,
  };
}

/** Put to everybody it may be meant for. The first answer counts, and the question is taken back from the others. */
async function firstAnswer(
  asked: readonly ClientHandlers[],
  family: keyof ClientHandlers,
  params: JsonObject,
  context: HandlerContext,
): Promise<JsonObject> {
  const answered = new AbortController();
  const signal = AbortSignal.any([context.signal, answered.signal]);
  try {
    return await Promise.race(
      asked.flatMap((handlers) => handlers[family]?.(params, { ...context, signal }) ?? []),
    );
  } finally {
    answered.abort(new RpcRefusal(-32800, "Answered elsewhere"));
  }
}
