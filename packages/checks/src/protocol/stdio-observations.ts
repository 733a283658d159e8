/** @module Looking at a server's pipes: what else it writes there, and whether it leaves when they close. */
import { type Inbound, McpError, openRawStdio, Recorder, type StdioTarget } from "@fettle/mcp";
import type { ObserversOf, RunContext } from "./run-context.ts";
import type { StdioTalk } from "./talk-stdio.ts";

export interface StdioSeen {
  /** Everything on stdout of the main conversation. */
  stdout: readonly Inbound[];
  /** How a process of its own ended after its stdin was closed. */
  shutdown: { exitCode: number | null; signal: string | null };
}

export function stdioObservers({ talk, target, facts }: RunContext): ObserversOf<StdioSeen> {
  return {
    stdout: async (look) => {
      await Promise.allSettled([look("opening"), look("tools")]);
      if (talk.transport === "stdio") return (talk as StdioTalk).raw.heard;
      throw new McpError("NOT_SUPPORTED", "This needs stdio.");
    },
    shutdown: async (look) => {
      await look("opening");
      const recorder = new Recorder();
      const process = await openRawStdio(target as StdioTarget, { recorder });
      // It must have started before it can be seen to stop.
      const isUp = process.next(() => true, { timeoutMs: 5_000 });
      const params = {
        protocolVersion: facts.version,
        capabilities: {},
        clientInfo: { name: "fettle", version: "1" },
      };
      await process.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
      await isUp.catch(() => {});
      await process.close();
      const { details } = recorder
        .read()
        .entries.findLast((entry) => entry.kind === "note" && entry.note === "exited") as {
        details?: StdioSeen["shutdown"];
      };
      return details ?? { exitCode: null, signal: null };
    },
  };
}
