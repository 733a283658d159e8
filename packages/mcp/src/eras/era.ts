/** @module The two ways MCP is spoken: stateful revisions that shake hands first, and the stateless one where each request says all. */
import { isOneOf } from "@fettle/contract/core";
import { McpError } from "../failure.ts";
import type { JsonObject } from "../messages/jsonrpc.ts";

export const statefulVersions = [
  "2024-10-07",
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
] as const;
export const statelessVersions = ["2026-07-28"] as const;
export const latestStateful = "2025-11-25";
export const latestStateless = "2026-07-28";

export type EraKind = "stateful" | "stateless";

export interface ClientIdentity {
  clientInfo: JsonObject;
  capabilities: JsonObject;
}

/** What a server says of itself, by handshake or discovery. */
export interface Opening {
  protocolVersion: string;
  capabilities: JsonObject;
  serverInfo: JsonObject | null;
  instructions?: string;
  /** Every version the server named; only discovery tells. */
  supportedVersions?: string[];
  /** The result as it came. */
  raw: JsonObject;
}

interface PreparedRequest {
  params: JsonObject | undefined;
  headers: Record<string, string>;
}

export interface Era {
  kind: EraKind;
  version: string;
  /** What a request needs in this era: the envelope and the headers. */
  prepare(method: string, params: JsonObject | undefined): PreparedRequest;
}

/** `stateful` or `stateless`; a version Fettle does not know is refused, never guessed. */
export function eraOfVersion(version: string): EraKind {
  if (isOneOf(statefulVersions, version)) return "stateful";
  if (isOneOf(statelessVersions, version)) return "stateless";
  throw new McpError("BAD_OPTION", `"${version}" is not a protocol version Fettle knows.`, {
    hint: `Known versions: ${[...statefulVersions, ...statelessVersions].join(", ")}.`,
  });
}
