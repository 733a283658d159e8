/** @module Looking at how a stateless server takes envelopes that are incomplete, versions it does not speak and methods that are gone. */
import type { JsonObject } from "@fettle/mcp";
import type { Exchange } from "./exchange.ts";
import { namesOf } from "./list-observations.ts";
import type { ObserversOf, RunContext } from "./run-context.ts";
import { clientInfo, fullCapabilities } from "./talk.ts";

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
  /** An envelope made by hand, of these parts only. */
  const discoverWith = (...parts: (keyof typeof metaKeys)[]) =>
    talk.ask(
      "server/discover",
      parts.length === 0
        ? undefined
        : { _meta: Object.fromEntries(parts.map((part) => [metaKeys[part], meta[part]])) },
      { isBare: true },
    );
  return {
    unsupportedVersion: () =>
      talk.ask("server/discover", undefined, {
        headers: { "mcp-protocol-version": neverVersion },
        meta: { [metaKeys.version]: neverVersion },
      }),
    withoutMeta: () => discoverWith(),
    withoutVersion: () => discoverWith("capabilities", "clientInfo"),
    withoutCapabilities: () => discoverWith("version", "clientInfo"),
    withoutClientInfo: () => discoverWith("version", "capabilities"),
    removedMethods: () => Promise.all(removed.map(([method, params]) => talk.ask(method, params))),
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
