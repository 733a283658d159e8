/** @module Looking at sessions: how one is opened and ended, and how a broken stream is taken up again. */
import { type Inbound, isObject, type JsonObject, McpError, type RawAnswer } from "@fettle/mcp";
import { type Exchange, isAnswer, resultOf } from "../conversation/exchange.ts";
import { type HttpTalk, initializeParams, isHttpTalk, type Opening } from "../conversation/talk.ts";
import { postHeaders } from "../conversation/talk-http.ts";
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

/** What a session is worth without the token that it was opened with. */
export type SessionAlone =
  | { kind: "no-token" }
  | { kind: "no-session" }
  /** Clients are let in without a token. */
  | { kind: "open"; status: number }
  /** A request in the session, with everything but the token. */
  | { kind: "asked"; refusal: number; method: string; status: number; isServed: boolean };

export interface SessionSeen {
  sessionAlone: SessionAlone;
  endedSession: EndedSession;
  /** Undefined without the fixture that breaks its stream off. */
  resumption: Resumption | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends SessionSeen {}
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
    sessionAlone: async () => {
      if (!run.http || !hasToken(run.http.headers)) return { kind: "no-token" };
      const talk = await freshTalk();
      const { sessionId, result } = await talk.open();
      if (sessionId === undefined) return { kind: "no-session" };
      // By hand: what a gateway says to strangers is no part of the conversation that other checks judge.
      const askAsStranger = (headers: Record<string, string>, method: string, params: JsonObject) => {
        const id = "without-token";
        return talk.raw.exchange({
          headers: { ...withoutToken(headers), ...postHeaders },
          body: { jsonrpc: "2.0", id, method, params },
          window: { totalMs: run.timeoutMs * 0.75 },
          until: (message) => isAnswer(message) && message.id === id,
        });
      };
      const opening = await askAsStranger(run.http.headers, "initialize", initializeParams(talk.version));
      if (opening.status !== 401 && opening.status !== 403) return { kind: "open", status: opening.status };
      const method = somethingGuarded(result?.capabilities);
      const { status, messages } = await askAsStranger(talk.headers(), method, {});
      const isServed = messages.some(({ kind }) => kind === "result");
      return { kind: "asked", refusal: opening.status, method, status, isServed };
    },
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

const isToken = (header: string) => header.toLowerCase() === "authorization";
const hasToken = (headers: Record<string, string>) => Object.keys(headers).some(isToken);

function withoutToken(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isToken(name)));
}

/** A list says something of the server; a ping is all that one without any list can be asked. */
function somethingGuarded(capabilities: unknown): string {
  const listed = ["tools", "resources", "prompts"].find(
    (name) => isObject(capabilities) && name in capabilities,
  );
  return listed === undefined ? "ping" : `${listed}/list`;
}

/** An answer that opens its stream as it should: an event with an id and no data comes first. */
export function isPrimed({ events }: Exchange): boolean {
  const [first] = events;
  return isObject(first) && first.id !== undefined && first.data === "";
}
