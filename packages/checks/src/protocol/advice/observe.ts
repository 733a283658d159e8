/** @module Looking at what is not forbidden but telling: the same list twice, a broken body, an old client's habits, the guardian's metadata. */
import {
  createHttpClient,
  discoverResourceMetadata,
  discoverServerMetadata,
  type JsonObject,
  localPolicy,
  McpError,
  readProtectedResource,
} from "@fettle/mcp";
import { type Exchange, isAnswer } from "../conversation/exchange.ts";
import { isHttpTalk } from "../conversation/talk.ts";
import { postHeaders } from "../conversation/talk-http.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";

export interface AdviceSeen {
  /** The first page of tools once more. */
  toolsAgain: Exchange;
  /** A body that ends in the middle. */
  brokenBody: { status: number; codes: number[] };
  /** GET and DELETE, which old clients send and this revision does not have. */
  oldHabits: { get: number; delete: number };
  /** A request without the version header. */
  noVersionHeader: Exchange;
  /** Metadata of the authorization server that the resource names; undefined when it names none. */
  guardianMetadata: { issuer: string; metadata: JsonObject } | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends AdviceSeen {}
}

const patienceMs = 3_000;

export function adviceObservers({ talk, http, facts, policy }: RunContext): ObserversOf<AdviceSeen> {
  const raw = () => {
    if (http && isHttpTalk(talk)) return { http, talk };
    throw new McpError("NOT_SUPPORTED", "This needs HTTP.");
  };
  const statusOf = async (method: string) => {
    const { http: open, talk: conversation } = raw();
    const headers = { ...conversation.headers(), accept: "text/event-stream" };
    const window = { totalMs: patienceMs };
    return (await open.raw.exchange({ method, headers, headOnly: true, window })).status;
  };
  return {
    toolsAgain: async (look) => {
      await look("tools");
      return talk.ask("tools/list");
    },
    brokenBody: async (look) => {
      await look("opening");
      const { http: open, talk: conversation } = raw();
      const { status, messages } = await open.raw.exchange({
        headers: { ...postHeaders, ...conversation.headers() },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/li',
        window: { totalMs: patienceMs },
      });
      const codes = messages
        .filter(isAnswer)
        .flatMap((answer) => (answer.kind === "error" ? [answer.error.code] : []));
      return { status, codes };
    },
    oldHabits: async () => ({ get: await statusOf("GET"), delete: await statusOf("DELETE") }),
    noVersionHeader: () =>
      talk.ask("server/discover", undefined, { headers: { "mcp-protocol-version": undefined } }),
    guardianMetadata: async () => {
      const { http: open } = raw();
      const client = createHttpClient({ policy: policy ?? localPolicy });
      try {
        const limits = { timeoutMs: patienceMs };
        const { found } = await discoverResourceMetadata(client, open.target.url, undefined, limits);
        const [issuer] = found ? readProtectedResource(found, open.target.url).authorizationServers : [];
        if (!found || issuer === undefined) return undefined;
        const suppliedFrom = found.zone;
        const server = await discoverServerMetadata(client, issuer, facts.version, {
          ...limits,
          suppliedFrom,
        });
        return server.found && { issuer, metadata: server.found.metadata };
      } finally {
        client.close();
      }
    },
  };
}
