/** @module Looking at how a stateless server takes envelopes that are incomplete, versions it does not speak and methods that are gone. */
import type { JsonObject } from "@fettle/mcp";
import type { Exchange } from "../conversation/exchange.ts";
import { clientInfo, fullCapabilities } from "../conversation/talk.ts";
import { namesOf } from "../lists/observe.ts";
import type { ObserversOf, ProtocolLook, RunContext } from "../run-context.ts";

export interface EnvelopeSeen {
  /** A version that never was, in header and envelope alike. */
  unsupportedVersion: Exchange;
  withoutMeta: Exchange;
  withoutVersion: Exchange;
  withoutCapabilities: Exchange;
  withoutClientInfo: Exchange;
  removedMethods: Exchange[];
  /** A tool that needs something of the client, called by one that offers nothing; undefined without such a tool. */
  undeclaredCapability: Exchange | undefined;
  /** A call during which the server would like to ask something; undefined without such a tool. */
  askingStream: Exchange | undefined;
}

declare module "../seen.ts" {
  interface ProtocolSeen extends EnvelopeSeen {}
}

const metaKeys = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
} as const;

export const neverVersion = "1999-01-01";

const removed: readonly [method: string, params?: JsonObject][] = [
  ["initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }],
  ["ping"],
  ["logging/setLevel", { level: "info" }],
  ["resources/subscribe", { uri: "test://static-text" }],
  ["resources/unsubscribe", { uri: "test://static-text" }],
];

export function envelopeObservers({ talk }: RunContext): ObserversOf<EnvelopeSeen> {
  const meta: Record<keyof typeof metaKeys, unknown> = {
    version: talk.version,
    capabilities: fullCapabilities,
    clientInfo,
  };
  /** A process may take its era from the first request after server/discover: that is to be an ordinary one. */
  const settled = async (look: ProtocolLook) => {
    if (talk.transport === "stdio") await look("tools").catch(() => {});
  };
  /** An envelope made by hand, of these parts only. */
  const discoverWith = async (look: ProtocolLook, ...parts: (keyof typeof metaKeys)[]) => {
    await settled(look);
    return talk.ask(
      "server/discover",
      parts.length === 0
        ? undefined
        : { _meta: Object.fromEntries(parts.map((part) => [metaKeys[part], meta[part]])) },
      { isBare: true },
    );
  };
  return {
    unsupportedVersion: async (look) => {
      await settled(look);
      return talk.ask("server/discover", undefined, {
        headers: { "mcp-protocol-version": neverVersion },
        meta: { [metaKeys.version]: neverVersion },
      });
    },
    withoutMeta: (look) => discoverWith(look),
    withoutVersion: (look) => discoverWith(look, "capabilities", "clientInfo"),
    withoutCapabilities: (look) => discoverWith(look, "version", "clientInfo"),
    withoutClientInfo: (look) => discoverWith(look, "version", "capabilities"),
    removedMethods: async (look) => {
      await settled(look);
      return Promise.all(removed.map(([method, params]) => talk.ask(method, params)));
    },
    undeclaredCapability: async (look) => {
      const name = "test_missing_capability";
      const isThere = (await look("hasContract")) && namesOf(await look("tools")).includes(name);
      return isThere ? talk.ask("tools/call", { name, arguments: {} }, { capabilities: {} }) : undefined;
    },
    askingStream: async (look) => {
      const name = "test_streaming_elicitation";
      const isThere = (await look("hasContract")) && namesOf(await look("tools")).includes(name);
      return isThere
        ? talk.ask("tools/call", { name, arguments: {} }, { meta: { progressToken: "fettle-stream" } })
        : undefined;
    },
  };
}
