/** @module Looking at how a server takes revisions that are not its own: in the handshake, in the header, and without one. */
import { McpError } from "@fettle/mcp";
import { neverVersion } from "./envelope-observations.ts";
import { isAnswer } from "./exchange.ts";
import type { ObserversOf, RunContext } from "./run-context.ts";
import { isHttpTalk, type Opening } from "./talk.ts";
import { postHeaders } from "./talk-http.ts";

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
}

export function versionObservers({ talk, facts, openTalk, timeoutMs }: RunContext): ObserversOf<VersionSeen> {
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
      if (!isHttpTalk(talk)) throw new McpError("NOT_SUPPORTED", "This needs HTTP.");
      const { status, messages } = await talk.raw.exchange({
        headers: { ...postHeaders, ...talk.headers(), "mcp-protocol-version": neverVersion },
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
  };
}

/** The revision that a server offers instead of the one it was asked for. */
export function offeredBy({ result }: Opening): string | undefined {
  const version = result?.protocolVersion;
  const isRevision = typeof version === "string" && /^\d{4}-\d{2}-\d{2}$/.test(version);
  return isRevision && version !== neverVersion ? version : undefined;
}
