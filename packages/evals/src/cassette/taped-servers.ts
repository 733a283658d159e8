/** @module The servers of a recording: what they offered and what their tools answered, so that a case can be played where there is no server. */
import { isMcpError, type JsonObject, McpError, type Tool } from "@fettle/mcp";
import type { AgentServer, ToolConnection } from "../agent/servers.ts";
import { digestOf } from "../digest.ts";
import { ModelError } from "../models/model.ts";
import { withoutNamed } from "./clean-recording.ts";

export interface RecordedServer {
  name: string;
  transport: ToolConnection["transport"];
  protocolVersion: string;
  serverInfo: ToolConnection["serverInfo"];
  tools: readonly Tool[];
}

export interface RecordedCall {
  /** From 1. */
  iteration: number;
  /** Calls of the iteration in the order of asking, from 1. */
  seq: number;
  server: string;
  toolName: string;
  argsHash: string;
  /** One of both: what a call gave that never came back is not known. */
  result?: JsonObject;
  error?: { rpcCode: number; message: string };
  latencyMs: number;
}

export interface ServerRecording {
  servers: RecordedServer[];
  calls: RecordedCall[];
}

type Clean = <T>(value: T) => T;

/** The same servers; what they offer and what their tools answer is written down. */
export function recordServers(
  into: ServerRecording,
  links: readonly AgentServer[],
  iteration: number,
  clean: Clean,
): AgentServer[] {
  let seq = 0;
  return links.map((link) => {
    const { name, connection, tools } = link;
    if (!into.servers.some((known) => known.name === name)) {
      const { transport, protocolVersion, serverInfo } = connection;
      into.servers.push(clean({ name, transport, protocolVersion, serverInfo, tools }));
    }
    const callTool: ToolConnection["callTool"] = async (toolName, args = {}, options = {}) => {
      const place = { iteration, seq: ++seq, server: name, toolName, argsHash: digestOf(clean(args)) };
      const startedAt = performance.now();
      const keep = (came: Pick<RecordedCall, "result" | "error">) =>
        into.calls.push({ ...place, ...clean(came), latencyMs: Math.round(performance.now() - startedAt) });
      try {
        const result = await connection.callTool(toolName, args, options);
        keep({ result: withoutNamed(connection.recorder.hide(result)) });
        return result;
      } catch (error) {
        if (isMcpError(error, "RPC_ERROR")) {
          keep({ error: { rpcCode: error.details.rpcCode ?? 0, message: error.message } });
        }
        throw error;
      }
    };
    return { ...link, connection: withCalls(connection, callTool) };
  });
}

/** Everything else is asked of the connection itself, whose state changes. */
export function withCalls(connection: ToolConnection, callTool: ToolConnection["callTool"]): ToolConnection {
  const { transport, protocolVersion, serverInfo, recorder } = connection;
  return {
    transport,
    protocolVersion,
    serverInfo,
    recorder,
    callTool,
    ping: (options) => connection.ping(options),
    get closedBecause() {
      return connection.closedBecause;
    },
  };
}

/** The servers as they were recorded. Of one that is there its own tools are offered, so that a changed surface is noticed; no tool is called. */
export function playServers(
  { servers, calls }: ServerRecording,
  live: readonly AgentServer[],
  iteration: number,
): AgentServer[] {
  if (servers.length === 0) {
    throw new ModelError("CASSETTE_MISS", "There is no recording of this case with its tools.", {
      hint: "Record it with a live model and its servers: --cassette record --cassette-tools.",
    });
  }
  return servers.map((server) => {
    const own = calls.filter((call) => call.server === server.name && call.iteration === iteration);
    const { tools } = live.find(({ name }) => name === server.name) ?? server;
    return { name: server.name, tools, connection: playedBack(server, own) };
  });
}

function playedBack(server: RecordedServer, calls: readonly RecordedCall[]): ToolConnection {
  const left = [...calls];
  const { transport, protocolVersion, serverInfo } = server;
  return {
    transport,
    protocolVersion,
    serverInfo,
    closedBecause: undefined,
    recorder: { hide: (value) => value },
    ping: async () => ({ method: "ping", result: {}, durationMs: 0 }),
    async callTool(toolName, args = {}) {
      const hash = digestOf(args);
      const at = left.findIndex((call) => call.toolName === toolName && call.argsHash === hash);
      const [call] = at < 0 ? [] : left.splice(at, 1);
      if (call?.error) {
        const { rpcCode, message } = call.error;
        throw new McpError("RPC_ERROR", message, { details: { rpcCode, method: "tools/call" } });
      }
      if (call?.result) return structuredClone(call.result);
      throw new ModelError(
        "CASSETTE_MISS",
        `The recording has no answer of ${toolName} to these arguments.`,
        {
          hint: "Record it anew: --cassette record --cassette-tools.",
        },
      );
    },
  };
}
