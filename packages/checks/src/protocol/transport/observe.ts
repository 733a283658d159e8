/** @module Looking at the transport itself with requests made by hand. */
import { McpError } from "@fettle/mcp";
import type { Exchange } from "../conversation/exchange.ts";
import { type HttpTalk, initializeParams, isHttpTalk, type SeenHead } from "../conversation/talk.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";
import { isSuccess } from "./checks.ts";

export interface TransportSeen {
  /** A notification that is a POST of its own. */
  notificationPost: Exchange;
  /** The stream of the conversation itself: a server may allow one only, and without sessions they are all the same client's. */
  getStream: SeenHead;
  /** The opening with a Host and Origin that a rebound name would bring. */
  foreignHost: Exchange;
  /** POST and GET with a foreign Origin and its own Host; GET is undefined in the era without it. */
  foreignOrigin: { post: Exchange; get: SeenHead | undefined };
  /** GET and DELETE in a session with a foreign Origin, of those that are served without one. */
  foreignInSession: { method: string; status: number }[];
  /** The opening with its own Host and Origin. */
  ownHost: Exchange;
  /** Three requests at once. */
  concurrent: Exchange[];
}

declare module "../seen.ts" {
  interface ProtocolSeen extends TransportSeen {}
}

export const foreignName = "evil.example.com";

export function transportObservers({ talk, http, openTalk }: RunContext): ObserversOf<TransportSeen> {
  const overHttp = (): HttpTalk => {
    if (isHttpTalk(talk)) return talk;
    throw new McpError("NOT_SUPPORTED", "This needs HTTP.");
  };
  const opening = (headers: Record<string, string>) => {
    const isStateful = talk.era === "stateful";
    return overHttp().ask(
      isStateful ? "initialize" : "server/discover",
      isStateful ? initializeParams(talk.version) : undefined,
      { headers: { ...headers, "mcp-session-id": undefined } },
    );
  };
  const foreignGet = async (origin: string): Promise<SeenHead> => {
    // Where there is one stream for everybody, the conversation's own comes first.
    await overHttp()
      .listening()
      .catch(() => {});
    const fresh = await openTalk({ listens: false });
    await fresh.open();
    if (!isHttpTalk(fresh)) throw new McpError("NOT_SUPPORTED", "This needs HTTP.");
    const headers = { accept: "text/event-stream", ...fresh.headers(), origin };
    return fresh.raw.exchange({ method: "GET", headers, headOnly: true });
  };
  const alwaysThere = talk.era === "stateful" ? "ping" : "server/discover";
  const url = http && new URL(http.target.url);
  return {
    notificationPost: () => overHttp().notify("notifications/cancelled", { requestId: "fettle-never-sent" }),
    getStream: async () => overHttp().listening(),
    foreignHost: () => opening({ host: foreignName, origin: `http://${foreignName}` }),
    foreignOrigin: async () => {
      const origin = `http://${foreignName}`;
      const [post, get] = await Promise.all([
        opening({ origin }),
        talk.era === "stateful" ? foreignGet(origin) : undefined,
      ]);
      return { post, get };
    },
    foreignInSession: async (look) => {
      if (talk.era !== "stateful") return [];
      const [stream, { deleteStatus }] = await Promise.all([
        overHttp()
          .listening()
          .catch(() => undefined),
        look("endedSession"),
      ]);
      const fresh = await openTalk({ listens: false });
      const { sessionId } = await fresh.open();
      // Without a session a stream may be refused because somebody else has it.
      if (sessionId === undefined || !isHttpTalk(fresh)) return [];
      const seen: { method: string; status: number }[] = [];
      for (const [method, own] of [
        ["GET", stream?.status],
        ["DELETE", deleteStatus],
      ] as const) {
        if (!isSuccess(own)) continue;
        const headers = { accept: "text/event-stream", ...fresh.headers(), origin: `http://${foreignName}` };
        const { status } = await fresh.raw.exchange({ method, headers, headOnly: true });
        // Where there is one stream for everybody, it is taken: that says nothing of the Origin.
        if (status !== 409) seen.push({ method, status });
      }
      return seen;
    },
    ownHost: () => opening({ host: url?.host ?? "", origin: url?.origin ?? "" }),
    concurrent: () =>
      // What every server answers, whatever it offers.
      Promise.all([1000, 1001, 1002].map((id) => overHttp().ask(alwaysThere, undefined, { id }))),
  };
}
