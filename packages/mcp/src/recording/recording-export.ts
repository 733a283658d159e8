/** @module A recording in the forms people ask for: RPC logs, and HAR for any HTTP viewer. */
import { harOf } from "@fettle/contract/formats";
import type { Recording } from "./recording.ts";

export interface RpcLog {
  serverId: string;
  serverName: string;
  direction: "send" | "receive";
  /** ISO 8601. */
  timestamp: string;
  message: unknown;
}

/** The messages alone, as `--rpc` prints them. */
export function toRpcLogs(
  recording: Pick<Recording, "entries">,
  server: { serverId: string; serverName: string },
): RpcLog[] {
  return recording.entries.flatMap((entry) =>
    entry.kind === "message"
      ? [
          {
            serverId: server.serverId,
            serverName: server.serverName,
            direction: entry.direction,
            timestamp: new Date(entry.at).toISOString(),
            message: entry.message,
          },
        ]
      : [],
  );
}

/** The HTTP exchanges as HAR 1.2. */
export function toHar(recording: Recording): Record<string, unknown> {
  return harOf(recording.entries.filter((entry) => entry.kind === "http"));
}
