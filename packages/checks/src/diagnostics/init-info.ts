/** @module What a server said of itself when the connection opened, in the one shape every report uses. */
import type { Connection, JsonObject, WireKind } from "@fettle/mcp";

export interface InitInfo {
  protocolVersion: string;
  transport: WireKind;
  /** Null when the server does not say who it is. */
  serverVersion: JsonObject | null;
  serverCapabilities: JsonObject;
  instructions?: string;
  clientCapabilities: JsonObject;
}

export function initInfoOf(
  connection: Pick<
    Connection,
    "protocolVersion" | "transport" | "serverInfo" | "capabilities" | "instructions" | "clientCapabilities"
  >,
): InitInfo {
  const { protocolVersion, transport, serverInfo, capabilities, instructions, clientCapabilities } =
    connection;
  return {
    protocolVersion,
    transport,
    serverVersion: serverInfo,
    serverCapabilities: capabilities,
    ...(instructions !== undefined && { instructions }),
    clientCapabilities,
  };
}
