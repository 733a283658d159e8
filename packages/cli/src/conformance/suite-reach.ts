/** @module The way to a server that a command has planned, as suites take it. */
import type { Recorder } from "@fettle/mcp";
import type { ProtocolVersion } from "../connection/flags.ts";
import type { Plan } from "../connection/open-server.ts";
import { authorizeFrom } from "../connection/renewal.ts";

export function reachOf(
  { target, renewal }: Plan,
  recorder: Recorder,
  { protocolVersion, timeoutMs }: { protocolVersion: ProtocolVersion | undefined; timeoutMs?: number },
) {
  const authorize = renewal && authorizeFrom(renewal, target, protocolVersion, recorder);
  return { target, recorder, authorize, timeoutMs };
}
