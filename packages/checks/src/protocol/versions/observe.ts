/** @module Looking at how a server takes revisions that are not its own: in the handshake, in the header, and without one. */
import { isObject, McpError } from "@fettle/mcp";
import { isAnswer } from "../conversation/exchange.ts";
import { type HttpTalk, initializeParams, isHttpTalk, type Opening } from "../conversation/talk.ts";
import { postHeaders } from "../conversation/talk-http.ts";
import { neverVersion } from "../envelope/observe.ts";
import type { ObserversOf, RunContext } from "../run-context.ts";

export interface VersionSeen {
  /** A handshake that asks for a revision that never was. */
  strangeOpening: Opening;
  /** A handshake that asks for what was offered then; that of the run where it did. */
  offeredOpening: { asked: string; opening: Opening } | undefined;
  /** How a request was answered whose header names a revision that never was. It may be refused before its id is read. */
  strangeHeader: {
    status: number;
    /** What the server itself says of it, in JSON-RPC; otherwise it may be a gateway that refused. */
    error?: string;
    isInSession: boolean;
  };
  /** In the stateless era: a client of 2025-03-26, which knows no such header, is served too. */
  servesOldClients: boolean;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends VersionSeen {}
}

export function versionObservers({ talk, facts, openTalk, timeoutMs }: RunContext): ObserversOf<VersionSeen> {
  const overHttp = (): HttpTalk => {
    if (isHttpTalk(talk)) return talk;
    throw new McpError("NOT_SUPPORTED", "This needs HTTP.");
  };
  const openWith = async (version: string) => (await openTalk({ listens: false, version })).open();
  return {
    strangeOpening: () => openWith(neverVersion),
    offeredOpening: async (look) => {
      const asked = offeredBy(await look("strangeOpening"));
      if (asked === undefined) return undefined;
      return { asked, opening: asked === facts.version ? await look("opening") : await openWith(asked) };
    },
    strangeHeader: async (look) => {
      const opening = await look("opening");
      const { raw, headers } = overHttp();
      const { status, messages } = await raw.exchange({
        headers: { ...postHeaders, ...headers(), "mcp-protocol-version": neverVersion },
        body: { jsonrpc: "2.0", id: "fettle-strange-header", method: "ping" },
        window: { totalMs: timeoutMs / 2 },
        until: isAnswer,
      });
      const refusal = messages.find(({ kind }) => kind === "error");
      return {
        status,
        ...(refusal?.kind === "error" && { error: refusal.error.message }),
        isInSession: opening.sessionId !== undefined,
      };
    },
    // By hand, since it is no traffic of the revision at hand.
    servesOldClients: async () => {
      const { raw, headers } = overHttp();
      const { "mcp-protocol-version": _version, ...own } = headers();
      const answer = await raw.exchange({
        headers: { ...postHeaders, ...own },
        body: {
          jsonrpc: "2.0",
          id: "fettle-old-client",
          method: "initialize",
          params: initializeParams("2025-03-26"),
        },
        window: { totalMs: timeoutMs / 2 },
        until: isAnswer,
      });
      const session = answer.headers["mcp-session-id"];
      if (session !== undefined)
        await raw
          .exchange({ method: "DELETE", headers: { ...own, "mcp-session-id": session }, headOnly: true })
          .catch(() => {});
      return answer.messages.some(
        (message) =>
          message.kind === "result" &&
          isObject(message.result) &&
          typeof message.result.protocolVersion === "string" &&
          message.result.protocolVersion < "2025-06-18",
      );
    },
  };
}

/** The revision that a server offers instead of the one it was asked for. */
export function offeredBy({ result }: Opening): string | undefined {
  const version = result?.protocolVersion;
  const isRevision = typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version);
  return isRevision && version !== neverVersion ? version : undefined;
}
