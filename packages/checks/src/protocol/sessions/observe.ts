/** @module Looking at sessions: how one is opened and ended, and how a broken stream is taken up again. */
import { type Inbound, isObject, McpError, type RawAnswer } from "@fettle/mcp";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { type HttpTalk, isHttpTalk, type Opening } from "../conversation/talk.ts";
import { namesOf, requireWhole } from "../lists/observe.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";

export interface EndedSession {
  opening: Opening;
  /** Of the DELETE; absent when there was no session to end. */
  deleteStatus?: number;
  /** Of a request in the session after it was ended. */
  statusAfter?: number;
}

export interface Resumption {
  first: Exchange;
  /** What GET with Last-Event-ID brought; absent when no event had an id. */
  resumed?: { status: number; isAnswered: boolean };
}

export interface SessionSeen {
  endedSession: EndedSession;
  /** Undefined without the fixture that breaks its stream off. */
  resumption: Resumption | undefined;
}

/** Clients wait as long as they are told; one that comes back early, once, harms nobody, and the operator is waiting too: nothing in a run takes longer. */
const longestRetryMs = 50;

export function sessionObservers(run: RunContext): ObserversOf<SessionSeen> {
  const freshTalk = async (): Promise<HttpTalk> => {
    const talk = await run.openTalk({ listens: false });
    if (isHttpTalk(talk)) return talk;
    throw new McpError("NOT_SUPPORTED", "Sessions are a matter of HTTP.");
  };
  return {
    endedSession: async () => {
      const talk = await freshTalk();
      const opening = await talk.open();
      if (opening.sessionId === undefined) return { opening };
      const headers = talk.headers();
      const ended = await talk.raw.exchange({ method: "DELETE", headers, headOnly: true });
      const after = await talk.raw.exchange({
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: { jsonrpc: "2.0", id: "after-delete", method: "tools/list" },
        headOnly: true,
      });
      return { opening, deleteStatus: ended.status, statusAfter: after.status };
    },
    resumption: async (look) => {
      const tool = "test_reconnection";
      const tools = await look("tools");
      if (!(await look("hasContract"))) return undefined;
      if (!namesOf(tools).includes(tool)) {
        requireWhole(tools);
        return undefined;
      }
      const talk = await freshTalk();
      const first = await talk.ask("tools/call", { name: tool, arguments: {} });
      const lastEventId = first.events.findLast(({ id }) => id !== undefined)?.id;
      if (resultOf(first) || lastEventId === undefined) return { first };
      const retryMs = first.events.findLast(({ retry }) => retry !== undefined)?.retry ?? 0;
      await new Promise((resolve) => setTimeout(resolve, Math.min(retryMs, longestRetryMs)));
      const isOurs = (message: Inbound) => message.kind === "result" && message.id === first.id;
      const seen: RawAnswer = await talk.raw.exchange({
        method: "GET",
        headers: { ...talk.headers(), accept: "text/event-stream", "last-event-id": lastEventId },
        window: { totalMs: run.timeoutMs },
        until: isOurs,
      });
      return { first, resumed: { status: seen.status, isAnswered: seen.messages.some(isOurs) } };
    },
  };
}

/** An answer that opens its stream as it should: an event with an id and no data comes first. */
export function isPrimed({ events }: Exchange): boolean {
  const [first] = events;
  return isObject(first) && first.id !== undefined && first.data === "";
}
